/**
 * Asks the clients that lend tools to a session whether a call may run, and the first of them what is added to the system message
 * (`ahp/hookRequests`). All must allow the call. It denies what cannot be decided, because a call that a rule might deny must not run only
 * because no client answers.
 */
import { type HookParams, type HookRequest, type HookResult, hookResults, type ProviderText } from '../../ahp/schemas/hookSchemas.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { englishOf, TimeoutError, withTimeout } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import { problemOf } from '../checks/problem.ts';
import type { HookVerdict, SystemSections, ToolUse } from '../agents/agent.ts';
import type { Client, Clients } from '../state/clients.ts';
import type { StateStore } from '../state/stateStore.ts';

/** From the question about a call to the decision, also when the client changes or is waited for. */
const DECISION_MS = 15_000;
/** Longer than the providers have for it. */
const SECTIONS_MS = 8_000;
/** Characters of a reason. */
const MAX_REASON = 10_000;
/** Characters of the name of a provider or a section. */
const MAX_NAME = 200;
/** Characters of all that is added to a result. */
const MAX_CONTEXT = 100_000;

const lends: ReadonlySet<string> = new Set(['session/activeClientSet', 'session/activeClientRemoved']);

const NOTHING: SystemSections = { sections: [], context: [], startup: [] };

export interface ClientHooksOptions {
  store: StateStore;
  clients: Clients;
  logger: Logger;
  /** Absent: {@link DECISION_MS}. */
  decisionMs?: number | undefined;
}

/** A turn of a chat that the user talks to. The calls of its subagents belong to it. */
interface GuardedTurn {
  chat: URI;
  turnId: string;
}

/** A client that has rules about the calls of some turns, or may have some. */
interface Guard {
  clientId: string;
  /** Those in which it was asked, at most one in progress a chat. */
  turns: readonly GuardedTurn[];
  /** It has answered that it has rules. */
  hasRules: boolean;
  /** Its connection has ended. */
  isLost: boolean;
  /** No other client has come in time. */
  isGivenUp: boolean;
}

