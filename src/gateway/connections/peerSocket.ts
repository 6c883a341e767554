/** The WebSocket of a peer that may be slow, hang or vanish: what waits for it is bounded, and it must show a sign of life. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { CloseCode } from '../../tap/wire/closeCodes.ts';

export const PING_INTERVAL_MS = 15_000;
/** A peer may be deaf for a while because it works: as long as the default time of a tool. */
export const MAX_UNANSWERED_PINGS = 4;
/** From our close frame until the socket is torn down. */
export const CLOSE_TIMEOUT_MS = 2_000;

export interface PeerSocketOptions {
  /** What the WebSocket runs on. */
  stream: Duplex;
  clock: Clock;
  logger: Logger;
  /** For the log, such as `a provider`. */
  who: string;
  /** Bytes that may wait for the peer before it is cut off. What is sent next may come on top. */
  maxBuffered: number;
  onMessage(data: Exclude<RawData, Buffer[]>, isBinary: boolean): void;
  /** A frame without a message came: a ping or a pong. */
  onControl?(): void;
  /** Called once, also when it is we who close. */
  onEnd(): void;
}

export class PeerSocket {
  #unanswered = 0;
  #pings: Disposable;
  #hasEnded = false;
  #isCorked = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: PeerSocketOptions,
  ) {
    this.#pings = options.clock.setTimer(() => this.#keepAlive(), PING_INTERVAL_MS);
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
    // A frame above the hard cap or broken framing: `ws` closes with the fitting code, and 'close' follows.
    socket.on('error', (error) => options.logger.debug(`connection of ${options.who}: ${messageOf(error)}`));
  }

  /** In order; dropped when the peer has gone. */
  send(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN || this.#cutOffIfSlow()) return;
    this.#cork();
    // As bytes: strings take a slow way through Node's streams.
    this.socket.send(Buffer.from(text), { binary: false });
  }

  close(code: number, reason: string): void {
    this.#end();
    this.socket.close(code, reason);
    const terminate = this.options.clock.setTimer(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    this.socket.once('close', () => terminate.dispose());
  }

  /** True when a ping is answered within `timeoutMs`. */
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

  /** What is sent in one turn goes out as one write: writing is what a message costs most. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.options;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Looked at before something is added: one large message alone makes nobody slow. */
  #cutOffIfSlow(): boolean {
    const { logger, maxBuffered, who } = this.options;
    if (this.socket.bufferedAmount <= maxBuffered) return false;
    logger.warn(`${who} reads too slowly and is cut off; it can connect again`);
    this.close(CloseCode.TooSlow, 'too much is waiting to be read');
    return true;
  }

  #keepAlive(): void {
    if (this.#unanswered >= MAX_UNANSWERED_PINGS) {
      this.options.logger.warn(`${this.options.who} does not answer and is cut off; it can connect again`);
      return this.close(CloseCode.Unresponsive, 'no sign of life');
    }
    this.#unanswered++;
    this.socket.ping();
    this.#pings = this.options.clock.setTimer(() => this.#keepAlive(), PING_INTERVAL_MS);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pings.dispose();
    this.options.onEnd();
  }
}
