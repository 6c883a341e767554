/**
 * What waits for the user at all hosts of a window, or at the host of a portal, whatever else is shown of it. Follows the state of every session with a turn in
 * progress, and of the subagents of its calls.
 */
import type { Subscription } from '../../ahp/client/resources/subscription.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type AttentionItem, attentionItems, needsState, subagentsOf } from './attentionItems.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';

/** A host, as the `RegisteredHost` of a window. */
export interface AttentionHost {
  readonly client: { subscribeSession(uri: string): Subscription<SessionState> };
  /** Why nothing can be sent to it. */
  readonly readOnly: string | undefined;
  input(): HostInput;
}

export interface AttentionHosts {
  readonly all: readonly AttentionHost[];
  readonly onDidChange: Event<void>;
}

/** A burst of changes is looked at once. */
const LOOK_MS = 50;
/** Sessions whose state is followed at one host, those that changed last first. Of others only the summary is known. */
export const MAX_FOLLOWED = 100;

interface Followed {
  readonly subscription: Subscription<SessionState>;
  readonly store: DisposableStore;
}

export class Attention implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #followed = new Map<AttentionHost, Map<string, Followed>>();
  #items: readonly AttentionItem[] = [];
  /** Since when each item waits. What happens in its session later does not change that. */
  #since: ReadonlyMap<string, number> = new Map();
  #timer: Disposable | undefined;

  constructor(
    private readonly hosts: AttentionHosts,
    private readonly clock: Clock,
  ) {
    this.#store.add(hosts.onDidChange(() => this.#schedule()));
    this.#look();
  }

  /** In the order of the hosts and of their sessions; the same array until something changes. */
  get items(): readonly AttentionItem[] {
    return this.#items;
  }

  /** Brings `items` up to what the clients know now. It does so by itself soon after each change. */
  look(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#look();
  }

  dispose(): void {
    this.#timer?.dispose();
    for (const host of [...this.#followed.keys()]) this.#leave(host);
    this.#store.dispose();
  }

  #schedule(): void {
    this.#timer ??= this.clock.setTimer(() => this.look(), LOOK_MS);
  }

  #look(): void {
    // Nothing in a recording can be answered.
    const hosts = this.hosts.all.filter(({ readOnly }) => readOnly === undefined);
    for (const host of [...this.#followed.keys()]) if (!hosts.includes(host)) this.#leave(host);
    const items = hosts.flatMap((host) => {
      const input = host.input();
      const followed = this.#follow(host, input);
      const states = new Map<string, SessionState>();
      for (const [uri, { subscription }] of followed) {
        if (subscription.state && subscription.status.kind === 'live') states.set(uri, subscription.state);
      }
      return attentionItems(input, states, (id, changed) => this.#since.get(id) ?? Math.min(changed, this.clock.now()));
    });
    this.#since = new Map(items.map(({ id, since }) => [id, since]));
    if (sameJson(items, this.#items)) return;
    this.#items = items;
    this.#onDidChange.fire();
  }

  /** Follows the sessions that may wait, and no others. */
  #follow(host: AttentionHost, { sessions }: HostInput): Map<string, Followed> {
    let followed = this.#followed.get(host);
    if (!followed) this.#followed.set(host, (followed = new Map<string, Followed>()));
    const running = sessions.filter(needsState).sort((a, b) => b.modifiedAt - a.modifiedAt);
    const wanted = new Set(running.slice(0, MAX_FOLLOWED).map(({ resource }) => resource));
    // A set goes on over what is added meanwhile, so the subagents of subagents are found too.
    for (const uri of wanted) {
      const state = followed.get(uri)?.subscription.state;
      for (const subagent of state ? subagentsOf(uri, state) : []) if (wanted.size < MAX_FOLLOWED) wanted.add(subagent);
    }
    for (const [uri, { store }] of [...followed]) {
      if (wanted.has(uri)) continue;
      followed.delete(uri);
      store.dispose();
    }
    for (const uri of wanted) {
      if (followed.has(uri)) continue;
      const store = new DisposableStore();
      const subscription = store.add(host.client.subscribeSession(uri));
      store.add(subscription.onDidChange(() => this.#schedule()));
      followed.set(uri, { subscription, store });
      // It may be known already, by another subscription.
      if (subscription.state) this.#schedule();
    }
    return followed;
  }

  #leave(host: AttentionHost): void {
    for (const { store } of this.#followed.get(host)?.values() ?? []) store.dispose();
    this.#followed.delete(host);
  }
}
