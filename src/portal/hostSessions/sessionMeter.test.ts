import assert from 'node:assert/strict';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { modelCallsMeta } from '../../ahp/common/modelCalls.ts';
import type { UsageInfo } from '../../ahp/common/shapes.ts';
import { SessionMeter } from './sessionMeter.ts';

const call = (id: string, status = 'completed') => ({ kind: 'toolCall', toolCall: { toolCallId: id, toolName: 'x', status } });
const turn = (id: string, parts: object[] = [], usage?: UsageInfo) => ({
  ...{ id, message: { text: '', origin: { kind: 'user' } }, responseParts: parts },
  ...(usage && { usage }),
});
function chat(active?: object, ended: object[] = [], resource = 'c'): ChatState {
  return {
    resource,
    turns: ended.map((one) => ({ state: 'complete', ...one })),
    ...(active && { activeTurn: active }),
  } as unknown as ChatState;
}
function looked(...states: ChatState[]): SessionMeter {
  const meter = new SessionMeter();
  for (const state of states) meter.look(state);
  return meter;
}

describe('what a session uses', () => {
  it('is the sum of a turn at our host, which says how many requests it was', () => {
    const usage = (modelCalls: number, inputTokens: number) => ({ inputTokens, outputTokens: 1, _meta: modelCallsMeta(modelCalls) });
    const last = turn('a', [call('1'), call('2')], usage(5, 90));
    const meter = looked(chat(turn('a')), chat(turn('a', [call('1')], usage(2, 30))), chat(last), chat(undefined, [last]));
    assert.deepEqual(meter.used, { modelCalls: 5, toolCalls: 2, inputTokens: 90, outputTokens: 1 });
    meter.look(chat(turn('b', [], usage(1, 10)), [last]));
    assert.deepEqual(meter.used, { modelCalls: 6, toolCalls: 2, inputTokens: 100, outputTokens: 2 });
  });

  it('is each report at another host', () => {
    const report = { inputTokens: 10, outputTokens: 1 };
    const more = { inputTokens: 15, outputTokens: 1 };
    const meter = looked(
      ...[chat(turn('a')), chat(turn('a', [], report)), chat(turn('a', [call('1')], { ...report }))],
      ...[chat(turn('a', [call('1')], more)), chat(undefined, [turn('a', [call('1')], more)])],
    );
    assert.deepEqual(meter.used, { modelCalls: 2, toolCalls: 1, inputTokens: 25, outputTokens: 2 });
  });

  it('is one request a turn at least, also of one that came at once, that was removed, and in subagents', () => {
    const meter = looked(chat(undefined, [turn('a'), turn('b', [call('1')])]), chat(turn('c', [call('2')])), chat(turn('d')), chat());
    meter.look(chat(turn('s', [call('3')]), [], 'below'));
    assert.deepEqual(meter.used, { modelCalls: 5, toolCalls: 3, inputTokens: 0, outputTokens: 0 });
  });

  it('believes no host that counts in something else', () => {
    const odd = { inputTokens: -5, outputTokens: Number.NaN, _meta: { 'tapline.modelCalls': '7' } };
    assert.equal(looked(chat(turn('a', [], { inputTokens: Number.MAX_SAFE_INTEGER }))).used.inputTokens, 1e12);
    assert.deepEqual(looked(chat(turn('a', [], odd))).used, { modelCalls: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0 });
  });

  it('changes with the state, and waits with its calls and questions', () => {
    const meter = new SessionMeter();
    const state = chat(turn('a', [call('1', 'pending-confirmation')]));
    assert.deepEqual([meter.isWaiting, meter.look(state), meter.look(state), meter.isWaiting], [false, true, false, true]);
    meter.look(chat(turn('a', [{ kind: 'inputRequest', request: { id: 'q' } }])));
    assert.equal(meter.isWaiting, true);
    meter.look(chat(turn('a', [{ kind: 'inputRequest', request: { id: 'q' }, response: 'accept' }])));
    assert.equal(meter.isWaiting, false);
    meter.look(chat(undefined, [turn('a', [call('1', 'pending-confirmation')])]));
    assert.equal(meter.isWaiting, false, 'a turn that is over waits for nobody');
  });
});
