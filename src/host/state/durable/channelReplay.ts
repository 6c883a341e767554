/**
 * The channels of a session, and what its log says happened to them since. Actions are reduced in batches, one a channel, which is many times
 * as fast as one by one. So no reducer of a channel may use the time of its own clock: the actions bring all times that count.
 */
import type { StateAction } from '../../../ahp/channels/actions.ts';
import { channelReducers, type ChannelState } from '../../../ahp/channels/channelReducers.ts';
import { reduceAll } from '../../../ahp/common/reducers/reduceAll.ts';
import type { Reducer } from '../../../ahp/common/reducers/reducer.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { StoredChannel } from '../stateStore.ts';

interface ChannelSnapshot {
  stored: StoredChannel;
  /** The state includes all actions up to this number. */
  seq: number;
  /** In order, not reduced yet. */
  actions: StateAction[];
  /** When the first of them came, in ms since the epoch. */
  at: number;
}

export class ChannelReplay {
  readonly #channels = new Map<URI, ChannelSnapshot>();

  /** The states include all actions up to `seq`. */
  constructor(channels: readonly StoredChannel[], seq: number) {
    for (const channel of channels) this.add(channel, seq);
  }

  /** Replaces an earlier channel of this URI. */
  add(stored: StoredChannel, seq: number): void {
    this.#channels.set(stored.channel, { stored, seq, actions: [], at: 0 });
  }

  remove(channel: URI): void {
    this.#channels.delete(channel);
  }

  /** An action for a channel that is gone, or was made anew since, changes nothing. `at`: ms since the epoch. */
  dispatch(channel: URI, action: StateAction, seq: number, at: number): void {
    const held = this.#channels.get(channel);
    if (!held || seq <= held.seq) return;
    if (held.actions.push(action) === 1) held.at = at;
  }

  /** In the order of their addition. */
  get channels(): StoredChannel[] {
    return [...this.#channels.values()].map((held) => {
      const { stored, actions, at } = held;
      if (actions.length === 0) return stored;
      const state = reduceAll(channelReducers[stored.kind] as Reducer<ChannelState, StateAction>, stored.state, actions, at);
      held.actions = [];
      return (held.stored = { ...stored, state } as StoredChannel);
    });
  }
}
