/**
 * Who decided about calls, as this window saw it at its hosts. The protocol tells it once, with the decision, and not in the state of a session, so
 * it is kept in the workspace's storage.
 */
import * as z from 'zod/mini';
import type { Decision } from '../../ahp/common/pending/envelopeDecisions.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { CallDecision } from '../../views/session/trail/callDecision.ts';
import { keep, type Storage } from '../bridge/storage/storage.ts';

const STORAGE_KEY = 'tapline.decisions';
/** Of what somebody has decided. Above it the oldest are removed. */
const MAX_KEPT = 1_000;
/** Calls that a setting has allowed, and of which no gateway has a record yet. A model can cause any number of them. */
const MAX_ALLOWED = 1_000;
/** After that long what a setting has allowed is told, of all calls at once. */
const TELL_MS = 1_000;
/** Where no gateway has taken anything for so long, what a setting has allowed is written. */
const WRITE_MS = 5_000;
/** Denials by rules that no host has confirmed. */
const MAX_DENIALS = 100;
/** Characters of the name of a tool. */
const TOOL_LENGTH = 200;

/** Hosts choose ids. A decision with one that is longer is not kept, because cut off it would be another. */
const id = z.string().check(z.maxLength(1_000));

const entry = z.object({
  hostId: z.string(),
  session: id,
  turnId: id,
  callId: id,
  tool: z.optional(
    z.pipe(
      z.string(),
      z.transform((name) => name.slice(0, TOOL_LENGTH)),
    ),
  ),
  about: z.enum(['call', 'result']),
  approved: z.boolean(),
  asked: z.optional(z.string()),
  by: z.enum(['you', 'rule', 'client', 'host', 'setting']),
  at: z.number(),
  /** Of who decided, where that is another client. */
  clientId: z.optional(id),
  /** It is in the gateway's records. */
  isRecorded: z.optional(z.boolean()),
});
export type KeptDecision = z.infer<typeof entry>;
type OfSomebody = KeptDecision & { by: CallDecision['by'] };

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
  /** What somebody has decided. */
  #made: readonly OfSomebody[];
  /** What a setting has allowed, and no gateway has a record of. */
  #allowed: readonly KeptDecision[];
  #telling: Disposable | undefined;
  #writing: Disposable | undefined;
  /** In the storage is something that a setting has allowed. */
  #isAllowedWritten: boolean;
  /** What this window has denied by rules of providers. Everything else that it answers, the user has answered. */
  #denials: readonly string[] = [];

  constructor(
    private readonly hosts: DecidingHosts,
    private readonly storage: Storage,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    const kept = storage.get(STORAGE_KEY);
    const entries = Array.isArray(kept) ? kept.flatMap((one) => entry.safeParse(one).data ?? []) : [];
    this.#made = entries.filter(isOfSomebody).slice(-MAX_KEPT);
    this.#allowed = entries.filter((one) => !isOfSomebody(one)).slice(-MAX_ALLOWED);
    this.#isAllowedWritten = this.#allowed.length > 0;
    this.#store.add(hosts.onDidChange(() => this.#follow()));
    this.#follow();
  }

  /** What somebody has decided in the chats of a session, oldest first. `holds`: true for their URIs. */
  of(hostId: string, holds: (chat: string) => boolean): CallDecision[] {
    return this.#made.filter((one) => one.hostId === hostId && holds(one.session));
  }

  /** Those that are not in the gateway's records, oldest first: what somebody has decided, then what a setting has allowed. */
  get unrecorded(): readonly KeptDecision[] {
    return [...this.#made.filter(({ isRecorded }) => !isRecorded), ...this.#allowed];
  }

  /** These are in the gateway's records. What a setting has allowed stands in the state of the session, too, and is not kept here any longer. */
  recorded(entries: readonly KeptDecision[]): void {
    const now = new Set(entries);
    this.#allowed = this.#allowed.filter((one) => !now.has(one));
    this.#writing?.dispose();
    this.#writing = undefined;
    this.#writeLater();
    const isMade = entries.some(isOfSomebody);
    if (isMade) this.#made = this.#made.map((one) => (now.has(one) ? { ...one, isRecorded: true } : one));
    if (isMade || this.#isAllowedWritten) this.#write();
  }

  /** The user has decided something in this workspace. */
  get hasOwn(): boolean {
    return this.#made.some(({ by }) => by === 'you');
  }

  /** To be called before a rule denies a call. */
  denyingByRule(chat: SessionRef, call: Pick<Decision, 'turnId' | 'callId'>): void {
    this.#denials = [...this.#denials, denialKey(chat, call)].slice(-MAX_DENIALS);
  }

  dispose(): void {
    this.#telling?.dispose();
    if (this.#writing) this.#write();
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
    const added = decisions.flatMap((decision): KeptDecision | [] => {
      const { origin, bySetting, ...what } = decision;
      const isOurs = origin?.clientId === clientId;
      const isRule = what.about === 'call' && !what.approved && this.#denials.includes(denialKey({ hostId, uri: session }, decision));
      const by = bySetting ? 'setting' : !origin ? 'host' : !isOurs ? 'client' : isRule ? 'rule' : 'you';
      const kept: KeptDecision = { hostId, session, ...what, by, at, ...(origin && !isOurs && { clientId: origin.clientId }) };
      return entry.safeParse(kept).data ?? [];
    });
    const made = added.filter(isOfSomebody);
    if (made.length < added.length) {
      this.#allowed = [...this.#allowed, ...added.filter((one) => !isOfSomebody(one))].slice(-MAX_ALLOWED);
      this.#telling ??= this.clock.setTimer(() => {
        this.#telling = undefined;
        this.#onDidChange.fire();
      }, TELL_MS);
      this.#writeLater();
    }
    if (made.length === 0) return;
    this.#made = [...this.#made, ...made].slice(-MAX_KEPT);
    this.#write();
    this.#onDidChange.fire();
  }

  #writeLater(): void {
    if (this.#allowed.length > 0) this.#writing ??= this.clock.setTimer(() => this.#write(), WRITE_MS);
  }

  #write(): void {
    this.#writing?.dispose();
    this.#writing = undefined;
    this.#isAllowedWritten = this.#allowed.length > 0;
    keep(this.storage, STORAGE_KEY, [...this.#made, ...this.#allowed], this.logger);
  }
}

function isOfSomebody(one: KeptDecision): one is OfSomebody {
  return one.by !== 'setting';
}

function denialKey({ hostId, uri }: SessionRef, { turnId, callId }: Pick<Decision, 'turnId' | 'callId'>): string {
  return JSON.stringify([hostId, uri, turnId, callId]);
}
