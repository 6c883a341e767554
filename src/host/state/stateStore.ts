/**
 * The only place where the host's state changes. It owns `serverSeq`, the state of every channel, and the envelopes that a reconnecting
 * client may need. All other modules dispatch actions and listen.
 */
import type { ActionEnvelope, ActionOrigin, StateAction } from '../../ahp/channels/actions.ts';
import type { AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import { type ChannelKind, channelReducers, type ChannelState, type ChannelStates } from '../../ahp/channels/channelReducers.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { Snapshot } from '../../ahp/channels/commands.ts';
import { ROOT_CHANNEL, type RootState } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { TerminalState } from '../../ahp/channels/terminal.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { Emitter } from '../../base/event.ts';
import { ReplayBuffer, type ReplayLimits } from './replayBuffer.ts';

/** A channel with its state. */
export type StoredChannel = { [K in ChannelKind]: { channel: URI; kind: K; state: ChannelStates[K] } }[ChannelKind];

export interface DispatchedAction {
  /** Of the channel; undefined where there is none, for an action that was rejected. */
  kind: ChannelKind | undefined;
  /** The session that the channel belongs to: itself, for a session. Absent for the root and terminals. */
  session: URI | undefined;
  envelope: ActionEnvelope;
  /** The time that its reducer used, in ms since the epoch. */
  at: number;
  /** The states around it. The same where nothing changed. */
  before: ChannelState | undefined;
  after: ChannelState | undefined;
}

export type AddedChannel = StoredChannel & {
  /** As in {@link DispatchedAction}. */
  session: URI | undefined;
  seq: number;
};

export interface StateStoreOptions extends ReplayLimits {
  /** The greatest sequence number of earlier runs. This run continues after it. */
  afterSeq?: number | undefined;
  /** ms since the epoch. */
  now?: (() => number) | undefined;
}

interface Channel {
  kind: ChannelKind;
  state: ChannelState;
  session: URI | undefined;
  /** The sequence number of its addition, or of what was last set without an action. A client that has seen less does not know this. */
  addedAt: number;
}

export class StateStore {
  #serverSeq: number;
  readonly #channels = new Map<URI, Channel>();
  /** The channels of each session, in the order of their addition: itself first. */
  readonly #families = new Map<URI, Set<URI>>();
  readonly #now: () => number;
  readonly #buffer: ReplayBuffer<ActionEnvelope>;
  readonly #undelivered: DispatchedAction[] = [];
  #delivering = false;

  readonly #didDispatch = new Emitter<DispatchedAction>();
  /**
   * Every envelope in the order of the sequence numbers, also rejected ones. When a listener dispatches, that envelope follows after the
   * current one.
   */
  readonly onDidDispatch = this.#didDispatch.event;
  readonly #didAdd = new Emitter<AddedChannel>();
  readonly onDidAdd = this.#didAdd.event;
  readonly #didDelete = new Emitter<URI>();
  readonly onDidDelete = this.#didDelete.event;

  constructor(options: StateStoreOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#serverSeq = options.afterSeq ?? 0;
    this.#buffer = new ReplayBuffer(this.#serverSeq, options);
    this.add({ channel: ROOT_CHANNEL, kind: 'root', state: { agents: [], activeSessions: 0, terminals: [] } });
  }

  /** The sequence number of the newest envelope of all channels. */
  get serverSeq(): number {
    return this.#serverSeq;
  }
  /** A number of its own, for what is sent besides the envelopes of the store. */
  nextSeq(): number {
    return ++this.#serverSeq;
  }
  /** ms since the epoch. */
  get now(): number {
    return this.#now();
  }

  get(channel: URI): ChannelState | undefined {
    return this.#channels.get(channel)?.state;
  }
  kindOf(channel: URI): ChannelKind | undefined {
    return this.#channels.get(channel)?.kind;
  }
  /** The session that a channel belongs to: itself, for a session. */
  sessionOf(channel: URI): URI | undefined {
    return this.#channels.get(channel)?.session;
  }
  get root(): RootState {
    return this.#of(ROOT_CHANNEL, 'root') as RootState;
  }
  session(uri: URI): SessionState | undefined {
    return this.#of(uri, 'session');
  }
  chat(uri: URI): ChatState | undefined {
    return this.#of(uri, 'chat');
  }
  terminal(uri: URI): TerminalState | undefined {
    return this.#of(uri, 'terminal');
  }
  changeset(uri: URI): ChangesetState | undefined {
    return this.#of(uri, 'changeset');
  }
  annotations(uri: URI): AnnotationsState | undefined {
    return this.#of(uri, 'annotations');
  }

  /** The session and all that belongs to it, in the order of their addition. Empty where it is not loaded. */
  family(session: URI): StoredChannel[] {
    return [...(this.#families.get(session) ?? [])].flatMap((channel) => {
      const stored = this.#channels.get(channel);
      return stored ? [{ channel, kind: stored.kind, state: stored.state } as StoredChannel] : [];
    });
  }

  /**
   * Adds a channel, which belongs to `session` where that is given. This takes a sequence number, so that a snapshot of an earlier channel
   * with this URI is never taken for this one.
   */
  add(added: StoredChannel, session?: URI): void {
    const { channel, kind, state } = added;
    if (this.#channels.has(channel)) throw new Error(`the channel ${channel} exists`);
    const seq = ++this.#serverSeq;
    this.#channels.set(channel, { kind, state, session, addedAt: seq });
    if (session !== undefined) this.#families.set(session, (this.#families.get(session) ?? new Set()).add(channel));
    this.#didAdd.fire({ ...added, session, seq });
  }

  delete(channel: URI): void {
    const deleted = this.#channels.get(channel);
    if (!deleted) return;
    this.#channels.delete(channel);
    this.#buffer.drop(channel);
    const family = deleted.session === undefined ? undefined : this.#families.get(deleted.session);
    family?.delete(channel);
    if (deleted.session !== undefined && family?.size === 0) this.#families.delete(deleted.session);
    this.#didDelete.fire(channel);
  }

  /** Reduces, numbers, keeps and announces an action. An action for a channel that does not exist is dropped. */
  dispatch(uri: URI, action: StateAction, origin?: ActionOrigin): void {
    const channel = this.#channels.get(uri);
    if (!channel) return;
    const at = this.#now();
    const { kind, session, state: before } = channel;
    const reduce = channelReducers[kind] as (state: ChannelState, action: StateAction, now: number) => ChannelState;
    const after = (channel.state = reduce(before, action, at));
    const envelope = { channel: uri, action, serverSeq: ++this.#serverSeq, ...(origin && { origin }) };
    this.#announce({ kind, session, envelope, at, before, after });
  }

  /**
   * Sets what no action changes. Only for a channel that nobody reads: others would not hear of it. Who has read it before cannot be brought
   * there by a replay.
   */
  amend(uri: URI, state: ChannelState): void {
    const channel = this.#channels.get(uri);
    if (!channel || channel.state === state) return;
    channel.state = state;
    channel.addedAt = this.nextSeq();
  }

  /** Rejects a client's action with a reason. */
  reject(uri: URI, action: StateAction, origin: ActionOrigin, reason: string): void {
    const { kind, session, state } = this.#channels.get(uri) ?? {};
    const envelope = { channel: uri, action, serverSeq: ++this.#serverSeq, origin, rejectionReason: reason };
    this.#announce({ kind, session, envelope, at: this.#now(), before: state, after: state });
  }

  snapshot(channel: URI): Snapshot | undefined {
    const state = this.get(channel);
    return state && { resource: channel, state, fromSeq: this.#serverSeq };
  }

  /**
   * The envelopes of this channel after `since`. Undefined where a replay cannot bring a client up to date and it needs a snapshot: the log
   * of the channel does not reach back that far, `since` is in the future, or the channel is gone or newer than `since`.
   */
  replay(since: number, channel: URI): readonly ActionEnvelope[] | undefined {
    return since <= this.#serverSeq && this.wasThere(channel, since) ? this.#buffer.after(since, channel) : undefined;
  }

  /** The channel is the one that had this URI at that number. */
  wasThere(channel: URI, seq: number): boolean {
    const known = this.#channels.get(channel);
    return known !== undefined && known.addedAt <= seq;
  }

  #of<K extends ChannelKind>(uri: URI, kind: K): ChannelStates[K] | undefined {
    const channel = this.#channels.get(uri);
    return channel?.kind === kind ? (channel.state as ChannelStates[K]) : undefined;
  }

  #announce(dispatched: DispatchedAction): void {
    const { channel } = dispatched.envelope;
    // A client may name any channel in what is rejected.
    if (this.#channels.has(channel)) this.#buffer.keep(channel, dispatched.envelope);
    this.#undelivered.push(dispatched);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) this.#didDispatch.fire(next);
    } finally {
      this.#delivering = false;
    }
  }
}
