import assert from 'node:assert/strict';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import { modelCallMeta } from '../../ahp/common/modelCalls.ts';
import type { TelemetrySpan } from '../../ahp/telemetry/telemetryAttributes.ts';
import { StateStore } from '../state/stateStore.ts';
import { HostSpans } from './hostSpans.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ABOVE = '00f067aa0ba902b7';
const session = 'demo:/1';
const chat = 'ahp-chat:/1';
const START = Date.parse('2026-11-27');

describe('the spans of the host', () => {
  const setUp = () => {
    let now = START;
    const store = new StateStore({ now: () => now });
    const spans = new HostSpans(store);
    const ended: TelemetrySpan[] = [];
    spans.onDidEnd((span) => ended.push(span));
    const state = { provider: 'demo', title: '', status: 1, lifecycle: 'creating', activeClients: [], chats: [] } as const;
    store.add({ channel: session, kind: 'session', state: { ...state, activeClients: [], chats: [] } }, session);
    const addChat = (resource: string, origin?: object) => {
      const empty = { resource, title: '', status: 1, modifiedAt: '', turns: [], ...origin };
      store.add({ channel: resource, kind: 'chat', state: empty }, session);
    };
    addChat(chat);
    const act = (action: Record<string, unknown>, channel = chat) =>
      store.dispatch(channel, (channel === session ? action : { turnId: 't', ...action }) as ChatAction);
    const begin = (meta?: object, turnId = 't', channel = chat) =>
      act({ type: 'chat/turnStarted', turnId, startedAt: '', message: { text: 'secret', origin: { kind: 'user' }, ...meta } }, channel);
    const call = (id: string, confirmed?: string) => {
      act({ type: 'chat/toolCallStart', toolCallId: id, toolName: 'shell', displayName: 'Shell' });
      act({
        type: 'chat/toolCallReady',
        toolCallId: id,
        invocationMessage: 'secret',
        toolInput: 'secret',
        ...(confirmed && { confirmed }),
      });
    };
    const complete = (id: string, result: object) =>
      act({ type: 'chat/toolCallComplete', toolCallId: id, result: { pastTenseMessage: '', ...result } });
    const pass = (ms: number) => (now += ms);
    const facts = () => ended.map(({ name, start, end, error }) => [name, start - START, end - start, error]);
    return { store, ended, act, begin, call, complete, pass, facts, addChat };
  };

  it('name the tool of every call, however many have ended before', () => {
    const { begin, act, call, complete, ended } = setUp();
    begin();
    const decide = (type: string, id: string, approved: boolean) =>
      act({ type, toolCallId: id, approved, ...(approved ? { confirmed: 'user-action' } : { reason: 'denied' }) });
    for (let at = 0; at < 300; at++) {
      call(`done ${at}`, 'not-needed');
      complete(`done ${at}`, { success: true });
      call(`denied ${at}`);
      decide('chat/toolCallConfirmed', `denied ${at}`, false);
      call(`seen ${at}`, 'not-needed');
      act({
        type: 'chat/toolCallComplete',
        toolCallId: `seen ${at}`,
        result: { success: true, pastTenseMessage: '' },
        requiresResultConfirmation: true,
      });
      decide('chat/toolCallResultConfirmed', `seen ${at}`, true);
    }
    assert.equal(ended.length, 1_200);
    for (const { name } of ended) assert.match(name, / shell$/);
  });

  it('are a turn, and what it does and waits for below it', () => {
    const { begin, act, call, complete, pass, facts, ended } = setUp();
    begin();
    pass(10);
    act({ type: 'chat/usage', usage: {}, _meta: modelCallMeta({ model: 'gpt', durationMs: 8, inputTokens: 5, outputTokens: 2 }) });
    call('a');
    pass(100);
    act({ type: 'chat/toolCallConfirmed', toolCallId: 'a', approved: true, confirmed: 'user-action' });
    pass(20);
    complete('a', { success: true });
    call('b', 'not-needed');
    pass(3);
    complete('b', { success: false, error: { message: 'secret', code: 'denied' } });
    act({ type: 'chat/turnComplete', duration: 0 });
    assert.deepEqual(facts(), [
      ['chat gpt', 2, 8, undefined],
      ['wait_for_user shell', 10, 100, undefined],
      ['execute_tool shell', 110, 20, undefined],
      ['execute_tool shell', 130, 3, 'denied'],
      ['turn', 0, 133, undefined],
    ]);
    const turn = ended.at(-1)!;
    assert.match(turn.traceId, /^[0-9a-f]{32}$/);
    for (const span of ended.slice(0, -1)) assert.deepEqual([span.traceId, span.parentSpanId], [turn.traceId, turn.spanId]);
    assert.deepEqual(turn.attributes, { 'ahp.session': session, 'ahp.chat': chat, 'tapline.turn.id': 't' });
    assert.deepEqual(ended[1]?.attributes, {
      ...turn.attributes,
      ...{ 'gen_ai.tool.name': 'shell', 'gen_ai.tool.call.id': 'a', 'tapline.approved': true },
    });
    assert.deepEqual([ended[0]?.attributes['gen_ai.usage.input_tokens'], ended[0]?.isToOthers], [5, true]);
    assert.ok(!JSON.stringify(ended).includes('secret'), 'what was said and done');
  });

  it('go on in the trace that the message names', () => {
    const { begin, act, ended } = setUp();
    begin({ _meta: { traceparent: `00-${TRACE}-${ABOVE}-01` } });
    act({ type: 'chat/turnComplete', duration: 0 });
    begin({ _meta: { traceparent: 'nonsense' } });
    act({ type: 'chat/turnComplete', duration: 0 });
    assert.deepEqual([ended[0]?.traceId, ended[0]?.parentSpanId], [TRACE, ABOVE]);
    assert.equal(ended[1]?.parentSpanId, undefined);
    assert.notEqual(ended[1]?.traceId, TRACE);
  });

  it('say why a turn did not end as it should, and end with it', () => {
    const { begin, act, call, facts } = setUp();
    begin();
    call('a');
    act({ type: 'chat/turnCancelled', duration: 0 });
    begin();
    act({ type: 'chat/error', duration: 0, part: { kind: 'error', error: { errorType: 'ModelError', message: 'secret' } } });
    assert.deepEqual(facts(), [
      ['wait_for_user shell', 0, 0, 'turn_ended'],
      ['turn', 0, 0, 'cancelled'],
      ['turn', 0, 0, 'ModelError'],
    ]);
  });

  it('of a subagent are below the call that has started it', () => {
    const { begin, act, call, complete, addChat, ended } = setUp();
    begin();
    call('task', 'not-needed');
    addChat('ahp-chat:/sub', { origin: { kind: 'tool', chat, toolCallId: 'task' } });
    begin({}, 'u', 'ahp-chat:/sub');
    act({ type: 'chat/turnComplete', turnId: 'u', duration: 0 }, 'ahp-chat:/sub');
    complete('task', { success: true });
    const [sub, task] = ended;
    assert.deepEqual([sub?.traceId, sub?.parentSpanId], [task?.traceId, task?.spanId]);
  });

  it('are a question, a denial and the making of a session', () => {
    const { begin, act, call, pass, facts } = setUp();
    pass(50);
    act({ type: 'session/ready' }, session);
    begin();
    act({ type: 'chat/inputRequested', request: { id: 'q', message: 'secret', questions: [] } });
    pass(5);
    act({ type: 'chat/inputCompleted', requestId: 'q', response: 'decline' });
    call('a');
    pass(1);
    act({ type: 'chat/toolCallConfirmed', toolCallId: 'a', approved: false, reason: 'denied' });
    assert.deepEqual(facts(), [
      ['create_session', 0, 50, undefined],
      ['wait_for_user', 50, 5, undefined],
      ['wait_for_user shell', 55, 1, undefined],
    ]);
  });
});