export class ClientHooks implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChangeLenders = new Emitter<URI>();
  /** By session, one for each client. */
  readonly #guards = new Map<URI, readonly Guard[]>();

  constructor(private readonly options: ClientHooksOptions) {
    const { store, clients } = options;
    this.#store.add(
      clients.onDidLeave((clientId) => {
        for (const guard of [...this.#guards.values()].flat()) if (guard.clientId === clientId) guard.isLost = true;
      }),
    );
    this.#store.add(store.onDidDelete((channel) => this.#guards.delete(channel)));
    this.#store.add(
      store.onDidDispatch(({ envelope: { channel, action, rejectionReason } }) => {
        if (rejectionReason === undefined && lends.has(action.type)) this.#didChangeLenders.fire(channel);
      }),
    );
  }

  /** Whether the call may run. Never rejects. Takes at most {@link DECISION_MS}. */
  async evaluate(use: ToolUse): Promise<HookVerdict> {
    const session = this.options.store.sessionOf(use.chat);
    if (session === undefined) return { allowed: false, message: `${UNDECIDED} its session is gone.` };
    const turn = this.#turnOf(use);
    if (this.#answering(session).length === 0 && !this.#lostGuard(session, turn)) return { allowed: true, context: [] };
    const ended = new AbortController();
    try {
      const { decisionMs = DECISION_MS } = this.options;
      return await withTimeout(this.#decide(session, use, turn, ended.signal), decisionMs, `the decision about ${use.toolName}`);
    } catch (error) {
      this.options.logger.warn(`${use.toolName} in ${session} was denied: ${englishOf(error)}`);
      return { allowed: false, message: `${UNDECIDED} ${this.#lostGuard(session, turn) ? GONE : reasonOf(error)}.` };
    } finally {
      ended.abort();
    }
  }

  /** Never rejects: without an answer the turn goes on without sections. */
  async sections(session: URI, turnId: string, current: Readonly<Record<string, string>>): Promise<SystemSections> {
    // Several windows of one user have the same providers.
    const [client] = this.#answering(session);
    if (!client) return NOTHING;
    const { decisionMs = DECISION_MS, logger } = this.options;
    try {
      const params = { session, turnId, sections: { ...current } };
      return named(await this.#ask(client, 'tapline/sections', params, Math.min(SECTIONS_MS, decisionMs)));
    } catch (error) {
      logger.warn(`A turn of ${session} began without what its client adds: ${englishOf(error)}`);
      return NOTHING;
    }
  }

  dispose(): void {
    this.#didChangeLenders.dispose();
    this.#store.dispose();
  }

  /** Asks until all clients that lend tools at the same time have allowed the call. */
  async #decide(session: URI, use: ToolUse, turn: GuardedTurn, ended: AbortSignal): Promise<HookVerdict> {
    const { chat: _chat, ...call } = use;
    const allowed = new Map<Client, readonly ProviderText[]>();
    for (;;) {
      const clients = await this.#clients(session, turn, ended);
      ended.throwIfAborted();
      const standsIn = this.#standIn(session, clients);
      if (standsIn) allowed.delete(standsIn);
      const client = clients.find((one) => !allowed.has(one));
      if (!client) return { allowed: true, context: bounded([...allowed.values()].flat()) };
      const guard = this.#guard(session, client.clientId, [turn]);
      const answer = await this.#answerAbout(client, session, call, guard);
      if (!answer) continue;
      guard.hasRules = answer.guarded !== false;
      if (!guard.hasRules) this.#forget(session, guard);
      const { decision, reason = 'A rule of a tool provider denied it, and gave no reason.', context = [] } = answer;
      if (decision === 'deny') return { allowed: false, message: reason.slice(0, MAX_REASON) };
      allowed.set(client, context);
    }
  }

  /** Those to ask. After the loss of the only one, another one is waited for. */
  async #clients(session: URI, turn: GuardedTurn, ended: AbortSignal): Promise<readonly Client[]> {
    const clients = this.#answering(session);
    if (clients.length > 0) return clients;
    const successor = await this.#successor(session, turn, ended);
    return successor ? [successor] : [];
  }

  /** Lets the first client stand in for those that are no longer there. Undefined where none of them had rules, so that it is asked as before. */
  #standIn(session: URI, clients: readonly Client[]): Client | undefined {
    const [first] = clients;
    const gone = this.#guardsOf(session).filter((guard) => !clients.some(({ clientId }) => clientId === guard.clientId));
    if (!first || gone.length === 0) return undefined;
    for (const guard of gone) this.#forget(session, guard);
    if (!gone.some(({ hasRules }) => hasRules)) return undefined;
    const turns = gone.flatMap((guard) => guard.turns);
    this.#guard(session, first.clientId, turns).hasRules = true;
    return first;
  }

  #guardsOf(session: URI): readonly Guard[] {
    return this.#guards.get(session) ?? [];
  }

  /** The guard for a client that is asked now, in these turns besides those in which it was. */
  #guard(session: URI, clientId: string, turns: readonly GuardedTurn[]): Guard {
    const earlier = this.#guardsOf(session).find((guard) => guard.clientId === clientId);
    const others = this.#guardsOf(session).filter((guard) => guard !== earlier);
    const known = earlier?.turns.filter((turn) => this.#isRunning(turn) && !turns.some((other) => isSame(turn, other))) ?? [];
    const guard: Guard = { clientId, turns: [...known, ...turns], hasRules: earlier?.hasRules === true, isLost: false, isGivenUp: false };
    this.#guards.set(session, [...others, guard]);
    return guard;
  }

  #forget(session: URI, guard: Guard): void {
    const others = this.#guardsOf(session).filter((one) => one !== guard);
    if (others.length > 0) this.#guards.set(session, others);
    else this.#guards.delete(session);
  }

  /** Undefined when the client has disconnected, or lends nothing any more. Those that lend then are asked. */
  async #answerAbout(client: Client, session: URI, call: Omit<ToolUse, 'chat'>, guard: Guard) {
    const replaced = new AbortController();
    const listening = this.#didChangeLenders.event((changed) => {
      const now = changed === session ? this.#answering(session) : [client];
      if (now.length > 0 && !now.includes(client)) replaced.abort();
    });
    try {
      const question = { session, ...call, ...(guard.hasRules && { wasGuarded: true }) };
      const asking = this.#ask(client, 'tapline/evaluateHooks', question, this.options.decisionMs ?? DECISION_MS);
      return await Promise.race([asking, aborted(replaced.signal)]);
    } catch (error) {
      if (guard.isLost || !this.#answering(session).includes(client)) return undefined;
      throw error;
    } finally {
      listening.dispose();
    }
  }

  /** The client that lends tools after a guard was lost in this turn. Undefined where none was lost. Rejects when no client comes. */
  async #successor(session: URI, turn: GuardedTurn, ended: AbortSignal): Promise<Client | undefined> {
    const guard = this.#lostGuard(session, turn);
    if (!guard) return undefined;
    if (guard.isGivenUp) throw new Error(GONE);
    return await new Promise<Client>((resolve, reject) => {
      const listening = this.#didChangeLenders.event((changed) => {
        const [client] = changed === session ? this.#answering(session) : [];
        if (!client) return;
        listening.dispose();
        resolve(client);
      });
      ended.addEventListener('abort', () => {
        listening.dispose();
        guard.isGivenUp = true;
        reject(new Error(GONE));
      });
    });
  }

  /** A guard of this turn whose connection was lost. A client that has taken its tools back is no guard any more. */
  #lostGuard(session: URI, turn: GuardedTurn): Guard | undefined {
    return this.#guardsOf(session).find((guard) => guard.isLost && guard.turns.some((guarded) => isSame(guarded, turn)));
  }

  #isRunning({ chat, turnId }: GuardedTurn): boolean {
    return this.options.store.chat(chat)?.activeTurn?.id === turnId;
  }

  #answering(session: URI): Client[] {
    const { store, clients } = this.options;
    return (store.session(session)?.activeClients ?? []).flatMap(({ clientId }) => clients.withHooks(clientId) ?? []);
  }

  /** The turn of the call, or that of the chat which its subagent works for. */
  #turnOf({ chat, turnId }: ToolUse): GuardedTurn {
    const { store } = this.options;
    let top = chat;
    for (let origin = store.chat(top)?.origin; origin?.kind === 'tool' && 'toolCallId' in origin; origin = store.chat(top)?.origin)
      top = origin.chat;
    return { chat: top, turnId: store.chat(top)?.activeTurn?.id ?? turnId };
  }

  async #ask<M extends HookRequest>(client: Client, method: M, params: HookParams<M>, timeoutMs: number): Promise<HookResult<M>> {
    const answer = await client.request(method, params, timeoutMs);
    const problem = problemOf(hookResults[method], answer, 'result');
    if (problem !== undefined) throw new Error(`the answer to ${method} cannot be read: ${problem}`);
    return answer as HookResult<M>;
  }
}

