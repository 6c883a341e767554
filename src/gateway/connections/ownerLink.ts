/** The gateway's end of an owner link: JSON-RPC 2.0 with a process that owns sessions and has proved the owner secret. */
import type * as z from 'zod';
import { CountedWarnings } from '../../base/connection/countedWarnings.ts';
import { JsonRpcPeer, RpcError, RpcErrorCode } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import { OwnerErrorCode } from '../../tap/wire/errorCodes.ts';
import type { UserQuestion } from '../../tap/wire/userQuestion.ts';
import { RUNS_SESSION } from '../../tap/wire/traces/toldSpan.ts';
import { firstIssue } from '../../tap/wire/parsing/firstIssue.ts';
import {
  OWNER_PROTOCOL_VERSION,
  type OwnerEvents,
  ownerNotifications,
  type OwnerNotification,
  type OwnerRequest,
  ownerRequests,
  type OwnerResults,
} from '../../tap/wire/owner/ownerMessages.ts';
import { type OwnerQuestion, ownerQuestions, type QuestionParams, type QuestionResult } from '../../tap/wire/owner/ownerQuestions.ts';
import type { Gateway } from '../gateway.ts';
import { EmitterRefused } from '../emitters/emitters.ts';
import { type ProjectProviders, StartRefused } from '../projectProviders/projectProviders.ts';
import { RecordsRefused } from '../records/records.ts';
import { OpenQuestions } from '../owners/openQuestions.ts';
import type { Owner, OwnerConnection } from '../owners/owner.ts';
import { CannotAnswer, type Session } from '../sessions/session.ts';

const QUESTION_MS = 10_000;

type Params<M extends OwnerRequest> = z.output<(typeof ownerRequests)[M]>;
type Handlers = { [M in OwnerRequest]: (params: Params<M>) => OwnerResults[M] | Promise<OwnerResults[M]> };

export class OwnerLink implements OwnerConnection, Disposable {
  readonly #peer: JsonRpcPeer;
  readonly #warnings: CountedWarnings;
  /** Set once the owner has said who it is. */
  #owner: { readonly known: Owner; readonly attached: Disposable } | undefined;

