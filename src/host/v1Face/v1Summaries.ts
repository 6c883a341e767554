/**
 * Tells clients of AHP v1 which sessions there are: a new or removed one at once (`notify/sessionAdded`, `notify/sessionRemoved`), changed
 * summaries gathered for a moment (`notify/sessionSummaryChanged`).
 */
import type { URI } from '../../ahp/common/shapes.ts';
import type { ProtocolNotification } from '../../ahp/v1/notifications.ts';
import type { SessionSummary } from '../../ahp/v1/session.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import { v1Summaries } from './words/states.ts';
import type { Sessions, SessionsChange } from '../sessions/sessions.ts';
import { GatheredChanges } from '../state/gatheredChanges.ts';

/** All fields but the identity of the session, which never changes. */
const mutableFields = ['title', 'status', 'activity', 'modifiedAt', 'project', 'model', 'workingDirectory', 'diffs'] as const;
/** The notification only holds new values, so these stand for a removed field. */
const emptyValues: Partial<SessionSummary> = { activity: '', diffs: [] };

export class Summaries implements Disposable {
  /** The summaries that clients have, those of subagents behind that of their session. */
  readonly #told = new Map<URI, Map<URI, SessionSummary>>();
  readonly #changes: GatheredChanges;
  readonly #listener: Disposable;

  constructor(
    private readonly sessions: Pick<Sessions, 'list' | 'listed' | 'onDidChange'>,
    private readonly notify: (notification: ProtocolNotification) => void,
    clock?: Clock,
  ) {
    this.#changes = new GatheredChanges((session) => this.#tell(session), clock);
    for (const listed of sessions.list()) this.#told.set(listed.summary.resource, byName(v1Summaries(listed)));
    this.#listener = sessions.onDidChange((change) => this.#follow(change));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changes.dispose();
  }

  #follow(change: SessionsChange): void {
    switch (change.type) {
      case 'added':
        return this.#compare(change.session.summary.resource, v1Summaries(change.session));
      case 'changed': {
        const listed = this.sessions.listed(change.session);
        if (listed) this.#compare(change.session, v1Summaries(listed));
        return;
      }
      case 'removed': {
        const names = [...(this.#told.get(change.session)?.keys() ?? [])];
        this.#told.delete(change.session);
        this.#changes.forget(change.session);
        // Subagents first.
        for (const session of names.reverse()) this.notify({ type: 'notify/sessionRemoved', session });
      }
    }
  }

  #compare(session: URI, summaries: readonly SessionSummary[]): void {
    const told = this.#told.get(session) ?? new Map<URI, SessionSummary>();
    this.#told.set(session, told);
    const names = new Set(summaries.map(({ resource }) => resource));
    for (const name of [...told.keys()]) {
      if (names.has(name)) continue;
      told.delete(name);
      this.notify({ type: 'notify/sessionRemoved', session: name });
    }
    for (const summary of summaries) {
      const { resource } = summary;
      const known = told.get(resource);
      if (!known) {
        told.set(resource, summary);
        this.notify({ type: 'notify/sessionAdded', summary });
      } else if (Object.keys(changesOf(known, summary)).length > 0) this.#changes.note(session);
    }
  }

  #tell(session: URI): void {
    const told = this.#told.get(session);
    const listed = this.sessions.listed(session);
    for (const summary of listed ? v1Summaries(listed) : []) {
      const known = told?.get(summary.resource);
      if (!known) continue;
      told?.set(summary.resource, summary);
      const changes = changesOf(known, summary);
      if (Object.keys(changes).length > 0) this.notify({ type: 'notify/sessionSummaryChanged', session: summary.resource, changes });
    }
  }
}

function byName(summaries: readonly SessionSummary[]): Map<URI, SessionSummary> {
  return new Map(summaries.map((summary) => [summary.resource, summary]));
}

function changesOf(before: SessionSummary, after: SessionSummary): Partial<SessionSummary> {
  const changed = mutableFields.filter((field) => !sameJson(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? emptyValues[field]]).filter(([, value]) => value !== undefined));
}
