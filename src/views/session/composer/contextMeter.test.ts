import assert from 'node:assert/strict';
import type { Turn } from '../../../ahp/channels/chat/state.ts';
import { contextMeta } from '../../../ahp/contextUse.ts';
import { said } from '../../../../test/fakes/models.ts';
import { contextMeter } from './contextMeter.ts';

describe('contextMeter', () => {
  const turn = (id: string, _meta?: Record<string, unknown>): Turn => ({
    ...{ id, message: said('Go'), responseParts: [], state: 'complete' },
    ...(_meta && { usage: { _meta } }),
  });

  it('says what fills the context, after the latest turn that says it', () => {
    const first = turn('a', contextMeta({ used: 1, limit: 10 }));
    const second = turn('b', contextMeta({ used: 13_700, limit: 40_000, system: 3_700, conversation: 10_000, compact: '/compact' }));
    assert.deepEqual(contextMeter({ turns: [first, second, turn('c')] }), {
      percent: 34,
      size: '13,700 of 40,000 tokens',
      parts: [
        { label: 'The conversation', tokens: '10,000' },
        { label: 'Instructions of the agent', tokens: '3,700' },
      ],
      compact: '/compact',
    });
    const { id, message, responseParts, usage } = first;
    assert.equal(contextMeter({ turns: [second], activeTurn: { id, message, responseParts, usage: usage! } })?.percent, 10);
  });

  it('is full at most, and is absent where the host says nothing that makes sense', () => {
    assert.equal(contextMeter({ turns: [turn('a', contextMeta({ used: 90, limit: 10 }))] })?.percent, 100);
    for (const value of [
      undefined,
      7,
      {},
      { used: 1, limit: 0 },
      { used: -1, limit: 5 },
      { used: 1, limit: 1e400 },
      { used: '1', limit: 5 },
    ]) {
      assert.equal(contextMeter({ turns: [turn('a', { 'tapline.context': value })] }), undefined, JSON.stringify(value));
    }
    assert.equal(contextMeter({ turns: [] }), undefined);
  });
});
