/** One WebSocket connection: the handshake, the commands and actions of its client, and what is sent to it. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { DialectName } from '../../ahp/dialects/dialect.ts';
import { isRecord } from '../../base/isRecord.ts';
import { systemClock } from '../../base/clock.ts';
import { CountedWarnings } from '../../base/connection/countedWarnings.ts';
import { JsonRpcPeer, RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { PeerSocket } from '../../base/server/socket/peerSocket.ts';
import type { Client, Clients } from '../state/clients.ts';
import { CloseCode } from './hostCloseCodes.ts';
import type { Face } from '../face.ts';
import { isNestedTooDeeply, MAX_NESTING } from './nesting.ts';
import { channelVersionOf } from './channelVersion.ts';

const PING_INTERVAL_MS = 5000;
/** Bytes that may wait for a client before it is cut off. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

type State = { kind: 'handshake' } | { kind: 'connected'; client: Client; face: Face } | { kind: 'closed' };

export type Faces = Readonly<Record<DialectName, Face>>;

export interface ClientConnectionOptions {
  clients: Clients;
  faces: Faces;
  logger: Logger;
  /** See `ChannelFaceOptions`. */
  speaks11?: boolean;
  /** From the open socket to `initialize` or `reconnect`. */
  handshakeTimeoutMs: number;
  maxBufferedBytes?: number;
  pingIntervalMs?: number;
}

export class ClientConnection implements Disposable {
  #state: State = { kind: 'handshake' };
  readonly #clients: Clients;
  readonly #faces: Faces;
  readonly #logger: Logger;
  readonly #speaks11: boolean;
  readonly #warnings: CountedWarnings;
  readonly #peer: JsonRpcPeer;
  readonly #handshakeTimer: ReturnType<typeof setTimeout>;
  readonly #socket: PeerSocket;

  constructor(socket: WebSocket, stream: Duplex, options: ClientConnectionOptions) {
    this.#clients = options.clients;
    this.#faces = options.faces;
    this.#logger = options.logger;
    this.#speaks11 = options.speaks11 ?? false;
    this.#warnings = new CountedWarnings(options.logger);
    this.#peer = new JsonRpcPeer('server', (text) => this.#socket.send(text), {
      onRequest: (method, params) => this.#onRequest(method, params),
      onNotification: (method, params) => this.#onNotification(method, params),
      // The problem is not logged, because it quotes the frame, which may hold a token.
      onInvalidMessage: () => this.#warnings.warn('invalid', 'a client sent a frame that is no message'),
      onInternalError: (method, error) =>
        this.#logger.error(`${method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
    this.#handshakeTimer = setTimeout(
      () => this.close(CloseCode.HandshakeTimeout, 'initialize did not come in time'),
      options.handshakeTimeoutMs,
    );
    this.#socket = new PeerSocket(socket, {
      stream,
      clock: systemClock,
      logger: options.logger,
      who: 'a client',
      maxBuffered: options.maxBufferedBytes ?? MAX_BUFFERED_BYTES,
      pingIntervalMs: options.pingIntervalMs ?? PING_INTERVAL_MS,
      closeCodes: CloseCode,
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onEnd: () => this.#closed(),
    });
  }

  /** Ends the connection with a close frame. The client counts as disconnected at once. */
  close(code: number, reason: string): void {
    if (this.#state.kind !== 'closed') this.#socket.close(code, reason);
  }

  dispose(): void {
    this.close(1001, 'the host is shutting down');
  }

  #onRequest(method: string, params: unknown): unknown {
    const state = this.#state;
    if (state.kind === 'connected') {
      if (method === 'initialize' || method === 'reconnect')
        throw new RpcError(ErrorCode.InvalidRequest, `${method}: the connection is initialized already`);
      return state.face.run(method, params, state.client);
    }
    if (method === 'initialize') return this.#initialize(params);
    if (method === 'reconnect') return this.#reconnect(params);
    throw new RpcError(ErrorCode.InvalidRequest, 'the first message must be initialize or reconnect');
  }

  #initialize(params: unknown): unknown {
    const version = channelVersionOf(params, this.#speaks11);
    if (version === '') this.#closeAfterAnswer(CloseCode.UnsupportedVersion, 'no version of the client is spoken here');
    const face = this.#faces[version === undefined ? 'v1' : 'channels'];
    return face.initialize(params, (clientId) => this.#connect(clientId, face));
  }

  /** A client that is known keeps its dialect, whatever its request looks like: VS Code's own names no channel when it comes back. */
  #reconnect(params: unknown): unknown {
    const { clientId, channel } = isRecord(params) ? params : {};
    const known = typeof clientId === 'string' ? this.#clients.dialectOf(clientId) : undefined;
    const dialect = channel !== undefined ? 'channels' : (known ?? 'v1');
    const face = this.#faces[dialect];
    const request = dialect === 'channels' && isRecord(params) ? { channel: ROOT_CHANNEL, ...params } : params;
    return face.reconnect(request, (id) => this.#connect(id, face));
  }

  /** The answer to the present request goes out before any other event. */
  #closeAfterAnswer(code: number, reason: string): void {
    setImmediate(() => this.close(code, reason));
  }

  #onNotification(method: string, params: unknown): void {
    const problem = this.#handleNotification(method, params);
    if (problem) this.#warnings.warn('ignored', `ignored a notification of a client: ${problem}`);
  }

  /** Returns what is wrong with the notification, for the log: the sender gets no response. */
  #handleNotification(method: string, params: unknown): string | undefined {
    if (this.#state.kind !== 'connected') return 'it came before initialize';
    const { client, face } = this.#state;
    return face.receive(method, params, client);
  }

  #connect(clientId: string, face: Face): Client {
    clearTimeout(this.#handshakeTimer);
    const client: Client = {
      clientId,
      channels: new Set(),
      notify: (method, params) => this.#peer.notify(method, params),
      request: (method, params, timeoutMs) => this.#peer.request(method, params, timeoutMs),
      replaced: () => this.close(CloseCode.Replaced, 'another connection took over this client'),
    };
    this.#state = { kind: 'connected', client, face };
    return client;
  }

  #receive(data: Buffer | ArrayBuffer, isBinary: boolean): void {
    if (isBinary) return this.close(1003, 'messages are text frames');
    const text = (data as Buffer).toString('utf8');
    // It is not parsed, so the id of its request is not known.
    if (isNestedTooDeeply(text)) this.#peer.refuse(ErrorCode.InvalidRequest, `the frame is nested deeper than ${MAX_NESTING}`);
    else this.#peer.receive(text);
  }

  #closed(): void {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    clearTimeout(this.#handshakeTimer);
    this.#peer.dispose();
    if (state.kind !== 'connected') return;
    this.#clients.leave(state.client);
    state.face.leave(state.client);
  }
}
