/** The spans of one run of a command, and of its lines that were shown or given to the agent. */
import type { Span } from '@opentelemetry/api';
import type { ChildEnd } from '../../base/process/childGroup.ts';
import type { Session } from '../sessions/session.ts';
import { contentName, endFailed, traceparentOf } from '../traces/tracing.ts';

export interface RunTraceOptions {
  readonly session: Session;
  readonly emitter: string;
  readonly run: number;
  readonly command: string;
  /** It may run for days: what comes of it then belongs to traces of their own, which are linked with the run. */
  readonly isContinuous: boolean;
}

export class RunTrace {
  readonly #run: Span;
  /** Of the lines that are being passed on, once one of them is shown. */
  #batch: { readonly span: Span; surface: number; inject: number } | undefined;

  constructor(private readonly options: RunTraceOptions) {
    const { session, emitter, run, command } = options;
    const content = session.tracing.hasContent && { [contentName('command')]: command };
    this.#run = session.startSpan('emitter_run', { attributes: { 'tapline.emitter': emitter, 'tapline.run': run, ...content } });
  }

  /** For the command. */
  get traceparent(): string | undefined {
    return traceparentOf(this.#run);
  }

  /** A line is shown, or given to the agent. The result is the span that it belongs to. */
  shown(outcome: 'surface' | 'inject'): Span | undefined {
    const { session, emitter, isContinuous } = this.options;
    if (!session.tracing.isOn) return undefined;
    const from = isContinuous ? { links: [this.#run] } : { parent: this.#run };
    this.#batch ??= {
      span: session.startSpan('emitter_lines', { ...from, attributes: { 'tapline.emitter': emitter } }),
      surface: 0,
      inject: 0,
    };
    this.#batch[outcome]++;
    return this.#batch.span;
  }

  /** The lines of one reading have been passed on. */
  passed(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    batch.span.setAttributes({ 'tapline.lines.surface': batch.surface, 'tapline.lines.inject': batch.inject });
    batch.span.end();
  }

  ended(end: ChildEnd): void {
    this.passed();
    const code = 'code' in end ? end.code : undefined;
    if (typeof code === 'number') this.#run.setAttribute('process.exit.code', code);
    if (end.kind === 'notStarted') endFailed(this.#run, end.kind);
    else if (code !== undefined && code !== 0) endFailed(this.#run, `exit ${code}`);
    else this.#run.end();
  }

  notBegun(): void {
    endFailed(this.#run, 'notStarted');
  }
}
