/** One open line to a host, from its WebSocket to its end. Whoever holds one may speak to the host; what to say first is the handshake's. */
import type { Clock } from '../../../base/clock.ts';
import { CountedWarnings } from '../../../base/countedWarnings.ts';
import { messageOf, UserError, withTimeout } from '../../../base/errors.ts';
import { JsonRpcPeer, RpcError } from '../../../base/jsonRpc.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import type { ClientNotifications, Command, CommandParams, CommandResult } from '../../v1/commands.ts';
import { ErrorCode } from '../../v1/errors.ts';
import { ConnectionError, type ConnectionFailure } from './connectionState.ts';
import type { HostUrl } from './hostUrl.ts';
import { Liveness } from './liveness.ts';
import { type Transport, TransportError, type TransportFactory } from '../transport.ts';

/** Answers a request of the host. Throw an `RpcError` to refuse; MethodNotFound is what a client without the method answers. */
export type HostRequestHandler = (method: string, params: unknown) => unknown;

/** What comes from the host, as it came. */
export interface HostConnectionListener {
  onEnvelope(params: unknown): void;
  onNotification(params: unknown): void;
  onHostRequest: HostRequestHandler;
}

export interface HostConnectionOptions {
  url: HostUrl;
  transport: TransportFactory;
  clock: Clock;
  logger: Logger;
  /** Ends the line, or the attempt to open it. */
  signal: AbortSignal;
}

const OPEN_TIMEOUT_MS = 15_000;
const HOST_REQUEST_TIMEOUT_MS = 60_000;
const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
/** How many frames that no agent host sends may come before the first answer, and how long that may then take. */
const MAX_STRANGE_FRAMES = 3;
const STRANGE_TIMEOUT_MS = 2_000;
/** Hosts answer these only when a backend is up, or a worktree is made. */
const slowRequests: Partial<Record<Command, number>> = { createSession: 120_000 };

