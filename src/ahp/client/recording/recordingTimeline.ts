/** What a recording tells of a host: the first state of each resource and its actions, the sessions, and the host's answers. */
import { isRecord } from '../../../base/isRecord.ts';
import { type ActionLike, listOf } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { Dialect, ResourceKind } from '../../dialects/dialect.ts';
import { type Listed, parseEnvelope, parseSnapshot, parseSummary } from '../connection/wireChecks.ts';
import { PROTOCOL_VERSIONS } from '../../channels/commands.ts';
import { dialects } from '../../dialects/dialects.ts';
import { reduceReadable } from '../resources/reduceReadable.ts';
import { dialectOf } from '../versions.ts';
import type { RecordedEntry, Recording } from './recording.ts';

/**
 * `t`: milliseconds since the beginning of the recording. `state`: the host had another state than its actions lead to, because it
 * restarted.
 */
export type TimelineStep = { readonly t: number } & ({ readonly action: ActionLike } | { readonly state: object });

export interface ResourceTimeline {
  readonly kind: ResourceKind;
  readonly first: object;
  readonly startsAt: number;
  readonly steps: readonly TimelineStep[];
}

export type RecordedAnswer = { readonly result: unknown } | { readonly error: { code: number; message: string; data?: unknown } };

export interface Timeline {
  /** What the host has chosen, in its words. */
  readonly version: string;
  readonly dialect: Dialect;
  readonly resources: ReadonlyMap<URI, ResourceTimeline>;
  /** All sessions that appear, as they were last. Removed ones only where a state of them is known. */
  readonly sessions: readonly Listed[];
  /** To requests that only ask, by `questionKey`. */
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
}

/** An answer to any other request would say that something happened, and nothing does. */
const questions: ReadonlySet<string> = new Set([
  'completions',
  'createResourceWatch',
  'fetchAutomationRuns',
  'fetchTurns',
  'listAutomationTriggerDefinitions',
  'ping',
  'resolveSessionConfig',
  'resourceList',
  'resourceRead',
  'resourceResolve',
  'sessionConfigCompletions',
]);

export function requestKey(method: string, params: unknown): string {
  return `${method} ${JSON.stringify(params)}`;
}

/** `host`: the one to take. Absent: all. A host that speaks another protocol after a restart is not shown from there on. */
export function timelineOf(recording: Recording, host?: string): Timeline {
  const entries = recording.entries.filter((entry) => host === undefined || entry.host === host);
  const version = versionIn(entries);
  const builder = new TimelineBuilder(version, dialectOf(version) ?? dialects.channels);
  for (const entry of entries) {
    if (entry.kind === 'known') {
      for (const snapshot of entry.known.snapshots) builder.snapshot(entry.t, entry.conn, snapshot);
      builder.listed(entry.known.sessions);
    } else if (entry.dir === 'c2s') builder.asked(entry.conn, entry.message);
    else builder.received(entry.t, entry.conn, entry.message);
  }
  return builder.timeline;
}

/** The first version that a host chose. A log may begin after that: then actions name their channel, or do not. */
function versionIn(entries: readonly RecordedEntry[]): string {
  for (const entry of entries) {
    const told = entry.kind === 'known' ? entry.known.version : versionOf(entry);
    if (told !== undefined) return told;
  }
  return '1';
}

function versionOf({ dir, message }: Extract<RecordedEntry, { kind: 'frame' }>): string | undefined {
  if (dir === 'c2s') return undefined;
  const { method, params, result } = message;
  const version = isRecord(result) ? result['protocolVersion'] : undefined;
  if (typeof version === 'string' || typeof version === 'number') return String(version);
  return method === 'action' && isRecord(params) && 'channel' in params ? PROTOCOL_VERSIONS[0] : undefined;
}

/** The state after the actions of a recording, without those that cannot be reduced. */
export function reduceRecorded(dialect: Dialect, kind: ResourceKind, state: object, actions: readonly ActionLike[], now: number): object {
  // The client that shows them reports the dropped ones.
  return reduceReadable(
    state,
    actions,
    (before, batch) => dialect.reduce(kind, before, batch, now),
    () => undefined,
  ).state;
}

interface GrowingTimeline extends ResourceTimeline {
  readonly steps: TimelineStep[];
  /** The state before `unreduced`. */
  state: object;
  unreduced: HeardAction[];
  seq: number;
}

interface HeardAction {
  readonly conn: number;
  readonly seq: number;
  readonly action: ActionLike;
}

const actionsOf = (heard: readonly HeardAction[]) => heard.map(({ action }) => action);

class TimelineBuilder {
  readonly #resources = new Map<URI, GrowingTimeline>();
  /** What was told of a resource before its first state. */
  readonly #early = new Map<URI, HeardAction[]>();
  readonly #sessions = new Map<URI, Listed>();
  readonly #answers = new Map<string, RecordedAnswer>();
  /** Open requests of the client, by connection and id. */
  readonly #asked = new Map<string, { method: string; params: unknown }>();

  constructor(
    private readonly version: string,
    private readonly dialect: Dialect,
  ) {}

