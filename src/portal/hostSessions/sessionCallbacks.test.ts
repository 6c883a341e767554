import assert from 'node:assert/strict';
import { chatState, said } from '../../../test/fakes/models.ts';
import type { ChatState, ResponsePart, Turn } from '../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import { SessionCallbacks } from './sessionCallbacks.ts';

const state = (turns: Turn[], activeTurn?: ChatState['activeTurn']): ChatState => chatState({ turns, ...(activeTurn && { activeTurn }) });
const turn = (...responseParts: ResponsePart[]) => ({ id: 't', message: said('hi'), responseParts });
const over = (how: Turn['state'], ...parts: ResponsePart[]): Turn => ({ ...turn(...parts), state: how });
const text = (content: string, id = 'm'): ResponsePart => ({ kind: 'markdown', id, content });
const call = (given: Partial<ToolCallState> & { status: string }): ResponsePart => ({
  kind: 'toolCall',
  toolCall: { toolCallId: 'c', toolName: 'T', displayName: 'T', invocationMessage: '', toolInput: '{}', ...given } as ToolCallState,
});
const start = { callback: 'onAgentStart', turnId: 't' };
const end = [{ callback: 'onAgentEnd', turnId: 't' }, { callback: 'onIdle' }];
const begins = { callback: 'onStartToolExecution', toolCallId: 'c', toolName: 'T', toolArguments: '{}' };

describe('the callbacks of a session', () => {
  it('tell each piece of a text once', () => {
    const callbacks = new SessionCallbacks();
    assert.deepEqual(callbacks.update(state([])), []);
    assert.deepEqual(callbacks.update(state([], turn(text('')))), [start, { callback: 'onStartMessage', messageId: 'm' }]);
    assert.deepEqual(callbacks.update(state([], turn(text('one')))), [{ callback: 'onMessage', messageId: 'm', delta: 'one' }]);
    assert.deepEqual(callbacks.update(state([], turn(text('one')))), []);
    assert.deepEqual(callbacks.update(state([], turn(text('one two'), text('x', 'n')))), [
      { callback: 'onMessage', messageId: 'm', delta: ' two' },
      { callback: 'onEndMessage', messageId: 'm', completeContent: 'one two' },
      { callback: 'onStartMessage', messageId: 'n' },
      { callback: 'onMessage', messageId: 'n', delta: 'x' },
    ]);
    const last = [{ callback: 'onEndMessage', messageId: 'n', completeContent: 'x' }, ...end];
    assert.deepEqual(callbacks.update(state([over('complete', text('one two'), text('x', 'n'))])), last);
    assert.deepEqual(callbacks.update(state([over('complete', text('one two'), text('x', 'n'))])), []);
  });

  it('tell a whole turn that came at once, and the one after it', () => {
    const callbacks = new SessionCallbacks();
    const next = { ...turn(), id: 'u' };
    const told = callbacks.update(state([over('complete', { kind: 'reasoning', id: 'r', content: 'why' })], next));
    assert.deepEqual(told, [
      start,
      { callback: 'onStartReasoning', reasoningId: 'r' },
      { callback: 'onReasoning', reasoningId: 'r', delta: 'why' },
      { callback: 'onEndReasoning', reasoningId: 'r', completeContent: 'why' },
      { callback: 'onAgentEnd', turnId: 't' },
      { callback: 'onAgentStart', turnId: 'u' },
    ]);
  });

  it('tell of a subagent its calls only, each with the call that has started it', () => {
    const callbacks = new SessionCallbacks({ parentToolCallId: 'p' });
    assert.deepEqual(callbacks.update(state([], turn(text('I look.'), call({ status: 'running' })))), [
      { ...begins, parentToolCallId: 'p' },
    ]);
    const ended = callbacks.update(state([over('complete', text('I look.'), call({ status: 'cancelled', reason: 'denied' }))]));
    assert.deepEqual(ended, [{ callback: 'onEndToolExecution', toolCallId: 'c', error: { message: 'denied', code: 'denied' } }]);
  });

  it('end the calls that have started when nothing more is heard of them', () => {
    const callbacks = new SessionCallbacks({ parentToolCallId: 'p' });
    const done = call({ toolCallId: 'done', status: 'completed', success: true, pastTenseMessage: '', content: [] });
    const waits = call({ toolCallId: 'waits', status: 'pending-confirmation' });
    callbacks.update(state([], turn(done, call({ status: 'running' }))));
    callbacks.update(state([], turn(done, call({ status: 'running' }), waits)));
    const error = { message: 'Nothing more is heard of the session.', code: 'session-ended' };
    assert.deepEqual(callbacks.close(), [{ callback: 'onEndToolExecution', toolCallId: 'c', error }]);
    assert.deepEqual([callbacks.close(), new SessionCallbacks().close()], [[], []]);
  });

  it('tell a tool only once it runs, then what it gives and how it ends', () => {
    const callbacks = new SessionCallbacks();
    const tools: string[] = [];
    const update = (...parts: ResponsePart[]) =>
      callbacks.update(state([], turn(...parts)), (turnId, { status }) => tools.push(`${turnId} ${status}`));
    assert.deepEqual(update(call({ status: 'streaming' })), [start]);
    assert.deepEqual(update(call({ status: 'pending-confirmation' })), []);
    assert.deepEqual(update(call({ status: 'running' })), [begins]);
    const content = (value: string) => [{ type: 'text' as const, text: value }];
    const gives = (delta: string) => ({ callback: 'onToolExecution', toolCallId: 'c', delta });
    assert.deepEqual(update(call({ status: 'running', content: content('a') })), [gives('a')]);
    assert.deepEqual(update(call({ status: 'running', content: content('ab') })), [gives('b')]);
    assert.deepEqual(update(call({ status: 'completed', success: true, pastTenseMessage: '', content: content('ab') })), [
      { callback: 'onEndToolExecution', toolCallId: 'c', result: { content: 'ab' } },
    ]);
    assert.deepEqual(update(call({ status: 'completed', success: true, pastTenseMessage: '', content: content('ab') })), []);
    assert.deepEqual(tools, ['t running']);
  });

  it('tell a failure, a denial and an end of the turn as errors', () => {
    const told = (part: ResponsePart) => new SessionCallbacks().update(state([], turn(part))).slice(1);
    const ends = (error: object) => ({ callback: 'onEndToolExecution', toolCallId: 'c', error });
    const failed = call({ status: 'completed', success: false, pastTenseMessage: '', error: { message: 'no', code: 'x' } });
    assert.deepEqual(told(failed), [begins, ends({ message: 'no', code: 'x' })]);
    assert.deepEqual(told(call({ status: 'cancelled', reason: 'denied' })), [ends({ message: 'denied', code: 'denied' })]);
    const callbacks = new SessionCallbacks();
    callbacks.update(state([], turn(call({ status: 'running' }))));
    assert.deepEqual(
      callbacks.update(
        state([
          over('error', call({ status: 'running' }), {
            kind: 'error',
            id: 'e',
            error: { errorType: 'x', message: 'lost' },
          } as ResponsePart),
        ]),
      ),
      [ends({ message: 'The turn has ended.', code: 'turn-ended' }), { sessionError: 'lost' }, ...end],
    );
  });

  it('are not idle while another message waits', () => {
    const waiting = { ...state([over('complete')]), queuedMessages: [{ id: 'q', message: said('next') }] };
    assert.deepEqual(new SessionCallbacks().update(waiting), [start, { callback: 'onAgentEnd', turnId: 't' }]);
  });
});
