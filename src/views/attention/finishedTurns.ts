/**
 * Turns that ran long and have finished, at all hosts of a window: only those that it saw running. What a list or a state tells again after a
 * reload or a reconnect is no news. A turn that the user stopped is none either, nor one after which the session goes on at once.
 */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { Turn } from '../../ahp/channels/chat/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Clock } from '../../base/clock.ts';
import { dropOldest } from '../../base/dropOldest.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { isRead, sessionTitle, timeOf } from '../sessionList/sessionItem.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';
import { answerLine } from './answerLine.ts';
import { needsState } from './attentionItems.ts';

export interface FinishedTurn {
  /** The same for the same turn in all windows. */
  readonly id: string;
  readonly kind: 'finished';
  readonly hostId: string;
  readonly uri: URI;
  /** The chat in which it ran. */
  readonly chat: URI;
  /** Of the session. */
  readonly title: string;
  readonly hasFailed: boolean;
  /** The first line of the answer, or of the error, without markup; `''` where there is none. */
  readonly line: string;
}

/** A host, as the `RegisteredHost` of a window. */
export interface FinishingHost {
  readonly client: Pick<AgentHostClient, 'session' | 'chat'>;
  /** Why nothing can be sent to it: a recording, which holds no news. */
  readonly readOnly: string | undefined;
  input(): HostInput;
}

export interface FinishedTurnsOptions {
  hosts: { readonly all: readonly FinishingHost[]; readonly onDidChange: Event<void> };
  clock: Clock;
  /** How long a turn has to run, in ms. 0: none is told of. */
  longMs(): number;
  /** The user is notified of something else in the same session. */
  isNotified(hostId: string, uri: URI): boolean;
}

/** A burst of changes is looked at once. */
const LOOK_MS = 50;
/** Sessions whose last turn is kept. */
const MAX_KEPT = 100;

interface Followed {
  /** ms since the epoch, by this computer's clock. Undefined while no turn runs. */
  began?: number;
  isRead: boolean;
}

export class FinishedTurns implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  /** Sessions in which a turn runs, or has finished and is kept. By host and session. */
  readonly #followed = new Map<string, Followed>();
  readonly #finished = new Map<string, FinishedTurn>();
  #items: readonly FinishedTurn[] = [];
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(private readonly options: FinishedTurnsOptions) {
    this.#store.add(options.hosts.onDidChange(() => (this.#timer ??= options.clock.setTimer(() => this.#look(), LOOK_MS))));
    this.#look();
  }

  /** The last one of each session, until its next turn begins or the session is read. */
  get items(): readonly FinishedTurn[] {
    return this.#items;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #look(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { hosts } = this.options;
    // A host that is away keeps its turns: they go on, or have finished when it is back.
    for (const host of hosts.all) if (host.readOnly === undefined) this.#lookAt(host, host.input());
    this.#update();
  }

  #lookAt(host: FinishingHost, { id, connection, listed, sessions, topSession }: HostInput): void {
    if (!connection.connected || !listed) return;
    const gone = new Set([...this.#followed.keys()].filter((key) => key.startsWith(`${id}\n`)));
    for (const summary of sessions) {
      const key = `${id}\n${summary.resource}`;
      gone.delete(key);
      const known = this.#followed.get(key);
      if (needsState(summary)) {
        if (known?.began === undefined && topSession(summary.resource) === summary.resource) {
          this.#followed.set(key, { began: this.options.clock.now(), isRead: isRead(summary) });
          this.#finished.delete(key);
        }
      } else if (known?.began !== undefined) {
        const ranMs = this.options.clock.now() - known.began;
        this.#followed.set(key, { isRead: isRead(summary) });
        void this.#read(host, key, id, summary.resource, ranMs);
      } else if (known) {
        // Some hosts leave it read when a turn ends, which says nothing of that turn.
        if (isRead(summary) && !known.isRead) this.#forget(key);
        else known.isRead = isRead(summary);
      }
    }
    for (const key of gone) this.#forget(key);
  }

  /** `ranMs`: as far as this window knows. */
  async #read(host: FinishingHost, key: string, hostId: string, uri: URI, ranMs: number): Promise<void> {
    const here = this.#followed.get(key);
    const ended = await lastTurn(host, uri).catch(() => undefined);
    const longMs = this.options.longMs();
    // It may have gone on meanwhile, been read, or be unreadable. Nothing is said of what is not known.
    if (this.#isDisposed || !here || this.#followed.get(key) !== here) return;
    const isNews = ended && ended.turn.state !== 'cancelled' && longMs > 0 && (ended.turn.duration ?? ranMs) >= longMs;
    if (!isNews || this.options.isNotified(hostId, uri)) return this.#forget(key);
    const { turn, chat, title } = ended;
    const hasFailed = turn.state === 'error';
    const id = [hostId, chat, 'finished', turn.id].join('\n');
    this.#finished.set(key, { id, kind: 'finished', hostId, uri, chat, title, hasFailed, line: answerLine(turn) });
    dropOldest(this.#finished, MAX_KEPT);
    this.#update();
  }

  #forget(key: string): void {
    this.#followed.delete(key);
    this.#finished.delete(key);
  }

  #update(): void {
    const items = [...this.#finished.values()];
    if (items.length === this.#items.length && items.every((item, index) => item === this.#items[index])) return;
    this.#items = items;
    this.#onDidChange.fire();
  }
}

/** Of the chat that changed last. Undefined when a turn runs there. */
async function lastTurn({ client }: FinishingHost, uri: URI): Promise<{ turn: Turn; chat: URI; title: string } | undefined> {
  const store = new DisposableStore();
  try {
    const session = store.add(client.session(uri));
    const state = await whenLive(session);
    const own = state.chats.filter(({ origin, resource }) => origin?.kind !== 'tool' && session.holds(resource));
    const [newest] = own.sort((a, b) => timeOf(b.modifiedAt) - timeOf(a.modifiedAt));
    const chat = newest?.resource ?? state.defaultChat;
    if (chat === undefined || !session.holds(chat)) return undefined;
    const { activeTurn, turns } = await whenLive(store.add(client.chat(chat)));
    const turn = turns.at(-1);
    return activeTurn || !turn ? undefined : { turn, chat, title: sessionTitle(state) };
  } finally {
    store.dispose();
  }
}
