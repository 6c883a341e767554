/** One open connection to a host, from its WebSocket to its end. The handshake is done by its owner. */
import type { Clock } from '../../../base/clock.ts';
import { CountedWarnings } from '../../../base/connection/countedWarnings.ts';
import { englishOf, TimeoutError, UserError, withTimeout, wordsOf } from '../../../base/errors.ts';
import { JsonRpcPeer, RpcError } from '../../../base/jsonRpc.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { phrase, withValues, type Words } from '../../../base/text/phrase.ts';
import { ErrorCode } from '../../common/errors.ts';
import { ConnectionError, type ConnectionFailure, connectionFailure } from './connectionState.ts';
import type { HostUrl } from './hostUrl.ts';
import { Liveness } from '../../../base/connection/liveness.ts';
import { type Transport, TransportError, type TransportFactory } from '../transport.ts';

/** Answers a request of the host. Throw an `RpcError` to refuse. A client that has no such method answers MethodNotFound. */
export type HostRequestHandler = (method: string, params: unknown) => unknown;

/** What the host sends, unchecked. */
export interface HostConnectionListener {
  onEnvelope(params: unknown): void;
  /** Any notification but `action`. */
  onNotification(method: string, params: unknown): void;
  onHostRequest: HostRequestHandler;
}

export interface HostConnectionOptions {
  url: HostUrl;
  transport: TransportFactory;
  clock: Clock;
  logger: Logger;
  /** Ends the connection, or the attempt to open it. */
  signal: AbortSignal;
}

const OPEN_TIMEOUT_MS = 15_000;
const HOST_REQUEST_TIMEOUT_MS = 60_000;
const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
/** How many frames that no agent host sends may come before the first answer, and how long that answer may take after them. */
const MAX_STRANGE_FRAMES = 3;
const STRANGE_TIMEOUT_MS = 2_000;
/** Hosts answer these only after a backend has started, or a worktree is made. */
const slowRequests: Readonly<Record<string, number>> = { createSession: 120_000, createChat: 120_000 };

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
  /** Settles when the connection has ended. Never rejects. */
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
      const isLate = error instanceof TimeoutError;
      const late = new TransportError('unreachable', phrase`no answer within ${OPEN_TIMEOUT_MS / 1000} s`);
      throw new ConnectionError(openFailure(isLate ? late : error, url));
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
        // The host may ask for files of the client: one that resumes an old connection may do so before it answers.
        if (!method.startsWith('resource')) this.#noteStrangeFrame();
        return withTimeout(Promise.resolve(listener.onHostRequest(method, params)), HOST_REQUEST_TIMEOUT_MS, `answering ${method}`);
      },
      onNotification: (method, params) => this.#receiveNotification(method, params),
      onInvalidMessage: (problem) => {
        warnings.warn('invalid', `${url.display}: ${url.redact(problem)}`);
        this.#noteStrangeFrame();
      },
      onInternalError: (method, error) => logger.error(`${url.display}: could not answer ${method}: ${englishOf(error)}`),
    });
    const { ping } = transport;
    const liveness =
      ping &&
      this.#store.add(
        new Liveness(
          clock,
          () => ping.call(transport),
          () => this.fail(silentConnection(url)),
        ),
      );
    this.#store.add(
      transport.onMessage((text) => {
        liveness?.heard();
        this.#peer.receive(text);
      }),
    );
    if (transport.onPong) this.#store.add(transport.onPong(() => liveness?.heard()));
    this.#store.add(transport.onClose(({ code, reason }) => this.fail(lostConnection(url, code, reason))));
    const end = () => this.dispose();
    signal.addEventListener('abort', end);
    this.#store.add(toDisposable(() => signal.removeEventListener('abort', end)));
    if (signal.aborted) end();
  }

  /**
   * Rejects with `RpcError`, `TimeoutError` (both leave the connection open) or {@link ConnectionError}. The result is as the host sent it.
   * A request that fails for lack of a token is sent again when the host has accepted one meanwhile.
   */
  async request(method: string, params: object, timeoutMs = slowRequests[method] ?? DEFAULT_REQUEST_TIMEOUT_MS): Promise<unknown> {
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
        // The answer to a token may not have come yet.
        await this.#offeredTokens;
        if (this.#takenTokens === tokens) throw error;
      }
    }
  }

  notify(method: 'dispatchAction' | 'unsubscribe', params: object): void {
    this.#peer.notify(method, params);
  }

  /** Stops reading, so that the host waits. Does nothing where the platform cannot (browsers). */
  pause(): void {
    this.transport.pause?.();
  }
  resume(): void {
    this.transport.resume?.();
  }

  /** Ends the connection because of `failure`. The first call counts. */
  fail(failure: ConnectionFailure): void {
    if (this.#store.isDisposed) return;
    this.#store.dispose();
    this.#peer.dispose(new ConnectionError(failure));
    this.transport.close();
    this.#end(failure);
  }

  dispose(): void {
    this.fail(connectionFailure('lost', phrase`The connection was closed here.`, phrase`connection closed`));
  }

  async #ask(method: string, params: object, timeoutMs: number): Promise<unknown> {
    try {
      const result = await this.#peer.request(method, params, timeoutMs);
      this.#hasAnswered = true;
      return result;
    } catch (error) {
      if (error instanceof RpcError) this.#hasAnswered = true;
      throw error;
    }
  }

  /** No host sends these before its first answer. The peer gets a moment and a few more frames before the connection is closed. */
  #noteStrangeFrame(): void {
    if (this.#hasAnswered || this.#store.isDisposed) return;
    const end = () => this.#hasAnswered || this.fail(noAgentHost(this.options.url, phrase`what is there does not speak its protocol`));
    if (++this.#strangeFrames === 1) this.#store.add(this.options.clock.setTimer(end, STRANGE_TIMEOUT_MS));
    if (this.#strangeFrames === MAX_STRANGE_FRAMES) end();
  }

  #receiveNotification(method: string, params: unknown): void {
    if (method === 'action') this.listener.onEnvelope(params);
    else this.listener.onNotification(method, params);
  }
}

