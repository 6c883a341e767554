/** What a recording tells of a host: the first state of each resource and its actions, the sessions, and the host's answers. */
import { isRecord } from '../../../base/isRecord.ts';
import { type ActionEnvelope, resourceOf, type StateAction } from '../../v1/actions.ts';
import type { ResourceState, Snapshot } from '../../v1/commands.ts';
import { sameState } from '../../v1/dialect/sameState.ts';
import { v1Dialect } from '../../v1/dialect/v1Dialect.ts';
import type { URI } from '../../v1/common.ts';
import { kindOfResource, reduceAll, reducerFor } from '../../v1/reducers/reduceAll.ts';
import type { SessionSummary } from '../../v1/session.ts';
import { isSubagent } from '../../subagentUri.ts';
import type { Recording } from './recording.ts';
import { reduceReadable } from '../resources/reduceReadable.ts';
import { parseEnvelope, parseSnapshot, parseSummary } from '../connection/wireChecks.ts';

/**
 * `t`: milliseconds since the beginning of the recording. `state`: the host had another state than its actions lead to, because it
 * restarted.
 */
export type TimelineStep = { readonly t: number } & ({ readonly action: StateAction } | { readonly state: ResourceState });

export interface ResourceTimeline {
  readonly first: ResourceState;
  readonly startsAt: number;
  readonly steps: readonly TimelineStep[];
}

export type RecordedAnswer = { readonly result: unknown } | { readonly error: { code: number; message: string; data?: unknown } };

export interface Timeline {
  readonly resources: ReadonlyMap<URI, ResourceTimeline>;
  /** All sessions that appear, as they were last. Removed ones only where a state of them is known. */
  readonly sessions: readonly SessionSummary[];
  /** By `questionKey`. */
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
}

export function questionKey(method: string, params: unknown): string {
  return `${method} ${JSON.stringify(params)}`;
}

/** `host`: the one to take. Absent: all. */
export function timelineOf({ entries }: Recording, host?: string): Timeline {
  const builder = new TimelineBuilder();
  for (const entry of entries) {
    if (host !== undefined && entry.host !== host) continue;
    if (entry.kind === 'known') {
      for (const snapshot of entry.known.snapshots) builder.snapshot(entry.t, snapshot);
      builder.listed(entry.known.sessions);
    } else if (entry.dir === 'c2s') builder.asked(entry.conn, entry.message);
    else builder.received(entry.t, entry.conn, entry.message);
  }
  return builder.timeline;
}

/** The state after the actions of a recording, without those that cannot be reduced. */
export function reduceRecorded(uri: URI, state: ResourceState, actions: readonly StateAction[], now: number): ResourceState {
  const reducer = reducerFor(uri);
  // The client that shows them reports the dropped ones.
  return reduceReadable(
    state,
    actions,
    (before, batch) => reduceAll(reducer, before, batch, now),
    () => undefined,
  ).state;
}

interface GrowingTimeline extends ResourceTimeline {
  readonly steps: TimelineStep[];
  /** The state before `unreduced`. */
  state: ResourceState;
  unreduced: StateAction[];
  seq: number;
}

class TimelineBuilder {
  readonly #resources = new Map<URI, GrowingTimeline>();
  readonly #sessions = new Map<URI, SessionSummary>();
  readonly #answers = new Map<string, RecordedAnswer>();
  /** Open requests of the client, by connection and id. */
  readonly #asked = new Map<string, { method: string; params: unknown }>();

  get timeline(): Timeline {
    for (const [uri, { first }] of this.#resources) {
      // The session of a subagent is in no list. It is reached from its tool call.
      if ('summary' in first && !this.#sessions.has(uri) && !isSubagent(uri)) this.#sessions.set(uri, first.summary);
    }
    return { resources: this.#resources, sessions: [...this.#sessions.values()], answers: this.#answers };
  }

  asked(conn: number, { id, method, params }: Readonly<Record<string, unknown>>): void {
    if (id !== undefined && typeof method === 'string') this.#asked.set(`${conn} ${JSON.stringify(id)}`, { method, params });
  }

  received(t: number, conn: number, message: Readonly<Record<string, unknown>>): void {
    switch (message['method']) {
      case 'action':
        return this.#action(t, message['params']);
      case 'notification':
        return this.#notification(message['params']);
      case undefined:
        return this.#answer(t, conn, message);
    }
  }

  snapshot(t: number, value: unknown): void {
    const snapshot = parseSnapshot(v1Dialect, kindOfResource, value) as Snapshot | undefined;
    if (!snapshot) return;
    const { resource, state, fromSeq } = snapshot;
    const known = this.#resources.get(resource);
    if (!known) {
      this.#resources.set(resource, { first: state, startsAt: t, steps: [], state, unreduced: [], seq: fromSeq });
      return;
    }
    known.seq = fromSeq;
    const isLedTo = sameState(reduceRecorded(resource, known.state, known.unreduced, t), state);
    known.state = state;
    known.unreduced = [];
    if (!isLedTo) known.steps.push({ t, state });
  }

  listed(items: unknown): void {
    if (!Array.isArray(items)) return;
    for (const item of items) {
      const summary = parseSummary(item) as SessionSummary | undefined;
      if (summary) this.#sessions.set(summary.resource, summary);
    }
  }

  #action(t: number, params: unknown): void {
    const envelope = parseEnvelope(params) as ActionEnvelope | undefined;
    const uri = envelope && resourceOf(envelope.action);
    const known = uri === undefined ? undefined : this.#resources.get(uri);
    if (!envelope || !known || uri === undefined || envelope.serverSeq <= known.seq) return;
    known.seq = envelope.serverSeq;
    if (envelope.rejectionReason !== undefined) return;
    known.unreduced.push(envelope.action);
    known.steps.push({ t, action: envelope.action });
  }

  #notification(params: unknown): void {
    const notification = v1Dialect.notificationOf('notification', params);
    if (notification === 'malformed') return;
    switch (notification?.type) {
      case 'notify/sessionAdded':
        return this.listed([notification.summary]);
      case 'notify/sessionRemoved':
        if (!this.#resources.has(notification.session)) this.#sessions.delete(notification.session);
        return;
      case 'notify/sessionSummaryChanged': {
        const known = this.#sessions.get(notification.session);
        if (known && isRecord(notification.changes)) this.listed([{ ...known, ...notification.changes, resource: known.resource }]);
      }
    }
  }

  #answer(t: number, conn: number, { id, result, error }: Readonly<Record<string, unknown>>): void {
    const key = `${conn} ${JSON.stringify(id)}`;
    const question = this.#asked.get(key);
    this.#asked.delete(key);
    for (const snapshot of snapshotsIn(result)) this.snapshot(t, snapshot);
    if (isRecord(result) && result['type'] === 'replay' && Array.isArray(result['actions'])) {
      for (const envelope of result['actions']) this.#action(t, envelope);
    }
    if (!question) return;
    if (question.method === 'listSessions') this.listed(isRecord(result) ? result['items'] : undefined);
    const { code, message, data } = isRecord(error) ? error : {};
    const answer = typeof code === 'number' ? { error: { code, message: String(message), data } } : { result };
    const known = questionKey(question.method, question.params);
    if (!this.#answers.has(known)) this.#answers.set(known, answer);
  }
}

function snapshotsIn(result: unknown): Snapshot[] {
  if (!isRecord(result)) return [];
  const { snapshot, snapshots } = result;
  return [...(Array.isArray(snapshots) ? snapshots : []), ...(snapshot === undefined ? [] : [snapshot])] as Snapshot[];
}
