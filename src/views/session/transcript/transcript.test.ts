import assert from 'node:assert/strict';
import { chatReducer } from '../../../ahp/channels/chat/chatReducer.ts';
import type { ChatState, ResponsePart } from '../../../ahp/channels/chat/state.ts';
import { chatState, said } from '../../../../test/fakes/models.ts';
import { failureOf, turnViews } from './transcript.ts';

const session = (parts: ResponsePart[]): ChatState =>
  chatState({
    status: 8,
    turns: [{ id: 't0', message: said('Before'), responseParts: [{ kind: 'markdown', id: 'm0', content: 'Hi' }], state: 'complete' }],
    activeTurn: { id: 't1', message: said('Now'), responseParts: parts },
  });

describe('turnViews', () => {
  it('keeps rows and turns that an action did not touch as they were', () => {
    const before = session([
      { kind: 'markdown', id: 'a', content: 'A' },
      { kind: 'markdown', id: 'b', content: 'B' },
    ]);
    const after = chatReducer(before, { type: 'chat/delta', turnId: 't1', partId: 'b', content: '!' }, 1);
    const [oldPast, oldActive] = turnViews(before);
    const [past, active] = turnViews(after);
    assert.equal(past, oldPast);
    assert.equal(active?.rows[0], oldActive?.rows[0]);
    assert.deepEqual(active?.rows[1], { kind: 'markdown', key: 'm:b', text: 'B!' });
  });

  it('knows that reasoning ended when something follows it', () => {
    const parts: ResponsePart[] = [{ kind: 'reasoning', id: 'r', content: 'Hm' }];
    const running = (state: ChatState) =>
      turnViews(state)
        .at(-1)
        ?.rows.map((row) => row.kind === 'reasoning' && row.running);
    assert.deepEqual(running(session(parts)), [true]);
    assert.deepEqual(running(session([...parts, { kind: 'markdown', id: 'm', content: '' }])), [false, false]);
  });

  it('names parts of later versions', () => {
    const parts = [{ kind: 'beam', power: 3 }, {}] as unknown as ResponsePart[];
    const rows = turnViews(session(parts)).at(-1)?.rows ?? [];
    assert.deepEqual(
      rows.map((row) => row.kind === 'unknown' && row.label),
      ['Unknown part (beam)', 'Unknown part (no kind)'],
    );
  });

  it('says what a turn used', () => {
    const state = session([]);
    state.turns = [
      {
        id: 't',
        message: said(''),
        responseParts: [],
        state: 'complete',
        duration: 12_000,
        usage: { inputTokens: 1200, outputTokens: 3, model: 'gpt-5' },
      },
    ];
    assert.deepEqual(turnViews(state)[0]?.usage, { inputTokens: 1200, outputTokens: 3, model: 'gpt-5' });
    assert.equal(turnViews(state)[0]?.durationMs, 12_000);
  });

  it('keeps questions and notices in their place, and an error out of the rows', () => {
    const request = { id: 'q', message: 'Which?' };
    const error: ResponsePart = { kind: 'error', error: { errorType: 'x', message: 'No' }, resumable: true };
    const parts: ResponsePart[] = [
      { kind: 'inputRequest', request, response: 'accept' },
      { kind: 'systemNotification', content: 'Compacted' },
      { kind: 'inputRequest', request: { id: 'r' } },
      error,
    ];
    const turn = { id: 't', message: said(''), responseParts: parts, state: 'error' as const };
    assert.equal(failureOf(turn), error);
    const [view] = turnViews(chatState({ turns: [turn] }));
    assert.deepEqual(
      view?.rows.map(({ kind, key }) => [kind, key]),
      [
        ['question', 'q:q'],
        ['notice', 'i:1'],
        ['question', 'q:r'],
      ],
    );
    assert.equal(view?.error?.message, 'No');
  });
});
