/** The spans of the gateway. While tracing is off, which is the default, they are nothing, and what makes and sends them is not loaded. */
import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { dropOldest } from '../../base/dropOldest.ts';
import { messageOf } from '../../base/errors.ts';
import { type Logger, nullLogger } from '../../base/log.ts';
import type { OwnerSpan } from '../../tap/wire/traces/toldSpan.ts';
import { formatTraceparent, parseTraceparent } from '../../base/traces/traceparent.ts';
import { isTracing, type TracesConfig, type TracesStatus } from '../../tap/wire/traces/tracesConfig.ts';

/** The attribute of the session that a span is of. */
export const SESSION_ATTRIBUTE = 'tapline.session.id';

export interface SpanStart {
  /** The span that it is below, or a `traceparent`. */
  readonly parent?: Span | string | undefined;
  readonly attributes?: Attributes;
  /** Spans that have brought it about, too. */
  readonly links?: readonly Span[];
  /** Milliseconds since the epoch. Default: now. */
  readonly startedAt?: number;
  readonly isToOthers?: boolean;
}

/** What makes and sends spans, once it is loaded. */
export interface SpanExport {
  readonly tracer: Tracer;
  readonly destinations: TracesStatus['destinations'];
  tell(span: OwnerSpan): void;
  /** Sends what waits, for a bounded time. Never rejects. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** Loads what makes and sends spans. Absent: there are no traces. */
  open?: (config: TracesConfig) => Promise<SpanExport>;
  /** For good: owners do not change it. */
  fixed?: TracesConfig | undefined;
  logger: Logger;
}

/** Whoever tells of the same span does so within seconds. */
const MAX_TOLD = 5_000;

const nothing = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const OFF: TracesConfig = { enabled: false, content: false };

export class Tracing {
  #export: SpanExport | undefined;
  #config = OFF;
  #changes: Promise<void> = Promise.resolve();
  #problem: string | undefined;
  /** Of spans that owners have told of, by id: what they are and of which session. */
  readonly #told = new Map<string, string>();

  constructor(private readonly options: TracingOptions) {
    if (options.fixed) void this.#change(options.fixed);
  }

  get isOn(): boolean {
    return this.#export !== undefined;
  }
  /** Prompts, arguments and results are wanted in spans. */
  get hasContent(): boolean {
    return this.isOn && this.#config.content;
  }

  get status(): TracesStatus {
    return {
      isOn: this.isOn,
      content: this.hasContent,
      destinations: this.#export?.destinations ?? [],
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Of the owner that has said so last. Resolves when it is so. */
  configure(config: TracesConfig): Promise<void> {
    return this.options.fixed ? this.#changes : this.#change(config);
  }

  /** Off, it is its parent again, so that a trace goes on through the gateway. */
  start(name: string, { parent, attributes, links = [], startedAt, isToOthers }: SpanStart = {}): Span {
    // Nearly all calls come by here, so nothing is made.
    if (!this.#export && typeof parent !== 'string' && !parent?.isRecording()) return parent ?? nothing;
    const above = typeof parent === 'string' ? contextOf(parent) : parent?.spanContext();
    if (!this.#export) return above ? trace.wrapSpanContext(above) : nothing;
    const below = above && isSpanContextValid(above) ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT;
    const options = {
      ...(attributes && { attributes }),
      ...(links.length > 0 && { links: links.map((span) => ({ context: span.spanContext() })) }),
      ...(startedAt !== undefined && { startTime: startedAt }),
      kind: isToOthers ? SpanKind.CLIENT : SpanKind.INTERNAL,
    };
    return this.#export.tracer.startSpan(name, options, below);
  }

  /** Spans of a session that its owner has made. */
  tell(sessionId: string, spans: readonly OwnerSpan[]): void {
    if (!this.#export) return;
    for (const span of spans) {
      const id = `${span.traceId}.${span.spanId}`;
      const what = `${sessionId} ${span.name}`;
      // A portal and a window may both read the traces of the same host. A turn that goes on later ends again.
      if ((this.#told.get(id) ?? what) !== what) continue;
      this.#told.set(id, what);
      dropOldest(this.#told, MAX_TOLD);
      const attributes = this.hasContent ? span.attributes : withoutContent(span.attributes);
      this.#export.tell({ ...span, attributes: { ...attributes, [SESSION_ATTRIBUTE]: sessionId } });
    }
  }

  async close(): Promise<void> {
    await this.#changes;
    const closing = this.#export;
    this.#export = undefined;
    await closing?.close();
  }

  #change(config: TracesConfig): Promise<void> {
    return (this.#changes = this.#changes.then(() => this.#apply(config)));
  }

  async #apply(config: TracesConfig): Promise<void> {
    if (JSON.stringify(config) === JSON.stringify(this.#config)) return;
    this.#config = config;
    const before = this.#export;
    this.#export = undefined;
    this.#problem = undefined;
    await before?.close();
    if (!isTracing(config)) return;
    try {
      if (!this.options.open) throw new Error('this gateway makes no traces');
      this.#export = await this.options.open(config);
    } catch (error) {
      this.#problem = messageOf(error);
      this.options.logger.warn(`There are no traces: ${this.#problem}`);
    }
  }
}

/** Of a gateway that makes none. */
export const noTracing = new Tracing({ logger: nullLogger });

/** For what comes below it, in other processes. Undefined while there are no traces. */
export function traceparentOf(span: Span): string | undefined {
  if (span === nothing) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return undefined;
  return formatTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
}

/** What failed is named by a code, because a message may hold content. */
export function endFailed(span: Span, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function contextOf(traceparent: string): SpanContext | undefined {
  const ids = parseTraceparent(traceparent);
  if (!ids) return undefined;
  const { traceId, spanId, isSampled } = ids;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** Attributes that hold what was said or printed. */
const CONTENT_PREFIX = 'tapline.content.';
export const contentName = (what: 'arguments' | 'result' | 'command' | 'prompt') => `${CONTENT_PREFIX}${what}`;

function withoutContent(attributes: OwnerSpan['attributes']): OwnerSpan['attributes'] {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith(CONTENT_PREFIX)));
}
