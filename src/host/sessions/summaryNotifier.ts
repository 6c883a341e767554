/** Notifies all clients of changed session summaries (`notify/sessionSummaryChanged`). Changes are collected for a moment. */
import type { URI } from '../../ahp/v1/common.ts';
import type { SessionSummaryChangedNotification } from '../../ahp/v1/notifications.ts';
import type { SessionSummary } from '../../ahp/v1/session.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { StateStore } from '../state/stateStore.ts';

const GATHER_MS = 100;
/** All fields but the identity of the session, which never changes. */
const mutableFields = ['title', 'status', 'activity', 'modifiedAt', 'project', 'model', 'workingDirectory', 'diffs'] as const;
/** The notification only holds new values, so these stand for a removed field. */
const emptyValues: Partial<SessionSummary> = { activity: '', diffs: [] };

export class SummaryNotifier implements Disposable {
  /** The summaries that clients have. */
  readonly #told = new Map<URI, SessionSummary>();
  readonly #changed = new Set<URI>();
  readonly #listener: Disposable;
  #timer: Disposable | undefined;

  constructor(
    private readonly store: StateStore,
    private readonly notify: (notification: SessionSummaryChangedNotification) => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.#listener = store.onDidDispatch(({ resource }) => this.#note(resource));
  }

  /** `told`: the summary that clients have. */
  add(session: URI, told: SessionSummary): void {
    this.#told.set(session, told);
    this.#note(session);
  }
  /** The session is gone, and nothing more is sent about it. */
  delete(session: URI): void {
    this.#told.delete(session);
    this.#changed.delete(session);
  }
  /** The session stays, but leaves the store. Pending changes are sent now. */
  release(session: URI): void {
    if (this.#changed.has(session)) this.#tell(session);
    this.delete(session);
  }
  dispose(): void {
    this.#listener.dispose();
    this.#timer?.dispose();
  }

  #note(resource: URI): void {
    const told = this.#told.get(resource);
    if (!told || told === this.store.session(resource)?.summary) return;
    this.#changed.add(resource);
    this.#timer ??= this.clock.setTimer(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const sessions = [...this.#changed];
    this.#changed.clear();
    for (const session of sessions) this.#tell(session);
  }

  #tell(session: URI): void {
    const told = this.#told.get(session);
    const summary = this.store.session(session)?.summary;
    if (!told || !summary) return;
    this.#told.set(session, summary);
    const changes = changesOf(told, summary);
    if (Object.keys(changes).length > 0) this.notify({ type: 'notify/sessionSummaryChanged', session, changes });
  }
}

function changesOf(before: SessionSummary, after: SessionSummary): Partial<SessionSummary> {
  const changed = mutableFields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? emptyValues[field]]).filter(([, value]) => value !== undefined));
}