function isSame(one: GuardedTurn, other: GuardedTurn): boolean {
  return one.chat === other.chat && one.turnId === other.turnId;
}

function bounded(context: readonly ProviderText[]): ProviderText[] {
  let left = MAX_CONTEXT;
  return context.flatMap(({ provider, content }) => {
    const kept = content.slice(0, left);
    left -= kept.length;
    return kept === '' ? [] : [{ provider: provider.slice(0, MAX_NAME), content: kept }];
  });
}

/** With names of a bounded length: they are said to the model, and kept in the session. Sections with longer names do not exist. */
function named({ sections, context, startup }: SystemSections): SystemSections {
  const cut = <T extends { provider: string }>(parts: readonly T[]) =>
    parts.map((part) => ({ ...part, provider: part.provider.slice(0, MAX_NAME) }));
  return {
    sections: sections
      .filter(({ section }) => section.length <= MAX_NAME)
      .map(({ parts, ...section }) => ({
        ...section,
        parts: cut(parts).map((part) => ({ ...part, action: part.action.slice(0, MAX_NAME) })),
      })),
    context: cut(context),
    startup: cut(startup),
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

/** For the model, and for the user at the call. */
const UNDECIDED = 'The call did not run, because the rules of the tool providers could not be asked about it:';
const GONE = 'the window that asks them has gone, and no other has taken its place';

function reasonOf(error: unknown): string {
  return error instanceof TimeoutError ? `the window that asks them did not answer within ${error.timeoutMs / 1000} s` : englishOf(error);
}
