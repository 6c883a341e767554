/**
 * The spans of runs: a run, its steps, the sessions that work for them. They are made of the events of a run, so a process that goes on with it
 * makes the same. What the hosts tell of the turns of these sessions is passed on with them. No prompt, reason or answer is in a span.
 */
import type { ReceivedSpan } from '../../ahp/telemetry/receivedSpans.ts';
import { plainAttributes } from '../../ahp/telemetry/plainAttributes.ts';
import type { SpanAttributes, TelemetrySpan } from '../../ahp/telemetry/telemetryAttributes.ts';
import { dropOldest } from '../../base/dropOldest.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { formatTraceparent } from '../../base/traces/traceparent.ts';
import { isEndOf, isTaskEvent, type RunEvent } from '../runs/runEvents.ts';

/** Of the ids of a run, the names of jobs and tasks. */
const MAX_TEXT = 200;
/** The attribute that says who has made a span. */
const SERVICE = 'tapline.service';
/** Runs, of which those that are over go first: their hosts tell of the last turn a moment later. */
const MAX_RUNS = 1_000;
const MAX_SESSIONS = 1_000;

interface Open {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly start: number;
  readonly attributes: SpanAttributes;
}

interface Run {
  readonly traceId: string;
  /** How often it was continued. Each time has a span of its own. */
  part: number;
  name: string;
  queuedAt: number | undefined;
  /** It is not queued and does not run. */
  isOver: boolean;
  open: Open | undefined;
  /** The time in the queue. Where portals share a store, that says that the run begins, and the one that runs it tells of it with its first event. */
  untold: (Open & { readonly end: number }) | undefined;
  /** By the ids of their tasks. */
  readonly steps: Map<string, Open>;
  /** By the ids of task and session. */
  readonly sessions: Map<string, Open>;
}

export class RunSpans {
  readonly #runs = new Map<string, Run>();
  /** By the id of a session: what its next prompt is below. */
  readonly #above = new Map<string, { traceId: string; spanId: string; taskId: string }>();
  readonly #traces = new Set<string>();
  #isTelling = true;

  constructor(private readonly tell: (spans: readonly TelemetrySpan[]) => void) {}

  /** An event of a run, at the time at which it is kept. */
  event(runId: string, event: RunEvent): void {
    if (event.type === 'resultChanged') return;
    const run = this.#runs.get(runId) ?? this.#newRun(runId, event);
    this.#runs.set(runId, run);
    this.#tellQueued(run);
    this.#follow(runId, run, event);
    if (!isEndOf(runId, event)) return;
    this.#endAll(run, event);
    // What is continued later is not known then, but for its number.
    this.#runs.set(runId, { ...this.#newRun(runId, event), part: run.part, name: run.name });
    this.#dropOver();
  }

  /** Events that another process has kept. They were told of by it. */
  restore(runId: string, events: readonly RunEvent[]): void {
    this.#isTelling = false;
    try {
      for (const event of events) this.event(runId, event);
    } finally {
      this.#isTelling = true;
    }
  }

  /** Of the span that a prompt to this session is below. Undefined where no run uses it. */
  traceparentOf(sessionId: string): string | undefined {
    const above = this.#above.get(sessionId);
    return above && formatTraceparent({ ...above, isSampled: true });
  }

  /** Those of the turns of runs are passed on. */
  fromHost(spans: readonly ReceivedSpan[]): void {
    const own = spans.filter(({ traceId }) => this.#traces.has(traceId));
    if (own.length === 0) return;
    this.tell(
      own.map(({ service, ...span }) => {
        const { [SERVICE]: _ofHost, ...others } = plainAttributes(span.attributes);
        // In front: of too many attributes the last ones are cut off.
        return { ...span, attributes: { [SERVICE]: service, ...others } };
      }),
    );
  }

  #newRun(runId: string, { at }: RunEvent): Run {
    const traceId = hash(runId).slice(0, 32);
    this.#traces.add(traceId);
    const nothing = { open: undefined, untold: undefined, steps: new Map<string, Open>(), sessions: new Map<string, Open>() };
    return { traceId, part: 0, name: '', queuedAt: at, isOver: true, ...nothing };
  }

  #dropOver(): void {
    for (const [runId, { isOver, traceId }] of this.#runs) {
      if (this.#runs.size <= MAX_RUNS) return;
      if (!isOver) continue;
      this.#runs.delete(runId);
      this.#traces.delete(traceId);
    }
  }