/** Where a token arrives in the middle of these, they fail with other errors too, and they can be repeated without harm. */
function mayWantToken(method: string, error: unknown): boolean {
  if (!(error instanceof RpcError) || method === 'authenticate') return false;
  return error.code === ErrorCode.AuthRequired || method === 'listSessions' || method === 'subscribe';
}

function openFailure(error: unknown, url: HostUrl): ConnectionFailure {
  const what = withValues(wordsOf(error), url.redact);
  if (error instanceof UserError) return connectionFailure('unreachable', what, phrase`cannot be reached`);
  switch (error instanceof TransportError ? error.kind : 'unreachable') {
    case 'token':
      return url.hasToken
        ? connectionFailure(
            'token',
            phrase`${url.name} refused the connection token (${what}). Set the token that this host was started with.`,
            phrase`wrong token`,
          )
        : connectionFailure(
            'token',
            phrase`${url.name} wants a connection token (${what}). Set the token that this host was started with.`,
            phrase`token needed`,
          );
    case 'name':
      return connectionFailure(
        'address',
        phrase`The host at ${url.place} refused that name: ${what}. Correct the address.`,
        phrase`name refused`,
      );
    case 'notAgentHost':
      return noAgentHost(url, what);
    default:
      return connectionFailure(
        'unreachable',
        phrase`${url.place} cannot be reached: ${what}. Start the agent host there, or correct the address.`,
        error instanceof TransportError ? error.brief : phrase`no answer`,
      );
  }
}

/** `what` is one clause that says what is there instead. */
export function noAgentHost(url: HostUrl, what: Words): ConnectionFailure {
  return connectionFailure(
    'notAgentHost',
    phrase`No agent host is at ${url.place}: ${what}. Correct the address.`,
    phrase`no agent host there`,
  );
}

function silentConnection(url: HostUrl): ConnectionFailure {
  return connectionFailure(
    'lost',
    phrase`${url.name} has been silent for too long, so the connection was given up.`,
    phrase`connection lost`,
  );
}

/** The host closes with this code when our message is too large. */
const TOO_BIG = 1009;
/** The built-in host closes with this code when a connection with the same client id comes. */
const REPLACED = 4003;
function lostConnection(url: HostUrl, code: number, reason: Words): ConnectionFailure {
  if (code === TOO_BIG) {
    return connectionFailure(
      'lost',
      phrase`A message was larger than ${url.name} accepts, so it closed the connection.`,
      phrase`message too large`,
    );
  }
  if (code === REPLACED) {
    return connectionFailure(
      'replaced',
      phrase`Another program has connected to ${url.name} as the same client, and only one can. Try again to take its place.`,
      phrase`taken over`,
    );
  }
  const message =
    reason === ''
      ? phrase`The connection to ${url.name} ended (code ${String(code)}).`
      : phrase`The connection to ${url.name} ended (code ${String(code)}: ${withValues(reason, url.redact)}).`;
  return connectionFailure('lost', message, phrase`connection lost`);
}
