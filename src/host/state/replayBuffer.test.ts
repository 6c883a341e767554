import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inOrder, ReplayBuffer, type ReplayLimits } from './replayBuffer.ts';

interface Envelope {
  serverSeq: number;
  text?: unknown;
}

describe('replay buffer', () => {
  const filled = (forgotten: number, limits: ReplayLimits, ...entries: [channel: string, serverSeq: number, text?: unknown][]) => {
    const buffer = new ReplayBuffer<Envelope>(forgotten, limits);
    for (const [channel, serverSeq, text] of entries) buffer.keep(channel, { serverSeq, text });
    return buffer;
  };
  const seqs = (buffer: ReplayBuffer<Envelope>, since: number, channel = 'a') =>
    buffer.after(since, channel)?.map(({ serverSeq }) => serverSeq);

  it('gives the envelopes of a channel after a number, in order', () => {
    const buffer = filled(0, {}, ['a', 2], ['b', 5], ['a', 6]);
    assert.deepEqual(seqs(buffer, 0), [2, 6]);
    assert.deepEqual(seqs(buffer, 2), [6]);
    assert.deepEqual(seqs(buffer, 6), []);
    assert.deepEqual(seqs(buffer, 0, 'b'), [5]);
    assert.deepEqual(seqs(buffer, 0, 'c'), []);
  });

  it('knows nothing of the time before it', () => {
    const buffer = filled(7, {}, ['a', 8]);
    assert.equal(seqs(buffer, 6), undefined);
    assert.deepEqual(seqs(buffer, 7), [8]);
    assert.equal(seqs(buffer, 6, 'b'), undefined);
    assert.deepEqual(seqs(buffer, 7, 'b'), []);
  });

  it('forgets the oldest of a channel beyond its number, and says so for that channel alone', () => {
    const buffer = filled(0, { replayLimit: 2 }, ['a', 1], ['b', 2], ['b', 3], ['b', 4]);
    assert.deepEqual(seqs(buffer, 0), [1]);
    assert.equal(seqs(buffer, 1, 'b'), undefined);
    assert.deepEqual(seqs(buffer, 2, 'b'), [3, 4]);
  });

  it('takes the room from the channel that holds most, and not from a quiet one', () => {
    const buffer = filled(0, { replaySizeLimit: 2000 }, ['quiet', 1, 'x'.repeat(100)]);
    for (let seq = 2; seq < 500; seq++) buffer.keep('fast', { serverSeq: seq, text: 'x'.repeat(100) });
    assert.deepEqual(seqs(buffer, 0, 'quiet'), [1]);
    assert.equal(seqs(buffer, 480, 'fast'), undefined);
    assert.ok((seqs(buffer, 490, 'fast')?.length ?? 0) === 9);
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
    buffer.keep('b', { serverSeq: 6, text: 'x'.repeat(600) });
    assert.deepEqual([seqs(buffer, 4), seqs(buffer, 5, 'b'), seqs(buffer, 6, 'b')], [[5], undefined, []]);
  });

  it('drops a channel that is gone, and gives its room to others', () => {
    const buffer = filled(0, { replaySizeLimit: 1000 }, ['a', 1, 'x'.repeat(450)], ['b', 2, 'x'.repeat(450)]);
    buffer.drop('a');
    buffer.drop('never there');
    buffer.keep('b', { serverSeq: 3, text: 'x'.repeat(450) });
    assert.deepEqual(seqs(buffer, 0, 'b'), [2, 3]);
    assert.deepEqual(seqs(buffer, 1), []);
  });

  it('counts text wherever it is, names too, and however deep', () => {
    let deep: unknown = 'x'.repeat(600);
    for (let level = 0; level < 50_000; level++) deep = [deep];
    for (const text of [{ a: { b: ['x'.repeat(600)] } }, { ['x'.repeat(600)]: 1 }, Array.from({ length: 100 }, () => 7), deep])
      assert.equal(seqs(filled(0, { replaySizeLimit: 500 }, ['a', 1, text]), 0), undefined);
    assert.deepEqual(seqs(filled(0, { replaySizeLimit: 500 }, ['a', 1, { a: null, b: [undefined, true, 7] }]), 0), [1]);
  });

  it('gives, of any channels, either all that came after a number or nothing, and stays within its limits', () => {
    const anyEntry = fc.record({ channel: fc.constantFrom('a', 'b', 'c', 'd'), size: fc.nat(400), drops: fc.nat(19) });
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), fc.nat(5000), (entries, replayLimit, limit) => {
        const buffer = new ReplayBuffer<Envelope>(0, { replayLimit, replaySizeLimit: limit });
        const all = new Map<string, number[]>();
        for (const [index, { channel, size, drops }] of entries.entries()) {
          if (drops === 0) {
            buffer.drop(channel);
            all.delete(channel);
          }
          buffer.keep(channel, { serverSeq: index + 1, text: 'x'.repeat(size) });
          all.set(channel, [...(all.get(channel) ?? []), index + 1]);
        }
        let kept = 0;
        for (const [channel, numbers] of all) {
          const first = [0, ...numbers].find((since) => seqs(buffer, since, channel) !== undefined);
          assert.ok(first !== undefined);
          const given = seqs(buffer, first, channel) ?? [];
          assert.deepEqual(
            given,
            numbers.filter((number) => number > first),
          );
          assert.ok(given.length <= replayLimit);
          for (const number of given) kept += entries[number - 1]?.size ?? 0;
        }
        assert.ok(kept <= limit);
      }),
    );
  });

  it('takes no longer for an envelope when much is kept', () => {
    const buffer = new ReplayBuffer<Envelope>(0, { replayLimit: 20_000, replaySizeLimit: 20_000 * 60 });
    let touched = 0;
    const counted = (serverSeq: number) => ({
      get serverSeq() {
        touched++;
        return serverSeq;
      },
    });
    for (let seq = 1; seq <= 100_000; seq++) buffer.keep(`c${seq % 3000}`, counted(seq));
    // Once to measure it, and once when it is forgotten.
    assert.ok(touched <= 200_000, String(touched));
  });

  it('puts the envelopes of several channels in order, where all reach back', () => {
    const [one, other] = [[{ serverSeq: 1 }, { serverSeq: 4 }], [{ serverSeq: 3 }]];
    assert.deepEqual(
      inOrder([one, [], other])?.map(({ serverSeq }) => serverSeq),
      [1, 3, 4],
    );
    assert.deepEqual(inOrder([]), []);
    assert.equal(inOrder([one, undefined]), undefined);
  });
});
