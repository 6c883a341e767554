import assert from 'node:assert/strict';
import type { ActionEnvelope } from '../../ahp/channels/actions.ts';
import type { Snapshot } from '../../ahp/channels/commands.ts';
import { type CaughtUp, reconnecting } from './reconnecting.ts';

describe('reconnect', () => {
  const envelope = (channel: string, serverSeq: number): ActionEnvelope => ({
    ...{ channel, serverSeq },
    action: { type: 'session/titleChanged', title: 'x' },
  });
  const snapshotOf = (resource: string): Snapshot => ({ resource, fromSeq: 9, state: { agents: [] } });
  const missing: CaughtUp = { channel: 'gone:/', snapshot: undefined, missed: undefined };
  const replayed = (channel: string, ...seqs: number[]): CaughtUp => ({
    ...{ channel, snapshot: snapshotOf(channel) },
    missed: seqs.map((seq) => envelope(channel, seq)),
  });
  const forgotten = (channel: string): CaughtUp => ({ channel, snapshot: snapshotOf(channel), missed: undefined });
  const forAll = reconnecting({ channel: 'r', clientId: 'a', lastSeenServerSeq: 4, subscriptions: ['s:/1', 's:/2', 's:/1'] }, true);
  const at = (channel: string, lastSeenServerSeq: unknown) => ({ channel, lastSeenServerSeq });
  const params = { channel: 'r', clientId: 'a', subscriptions: [at('s:/1', 4), at('s:/2', 0), at('s:/1', 3), at('s:/1', 7)] };
  const each = reconnecting(params, true);

  it('has one number for all channels, or one for each; of a channel that is named twice the lower counts', () => {
    assert.deepEqual([forAll.clientId, ...forAll.cursors], ['a', ['s:/1', 4], ['s:/2', 4]]);
    assert.deepEqual([each.clientId, ...each.cursors], ['a', ['s:/1', 3], ['s:/2', 0]]);
  });

  it('is written in the way of 1.1 only where that is spoken, and names the field that is wrong', () => {
    assert.throws(() => reconnecting(params, false), /lastSeenServerSeq/);
    for (const [subscriptions, named] of [
      [undefined, /subscriptions/],
      [['s:/1'], /subscriptions\[0\]/],
      [[at('s:/1', -1)], /lastSeenServerSeq/],
      [[at('s:/1', 1.5)], /lastSeenServerSeq/],
      [[at('s:/1', '4')], /lastSeenServerSeq/],
      [[{ channel: 's:/1' }], /lastSeenServerSeq/],
      [[{ lastSeenServerSeq: 1 }], /channel/],
    ] as const)
      assert.throws(() => reconnecting({ channel: 'r', clientId: 'a', subscriptions }, true), named, JSON.stringify(subscriptions));
  });

  it('is answered for all in the same way: by what was missed, in order, or by snapshots', () => {
    assert.deepEqual(forAll.answer([replayed('s:/1', 5, 8), missing, replayed('s:/2', 6)]), {
      ...{ type: 'replay', missing: ['gone:/'] },
      actions: [envelope('s:/1', 5), envelope('s:/2', 6), envelope('s:/1', 8)],
    });
    assert.deepEqual(forAll.answer([replayed('s:/1', 5), missing, forgotten('s:/2')]), {
      ...{ type: 'snapshot', snapshots: [snapshotOf('s:/1'), snapshotOf('s:/2')] },
    });
  });

  it('is answered for each channel by itself, with one outcome', () => {
    assert.deepEqual(each.answer([replayed('s:/1', 5), missing, forgotten('s:/2'), replayed('s:/3')]), {
      channels: [
        { kind: 'replay', channel: 's:/1', actions: [envelope('s:/1', 5)] },
        { kind: 'missing', channel: 'gone:/' },
        { kind: 'snapshot', channel: 's:/2', snapshot: snapshotOf('s:/2') },
        { kind: 'replay', channel: 's:/3', actions: [] },
      ],
    });
  });
});
