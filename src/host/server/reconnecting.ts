/** The two ways to write a `reconnect`: with one number for all channels (0.9 and 1.0), and with one for each (1.1). */
import type { ActionEnvelope } from '../../ahp/channels/actions.ts';
import {
  type CommandParams,
  commandParams,
  type PerChannelReconnectResult,
  reconnectPerChannel,
  type ReconnectResult,
  type Snapshot,
} from '../../ahp/channels/commands.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { isRecord } from '../../base/isRecord.ts';
import { inOrder } from '../state/replayBuffer.ts';
import { checkedParams } from '../checks/checkedParams.ts';
import type * as z from 'zod/mini';

/** What the host has for a client of one channel. */
export interface CaughtUp {
  readonly channel: URI;
  /** Absent: the channel is gone, or has no state. */
  readonly snapshot?: Snapshot | undefined;
  /** Absent: the log of the channel does not reach back that far. */
  readonly missed: readonly ActionEnvelope[] | undefined;
  /** It only has notifications, and none of them is sent again. */
  readonly isStateless?: boolean;
}

export interface Reconnecting {
  readonly clientId: string;
  /** The number that the client has seen last, by channel. */
  readonly cursors: ReadonlyMap<URI, number>;
  answer(caughtUp: readonly CaughtUp[]): ReconnectResult | PerChannelReconnectResult;
}

/** `speaks11`: the way of 1.1 is known. Throws InvalidParams with the field. */
export function reconnecting(params: unknown, speaks11: boolean): Reconnecting {
  if (speaks11 && isRecord(params) && params['lastSeenServerSeq'] === undefined) {
    const { clientId, subscriptions } = checkedParams(reconnectPerChannel, params) as z.infer<typeof reconnectPerChannel>;
    const cursors = new Map<URI, number>();
    // Of a channel that is named twice, the lower number is the safe one.
    for (const { channel, lastSeenServerSeq: seen } of subscriptions) cursors.set(channel, Math.min(seen, cursors.get(channel) ?? seen));
    return { clientId, cursors, answer: perChannel };
  }
  const { clientId, subscriptions, lastSeenServerSeq } = checkedParams(commandParams.reconnect, params) as CommandParams<'reconnect'>;
  return { clientId, cursors: new Map(subscriptions.map((channel) => [channel, lastSeenServerSeq])), answer: forAll };
}

function perChannel(caughtUp: readonly CaughtUp[]): PerChannelReconnectResult {
  return {
    channels: caughtUp.map(({ channel, snapshot, missed, isStateless }) => {
      if (isStateless) return { kind: 'replay', channel, actions: [] };
      if (!snapshot) return { kind: 'missing', channel };
      return missed ? { kind: 'replay', channel, actions: missed } : { kind: 'snapshot', channel, snapshot };
    }),
  };
}

/** One channel whose log does not reach back far enough makes all of them snapshots. */
function forAll(caughtUp: readonly CaughtUp[]): ReconnectResult {
  const there = caughtUp.filter(({ snapshot }) => snapshot !== undefined);
  const actions = inOrder(there.map(({ missed }) => missed));
  if (!actions) return { type: 'snapshot', snapshots: there.flatMap(({ snapshot }) => snapshot ?? []) };
  return {
    type: 'replay',
    actions,
    missing: caughtUp.flatMap(({ channel, snapshot, isStateless }) => (snapshot || isStateless ? [] : [channel])),
  };
}
