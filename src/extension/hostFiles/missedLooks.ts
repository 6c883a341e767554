/** The files and folders that could not be looked at because their host was not connected. Once it is, they are told, to be looked at again. */
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

/** Paths of one host. */
const MAX_MISSED = 1_000;
/** Of all hosts. */
const MAX_LOST = 1_000;

export interface WatchedHosts {
  get(id: string): { client: { state: { kind: string } } } | undefined;
  readonly onDidChange: Event<void>;
}

export interface Look {
  hostId: string;
  path: string;
  /** What of it was asked for. */
  deed: 'stat' | 'list';
}

export class MissedLooks implements Disposable {
  readonly #store = new DisposableStore();
  readonly #listening = new WeakSet<WatchedHosts>();
  /** By the id of their host. */
  readonly #missed = new Map<string, { paths: Set<string>; wasAway: boolean }>();
  /** With which the connection was lost. It may have been lost because of them. */
  readonly #lost = new Set<string>();

  constructor(private readonly tell: (hostId: string, paths: string[]) => void) {}

  /** The host has answered. */
  answered(look: Look): void {
    this.#lost.delete(keyOf(look));
  }

  /** The host was asked, and did not answer. Told once only, until the host has answered. */
  noteLost(hosts: WatchedHosts, look: Look): void {
    const key = keyOf(look);
    if (this.#lost.has(key) || this.#lost.size >= MAX_LOST) return;
    this.#lost.add(key);
    this.note(hosts, look);
  }

  /** The host could not be asked. */
  note(hosts: WatchedHosts, { hostId, path }: Look): void {
    const missed = this.#missed.get(hostId) ?? { paths: new Set(), wasAway: false };
    this.#missed.set(hostId, missed);
    if (missed.paths.size < MAX_MISSED) missed.paths.add(path);
    if (!this.#listening.has(hosts)) this.#store.add(hosts.onDidChange(() => this.#tellOfThoseBack(hosts)));
    this.#listening.add(hosts);
    this.#tellOfThoseBack(hosts);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tellOfThoseBack(hosts: WatchedHosts): void {
    for (const [hostId, missed] of this.#missed) {
      // A request may fail before its client says that the connection is lost. A host that is connected and slow is not asked again at once.
      if (hosts.get(hostId)?.client.state.kind !== 'connected') missed.wasAway = true;
      else if (missed.wasAway) {
        this.#missed.delete(hostId);
        this.tell(hostId, [...missed.paths]);
      }
    }
  }
}

function keyOf({ hostId, path, deed }: Look): string {
  return JSON.stringify([hostId, path, deed]);
}
