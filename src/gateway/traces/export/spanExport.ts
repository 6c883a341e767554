/** Makes spans and sends them, with OpenTelemetry's libraries. A file of its own in the build, which is loaded when there are to be traces. */
import { ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import { TraceLimit, type OwnerSpan } from '../../../tap/wire/traces/toldSpan.ts';
import { shownEndpoint, spansUrl, type TracesConfig } from '../../../tap/wire/traces/tracesConfig.ts';
import type { Records } from '../../records/records.ts';
import type { SpanExport } from '../tracing.ts';
import { OtlpFile } from './otlpFile.ts';
import { type SpanDestination, SpanQueue } from './spanQueue.ts';
import { traceRecords } from './traceRecords.ts';

export interface SpanExportOptions {
  config: TracesConfig;
  records: Pick<Records, 'add'>;
  version: string;
  clock: Clock;
  logger: Logger;
}

const SCOPE = 'tapline';
/** Of one batch, with what is tried again. */
const REQUEST_TIMEOUT_MS = 5_000;
const LINKS = 8;

export function openSpanExport({ config, records, version, clock, logger }: SpanExportOptions): SpanExport {
  const { endpoint, file, content } = config;
  const places = [
    traceRecords(records),
    ...(endpoint === undefined ? [] : [otlpEndpoint(endpoint)]),
    ...(file === undefined ? [] : [new OtlpFile(file)]),
  ];
  const onProblem = (name: string, problem: string) => logger.warn(`Traces do not get to ${name}: ${problem}`);
  const queues = places.map((place) => new SpanQueue(place, { clock, onProblem }));
  const ids = new OwnerIds();
  const providerOf = (service: string) =>
    new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
      spanProcessors: queues,
      idGenerator: ids,
      spanLimits: {
        attributeCountLimit: TraceLimit.attributes,
        attributeValueLengthLimit: content ? TraceLimit.contentLength : TraceLimit.textLength,
        linkCountLimit: LINKS,
        eventCountLimit: 0,
      },
    });
  const own = providerOf('tapline-gateway').getTracer(SCOPE, version);
  const ofOwners = providerOf('tapline-owner').getTracer(SCOPE, version);
  return {
    tracer: own,
    get destinations() {
      return queues.map(({ status }) => status);
    },
    tell: ({ traceId, spanId, parentSpanId, name, start, end, attributes, error }) => {
      const parent =
        parentSpanId === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
      const span = ids.given({ traceId, spanId }, () => ofOwners.startSpan(name, { startTime: start, attributes }, parent));
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end(end);
    },
    close: async () => void (await Promise.all(queues.map((queue) => queue.shutdown()))),
  };
}

/** Spans that others have made keep their ids. */
class OwnerIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: Pick<OwnerSpan, 'traceId' | 'spanId'> | undefined;

  generateTraceId = (): string => this.#given?.traceId ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#given?.spanId ?? this.#random.generateSpanId();

  given<T>(ids: Pick<OwnerSpan, 'traceId' | 'spanId'>, work: () => T): T {
    this.#given = ids;
    try {
      return work();
    } finally {
      this.#given = undefined;
    }
  }
}

function otlpEndpoint(endpoint: string): SpanDestination {
  const url = spansUrl(endpoint);
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: REQUEST_TIMEOUT_MS });
  return {
    name: shownEndpoint(url),
    send: (spans) =>
      new Promise((resolve, reject) => {
        exporter.export([...spans], ({ code, error }) => (code === 0 ? resolve() : reject(error ?? new Error('it was refused'))));
      }),
    close: () => exporter.shutdown(),
  };
}