export class HostConnection implements Disposable {
  readonly #peer: JsonRpcPeer;
  readonly #store = new DisposableStore();
  /** True once it has answered a request of ours. */
  #hasAnswered = false;
  #strangeFrames = 0;
  #takenTokens = 0;
  /** Settles when the host has answered to all tokens that it was given. */
  #offeredTokens: Promise<unknown> = Promise.resolve();
  #end!: (failure: ConnectionFailure) => void;
  /** Settles when the line has ended; never rejects. */
  readonly closed: Promise<ConnectionFailure> = new Promise((resolve) => (this.#end = resolve));

  /** Rejects with a {@link ConnectionError}. */
  static async open(options: HostConnectionOptions, listener: HostConnectionListener): Promise<HostConnection> {
    const { url, transport, signal } = options;
    const attempt = new AbortController();
    try {
      const opening = transport(url.connect, AbortSignal.any([signal, attempt.signal]));
      return new HostConnection(await withTimeout(opening, OPEN_TIMEOUT_MS, 'opening the connection'), options, listener);
    } catch (error) {
      attempt.abort();
      throw new ConnectionError(openFailure(error, url));
    }
  }

  private constructor(
    private readonly transport: Transport,
    private readonly options: HostConnectionOptions,
    private readonly listener: HostConnectionListener,
  ) {
    const { clock, logger, signal, url } = options;
    const warnings = new CountedWarnings(logger);
    this.#peer = new JsonRpcPeer('client', (text) => transport.send(text), {
      onRequest: (method, params) => {
        // Files of the client: a host that takes up an old line may ask for them first.
        if (!method.startsWith('resource')) this.#noteStrangeFrame();
        return withTimeout(Promise.resolve(listener.onHostRequest(method, params)), HOST_REQUEST_TIMEOUT_MS, `answering ${method}`);
      },
      onNotification: (method, params) => this.#receiveNotification(method, params),
      onInvalidMessage: (problem) => {
        warnings.warn('invalid', `${url.display}: ${url.redact(problem)}`);
        this.#noteStrangeFrame();
      },
      onInternalError: (method, error) => logger.error(`${url.display}: could not answer ${method}: ${messageOf(error)}`),
    });
    const { ping } = transport;
    const liveness =
      ping &&
      this.#store.add(
        new Liveness(
          clock,
          () => ping.call(transport),
          () => this.fail(silentLine(url)),
        ),
      );
    this.#store.add(
      transport.onMessage((text) => {
        liveness?.heard();
        this.#peer.receive(text);
      }),
    );
    if (transport.onPong) this.#store.add(transport.onPong(() => liveness?.heard()));
    this.#store.add(transport.onClose(({ code, reason }) => this.fail(lostLine(url, code, reason))));
    const end = () => this.dispose();
    signal.addEventListener('abort', end);
    this.#store.add(toDisposable(() => signal.removeEventListener('abort', end)));
    if (signal.aborted) end();
  }

  /**
   * Rejects with `RpcError`, `TimeoutError` (both leave the line open) or {@link ConnectionError}. The result is as the host sent it. What
   * fails for want of a token that the host took meanwhile is asked again.
   */
  async request<M extends Command>(
    method: M,
    params: CommandParams<M>,
    timeoutMs = slowRequests[method] ?? DEFAULT_REQUEST_TIMEOUT_MS,
  ): Promise<CommandResult<M>> {
    for (;;) {
      const tokens = this.#takenTokens;
      const answer = this.#ask(method, params, timeoutMs);
      if (method === 'authenticate') {
        const taken = answer.then(() => this.#takenTokens++);
        this.#offeredTokens = Promise.allSettled([this.#offeredTokens, taken]).then(() => undefined);
      }
      try {
        return await answer;
      } catch (error) {
        if (!mayWantToken(method, error)) throw error;
        // The answer to a token may be on its way.
        await this.#offeredTokens;
        if (this.#takenTokens === tokens) throw error;
      }
    }
  }

  notify<M extends keyof ClientNotifications>(method: M, params: ClientNotifications[M]): void {
    this.#peer.notify(method, params);
  }

  /** Stops reading, so that the host waits; where the platform cannot (browsers), nothing happens. */
  pause(): void {
    this.transport.pause?.();
  }
  resume(): void {
    this.transport.resume?.();
  }

  /** Ends the line because of `failure`; the first one counts. */
  fail(failure: ConnectionFailure): void {
    if (this.#store.isDisposed) return;
    this.#store.dispose();
    this.#peer.dispose(new ConnectionError(failure));
    this.transport.close();
    this.#end(failure);
  }

  dispose(): void {
    this.fail({ kind: 'lost', message: 'The connection was closed here.', brief: 'connection closed' });
  }

  async #ask<M extends Command>(method: M, params: CommandParams<M>, timeoutMs: number): Promise<CommandResult<M>> {
    try {
      const result = await this.#peer.request(method, params, timeoutMs);
      this.#hasAnswered = true;
      return result as CommandResult<M>;
    } catch (error) {
      if (error instanceof RpcError) this.#hasAnswered = true;
      throw error;
    }
  }

  /** What no host sends before its first answer; who does is given a moment, and a few more. */
  #noteStrangeFrame(): void {
    if (this.#hasAnswered || this.#store.isDisposed) return;
    const end = () => this.#hasAnswered || this.fail(noAgentHost(this.options.url, 'what is there does not speak its protocol'));
    if (++this.#strangeFrames === 1) this.#store.add(this.options.clock.setTimer(end, STRANGE_TIMEOUT_MS));
    if (this.#strangeFrames === MAX_STRANGE_FRAMES) end();
  }

  #receiveNotification(method: string, params: unknown): void {
    switch (method) {
      case 'action':
        return this.listener.onEnvelope(params);
      case 'notification':
        return this.listener.onNotification(params);
      default:
        this.options.logger.debug(`${this.options.url.display}: unknown notification "${method}"`);
    }
  }
}

/** Reading fails in other words too where a token comes in the middle of it, and doing it again is harmless. */
function mayWantToken(method: Command, error: unknown): boolean {
  if (!(error instanceof RpcError) || method === 'authenticate') return false;
  return error.code === ErrorCode.AuthRequired || method === 'listSessions' || method === 'subscribe';
}

function openFailure(error: unknown, url: HostUrl): ConnectionFailure {
  if (error instanceof UserError) return { kind: 'unreachable', message: url.redact(error.message), brief: 'cannot be reached' };
  const what = url.redact(messageOf(error));
  switch (error instanceof TransportError ? error.kind : 'unreachable') {
    case 'token':
      return {
        kind: 'token',
        message: `${url.name} ${url.hasToken ? 'refused the' : 'wants a'} connection token (${what}). Set the token that this host was started with.`,
        brief: url.hasToken ? 'wrong token' : 'token needed',
      };
    case 'notAgentHost':
      return noAgentHost(url, what);
    default:
      return {
        kind: 'unreachable',
        message: `${url.place} cannot be reached: ${what}. Start the agent host there, or correct the address.`,
        brief: error instanceof TransportError ? error.brief : 'no answer',
      };
  }
}

/** `what` is one clause: what is there instead. */
export function noAgentHost(url: HostUrl, what: string): ConnectionFailure {
  return { kind: 'notAgentHost', message: `No agent host is at ${url.place}: ${what}. Correct the address.`, brief: 'no agent host there' };
}

function silentLine(url: HostUrl): ConnectionFailure {
  return { kind: 'lost', message: `${url.name} has been silent for too long; the line is taken for dead.`, brief: 'connection lost' };
}

/** A message of ours: the host says this of what it receives. */
const TOO_BIG = 1009;
function lostLine(url: HostUrl, code: number, reason: string): ConnectionFailure {
  if (code === TOO_BIG) {
    return { kind: 'lost', message: `A message was larger than ${url.name} accepts, so it closed the line.`, brief: 'message too large' };
  }
  const said = reason ? `: ${url.redact(reason)}` : '';
  return { kind: 'lost', message: `The line to ${url.name} ended (code ${code}${said}).`, brief: 'connection lost' };
}
