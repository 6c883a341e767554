import assert from 'node:assert/strict';
import { sessionReducer } from '../../../ahp/v1/reducers/sessionReducer.ts';
import type { StateAction } from '../../../ahp/v1/actions.ts';
import type { ResponsePart, SessionState } from '../../../ahp/v1/session.ts';
import { turnViews } from './transcript.ts';

const uri = 'copilot:/1';
const session = (parts: ResponsePart[]): SessionState => ({
  summary: { resource: uri, provider: 'copilot', title: '', status: 8, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [{ id: 't0', userMessage: { text: 'Before' }, responseParts: [{ kind: 'markdown', id: 'm0', content: 'Hi' }], state: 'complete' }],
  activeTurn: { id: 't1', userMessage: { text: 'Now' }, responseParts: parts },
});

describe('turnViews', () => {
  it('keeps rows and turns that an action did not touch as they were', () => {
    const before = session([
      { kind: 'markdown', id: 'a', content: 'A' },
      { kind: 'markdown', id: 'b', content: 'B' },
    ]);
    const delta: StateAction = { type: 'session/delta', session: uri, turnId: 't1', partId: 'b', content: '!' };
    const after = sessionReducer(before, delta, 1);
    const [oldPast, oldActive] = turnViews(before);
    const [past, active] = turnViews(after);
    assert.equal(past, oldPast);
    assert.equal(active?.rows[0], oldActive?.rows[0]);
    assert.deepEqual(active?.rows[1], { kind: 'markdown', key: 'm:b', text: 'B!' });
  });

  it('knows that reasoning ended when something follows it', () => {
    const parts: ResponsePart[] = [{ kind: 'reasoning', id: 'r', content: 'Hm' }];
    const running = (state: SessionState) =>
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
        userMessage: { text: '' },
        responseParts: [],
        state: 'complete',
        usage: { inputTokens: 1200, outputTokens: 3, model: 'gpt-5' },
      },
    ];
    assert.equal(turnViews(state)[0]?.usage, '1,200 in · 3 out tokens · gpt-5');
  });
});
