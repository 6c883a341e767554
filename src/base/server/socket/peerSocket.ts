/** The WebSocket of a peer that may be slow, hang or vanish. The data that waits for it is bounded, and it must answer pings. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../clock.ts';
import { englishOf } from '../../errors.ts';
import type { Disposable } from '../../lifecycle.ts';
import type { Logger } from '../../log.ts';
import { Cork } from './cork.ts';

export const PING_INTERVAL_MS = 15_000;
/** A peer may block while it works, for as long as the default timeout of a tool. */
export const MAX_UNANSWERED_PINGS = 4;
/** Time between our close frame and the end of the socket. */
export const CLOSE_TIMEOUT_MS = 2_000;

export interface PeerSocketOptions {
  /** The stream below the WebSocket. */
  stream: Duplex;
  clock: Clock;
  logger: Logger;
  /** Shown in the log, such as `a provider`. */
  who: string;
  /** Bytes that may wait for the peer before it is closed. The message that is sent next may come on top. */
  maxBuffered: number;
  closeCodes: { readonly TooSlow: number; readonly Unresponsive: number };
  pingIntervalMs?: number;
  /** Time that the peer may be silent for beyond the usual: it may block while it works on what it was asked. Default: none. */
  patienceMs?(): number;
  onMessage(data: Exclude<RawData, Buffer[]>, isBinary: boolean): void;
  /** Called for each ping or pong. */
  onControl?(): void;
  /** Called once, also when we close the connection. */
  onEnd(): void;
}

/** What is sent about a message goes on in microtasks: of a call that has ended, its echo to its client and the next call leave together. */
function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}

export class PeerSocket {
  #unanswered = 0;
  #pings: Disposable;
  readonly #pingIntervalMs: number;
  #hasEnded = false;
  /** For what is sent in one turn. */
  readonly #cork: Cork;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: PeerSocketOptions,
  ) {
    this.#cork = new Cork(options.stream, afterMicrotasks);
    this.#pingIntervalMs = options.pingIntervalMs ?? PING_INTERVAL_MS;
    this.#pings = options.clock.setTimer(() => this.#keepAlive(), this.#pingIntervalMs);
    socket.on('message', (data, isBinary) => {
      this.#unanswered = 0;
      if (!this.#hasEnded) options.onMessage(data as Exclude<RawData, Buffer[]>, isBinary);
    });
    for (const event of ['ping', 'pong'] as const) {
      socket.on(event, () => {
        this.#unanswered = 0;
        if (!this.#hasEnded) options.onControl?.();
      });
    }
    socket.once('close', () => this.#end());
    // For a frame above the hard limit or with broken framing `ws` closes the socket, and 'close' follows.
    socket.on('error', (error) => options.logger.debug(`connection of ${options.who}: ${englishOf(error)}`));
  }

  /** Sends in order. Dropped when the peer is gone. */
  send(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN || this.#cutOffIfSlow()) return;
    this.#cork.put();
    // Buffers are faster than strings in Node's streams.
    this.socket.send(Buffer.from(text), { binary: false });
  }

  /** Like {@link send}. Resolves when it has left for the peer, which reads at its own pace. Rejects when the peer is gone before. */
  sendWhole(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== this.socket.OPEN || this.#cutOffIfSlow()) return reject(new Error('the peer is gone'));
      this.#cork.put();
      this.socket.send(Buffer.from(text), { binary: false }, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(code: number, reason: string): void {
    this.#end();
    this.socket.close(code, reason);
    const terminate = this.options.clock.setTimer(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    this.socket.once('close', () => terminate.dispose());
  }

  /** True when the peer answers a ping within `timeoutMs`. */
  isAlive(timeoutMs: number): Promise<boolean> {
    if (this.socket.readyState !== this.socket.OPEN) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (alive: boolean) => {
        timer.dispose();
        this.socket.off('pong', answered);
        this.socket.off('close', gone);
        resolve(alive);
      };
      const answered = () => end(true);
      const gone = () => end(false);
      const timer = this.options.clock.setTimer(gone, timeoutMs);
      this.socket.on('pong', answered);
      this.socket.on('close', gone);
      this.socket.ping();
    });
  }

  /** Checked before a message is added, because a single large message does not make a peer slow. */
  #cutOffIfSlow(): boolean {
    const { logger, maxBuffered, who } = this.options;
    if (this.socket.bufferedAmount <= maxBuffered) return false;
    logger.warn(`${who} reads too slowly and is cut off; it can connect again`);
    this.close(this.options.closeCodes.TooSlow, 'too much is waiting to be read');
    return true;
  }

  #keepAlive(): void {
    const { patienceMs } = this.options;
    if (this.#unanswered >= MAX_UNANSWERED_PINGS + Math.ceil((patienceMs?.() ?? 0) / this.#pingIntervalMs)) {
      this.options.logger.warn(`${this.options.who} does not answer and is cut off; it can connect again`);
      return this.close(this.options.closeCodes.Unresponsive, 'no sign of life');
    }
    this.#unanswered++;
    this.socket.ping();
    this.#pings = this.options.clock.setTimer(() => this.#keepAlive(), this.#pingIntervalMs);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pings.dispose();
    this.options.onEnd();
  }
}
