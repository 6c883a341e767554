/** The gateway's end of an owner link: JSON-RPC 2.0 with a process that owns sessions and has shown the owner secret. */
import type * as z from 'zod';
import { CountedWarnings } from '../../base/countedWarnings.ts';
import { JsonRpcPeer, RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { firstIssue } from '../../tap/wire/firstIssue.ts';
import {
  OWNER_PROTOCOL_VERSION,
  type OwnerEvents,
  ownerNotifications,
  type OwnerNotification,
  type OwnerRequest,
  ownerRequests,
  type OwnerResults,
} from '../../tap/wire/ownerMessages.ts';
import type { RunningCall } from '../tools/dispatch.ts';
import type { Gateway } from '../gateway.ts';
import { type ProjectProviders, StartRefused } from '../projectProviders/projectProviders.ts';
import type { Session, SessionOwner } from '../sessions/session.ts';

const ErrorCode = { InvalidParams: -32602, MethodNotFound: -32601, NotInitialized: -32002, UnknownSession: -32001 } as const;

type Params<M extends OwnerRequest> = z.output<(typeof ownerRequests)[M]>;
type Handlers = { [M in OwnerRequest]: (params: Params<M>) => OwnerResults[M] | Promise<OwnerResults[M]> };

export class OwnerLink implements SessionOwner, Disposable {
  name = '';
  readonly #peer: JsonRpcPeer;
  readonly #warnings: CountedWarnings;
  readonly #calls = new Map<string, RunningCall>();
  #attached: Disposable | undefined;

  constructor(
    private readonly gateway: Gateway,
    private readonly projectProviders: ProjectProviders,
    private readonly version: string,
    send: (text: string) => void,
  ) {
    this.#warnings = new CountedWarnings(gateway.logger);
    this.#peer = new JsonRpcPeer('server', send, {
      onRequest: (method, params) => this.#request(method, params),
      onNotification: (method, params) => this.#notification(method, params),
      onInvalidMessage: () => this.#warnings.warn('invalid', 'a session owner sent a frame that is no message'),
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

  /** The link is down: its calls are cancelled, its sessions end. */
  dispose(): void {
    this.#peer.dispose();
    for (const call of this.#calls.values()) call.cancel('the session owner has gone');
    this.#attached?.dispose();
    this.#attached = undefined;
  }

  readonly #handlers: Handlers = {
    initialize: ({ protocolVersion, name }) => {
      if (protocolVersion !== OWNER_PROTOCOL_VERSION) {
        throw new RpcError(
          ErrorCode.InvalidParams,
          `this gateway speaks owner protocol version ${OWNER_PROTOCOL_VERSION}, not ${protocolVersion}`,
        );
      }
      this.name = name;
      this.#attached ??= this.gateway.attach(this);
      return { protocolVersion: OWNER_PROTOCOL_VERSION, version: this.version };
    },
    'session/register': (registration) => {
      const existing = this.gateway.sessions.get(registration.sessionId);
      if (existing && !existing.ending)
        throw new RpcError(ErrorCode.InvalidParams, `session ${JSON.stringify(registration.sessionId)} is registered already`);
      const { revision, offered } = this.gateway.sessions.register(this, registration);
      return { revision, tools: offered };
    },
    'session/update': ({ sessionId, ...change }) => {
      this.gateway.updateSession(this.#session(sessionId), change);
      return null;
    },
    'session/end': async ({ sessionId, deadlineMs }) => {
      await this.gateway.sessions.end(this.#session(sessionId), deadlineMs);
      return null;
    },
    'tool/call': async ({ sessionId, callId, tool, args }) => {
      const key = JSON.stringify([sessionId, callId]);
      if (this.#calls.has(key)) throw new RpcError(ErrorCode.InvalidParams, `call ${JSON.stringify(callId)} is running already`);
      const call = this.gateway.dispatcher.call({
        session: this.#session(sessionId),
        tool,
        args,
        onProgress: (message, provider) => this.notify('tool/progress', { sessionId, callId, tool, provider, message }),
      });
      this.gateway.diagnostics.count('calls');
      this.#calls.set(key, call);
      const outcome = await call.outcome;
      this.#calls.delete(key);
      if (!outcome.ok) this.gateway.diagnostics.count(`calls.${outcome.errorCode}`);
      return outcome;
    },
    'hooks/evaluate': ({ sessionId, tool, args }) => this.gateway.hooks.evaluate(this.#session(sessionId), { tool, args }),
    'transforms/evaluate': ({ sessionId, sections }) => this.gateway.hooks.transform(this.#session(sessionId), sections),
    'stream/query': ({ sessionId, last }) => ({
      streams: this.#session(sessionId)
        .streams.all()
        .map(({ owner, name, items }) => ({ provider: owner.name, stream: name, entries: items.slice(-last).reverse() })),
    }),
    'token/issue': ({ sessionId }) => ({ token: this.gateway.grants.issueSpawnToken(this.#session(sessionId).id) }),
    'providers/start': ({ sessionId, folder, providers }) => {
      try {
        this.projectProviders.start(this.#session(sessionId), folder, providers);
      } catch (error) {
        throw error instanceof StartRefused ? new RpcError(ErrorCode.InvalidParams, error.message) : error;
      }
      return null;
    },
    'providers/stop': async ({ sessionId, names }) => {
      await this.projectProviders.stop(this.#session(sessionId), names);
      return null;
    },
    'pairing/deny': ({ pairingId }) => {
      this.gateway.pairings.deny(pairingId);
      return null;
    },
    'consent/answer': ({ provider, allow }) => {
      this.gateway.consents.answer(provider, allow);
      return null;
    },
    diagnostics: () => ({ ...this.gateway.status(), projectProviders: this.projectProviders.status() }),
  };

  #request(method: string, params: unknown): unknown {
    if (!Object.hasOwn(ownerRequests, method))
      throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    if (method !== 'initialize' && !this.#attached) throw new RpcError(ErrorCode.NotInitialized, 'the first request must be initialize');
    const known = method as OwnerRequest;
    const handler = this.#handlers[known] as (params: unknown) => unknown;
    return handler(checked(ownerRequests[known], params ?? {}));
  }

  #notification(method: string, params: unknown): void {
    try {
      if (!this.#attached) throw new RpcError(ErrorCode.NotInitialized, 'it came before initialize');
      if (!Object.hasOwn(ownerNotifications, method)) throw new RpcError(ErrorCode.MethodNotFound, 'there is no such notification');
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
        return this.#calls.get(JSON.stringify([sessionId, callId]))?.cancel(reason);
      }
      case 'session/event': {
        const { sessionId, event, data, byUser } = checked(ownerNotifications[method], params);
        return this.gateway.sessionEvent(this.#session(sessionId), event, data, byUser);
      }
    }
  }

  /** One of this owner's own. */
  #session(id: string): Session {
    const session = this.gateway.sessions.get(id);
    if (!session || session.owner !== this) throw new RpcError(ErrorCode.UnknownSession, `this owner has no session ${JSON.stringify(id)}`);
    return session;
  }
}

function checked<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new RpcError(ErrorCode.InvalidParams, firstIssue(result.error));
}
