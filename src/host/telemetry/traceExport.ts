/** Sends the spans of the host to the clients that have subscribed to them: in batches, and to nobody else. */
import { otlpSpan, otlpTraces, type SpanSource } from '../../ahp/telemetry/otlpJson.ts';
import type { TelemetrySpan } from '../../ahp/telemetry/telemetryAttributes.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Client } from '../state/clients.ts';

/** In `telemetry` of the answer to `initialize`. */
export const TRACES_CHANNEL = 'ahp-otlp://traces';

export const TraceBatch = {
  /** How long a span waits for others. */
  delayMs: 500,
  spans: 100,
  /** Characters of the spans in JSON. */
  characters: 128 * 1024,
} as const;

export interface TraceExportOptions {
  readonly source: SpanSource;
  readonly spans: Event<TelemetrySpan>;
  /** Those that are connected. */
  readonly clients: ReadonlySet<Client>;
  readonly clock: Clock;
}

export class TraceExport implements Disposable {
  readonly #store = new DisposableStore();
  #batch: TelemetrySpan[] = [];
  #characters = 0;
  #timer: Disposable | undefined;

  constructor(private readonly options: TraceExportOptions) {
    this.#store.add(options.spans((span) => this.#ended(span)));
  }

  dispose(): void {
    this.#send();
    this.#store.dispose();
  }

  #ended(span: TelemetrySpan): void {
    if (this.#readers().length === 0) return;
    const { length } = JSON.stringify(otlpSpan(span));
    if (this.#characters + length > TraceBatch.characters) this.#send();
    this.#batch.push(span);
    this.#characters += length;
    if (this.#batch.length >= TraceBatch.spans) this.#send();
    else this.#timer ??= this.options.clock.setTimer(() => this.#send(), TraceBatch.delayMs);
  }

  #send(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (batch.length === 0) return;
    const params = { channel: TRACES_CHANNEL, payload: otlpTraces(this.options.source, batch) };
    for (const client of this.#readers()) client.notify('otlp/exportTraces', params);
  }

  #readers(): Client[] {
    return [...this.options.clients].filter(({ channels }) => channels.has(TRACES_CHANNEL));
  }
}
