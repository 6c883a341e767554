/** The spans of a host that offers them. It is asked for them while somebody here wants them. */
import type { Clock } from '../../base/clock.ts';
import type { CountedWarnings } from '../../base/connection/countedWarnings.ts';
import { englishOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isRecord } from '../../base/isRecord.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import type { URI } from '../common/shapes.ts';
import { type ReceivedSpan, receivedSpans } from '../telemetry/receivedSpans.ts';
import type { HostConnection } from './connection/hostConnection.ts';

/** What a host may send in a minute. More is left out. */
const MAX_SPANS = 6_000;
const MINUTE_MS = 60_000;

export interface HostTracesOptions {
  readonly clock: Clock;
  readonly warnings: CountedWarnings;
  readonly hostName: () => string;
}

export class HostTraces implements Disposable {
  readonly #didReceive = new Emitter<readonly ReceivedSpan[]>();
  #readers = 0;
  #channel: URI | undefined;
  #connection: HostConnection | undefined;
  #minute = { began: 0, spans: 0 };

  constructor(private readonly options: HostTracesOptions) {}

  /** The host has a channel of them. */
  get areOffered(): boolean {
    return this.#channel !== undefined;
  }

  /** Tells of all that come from now on, over each connection, until it is disposed. */
  read(listener: (spans: readonly ReceivedSpan[]) => void): Disposable {
    const listening = this.#didReceive.event(listener);
    if (++this.#readers === 1) this.#subscribe();
    let isOver = false;
    return toDisposable(() => {
      listening.dispose();
      if (isOver) return;
      isOver = true;
      if (--this.#readers === 0 && this.#channel !== undefined) this.#connection?.notify('unsubscribe', { channel: this.#channel });
    });
  }

  /** The host that is connected now has them there, or has none. */
  connected(connection: HostConnection, channel: URI | undefined): void {
    this.#connection = connection;
    this.#channel = channel;
    if (this.#readers > 0) this.#subscribe();
  }

  connectionLost(): void {
    this.#connection = undefined;
  }

  /** The parameters of an `otlp/exportTraces`. */
  receive(params: unknown): void {
    const { channel, payload } = isRecord(params) ? params : {};
    if (this.#readers === 0 || this.#channel === undefined || channel !== this.#channel) return;
    const { warnings, hostName } = this.options;
    const received = receivedSpans(payload);
    if (!received) return warnings.warn('traces', `${hostName()} sent traces that cannot be read`);
    const { spans, leftOut } = received;
    const taken = spans.slice(0, this.#room());
    this.#minute.spans += taken.length;
    const lost = leftOut + spans.length - taken.length;
    if (lost > 0) warnings.warn('spans', `${hostName()} sent ${lost} spans that are wrong or too many, and they are left out`);
    if (taken.length > 0) this.#didReceive.fire(taken);
  }

  dispose(): void {
    this.#didReceive.dispose();
  }

  #room(): number {
    const now = this.options.clock.now();
    if (now - this.#minute.began >= MINUTE_MS || now < this.#minute.began) this.#minute = { began: now, spans: 0 };
    return Math.max(0, MAX_SPANS - this.#minute.spans);
  }

  #subscribe(): void {
    const connection = this.#connection;
    const channel = this.#channel;
    if (!connection || channel === undefined) return;
    connection.request('subscribe', { channel }).catch((error: unknown) => {
      const { warnings, hostName } = this.options;
      // A connection that has ended is followed by another one.
      if (connection === this.#connection) warnings.warn('subscribe', `${hostName()} does not give its traces: ${englishOf(error)}`);
    });
  }
}
