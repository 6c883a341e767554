/** Checks the shape of what a host sends, as far as the client and the reducers rely on it. What lies deeper is kept as it came. */
import { isRecord } from '../../../base/isRecord.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { ActionOrigin, Dialect, Envelope, ResourceKind, Snapshot } from '../../dialects/dialect.ts';
import { kindAmong } from './kindAmong.ts';

/**
 * Undefined when `value` is not an envelope. An incomplete `origin` is left out, because it can settle nothing. A complete envelope is
 * returned without a copy.
 */
export function parseEnvelope(value: unknown): Envelope | undefined {
  if (!isRecord(value)) return undefined;
  const { action, serverSeq, origin, rejectionReason, channel } = value;
  if (!isRecord(action) || typeof action['type'] !== 'string' || typeof serverSeq !== 'number') return undefined;
  const originIsWhole = isRecord(origin) && typeof origin['clientId'] === 'string' && typeof origin['clientSeq'] === 'number';
  if ((origin === undefined || originIsWhole) && (rejectionReason === undefined || typeof rejectionReason === 'string')) {
    return value as unknown as Envelope;
  }
  return {
    ...(channel !== undefined && { channel }),
    action: action as unknown as ActionLike,
    serverSeq,
    ...(originIsWhole && { origin: origin as unknown as ActionOrigin }),
    ...(typeof rejectionReason === 'string' && { rejectionReason }),
  };
}

/** What the resource of this name may be: see `kindAmong`. Empty for one that nothing here is subscribed to. */
export type KindsOf = (uri: URI) => readonly ResourceKind[];

/** Undefined when `value` is not a snapshot, or its state lacks what the reducers of that resource need. */
export function parseSnapshot(dialect: Dialect, kindsOf: KindsOf, value: unknown): Snapshot | undefined {
  if (!isRecord(value)) return undefined;
  const { resource, state, fromSeq } = value;
  if (typeof resource !== 'string' || typeof fromSeq !== 'number' || !isRecord(state)) return undefined;
  const uri = dialect.nameOf(resource);
  return kindAmong(dialect, kindsOf(uri), uri, state) === undefined ? undefined : { resource: uri, state, fromSeq };
}

export function parseSnapshots(dialect: Dialect, kindsOf: KindsOf, values: readonly unknown[]): Snapshot[] {
  return values.map((value) => parseSnapshot(dialect, kindsOf, value)).filter((snapshot) => snapshot !== undefined);
}

/** What a host answers to `reconnect`, however its version writes it. A resource that is in neither has to be requested. */
export interface ReconnectResult {
  /** Those of which the host has said all that was missed. */
  readonly replayed: readonly URI[];
  /** What was missed of them. */
  readonly actions: readonly Envelope[];
  readonly snapshots: readonly Snapshot[];
}

/** `asked`: the resources of the request. Undefined for an answer of no known form. */
export function parseReconnectResult(
  dialect: Dialect,
  kindsOf: KindsOf,
  asked: readonly URI[],
  value: unknown,
): ReconnectResult | undefined {
  if (!isRecord(value)) return undefined;
  const { type, actions, missing, snapshots, channels } = value;
  if (type === 'replay' && Array.isArray(actions)) {
    const gone = new Set(Array.isArray(missing) ? missing.map((uri) => typeof uri === 'string' && dialect.nameOf(uri)) : []);
    return { replayed: asked.filter((uri) => !gone.has(uri)), actions: parseEnvelopes(actions), snapshots: [] };
  }
  if (type === 'snapshot' && Array.isArray(snapshots))
    return { replayed: [], actions: [], snapshots: parseSnapshots(dialect, kindsOf, snapshots) };
  return Array.isArray(channels) ? parseOutcomes(dialect, kindsOf, asked, channels) : undefined;
}

/** The first outcome of each resource counts, as far as it is about that one. */
function parseOutcomes(dialect: Dialect, kindsOf: KindsOf, asked: readonly URI[], outcomes: readonly unknown[]): ReconnectResult {
  const open = new Set(asked);
  const result = { replayed: [] as URI[], actions: [] as Envelope[], snapshots: [] as Snapshot[] };
  for (const outcome of outcomes) {
    const { kind, channel, actions, snapshot } = isRecord(outcome) ? outcome : {};
    const uri = typeof channel === 'string' ? dialect.nameOf(channel) : '';
    if (!open.delete(uri)) continue;
    if (kind === 'replay' && Array.isArray(actions)) {
      result.replayed.push(uri);
      for (const envelope of parseEnvelopes(actions)) if (dialect.resourceOf(envelope) === uri) result.actions.push(envelope);
    } else if (kind === 'snapshot') {
      const parsed = parseSnapshot(dialect, kindsOf, snapshot);
      if (parsed?.resource === uri) result.snapshots.push(parsed);
    }
  }
  return result;
}

function parseEnvelopes(values: readonly unknown[]): Envelope[] {
  return values.map(parseEnvelope).filter((one) => one !== undefined);
}

/** A summary of a session of either dialect, as far as the list relies on it. */
export interface Listed {
  readonly resource: URI;
}

export function parseSummary(value: unknown): Listed | undefined {
  return isRecord(value) && typeof value['resource'] === 'string' ? (value as unknown as Listed) : undefined;
}