  get timeline(): Timeline {
    const { version, dialect } = this;
    for (const [uri, { kind, first }] of this.#resources) {
      // The session of a subagent is in no list. It is reached from its tool call.
      if (kind === 'session' && !this.#sessions.has(uri) && dialect.topSession(uri) === uri) this.listed([dialect.summaryIn(uri, first)]);
    }
    return { version, dialect, resources: this.#resources, sessions: [...this.#sessions.values()], answers: this.#answers };
  }

  asked(conn: number, { id, method, params }: Readonly<Record<string, unknown>>): void {
    if (id !== undefined && typeof method === 'string') this.#asked.set(`${conn} ${JSON.stringify(id)}`, { method, params });
  }

  received(t: number, conn: number, message: Readonly<Record<string, unknown>>): void {
    const { method, params } = message;
    if (method === undefined) this.#answer(t, conn, message);
    else if (method === 'action') this.#action(t, conn, params);
    else if (typeof method === 'string') this.#notification(method, params);
  }

  /** A host may tell of actions before it answers with the state that they follow. Of another connection, the numbers may be those of an earlier run. */
  snapshot(t: number, conn: number, value: unknown): void {
    const { dialect } = this;
    const told = isRecord(value) && isRecord(value['state']) ? value['state'] : {};
    const snapshot = parseSnapshot(dialect, (uri) => [dialect.kindOfState(uri, told)].filter((kind) => kind !== undefined), value);
    if (!snapshot) return;
    const { resource, state, fromSeq } = snapshot;
    const kind = dialect.kindOf(dialect.kindOfState(resource, state) ?? 'session');
    const isAfter = (heard: HeardAction) => heard.conn === conn && heard.seq > fromSeq;
    const known = this.#resources.get(resource);
    const unreduced = (known ? known.unreduced : (this.#early.get(resource) ?? [])).filter(isAfter);
    const seq = unreduced.at(-1)?.seq ?? fromSeq;
    if (!known) {
      this.#early.delete(resource);
      const steps = unreduced.map(({ action }) => ({ t, action }));
      this.#resources.set(resource, { kind, first: state, startsAt: t, steps, state, unreduced, seq });
      return;
    }
    const before = known.unreduced.filter((heard) => !isAfter(heard));
    const isLedTo = dialect.isSame(kind, reduceRecorded(dialect, kind, known.state, actionsOf(before), t), state);
    Object.assign(known, { state, unreduced, seq });
    if (!isLedTo) known.steps.push({ t, state: reduceRecorded(dialect, kind, state, actionsOf(unreduced), t) });
  }

  listed(items: unknown): void {
    if (!Array.isArray(items)) return;
    for (const item of items) {
      const summary = parseSummary(item);
      if (summary) this.#sessions.set(summary.resource, summary);
    }
  }

  #action(t: number, conn: number, params: unknown): void {
    const envelope = parseEnvelope(params);
    const uri = envelope && this.dialect.resourceOf(envelope);
    if (!envelope || uri === undefined) return;
    const { serverSeq: seq, action, rejectionReason } = envelope;
    const known = this.#resources.get(uri);
    if (known && seq <= known.seq) return;
    if (known) known.seq = seq;
    if (rejectionReason !== undefined) return;
    known?.steps.push({ t, action });
    const unreduced = known?.unreduced ?? this.#early.get(uri) ?? [];
    unreduced.push({ conn, seq, action });
    if (!known) this.#early.set(uri, unreduced);
  }

  #notification(method: string, params: unknown): void {
    const notification = this.dialect.notificationOf(method, params);
    if (typeof notification !== 'object') return;
    switch (notification.type) {
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
    for (const snapshot of snapshotsIn(result)) this.snapshot(t, conn, snapshot);
    for (const envelope of replayedIn(result)) this.#action(t, conn, envelope);
    if (!question) return;
    if (question.method === 'listSessions') this.listed(isRecord(result) ? result['items'] : undefined);
    if (!questions.has(question.method)) return;
    const { code, message, data } = isRecord(error) ? error : {};
    const answer = typeof code === 'number' ? { error: { code, message: String(message), data } } : { result };
    const known = requestKey(question.method, question.params);
    if (!this.#answers.has(known)) this.#answers.set(known, answer);
  }
}

/** The answer itself, and the outcomes of channels in one to `reconnect`. */
function partsOf(result: unknown): Record<string, unknown>[] {
  return isRecord(result) ? [result, ...listOf(result['channels'] as unknown[]).filter(isRecord)] : [];
}

function snapshotsIn(result: unknown): unknown[] {
  return partsOf(result).flatMap(({ snapshot, snapshots }) => [
    ...listOf(snapshots as unknown[]),
    ...(snapshot === undefined ? [] : [snapshot]),
  ]);
}

function replayedIn(result: unknown): unknown[] {
  const isReplay = ({ type, kind }: Record<string, unknown>) => type === 'replay' || kind === 'replay';
  return partsOf(result).flatMap((part) => (isReplay(part) ? listOf(part['actions'] as unknown[]) : []));
}