  /** Nothing where the event is of another process: that one has told of it. */
  #tellQueued(run: Run): void {
    const { untold } = run;
    run.untold = undefined;
    if (untold) this.#end(run, untold, untold.end);
  }

  #follow(runId: string, run: Run, event: RunEvent): void {
    const { at } = event;
    switch (event.type) {
      case 'jobStarted':
        run.name = cut(event.definition.jobName);
        run.queuedAt = at;
        run.isOver = false;
        if (!event.queued) this.#begin(runId, run, at);
        return;
      case 'jobBegan': {
        this.#begin(runId, run, at);
        const spanId = idOf(runId, 'queue');
        const above = run.open && { parentSpanId: run.open.spanId };
        run.untold = { spanId, ...above, name: `portal_queue ${run.name}`, start: run.queuedAt ?? at, end: at, attributes: {} };
        if (this.#isTelling) this.#tellQueued(run);
        return;
      }
      case 'jobTakenOver':
        // With the process that ran it.
        this.#endWork(run, at, 'interrupted');
        run.part++;
        return this.#begin(runId, run, at);
      case 'jobContinued':
        run.part++;
        return this.#begin(runId, run, at);
      case 'taskStarted':
        if (event.taskId === runId) {
          run.name = cut(event.taskName);
          this.#begin(runId, run, at);
        }
        if (event.borrowedSessionId !== undefined) this.#use(run, event.taskId, event.borrowedSessionId, run.steps.get(event.taskId));
        return;
      case 'workStarted': {
        const attributes = { ...ofRun(runId), 'tapline.step': event.step, 'tapline.task': cut(event.taskName) };
        const name = `portal_step ${cut(event.taskName)}`;
        run.steps.set(event.taskId, this.#below(run.open, idOf(runId, event.taskId), { name, start: at, attributes }));
        return;
      }
      case 'workStopped':
        return this.#endStep(run, event.taskId, at, {
          attributes: { 'tapline.succeeded': event.succeeded },
          ...(event.crashError !== undefined && { error: 'crashed' }),
        });
      case 'workSkipped':
        return this.#endStep(run, event.taskId, at, { error: 'skipped' });
      case 'taskSessionStarted': {
        const { taskId, sessionId, model, isDriving } = event;
        const attributes = { ...ofRun(runId), 'gen_ai.request.model': cut(model), 'tapline.driving': isDriving };
        const above = run.steps.get(taskId) ?? run.open;
        const spanId = idOf(runId, taskId, sessionId);
        const open = this.#below(above, spanId, { name: 'portal_session', start: at, attributes });
        run.sessions.set(keyOf(taskId, sessionId), open);
        return this.#use(run, taskId, sessionId, open);
      }
      case 'taskSessionStopped':
        return this.#endSession(run, event.taskId, event.sessionId, at, event.succeeded ? undefined : 'failed');
      default:
        if (isTaskEvent(event) && isEndOf(event.taskId, event)) this.#release(event.taskId);
    }
  }

  #begin(runId: string, run: Run, at: number): void {
    const attributes = { ...ofRun(runId), ...(run.part > 0 && { 'tapline.run.part': run.part + 1 }) };
    run.isOver = false;
    run.open ??= { spanId: idOf(runId, String(run.part)), name: `portal_run ${run.name}`, start: at, attributes };
  }

  #below(above: Open | undefined, spanId: string, fields: Pick<Open, 'name' | 'start' | 'attributes'>): Open {
    return { spanId, ...(above && { parentSpanId: above.spanId }), ...fields };
  }

  #use({ traceId, open }: Run, taskId: string, sessionId: string, above = open): void {
    if (above) this.#above.set(sessionId, { traceId, spanId: above.spanId, taskId });
    dropOldest(this.#above, MAX_SESSIONS);
  }

  #release(taskId: string): void {
    for (const [sessionId, above] of this.#above) if (above.taskId === taskId) this.#above.delete(sessionId);
  }

  #endSession(run: Run, taskId: string, sessionId: string, at: number, error?: string): void {
    const key = keyOf(taskId, sessionId);
    const open = run.sessions.get(key);
    run.sessions.delete(key);
    if (this.#above.get(sessionId)?.taskId === taskId) this.#above.delete(sessionId);
    if (open) this.#end(run, open, at, error);
  }

  #endStep(run: Run, taskId: string, at: number, { attributes, error }: { attributes?: SpanAttributes; error?: string }): void {
    const open = run.steps.get(taskId);
    run.steps.delete(taskId);
    this.#release(taskId);
    if (open) this.#end(run, { ...open, attributes: { ...open.attributes, ...attributes } }, at, error);
  }

  /** The run is over, and with it all that is left of it. */
  #endAll(run: Run, { type, at }: RunEvent): void {
    this.#endWork(run, at, 'run_ended');
    const error = /(Failed|Stopped|Interrupted)$/.exec(type)?.[1]?.toLowerCase();
    if (run.open) this.#end(run, run.open, at, error);
  }

  #endWork(run: Run, at: number, error: string): void {
    for (const open of [...run.sessions.values(), ...run.steps.values()]) this.#end(run, open, at, error);
    run.sessions.clear();
    run.steps.clear();
    for (const [sessionId, { traceId }] of this.#above) if (traceId === run.traceId) this.#above.delete(sessionId);
  }

  #end({ traceId }: Run, { spanId, parentSpanId, name, start, attributes }: Open, at: number, error?: string): void {
    if (!this.#isTelling) return;
    const above = parentSpanId !== undefined && { parentSpanId };
    const why = error !== undefined && { error };
    this.tell([{ traceId, spanId, ...above, name, start, end: Math.max(start, at), attributes, ...why }]);
  }
}

function ofRun(runId: string): SpanAttributes {
  return { 'tapline.run.id': cut(runId) };
}

function keyOf(taskId: string, sessionId: string): string {
  return JSON.stringify([taskId, sessionId]);
}

/** The same in every process. */
function idOf(...parts: readonly string[]): string {
  return hash(...parts).slice(32, 48);
}

function hash(...parts: readonly string[]): string {
  return sha256(JSON.stringify(['run', ...parts]));
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT);
}
