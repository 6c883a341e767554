/**
 * Asks the active client of a session whether a call may run, and what is added to the system message (`ahp/hookRequests`). It denies what
 * cannot be decided, because a call that a rule might deny must not run only because no client answers.
 */
import { type HookParams, type HookRequest, type HookResult, hookResults, type ProviderText } from '../../ahp/hookRequests.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { topSession } from '../../ahp/subagentUri.ts';
import { messageOf, TimeoutError, withTimeout } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
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

const NOTHING: SystemSections = { sections: [], context: [], startup: [] };

export interface ClientHooksOptions {
  store: StateStore;
  clients: Clients;
  logger: Logger;
  /** Absent: {@link DECISION_MS}. */
  decisionMs?: number | undefined;
}

/** A client that has rules about the calls of a turn, or may have some. */
interface Guard {
  clientId: string;
  turnId: string;
  /** It has answered that it has rules. */
  hasRules: boolean;
  /** Its connection has ended. */
  isLost: boolean;
  /** No other client has become the active one in time. */
  isGivenUp: boolean;
}

export class ClientHooks implements Disposable {
  readonly #store = new DisposableStore();
  /** By session. */
  readonly #guards = new Map<URI, Guard>();
  readonly #didChangeClient = this.#store.add(new Emitter<URI>());

  constructor(private readonly options: ClientHooksOptions) {
    const { store, clients } = options;
    this.#store.add(
      clients.onDidLeave((clientId) => {
        for (const guard of this.#guards.values()) if (guard.clientId === clientId) guard.isLost = true;
      }),
    );
    this.#store.add(
      store.onDidDispatch(({ resource, envelope: { action } }) => {
        if (action.type === 'session/activeClientChanged') this.#didChangeClient.fire(resource);
      }),
    );
    this.#store.add(store.onDidDelete((resource) => this.#guards.delete(resource)));
  }

  /** Whether the call may run. Never rejects. Takes at most {@link DECISION_MS}. */
  async evaluate(use: ToolUse): Promise<HookVerdict> {
    const session = topSession(use.session);
    if (!this.#answering(session) && !this.#guardOf(session)) return { allowed: true, context: [] };
    const ended = new AbortController();
    try {
      const { decisionMs = DECISION_MS } = this.options;
      return await withTimeout(this.#decide(session, use, ended.signal), decisionMs, `the decision about ${use.toolName}`);
    } catch (error) {
      this.options.logger.warn(`${use.toolName} in ${session} was denied: ${messageOf(error)}`);
      return { allowed: false, message: `${UNDECIDED} ${this.#guardOf(session) ? GONE : reasonOf(error)}.` };
    } finally {
      ended.abort();
    }
  }

  /** Never rejects: without an answer the turn goes on without sections. */
  async sections(session: URI, turnId: string, current: Readonly<Record<string, string>>): Promise<SystemSections> {
    const client = this.#answering(session);
    if (!client) return NOTHING;
    const { decisionMs = DECISION_MS, logger } = this.options;
    try {
      const params = { session, turnId, sections: { ...current } };
      return named(await this.#ask(client, 'tapline/sections', params, Math.min(SECTIONS_MS, decisionMs)));
    } catch (error) {
      logger.warn(`A turn of ${session} began without what its client adds: ${messageOf(error)}`);
      return NOTHING;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Asks again while the active client is not the one that has allowed the call. */
  async #decide(session: URI, use: ToolUse, ended: AbortSignal): Promise<HookVerdict> {
    const { session: _of, ...call } = use;
    const turnId = this.#turnOf(session) ?? use.turnId;
    let allowed: { by: Client; context: readonly ProviderText[] } | undefined;
    for (;;) {
      const client = this.#answering(session) ?? (await this.#successor(session, ended));
      ended.throwIfAborted();
      if (!client) return { allowed: true, context: allowed?.context ?? [] };
      if (allowed?.by === client) return { allowed: true, context: allowed.context };
      const hasRules = this.#guards.get(session)?.hasRules === true;
      const guard: Guard = { clientId: client.clientId, turnId, hasRules, isLost: false, isGivenUp: false };
      this.#guards.set(session, guard);
      const answer = await this.#answerAbout(client, session, call, guard);
      if (!answer) continue;
      guard.hasRules = answer.guarded !== false;
      if (!guard.hasRules && this.#guards.get(session) === guard) this.#guards.delete(session);
      const { decision, reason = 'A rule of a tool provider denied it, and gave no reason.', context = [] } = answer;
      if (decision === 'deny') return { allowed: false, message: reason.slice(0, MAX_REASON) };
      allowed = { by: client, context: bounded(context) };
    }
  }

  /** Undefined when the client has disconnected, or is no longer the active one. The next active client is asked then. */
  async #answerAbout(client: Client, session: URI, call: Omit<ToolUse, 'session'>, guard: Guard) {
    const replaced = new AbortController();
    const listening = this.#didChangeClient.event((changed) => {
      const now = changed === session ? this.#answering(session) : client;
      if (now && now !== client) replaced.abort();
    });
    try {
      const question = { session, ...call, ...(guard.hasRules && { wasGuarded: true }) };
      const asking = this.#ask(client, 'tapline/evaluateHooks', question, this.options.decisionMs ?? DECISION_MS);
      return await Promise.race([asking, aborted(replaced.signal)]);
    } catch (error) {
      if (guard.isLost || this.#answering(session) !== client) return undefined;
      throw error;
    } finally {
      listening.dispose();
    }
  }

  /** The active client after a guard was lost in this turn. Undefined where none was lost. Rejects when no client comes. */
  async #successor(session: URI, ended: AbortSignal): Promise<Client | undefined> {
    const guard = this.#guardOf(session);
    if (!guard) return undefined;
    if (guard.isGivenUp) throw new Error(GONE);
    return await new Promise<Client>((resolve, reject) => {
      const listening = this.#didChangeClient.event((changed) => {
        const client = changed === session ? this.#answering(session) : undefined;
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

  /** The guard of the running turn, if its connection was lost. A client that has unset itself as the active client is no guard any more. */
  #guardOf(session: URI): Guard | undefined {
    const guard = this.#guards.get(session);
    return guard?.isLost && guard.turnId === this.#turnOf(session) ? guard : undefined;
  }

  #answering(session: URI): Client | undefined {
    const clientId = this.options.store.session(session)?.activeClient?.clientId;
    return clientId === undefined ? undefined : this.options.clients.withHooks(clientId);
  }

  #turnOf(session: URI): string | undefined {
    return this.options.store.session(session)?.activeTurn?.id;
  }

  async #ask<M extends HookRequest>(client: Client, method: M, params: HookParams<M>, timeoutMs: number): Promise<HookResult<M>> {
    const answer = await client.request(method, params, timeoutMs);
    const problem = problemOf(hookResults[method], answer, 'result');
    if (problem !== undefined) throw new Error(`the answer to ${method} cannot be read: ${problem}`);
    return answer as HookResult<M>;
  }
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
  return error instanceof TimeoutError ? `the window that asks them did not answer within ${error.timeoutMs / 1000} s` : messageOf(error);
}
