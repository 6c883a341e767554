import assert from 'node:assert/strict';
import { ReplayBuffer, type ReplayLimits } from './replayBuffer.ts';

interface Envelope {
  serverSeq: number;
  text?: unknown;
}

describe('replay buffer', () => {
  const all = new Set(['a', 'b']);
  const filled = (forgotten: number, limits: ReplayLimits, ...entries: [resource: string, serverSeq: number, text?: unknown][]) => {
    const buffer = new ReplayBuffer<Envelope>(forgotten, limits);
    for (const [resource, serverSeq, text] of entries) buffer.keep(resource, { serverSeq, text });
    return buffer;
  };
  const seqs = (buffer: ReplayBuffer<Envelope>, since: number, resources = all) =>
    buffer.after(since, resources)?.map(({ serverSeq }) => serverSeq);

  it('gives the envelopes after a number, of some resources, in order', () => {
    const buffer = filled(0, {}, ['a', 2], ['b', 5], ['a', 6]);
    assert.deepEqual(seqs(buffer, 0), [2, 5, 6]);
    assert.deepEqual(seqs(buffer, 2), [5, 6]);
    assert.deepEqual(seqs(buffer, 3, new Set(['a'])), [6]);
    assert.deepEqual(seqs(buffer, 6), []);
    assert.deepEqual(seqs(buffer, 0, new Set(['c'])), []);
  });

  it('knows nothing of the time before it', () => {
    const buffer = filled(7, {}, ['a', 8]);
    assert.equal(seqs(buffer, 6), undefined);
    assert.deepEqual(seqs(buffer, 7), [8]);
  });

  it('forgets the oldest beyond its number, and says so for every resource', () => {
    const buffer = filled(0, { replayLimit: 2 }, ['a', 1], ['b', 2], ['b', 3]);
    assert.equal(seqs(buffer, 0, new Set(['b'])), undefined);
    assert.deepEqual(seqs(buffer, 1), [2, 3]);
    buffer.keep('a', { serverSeq: 9 });
    assert.equal(seqs(buffer, 1), undefined);
    assert.deepEqual(seqs(buffer, 2), [3, 9]);
  });

  it('forgets as many as one large envelope needs, if need be itself', () => {
    const limits = { replaySizeLimit: 500 };
    const buffer = filled(0, limits, ['a', 1, 'x'.repeat(100)], ['a', 2, 'x'.repeat(100)], ['a', 3, 'x'.repeat(350)]);
    assert.equal(seqs(buffer, 1), undefined);
    assert.deepEqual(seqs(buffer, 2), [3]);
    buffer.keep('a', { serverSeq: 4, text: 'x'.repeat(600) });
    assert.equal(seqs(buffer, 3), undefined);
    assert.deepEqual(seqs(buffer, 4), []);
    buffer.keep('a', { serverSeq: 5, text: 'small' });
    assert.deepEqual(seqs(buffer, 4), [5]);
  });

  it('counts text wherever it is, names too, and however deep', () => {
    let deep: unknown = 'x'.repeat(600);
    for (let level = 0; level < 50_000; level++) deep = [deep];
    for (const text of [{ a: { b: ['x'.repeat(600)] } }, { ['x'.repeat(600)]: 1 }, Array.from({ length: 100 }, () => 7), deep])
      assert.equal(seqs(filled(0, { replaySizeLimit: 500 }, ['a', 1, text]), 0), undefined);
    assert.deepEqual(seqs(filled(0, { replaySizeLimit: 500 }, ['a', 1, { a: null, b: [undefined, true, 7] }]), 0), [1]);
  });
});
