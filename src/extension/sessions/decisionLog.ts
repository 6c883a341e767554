/**
 * Who decided about calls, as this window saw it at its hosts. The protocol tells it once, with the decision, and not in the state of a session, so
 * it is kept in the workspace's storage.
 */
import * as z from 'zod/mini';
import type { Decision } from '../../ahp/common/pending/decisions.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { CallDecision } from '../../views/session/trail/decision.ts';
import type { Storage } from '../bridge/storage/storage.ts';

const STORAGE_KEY = 'tapline.decisions';
/** Above it the oldest are removed. */
const MAX_KEPT = 1_000;
/** Denials by rules that no host has confirmed. */
const MAX_DENIALS = 100;

const entry = z.object({
  hostId: z.string(),
  session: z.string(),
  turnId: z.string(),
  callId: z.string(),
  tool: z.optional(z.string()),
  about: z.enum(['call', 'result']),
  approved: z.boolean(),
  asked: z.optional(z.string()),
  by: z.enum(['you', 'rule', 'client', 'host']),
  at: z.number(),
  /** Of who decided, where that is another client. */
  clientId: z.optional(z.string()),
  /** It is in the gateway's records. */
  isRecorded: z.optional(z.boolean()),
});
export type KeptDecision = z.infer<typeof entry>;
type Entry = z.infer<typeof entry>;

interface DecidingClient {
  readonly clientId: string;
  readonly onDidDecide: Event<{ uri: string; decisions: readonly Decision[] }>;
}
export interface DecidingHosts {
  readonly all: readonly { readonly id: string; readonly client: DecidingClient }[];
  readonly onDidChange: Event<void>;
}

export class DecisionLog implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #followed = new WeakSet<DecidingClient>();
  #entries: readonly Entry[];
  /** What this window has denied by rules of providers. Everything else that it answers, the user has answered. */
  #denials: readonly string[] = [];

  constructor(
    private readonly hosts: DecidingHosts,
    private readonly storage: Storage,
    private readonly clock: Clock,
  ) {
    const kept = storage.get(STORAGE_KEY);
    this.#entries = Array.isArray(kept) ? kept.flatMap((one) => entry.safeParse(one).data ?? []) : [];
    this.#store.add(hosts.onDidChange(() => this.#follow()));
    this.#follow();
  }

  /** The decisions in the chats of a session, oldest first. `holds`: true for their URIs. */
  of(hostId: string, holds: (chat: string) => boolean): CallDecision[] {
    return this.#entries.filter((one) => one.hostId === hostId && holds(one.session));
  }

  /** Those that are not in the gateway's records, oldest first. */
  get unrecorded(): readonly KeptDecision[] {
    return this.#entries.filter(({ isRecorded }) => !isRecorded);
  }

  /** These are in the gateway's records. */
  recorded(entries: readonly KeptDecision[]): void {
    this.#entries = this.#entries.map((one) => (entries.includes(one) ? { ...one, isRecorded: true } : one));
    void this.storage.update(STORAGE_KEY, this.#entries);
  }

  /** The user has decided something in this workspace. */
  get hasOwn(): boolean {
    return this.#entries.some(({ by }) => by === 'you');
  }

  /** To be called before a rule denies a call. */
  denyingByRule(chat: SessionRef, call: Pick<Decision, 'turnId' | 'callId'>): void {
    this.#denials = [...this.#denials, denialKey(chat, call)].slice(-MAX_DENIALS);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #follow(): void {
    for (const { id, client } of this.hosts.all) {
      if (this.#followed.has(client)) continue;
      this.#followed.add(client);
      this.#store.add(client.onDidDecide(({ uri, decisions }) => this.#add(id, client.clientId, uri, decisions)));
    }
  }

  #add(hostId: string, clientId: string, session: string, decisions: readonly Decision[]): void {
    const at = this.clock.now();
    const added = decisions.map((decision): Entry => {
      const { origin, ...what } = decision;
      const isOurs = origin?.clientId === clientId;
      const isRule = what.about === 'call' && !what.approved && this.#denials.includes(denialKey({ hostId, uri: session }, decision));
      const by = !origin ? 'host' : !isOurs ? 'client' : isRule ? 'rule' : 'you';
      return { hostId, session, ...what, by, at, ...(origin && !isOurs && { clientId: origin.clientId }) };
    });
    this.#entries = [...this.#entries, ...added].slice(-MAX_KEPT);
    void this.storage.update(STORAGE_KEY, this.#entries);
    this.#onDidChange.fire();
  }
}

function denialKey({ hostId, uri }: SessionRef, { turnId, callId }: Pick<Decision, 'turnId' | 'callId'>): string {
  return JSON.stringify([hostId, uri, turnId, callId]);
}
