/** Checks the shape of what a host sends, as far as the client and the reducers rely on it. What lies deeper is kept as it came. */
import { isRecord } from '../../../base/isRecord.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { ActionOrigin, Dialect, Envelope, ResourceKind, Snapshot } from '../../dialects/dialect.ts';

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

/** What the resource of this name is. Undefined for one that nothing here is subscribed to. */
export type KindOf = (uri: URI) => ResourceKind | undefined;

/** Undefined when `value` is not a snapshot, or its state lacks what the reducers of that resource need. */
export function parseSnapshot(dialect: Dialect, kindOf: KindOf, value: unknown): Snapshot | undefined {
  if (!isRecord(value)) return undefined;
  const { resource, state, fromSeq } = value;
  if (typeof resource !== 'string' || typeof fromSeq !== 'number' || !isRecord(state)) return undefined;
  const uri = dialect.nameOf(resource);
  const kind = kindOf(uri);
  return kind !== undefined && dialect.isState(dialect.kindOf(kind), state) ? { resource: uri, state, fromSeq } : undefined;
}

export function parseSnapshots(dialect: Dialect, kindOf: KindOf, values: readonly unknown[]): Snapshot[] {
  return values.map((value) => parseSnapshot(dialect, kindOf, value)).filter((snapshot) => snapshot !== undefined);
}

export type ReconnectResult =
  /** `missing`: what the host does not have any more. */
  | { readonly type: 'replay'; readonly actions: readonly Envelope[]; readonly missing: readonly URI[] }
  | { readonly type: 'snapshot'; readonly snapshots: readonly Snapshot[] };

export function parseReconnectResult(dialect: Dialect, kindOf: KindOf, value: unknown): ReconnectResult | undefined {
  if (!isRecord(value)) return undefined;
  const { type, actions, missing, snapshots } = value;
  if (type === 'replay' && Array.isArray(actions)) {
    const gone = Array.isArray(missing) ? missing.filter((uri) => typeof uri === 'string') : [];
    return {
      type,
      actions: actions.map(parseEnvelope).filter((one) => one !== undefined),
      missing: gone.map((uri) => dialect.nameOf(uri)),
    };
  }
  if (type === 'snapshot' && Array.isArray(snapshots)) return { type, snapshots: parseSnapshots(dialect, kindOf, snapshots) };
  return undefined;
}

/** A summary of a session of either dialect, as far as the list relies on it. */
export interface Listed {
  readonly resource: URI;
}

export function parseSummary(value: unknown): Listed | undefined {
  return isRecord(value) && typeof value['resource'] === 'string' ? (value as unknown as Listed) : undefined;
}
