/** Finds out what there is to tell: which runs have ended since the portal began, and what has begun to wait for a person. */
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import type { SessionUse } from '../portalRuns.ts';
import type { JobState } from '../runs/jobState.ts';
import { stalledStepOf } from '../runs/runSummary.ts';
import type { TaskState } from '../runs/taskState.ts';
import { jobEnd, needsYou, type Notice, stalledStep, stalledTask, taskEnd } from './notice.ts';

/** What is answered within this time needs nobody who is not there. */
const SETTLE_MS = 5_000;

export interface NoticeSources {
  readonly runs: {
    /** With the id of the run that has changed. */
    readonly onDidPublish: Event<string>;
    jobState(id: string): JobState | undefined;
    taskState(id: string): TaskState | undefined;
    jobStates(): readonly JobState[];
    taskStates(): readonly TaskState[];
    sessionUses(): ReadonlyMap<string, SessionUse>;
  };
  readonly attention: { readonly onDidChange: Event<void>; readonly items: readonly AttentionItem[] };
  /** Runs that have ended because an earlier process did. Of those nobody was told. */
  readonly interrupted?: ReadonlySet<string>;
  /** The URI of a session of the portal. */
  uriOf(sessionId: string): string;
}

export class PortalNotices implements Disposable {
  readonly #store = new DisposableStore();
  /** Ids of runs whose end is to be told. */
  readonly #running = new Set<string>();
  /** What waits, by id: when it was first seen, and whether it was told. */
  readonly #waiting = new Map<string, { readonly seen: number; isTold: boolean }>();
  /** Ids of runs of which it was told that nothing happens in them. */
  readonly #stalled = new Set<string>();
  #timer: Disposable | undefined;

  constructor(
    private readonly sources: NoticeSources,
    private readonly clock: Clock,
    private readonly tell: (notice: Notice) => void,
  ) {
    const { runs, attention } = sources;
    for (const id of sources.interrupted ?? []) this.#running.add(id);
    for (const { jobId } of runs.jobStates()) this.#lookAt(jobId);
    for (const { taskId } of runs.taskStates()) this.#lookAt(taskId);
    this.#store.add(runs.onDidPublish((id) => this.#lookAt(id)));
    this.#store.add(attention.onDidChange(() => this.#look()));
    this.#look();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #lookAt(id: string): void {
    const { runs } = this.sources;
    const [job, task] = [runs.jobState(id), runs.taskState(id)];
    const status = (job ?? task)?.status;
    this.#lookForStall(id, job, task);
    if (status === 'Executing') this.#running.add(id);
    if (status === 'Executing' || !this.#running.delete(id)) return;
    const notice = job ? jobEnd(job) : task && taskEnd(task);
    if (notice) this.tell(notice);
  }

  /** One notice a run, until all of it goes on. */
  #lookForStall(id: string, job: JobState | undefined, task: TaskState | undefined): void {
    const step = job && stalledStepOf(job);
    const isStalled = step !== undefined || task?.stalledSince !== undefined;
    if (!isStalled) return void this.#stalled.delete(id);
    if (this.#stalled.has(id)) return;
    this.#stalled.add(id);
    const now = this.clock.now();
    if (job && step) this.tell(stalledStep(job, step, now));
    else if (task) this.tell(stalledTask(task, now));
  }

  #look(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const now = this.clock.now();
    const items = new Map(this.sources.attention.items.map((item) => [item.id, item]));
    for (const id of this.#waiting.keys()) if (!items.has(id)) this.#waiting.delete(id);
    for (const id of items.keys()) if (!this.#waiting.has(id)) this.#waiting.set(id, { seen: now, isTold: false });
    const open = [...this.#waiting].filter(([, { isTold }]) => !isTold);
    const due = open.filter(([, { seen }]) => now - seen >= SETTLE_MS);
    for (const [, known] of due) known.isTold = true;
    this.#tellOf(
      due.flatMap(([id]) => items.get(id) ?? []),
      now,
    );
    const next = Math.min(...open.filter(([, { isTold }]) => !isTold).map(([, { seen }]) => seen + SETTLE_MS));
    if (Number.isFinite(next)) this.#timer = this.clock.setTimer(() => this.#look(), next - now);
  }

  /** One notice a session, however much waits in it. */
  #tellOf(items: readonly AttentionItem[], now: number): void {
    if (items.length === 0) return;
    const { runs, uriOf } = this.sources;
    const uses = new Map([...runs.sessionUses()].map(([id, use]) => [uriOf(id), use]));
    const sessions = new Map<string, { session: string; waiting: AttentionItem[] }>();
    for (const item of items) {
      const session = item.topSession ?? item.uri ?? '';
      const key = `${item.hostId} ${session}`;
      const known = sessions.get(key);
      if (known) known.waiting.push(item);
      else sessions.set(key, { session, waiting: [item] });
    }
    for (const { session, waiting } of sessions.values()) this.tell(needsYou(waiting, uses.get(session), now));
  }
}
