/**
 * Which turns of a chat its clients have. The store has all of them; a snapshot has the newest ones, and `fetchTurns` sends those before, a
 * page at a time. What a client has is always an end of the list, so a turn is known by its place: turns are added and removed at the end only.
 *
 * A chat can be cut at a turn that not every client has. All its clients begin anew then, with the newest page of what is left.
 */
import type { ActionEnvelope } from '../../ahp/channels/actions.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import type { Snapshot } from '../../ahp/channels/commands.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { DispatchedAction, StateStore } from '../state/stateStore.ts';
import { beginOfPage, cursorAt, newestPage, PAGE_TURNS, placeOf } from '../state/turnPages.ts';

/** Characters of turns that a client has loaded and gets once more when it subscribes again. */
const KEPT_SIZE = 8 * 1024 * 1024;

interface Window {
  /** No client has fewer turns than those from here on. The place of a turn. */
  latest: number;
  /** Clients that have seen less than this number of the store cannot be brought up to date by a replay. */
  since: number;
  /** From which turn on each client was sent them, as far as the host knows. It may have lost the last page. */
  readonly begins: Map<string, number>;
}

export class TurnWindows implements Disposable {
  readonly #windows = new Map<URI, Window>();
  readonly #listener: Disposable;

  constructor(
    private readonly store: StateStore,
    /** To all clients that read the channel. */
    private readonly send: (envelope: ActionEnvelope) => void,
  ) {
    this.#listener = store.onDidDelete((channel) => this.#windows.delete(channel));
  }

  /**
   * The snapshot as the client gets it. One that has read the chat all the time gets what it has loaded, so that nothing goes away under its
   * user. `wished`: how many turns it wants.
   */
  cut(snapshot: Snapshot, clientId: string, wished = PAGE_TURNS): Snapshot {
    const chat = this.store.chat(snapshot.resource);
    if (!chat) return snapshot;
    const { turns } = chat;
    const newest = beginOfPage(turns, turns.length, wished);
    const known = this.#windows.get(snapshot.resource)?.begins.get(clientId) ?? newest;
    const begin = Math.min(newest, beginOfPage(turns, turns.length, turns.length - known, KEPT_SIZE));
    this.note(snapshot.resource, clientId, begin);
    return { ...snapshot, state: newestPage(chat, begin) };
  }

  /** The client was sent the turns from this place on. */
  note(channel: URI, clientId: string, begin: number): void {
    const window = this.#windows.get(channel) ?? { latest: 0, since: 0, begins: new Map<string, number>() };
    window.begins.set(clientId, begin);
    window.latest = Math.max(window.latest, begin);
    this.#windows.set(channel, window);
  }

  /**
   * The page before those that the client has, for it alone. Undefined where it has all. Throws InvalidParams for a cursor of turns that are
   * gone.
   */
  before(channel: URI, cursor: string | undefined, clientId: string): ActionEnvelope | undefined {
    const chat = this.store.chat(channel);
    const window = this.#windows.get(channel);
    const begin = window?.begins.get(clientId);
    if (!chat || !window || begin === undefined) throw new RpcError(ErrorCode.InvalidParams, 'channel: subscribe to the chat first');
    const place = cursor === undefined ? 0 : placeOf(cursor, chat.turns);
    if (place === undefined) throw new RpcError(ErrorCode.InvalidParams, 'cursor: these turns are no longer in the chat; subscribe again');
    // The cursor may be that of an earlier window. No turns may be missing between the page and those that the client has.
    const end = Math.max(place, Math.min(begin, chat.turns.length));
    if (end === 0) return undefined;
    const start = beginOfPage(chat.turns, end, PAGE_TURNS);
    window.begins.set(clientId, Math.min(begin, start));
    return this.#loaded(channel, chat.turns, start, end);
  }

  /** The envelope as clients get it. */
  told({ envelope, before, after }: DispatchedAction): ActionEnvelope {
    const { channel, action } = envelope;
    const window = this.#windows.get(channel);
    if (!window || action.type !== 'chat/truncated' || envelope.rejectionReason !== undefined || before === after) return envelope;
    const left = (after as ChatState).turns.length;
    if (left === 0) window.latest = 0;
    if (left === 0 || left > window.latest) return envelope;
    // Until the page is sent, clients have only what comes after these.
    window.latest = left;
    // Not here: envelopes with lower numbers may still have to be told.
    if (window.since !== Infinity) queueMicrotask(() => this.#beginAnew(channel, window));
    window.since = Infinity;
    return { ...envelope, action: { type: 'chat/truncated' } };
  }

  /** Whether the envelopes of the channel since that number lead a client to what the others have. */
  canReplay(channel: URI, seen: number): boolean {
    return seen >= (this.#windows.get(channel)?.since ?? 0);
  }

  /** The client no longer reads the channel; absent: any channel. */
  forget(clientId: string, channel?: URI): void {
    const windows = channel === undefined ? [...this.#windows.values()] : [this.#windows.get(channel)];
    for (const window of windows) window?.begins.delete(clientId);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #beginAnew(channel: URI, window: Window): void {
    const chat = this.store.chat(channel);
    if (!chat || this.#windows.get(channel) !== window) return;
    // The turns that have come since then are theirs already.
    const end = Math.min(window.latest, chat.turns.length);
    const start = beginOfPage(chat.turns, end, PAGE_TURNS);
    window.latest = start;
    for (const clientId of window.begins.keys()) window.begins.set(clientId, start);
    const envelope = this.#loaded(channel, chat.turns, start, end);
    window.since = envelope.serverSeq;
    this.send(envelope);
  }

  #loaded(channel: URI, turns: readonly Turn[], start: number, end: number): ActionEnvelope {
    const action = { type: 'chat/turnsLoaded' as const, turns: turns.slice(start, end), ...cursorAt(turns, start) };
    return { channel, action, serverSeq: this.store.nextSeq() };
  }
}
