import { Emitter } from '../../src/base/event.ts';
import type { Transport, TransportFactory } from '../../src/ahp/client/transport.ts';
import type { FakeConnection, FakeHost } from './fakeHost.ts';

/** A connection in memory. Frames arrive in order, each in a microtask of its own. */
export class MemoryTransport implements Transport {
  readonly #message = new Emitter<string>();
  readonly #close = new Emitter<{ code: number; reason: string }>();
  readonly #pong = new Emitter<void>();
  readonly onMessage = this.#message.event;
  readonly onClose = this.#close.event;
  readonly onPong = this.#pong.event;
  readonly connection: FakeConnection;
  pings = 0;
  /** A dead line: nothing arrives any more, and nobody says so. */
  isDead = false;
  isClosed = false;
  /** Frames that were not given to the reader because it does not read. */
  #unread: string[] | undefined;
  pauses = 0;
  /** Frames that the reader got. */
  delivered = 0;

  constructor(host: FakeHost) {
    this.connection = host.accept(
      (text) => queueMicrotask(() => this.#deliver(text)),
      (code = 1006, reason = '') => this.drop(code, reason),
    );
  }

  send(text: string): void {
    queueMicrotask(() => this.isClosed || this.isDead || this.connection.receive(text));
  }

  ping(): void {
    this.pings++;
    if (!this.isDead) queueMicrotask(() => this.#pong.fire());
  }

  pause(): void {
    this.pauses++;
    this.#unread ??= [];
  }

  resume(): void {
    const unread = this.#unread ?? [];
    this.#unread = undefined;
    // The reader may pause again in the middle.
    for (const text of unread) this.#deliver(text);
  }

  #deliver(text: string): void {
    if (this.isClosed || this.isDead) return;
    if (this.#unread) this.#unread.push(text);
    else {
      this.delivered++;
      this.#message.fire(text);
    }
  }

  close(): void {
    this.isClosed = true;
    this.connection.subscriptions.clear();
  }

  /** The other side ends the line. */
  drop(code = 1006, reason = ''): void {
    if (this.isClosed) return;
    this.close();
    this.#close.fire({ code, reason });
  }
}

/** Connects to `host` in memory. `refuse` says whether (and how) the next attempt fails. */
export function memoryTransport(host: FakeHost, refuse: () => Error | undefined = () => undefined) {
  const lines: MemoryTransport[] = [];
  const urls: string[] = [];
  const transport: TransportFactory = async (url) => {
    urls.push(url);
    const error = refuse();
    if (error) throw error;
    const line = new MemoryTransport(host);
    lines.push(line);
    return line;
  };
  return {
    transport,
    urls,
    lines,
    get line(): MemoryTransport {
      const line = lines.at(-1);
      if (!line) throw new Error('nobody has connected');
      return line;
    },
  };
}
