/**
 * What waits for the user at all hosts of a window, or at the host of a portal, whatever else is shown of it. Follows the state of every session
 * with a turn in progress, and where subagents are sessions, theirs.
 */
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { SubscriptionStatus } from '../../ahp/client/resources/subscription.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import { subagentsOf } from '../session/chats.ts';
import { isAnswer } from '../session/waiting/waiting.ts';
import { timeOf } from '../sessionList/sessionItem.ts';
import { type AttentionItem, attentionItems, needsState } from './attentionItems.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';

interface Model<S> extends Disposable {
  readonly state: S | undefined;
  readonly status: SubscriptionStatus;
  readonly onDidChange: Event<unknown>;
}

type Session = Model<SessionState> & Pick<SessionModel, 'sessionHolds' | 'holds'>;

/** A host, as the `RegisteredHost` of a window. */
export interface AttentionHost {
  readonly client: Pick<AgentHostClient, 'pendingIn' | 'onDidChangePending'> & {
    session(uri: string): Session;
    chat(uri: string): Model<ChatState>;
  };
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

interface FollowedSession {
  readonly session: Session;
  readonly store: DisposableStore;
}
interface FollowedHost {
  readonly sessions: Map<string, FollowedSession>;
  readonly pending: Disposable;
}

export class Attention implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #followed = new Map<AttentionHost, FollowedHost>();
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
      for (const [uri, { session }] of followed) {
        if (session.state && session.status.kind === 'live') states.set(uri, session.state);
      }
      return attentionItems(input, states, {
        sinceWhen: (id, changed) => this.#since.get(id) ?? Math.min(changed, this.clock.now()),
        isAnswered: (chat, waiting) =>
          host.client.pendingIn(chat).some(({ action, outcome }) => outcome === undefined && isAnswer(waiting, action)),
      });
    });
    this.#since = new Map(items.map(({ id, since }) => [id, since]));
    if (sameJson(items, this.#items)) return;
    this.#items = items;
    this.#onDidChange.fire();
  }

  /** Follows the sessions that may wait, and no others. */
  #follow(host: AttentionHost, { sessions }: HostInput): Map<string, FollowedSession> {
    const known = this.#followed.get(host);
    const followed = known?.sessions ?? new Map<string, FollowedSession>();
    if (!known) this.#followed.set(host, { sessions: followed, pending: host.client.onDidChangePending(() => this.#schedule()) });
    const running = sessions.filter(needsState).sort((a, b) => timeOf(b.modifiedAt) - timeOf(a.modifiedAt));
    const wanted = new Set(running.slice(0, MAX_FOLLOWED).map(({ resource }) => resource));
    // A set goes on over what is added meanwhile, so the subagents of subagents are found too.
    for (const uri of wanted) {
      for (const subagent of subagentSessions(host, uri, followed.get(uri)?.session)) if (wanted.size < MAX_FOLLOWED) wanted.add(subagent);
    }
    for (const [uri, { store }] of [...followed]) {
      if (wanted.has(uri)) continue;
      followed.delete(uri);
      store.dispose();
    }
    for (const uri of wanted) {
      if (followed.has(uri)) continue;
      const store = new DisposableStore();
      const session = store.add(host.client.session(uri));
      store.add(session.onDidChange(() => this.#schedule()));
      followed.set(uri, { session, store });
      // It may be known already, by another subscription.
      if (session.state) this.#schedule();
    }
    return followed;
  }

  #leave(host: AttentionHost): void {
    const followed = this.#followed.get(host);
    for (const { store } of followed?.sessions.values() ?? []) store.dispose();
    followed?.pending.dispose();
    this.#followed.delete(host);
  }
}

/** Of a host whose sessions hold their chat. Where they do not, a session says what waits in all its chats. */
function subagentSessions({ client }: AttentionHost, uri: string, session: Session | undefined): string[] {
  if (session?.sessionHolds !== 'one') return [];
  const chat = client.chat(uri);
  try {
    const subagents = chat.state ? subagentsOf(chat.state) : [];
    return subagents.filter((subagent) => session.holds(subagent));
  } finally {
    chat.dispose();
  }
}
