/** Finds out what there is to tell: which runs have ended since the portal began, and what has begun to wait for a person. */
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import type { SessionUse } from '../portalRuns.ts';
import type { JobState } from '../runs/jobState.ts';
import type { TaskState } from '../runs/taskState.ts';
import { jobEnd, needsYou, type Notice, taskEnd } from './notice.ts';

/** What is answered within this time needs nobody who is not there. */
const SETTLE_MS = 5_000;

export interface NoticeSources {
  readonly runs: {
    readonly onDidPublish: Event<void>;
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
  /** Ids of runs that have ended and need not be told of. One that is continued may end again. */
  #ended: ReadonlySet<string> = new Set();
  /** What waits, by id: when it was first seen, and whether it was told. */
  readonly #waiting = new Map<string, { readonly seen: number; isTold: boolean }>();
  #timer: Disposable | undefined;

  constructor(
    private readonly sources: NoticeSources,
    private readonly clock: Clock,
    private readonly tell: (notice: Notice) => void,
  ) {
    const { runs, attention } = sources;
    this.#endings();
    this.#ended = new Set([...this.#ended].filter((id) => !sources.interrupted?.has(id)));
    this.#endings().forEach(tell);
    this.#store.add(runs.onDidPublish(() => this.#endings().forEach(tell)));
    this.#store.add(attention.onDidChange(() => this.#look()));
    this.#look();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #endings(): Notice[] {
    const { runs } = this.sources;
    const ends = [
      ...runs.jobStates().map((state) => ({ id: state.jobId, status: state.status, notice: () => jobEnd(state) })),
      ...runs.taskStates().map((state) => ({ id: state.taskId, status: state.status, notice: () => taskEnd(state) })),
    ];
    const before = this.#ended;
    const now = ends.filter(({ status }) => status !== 'Executing');
    this.#ended = new Set(now.map(({ id }) => id));
    return now.flatMap(({ id, notice }) => (before.has(id) ? [] : (notice() ?? [])));
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
