/** One WebSocket connection: the handshake, the commands and actions of its client, and what it hears from the host. */
import type { WebSocket, RawData } from 'ws';
import type { StateAction } from '../../ahp/v1/actions.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { ServerNotifications } from '../../ahp/v1/notifications.ts';
import { CountedWarnings } from '../../base/countedWarnings.ts';
import { messageOf } from '../../base/errors.ts';
import { JsonRpcPeer, RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { Client } from '../state/clients.ts';
import { CloseCode } from './closeCodes.ts';
import { checkedParams, isClientCommand, runCommand } from './commands.ts';
import type { AgentHost } from '../host.ts';
import { isNestedTooDeeply, MAX_NESTING } from './nesting.ts';
import { integer, object, record, string } from '../checks/shape.ts';

/** A client is pinged when it was silent for one interval, and given up after this many pings without a sign of life. */
const PING_INTERVAL_MS = 5000;
const MAX_UNANSWERED_PINGS = 4;
/** Bytes that may wait for a client before it is cut off. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
/** From our close frame until the socket is torn down. */
const CLOSE_TIMEOUT_MS = 2000;

const notificationShapes = {
  dispatchAction: object({ clientSeq: integer(0), action: record }),
  unsubscribe: object({ resource: string }),
};

type State = { kind: 'handshake' } | { kind: 'connected'; client: Client } | { kind: 'closed' };

export interface ClientConnectionOptions {
  host: AgentHost;
  logger: Logger;
  /** From the open socket to `initialize` or `reconnect`. */
  handshakeTimeoutMs: number;
  maxBufferedBytes?: number;
  pingIntervalMs?: number;
}

export class ClientConnection implements Disposable {
  #state: State = { kind: 'handshake' };
  readonly #host: AgentHost;
  readonly #logger: Logger;
  readonly #warnings: CountedWarnings;
  readonly #peer: JsonRpcPeer;
  readonly #handshakeTimer: ReturnType<typeof setTimeout>;
  readonly #pingTimer: ReturnType<typeof setInterval>;
  #heard = true;
  #unansweredPings = 0;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: ClientConnectionOptions,
  ) {
    this.#host = options.host;
    this.#logger = options.logger;
    this.#warnings = new CountedWarnings(options.logger);
    this.#peer = new JsonRpcPeer('server', (text) => this.#send(text), {
      onRequest: (method, params) => this.#onRequest(method, params),
      onNotification: (method, params) => this.#onNotification(method, params),
      // Without the problem, which quotes the frame: it may hold a token.
      onInvalidMessage: () => this.#warnings.warn('invalid', 'a client sent a frame that is no message'),
      onInternalError: (method, error) =>
        this.#logger.error(`${method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
    this.#handshakeTimer = setTimeout(
      () => this.close(CloseCode.HandshakeTimeout, 'initialize did not come in time'),
      options.handshakeTimeoutMs,
    );
    this.#pingTimer = setInterval(() => this.#keepAlive(), options.pingIntervalMs ?? PING_INTERVAL_MS);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => this.#noteLife());
    socket.on('ping', () => this.#noteLife());
    socket.on('close', () => this.#closed());
    // A message that is too big or broken WebSocket framing; `ws` closes with the fitting code and 'close' follows.
    socket.on('error', (error) => this.#logger.warn(`connection of a client: ${messageOf(error)}`));
  }

  /** Ends the connection with a close frame; the client is gone at once. */
  close(code: number, reason: string): void {
    if (this.#state.kind === 'closed') return;
    this.#closed();
    this.socket.close(code, reason);
    const terminate = setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    this.socket.once('close', () => clearTimeout(terminate));
  }

  dispose(): void {
    this.close(1001, 'the host is shutting down');
  }

  #onRequest(method: string, params: unknown): unknown {
    const state = this.#state;
    if (state.kind === 'connected') {
      if (method === 'initialize' || method === 'reconnect')
        throw new RpcError(ErrorCode.InvalidRequest, `${method}: the connection is initialized already`);
      if (isClientCommand(method)) return runCommand(this.#host, method, params, state.client);
      if (Object.hasOwn(notificationShapes, method))
        throw new RpcError(ErrorCode.InvalidRequest, `${method} is a notification: send it without an id`);
      throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    }
    const makeClient = (clientId: string) => this.#connect(clientId);
    if (method === 'initialize') return this.#host.initialize(checkedParams(method, params), makeClient);
    if (method === 'reconnect') return this.#host.reconnect(checkedParams(method, params), makeClient);
    throw new RpcError(ErrorCode.InvalidRequest, 'the first message must be initialize or reconnect');
  }

  #onNotification(method: string, params: unknown): void {
    const problem = this.#handleNotification(method, params);
    if (problem) this.#warnings.warn('ignored', `ignored a notification of a client: ${problem}`);
  }

  /** Answers with what is wrong with it: nobody else can be told. */
  #handleNotification(method: string, params: unknown): string | undefined {
    if (this.#state.kind !== 'connected') return 'it came before initialize';
    const { client } = this.#state;
    if (method === 'dispatchAction') {
      const problem = notificationShapes.dispatchAction(params, 'params');
      if (problem) return `${method}: ${problem}`;
      const { clientSeq, action } = params as { clientSeq: number; action: StateAction };
      this.#host.dispatchAction(client.clientId, clientSeq, action);
      return undefined;
    }
    if (method === 'unsubscribe') {
      const problem = notificationShapes.unsubscribe(params, 'params');
      if (problem) return `${method}: ${problem}`;
      client.subscriptions.delete((params as { resource: URI }).resource);
      return undefined;
    }
    return isClientCommand(method) ? `${method} needs an id` : `there is no method ${JSON.stringify(method.slice(0, 100))}`;
  }

  #connect(clientId: string): Client {
    clearTimeout(this.#handshakeTimer);
    const client: Client = {
      clientId,
      subscriptions: new Set(),
      notify: <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]) => this.#peer.notify(method, params),
      replaced: () => this.close(CloseCode.Replaced, 'another connection took over this client'),
    };
    this.#state = { kind: 'connected', client };
    return client;
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#noteLife();
    if (this.#state.kind === 'closed') return;
    if (isBinary) return this.close(1003, 'messages are text frames');
    const text = (data as Buffer).toString('utf8');
    // Not even looked into, so that nobody knows whose request it is.
    if (isNestedTooDeeply(text)) this.#peer.refuse(ErrorCode.InvalidRequest, `the frame is nested deeper than ${MAX_NESTING}`);
    else this.#peer.receive(text);
  }

  #send(text: string): void {
    if (this.#state.kind === 'closed') return;
    this.socket.send(text);
    if (this.socket.bufferedAmount > (this.options.maxBufferedBytes ?? MAX_BUFFERED_BYTES)) {
      this.#logger.warn('a client reads too slowly and is cut off; it can reconnect');
      this.close(CloseCode.TooSlow, 'too much is waiting to be read');
    }
  }

  #noteLife(): void {
    this.#heard = true;
    this.#unansweredPings = 0;
  }

  /** Counts intervals instead of time: after a sleep of the machine nobody is taken for dead. */
  #keepAlive(): void {
    if (this.#heard) {
      this.#heard = false;
      return;
    }
    if (this.#unansweredPings++ >= MAX_UNANSWERED_PINGS) {
      this.#logger.warn('a client shows no sign of life and is cut off');
      this.#closed();
      this.socket.terminate();
    } else {
      this.socket.ping();
    }
  }

  #closed(): void {
    const state = this.#state;
    if (state.kind === 'closed') return;
    this.#state = { kind: 'closed' };
    clearTimeout(this.#handshakeTimer);
    clearInterval(this.#pingTimer);
    this.#peer.dispose();
    if (state.kind === 'connected') this.#host.clients.leave(state.client);
  }
}
