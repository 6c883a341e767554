/** One WebSocket connection: the handshake, the commands and actions of its client, and what is sent to it. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type ClientNotifications, clientNotificationParams } from '../../ahp/v1/commands.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import type { ServerNotifications } from '../../ahp/v1/notifications.ts';
import { hasHooks } from '../../ahp/hookRequests.ts';
import { isRecord } from '../../base/isRecord.ts';
import { systemClock } from '../../base/clock.ts';
import { CountedWarnings } from '../../base/connection/countedWarnings.ts';
import { JsonRpcPeer, RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { PeerSocket } from '../../base/server/peerSocket.ts';
import type { ChannelClient, ChannelFace } from '../channels/channelFace.ts';
import { channelVersionOf } from '../channels/versions.ts';
import type { Client } from '../state/clients.ts';
import { CloseCode } from './closeCodes.ts';
import { checkedParams, isClientCommand, runCommand } from './commands.ts';
import type { Host } from '../host.ts';
import { isNestedTooDeeply, MAX_NESTING } from './nesting.ts';
import { problemOf } from '../checks/problem.ts';

const PING_INTERVAL_MS = 5000;
/** Bytes that may wait for a client before it is cut off. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

type State =
  | { kind: 'handshake' }
  /** `channels`: of a client that speaks the channel protocol. */
  | { kind: 'connected'; client: Client; channels?: ChannelClient }
  | { kind: 'closed' };

export interface ClientConnectionOptions {
  host: Host;
  /** The host for clients of the channel protocol. */
  channels: ChannelFace;
  logger: Logger;
  /** From the open socket to `initialize` or `reconnect`. */
  handshakeTimeoutMs: number;
  maxBufferedBytes?: number;
  pingIntervalMs?: number;
}

export class ClientConnection implements Disposable {
  #state: State = { kind: 'handshake' };
  readonly #host: Host;
  readonly #channels: ChannelFace;
  readonly #logger: Logger;
  readonly #warnings: CountedWarnings;
  readonly #peer: JsonRpcPeer;
  readonly #handshakeTimer: ReturnType<typeof setTimeout>;
  readonly #socket: PeerSocket;

  constructor(socket: WebSocket, stream: Duplex, options: ClientConnectionOptions) {
    this.#host = options.host;
    this.#channels = options.channels;
    this.#logger = options.logger;
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
      if (state.channels) return this.#channels.run(method, params, state.channels);
      if (isClientCommand(method)) return runCommand(this.#host, method, params, state.client);
      if (Object.hasOwn(clientNotificationParams, method))
        throw new RpcError(ErrorCode.InvalidRequest, `${method} is a notification: send it without an id`);
      throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    }
    const makeClient = (clientId: string) => this.#connect(clientId);
    if (method === 'initialize' && channelVersionOf(params) !== undefined) {
      if (channelVersionOf(params) === '') this.#closeAfterAnswer(CloseCode.UnsupportedVersion, 'no version of the client is spoken here');
      return this.#channels.initialize(params, ({ clientId, _meta }) =>
        this.#connectChannels(clientId, (client) =>
          this.#host.clients.join(client, { dialect: 'channels', answersHooks: hasHooks(_meta) }),
        ),
      );
    }
    if (method === 'reconnect' && isRecord(params) && this.#isOfChannels(params)) {
      return this.#channels.reconnect({ channel: ROOT_CHANNEL, ...params }, (clientId) =>
        this.#connectChannels(clientId, (client) => this.#host.clients.rejoin(client)),
      );
    }
    if (method === 'initialize') return this.#host.initialize(checkedParams(method, params), makeClient);
    if (method === 'reconnect') return this.#host.reconnect(checkedParams(method, params), makeClient);
    throw new RpcError(ErrorCode.InvalidRequest, 'the first message must be initialize or reconnect');
  }

  /** VS Code's own client names no channel when it comes back. */
  #isOfChannels({ channel, clientId }: Record<string, unknown>): boolean {
    return channel !== undefined || (typeof clientId === 'string' && this.#host.clients.dialectOf(clientId) === 'channels');
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
    const { client, channels } = this.#state;
    if (channels) return this.#channels.receive(method, params, channels);
    if (method === 'dispatchAction') {
      const problem = problemOf(clientNotificationParams.dispatchAction, params, 'params');
      if (problem) return `${method}: ${problem}`;
      const { clientSeq, action } = params as ClientNotifications['dispatchAction'];
      this.#host.dispatchAction(client.clientId, clientSeq, action);
      return undefined;
    }
    if (method === 'unsubscribe') {
      const problem = problemOf(clientNotificationParams.unsubscribe, params, 'params');
      if (problem) return `${method}: ${problem}`;
      client.subscriptions.delete((params as ClientNotifications['unsubscribe']).resource);
      return undefined;
    }
    return isClientCommand(method) ? `${method} needs an id` : `there is no method ${JSON.stringify(method.slice(0, 100))}`;
  }

  #connectChannels(clientId: string, enter: (client: Client) => void): ChannelClient {
    const notify = (method: string, params: unknown) => {
      // Actions come from the face, in its own words.
      if (method === 'notification') this.#channels.notify(channels, (params as ServerNotifications['notification']).notification);
    };
    const client = this.#connect(clientId, notify);
    const channels: ChannelClient = {
      client,
      channels: new Set(),
      wire: { notify: (method, params) => this.#peer.notify(method, params) },
    };
    this.#state = { kind: 'connected', client, channels };
    enter(client);
    return channels;
  }

  #connect(clientId: string, notify = (method: string, params: unknown) => this.#peer.notify(method, params)): Client {
    clearTimeout(this.#handshakeTimer);
    const client: Client = {
      clientId,
      subscriptions: new Set(),
      notify: <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]) => notify(method, params),
      request: (method, params, timeoutMs) => this.#peer.request(method, params, timeoutMs),
      replaced: () => this.close(CloseCode.Replaced, 'another connection took over this client'),
    };
    this.#state = { kind: 'connected', client };
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
    this.#host.clients.leave(state.client);
    if (state.channels) this.#channels.leave(state.channels);
  }
}