  constructor(
    private readonly gateway: Gateway,
    private readonly projectProviders: ProjectProviders,
    private readonly version: string,
    private readonly connection: { send(text: string): void; close(code: number, reason: string): void },
  ) {
    this.#warnings = new CountedWarnings(gateway.logger);
    this.#peer = new JsonRpcPeer('server', (text) => connection.send(text), {
      onRequest: (method, params) => this.#request(method, params),
      onNotification: (method, params) => this.#notification(method, params),
      onInvalidMessage: () => this.#warnings.warn('invalid', 'a session owner sent a frame that is not a message'),
      onInternalError: (method, error) =>
        gateway.logger.error(`${method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
  }

  receive(text: string): void {
    this.#peer.receive(text);
  }

  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void {
    this.#peer.notify(event, params);
  }

  async ask<Q extends OwnerQuestion>(question: Q, params: QuestionParams<Q>): Promise<QuestionResult<Q>> {
    let answer;
    try {
      answer = await this.#peer.request(question, params, QUESTION_MS);
    } catch (error) {
      throw error instanceof RpcError && error.code === RpcErrorCode.MethodNotFound ? new CannotAnswer(error.message) : error;
    }
    const { data, error } = ownerQuestions[question].result.safeParse(answer);
    if (error) throw new Error(`the owner has answered ${question} wrongly: ${firstIssue(error)}`);
    return data as QuestionResult<Q>;
  }

  replaced(): void {
    this.dispose();
    this.connection.close(CloseCode.Replaced, 'another connection has come with the key of this owner');
  }

  /** Called when the connection has ended. Its sessions end, except for those with calls that the owner may take up again. */
  dispose(): void {
    this.#peer.dispose();
    this.#questions.dispose();
    this.#owner?.known.disconnected(this);
    this.#owner?.attached.dispose();
    this.#owner = undefined;
  }

  readonly #questions = new OpenQuestions((asked) => this.notify('tool/asked', asked));

  readonly #handlers: Handlers = {
    initialize: ({ protocolVersion, name, key, earlier }) => {
      if (protocolVersion !== OWNER_PROTOCOL_VERSION) {
        throw new RpcError(
          OwnerErrorCode.InvalidParams,
          `this gateway speaks owner protocol version ${OWNER_PROTOCOL_VERSION}, not ${protocolVersion}`,
        );
      }
      if (!this.#owner) {
        if (earlier) this.gateway.succession.passOn(earlier);
        const known = this.gateway.owners.enter(name, key, this);
        this.#owner = { known, attached: this.gateway.attach(known) };
      }
      return { protocolVersion: OWNER_PROTOCOL_VERSION, version: this.version };
    },
    'session/register': ({ neededCalls, isTrusted, stopped, ...registration }) => {
      const { sessions, announcer } = this.gateway;
      const existing = sessions.get(registration.sessionId);
      if (!existing || existing.ending) {
        const begun = sessions.register(this.#known, registration);
        this.gateway.emitters.resume(begun, { mayRun: isTrusted, stopped: new Set(stopped) });
        return announcer.offerOf(begun);
      }
      if (existing.owner !== this.#known || !this.#known.takeUp(existing))
        throw new RpcError(OwnerErrorCode.InvalidParams, `session ${JSON.stringify(registration.sessionId)} is already registered`);
      if (neededCalls) this.#known.calls.forgetOthers(existing.id, neededCalls);
      this.gateway.emitters.takenUp(existing, { mayRun: isTrusted, stopped: new Set(stopped) });
      this.projectProviders.takenUp(existing);
      this.gateway.updateSession(existing, registration);
      return announcer.offerOf(existing);
    },
    'session/update': ({ sessionId, ...change }) => {
      this.gateway.updateSession(this.#session(sessionId), change);
      return null;
    },
    'session/end': async ({ sessionId, deadlineMs, keepCalls }) => {
      const session = this.#session(sessionId);
      // Also where the gateway itself is ending, which would keep it.
      if (!keepCalls) session.journal?.delete();
      await (keepCalls ? this.#known.leave(session, deadlineMs) : this.gateway.sessions.end(session, deadlineMs));
      return null;
    },
    'tool/call': async ({ sessionId, callId, tool, args, of, keep, asks, traceparent, hostCallId }) => {
      const { dispatcher, diagnostics } = this.gateway;
      const session = this.#session(sessionId);
      const onAsk = (question: UserQuestion, provider: string) => this.#questions.ask({ sessionId, callId, tool, provider, question });
      const isKept = keep && this.#known.mayReturn;
      const call = this.#known.calls.start({ sessionId, callId, tool, isKept }, (onProgress) =>
        dispatcher.call({ session, tool, args, of, traceparent, hostCallId, onProgress, onAsk: asks ? onAsk : undefined }),
      );
      if (!call) throw new RpcError(OwnerErrorCode.InvalidParams, `call ${JSON.stringify(callId)} was made already`);
      diagnostics.count('calls');
      const outcome = await call.outcome;
      this.#questions.callEnded(sessionId, callId);
      if (!outcome.ok) diagnostics.count(`calls.${outcome.errorCode}`);
      return outcome;
    },
    'tool/resume': ({ sessionId, callId }) => {
      const outcome = this.#known.calls.resume(this.#session(sessionId).id, callId);
      if (!outcome) throw new RpcError(OwnerErrorCode.UnknownCall, `this owner has no call ${JSON.stringify(callId)}`);
      return outcome;
    },
    'hooks/evaluate': ({ sessionId, tool, args, ...judged }) =>
      this.gateway.hooks.evaluate(this.#session(sessionId), { tool, args }, judged),
    'transforms/evaluate': ({ sessionId, sections }) => this.gateway.hooks.transform(this.#session(sessionId), sections),
    'stream/query': ({ sessionId, last }) => ({
      streams: this.#session(sessionId)
        .streams.all()
        .map(({ owner, name, items }) => ({ provider: owner.name, stream: name, entries: items.slice(-last).reverse() })),
    }),
    'token/issue': ({ sessionId, internal }) => {
      const { id } = this.#session(sessionId);
      const { grants } = this.gateway;
      return { token: internal ? grants.issueInternalToken(id) : grants.issueSpawnToken(id) };
    },
    'providers/start': ({ sessionId, folder, providers }) => {
      const session = this.#session(sessionId);
      refusedAs(() => this.projectProviders.start(session, folder, providers));
      return null;
    },
    'providers/stop': async ({ sessionId, names }) => {
      await this.projectProviders.stop(this.#session(sessionId), names);
      return null;
    },
    'emitters/start': ({ sessionId, emitter, isOff }) => {
      const session = this.#session(sessionId);
      return refusedAs(() => this.gateway.emitters.start(session, emitter, 'user', isOff).status);
    },
    'emitters/stop': async ({ sessionId, name, withdrawn }) => {
      const session = this.#session(sessionId);
      await refusedAs(() => this.gateway.emitters.stop(session, name, withdrawn));
      return null;
    },
    'emitters/run': ({ sessionId, name }) => {
      const session = this.#session(sessionId);
      refusedAs(() => this.gateway.emitters.runNow(session, name));
      return null;
    },
    'emitters/filter': ({ sessionId, name, eventFilter }) => {
      const session = this.#session(sessionId);
      refusedAs(() => this.gateway.emitters.setFilter(session, name, eventFilter));
      return null;
    },
    'emitters/preview': ({ sessionId, name, eventFilter }) => {
      const session = this.#session(sessionId);
      return refusedAs(() => this.gateway.emitters.preview(session, name, eventFilter));
    },
    'emitters/injector': ({ sessionId, name, enabled }) => {
      const session = this.#session(sessionId);
      refusedAs(() => this.gateway.emitters.get(session, name).setInjector(enabled));
      return null;
    },
    'emitters/list': ({ sessionId }) => ({ emitters: this.gateway.emitters.list(this.#session(sessionId)) }),
    'goals/list': ({ sessionId }) => ({ judgements: [...this.gateway.ledger.of(this.#session(sessionId))] }),
    'pairing/deny': ({ pairingId }) => ({ denied: this.gateway.pairings.deny(pairingId) }),
    'pairing/revoke': ({ pairing }) => {
      this.gateway.revokePairing(pairing);
      return null;
    },
    'earlierToken/letIn': ({ id, name }) => {
      const done = this.gateway.earlierTokens.letIn(id, name);
      return { letIn: done === 'letIn', isFull: done === 'full' };
    },
    'consent/answer': ({ provider, allow, remembered }) => {
      this.gateway.consents.answer(provider, allow, remembered);
      return null;
    },
    'consent/forget': ({ provider }) => {
      this.gateway.forgetConsent(provider);
      return null;
    },
    'records/add': async ({ records }) => {
      await orRefused(this.gateway.records.add(records));
      return null;
    },
    'records/query': async (query) => ({ records: await orRefused(this.gateway.records.query(query)) }),
    'traces/configure': async (config) => {
      await this.gateway.tracing.configure(config);
      return this.gateway.tracing.status;
    },
    diagnostics: () => ({ ...this.gateway.status(), projectProviders: this.projectProviders.status() }),
  };

  #request(method: string, params: unknown): unknown {
    if (!Object.hasOwn(ownerRequests, method))
      throw new RpcError(RpcErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    if (method !== 'initialize' && !this.#owner) throw new RpcError(OwnerErrorCode.NotInitialized, 'the first request must be initialize');
    const known = method as OwnerRequest;
    const handler = this.#handlers[known] as (params: unknown) => unknown;
    return handler(checked(ownerRequests[known], params ?? {}));
  }

  #notification(method: string, params: unknown): void {
    try {
      if (!this.#owner) throw new RpcError(OwnerErrorCode.NotInitialized, 'it came before initialize');
      if (!Object.hasOwn(ownerNotifications, method)) throw new RpcError(RpcErrorCode.MethodNotFound, 'there is no such notification');
      this.#heard(method as OwnerNotification, params);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.#warnings.warn('ignored', `ignored ${JSON.stringify(method.slice(0, 100))} of a session owner: ${error.message}`);
    }
  }

  #heard(method: OwnerNotification, params: unknown): void {
    switch (method) {
      case 'tool/cancel': {
        const { sessionId, callId, reason } = checked(ownerNotifications[method], params);
        return this.#known.calls.cancel(sessionId, callId, reason);
      }
      case 'tool/answer': {
        const { askId, ...answer } = checked(ownerNotifications[method], params);
        return this.#questions.answer(askId, answer);
      }
      case 'tool/settled': {
        const { sessionId, callId } = checked(ownerNotifications[method], params);
        return this.#known.calls.forget(sessionId, callId);
      }
      case 'trace/spans': {
        const { sessionId, spans } = checked(ownerNotifications[method], params);
        return this.gateway.tracing.tell(this.#session(sessionId).id, spans);
      }
      case 'trace/runs': {
        const { spans } = checked(ownerNotifications[method], params);
        return this.gateway.tracing.tell(RUNS_SESSION, spans);
      }
      case 'session/event': {
        const { sessionId, event, data, byUser } = checked(ownerNotifications[method], params);
        return this.gateway.sessionEvent(this.#session(sessionId), event, data, byUser);
      }
    }
  }

  get #known(): Owner {
    if (!this.#owner) throw new RpcError(OwnerErrorCode.NotInitialized, 'the first request must be initialize');
    return this.#owner.known;
  }

  /** A session of this owner; throws an {@link RpcError} for any other. */
  #session(id: string): Session {
    const session = this.gateway.sessions.get(id);
    if (!session || session.owner !== this.#known)
      throw new RpcError(OwnerErrorCode.UnknownSession, `this owner has no session ${JSON.stringify(id)}`);
    return session;
  }
}

function refusedAs<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof EmitterRefused || error instanceof StartRefused
      ? new RpcError(OwnerErrorCode.InvalidParams, error.message)
      : error;
  }
}

async function orRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof RecordsRefused ? new RpcError(OwnerErrorCode.NoRecords, error.message) : error;
  }
}

function checked<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new RpcError(OwnerErrorCode.InvalidParams, firstIssue(result.error));
}
