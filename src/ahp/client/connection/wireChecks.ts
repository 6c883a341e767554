/** Checks the shape of what a host sends, as far as the client and the reducers rely on it. What lies deeper is kept as it came. */
import { isRecord } from '../../../base/isRecord.ts';
import type { ActionEnvelope, ActionOrigin, StateAction } from '../../v1/actions.ts';
import type { ReconnectResult, ResourceState, Snapshot } from '../../v1/commands.ts';
import type { ProtocolNotification } from '../../v1/notifications.ts';
import { kindOfResource, type ResourceKind } from '../../v1/reducers/reduceAll.ts';
import type { SessionSummary } from '../../v1/session.ts';

type Fields = Record<string, unknown>;

/**
 * Undefined when `value` is not an envelope. An incomplete `origin` is left out, because it can settle nothing. A complete envelope is
 * returned without a copy.
 */
export function parseEnvelope(value: unknown): ActionEnvelope | undefined {
  if (!isRecord(value)) return undefined;
  const { action, serverSeq, origin, rejectionReason } = value;
  if (!isRecord(action) || typeof action['type'] !== 'string' || typeof serverSeq !== 'number') return undefined;
  const originIsWhole = isRecord(origin) && typeof origin['clientId'] === 'string' && typeof origin['clientSeq'] === 'number';
  if ((origin === undefined || originIsWhole) && (rejectionReason === undefined || typeof rejectionReason === 'string')) {
    return value as unknown as ActionEnvelope;
  }
  return {
    action: action as unknown as StateAction,
    serverSeq,
    ...(originIsWhole && { origin: origin as unknown as ActionOrigin }),
    ...(typeof rejectionReason === 'string' && { rejectionReason }),
  };
}

/** Undefined when `value` is not a snapshot, or its state lacks what the reducers of that resource need. */
export function parseSnapshot(value: unknown): Snapshot | undefined {
  if (!isRecord(value)) return undefined;
  const { resource, state, fromSeq } = value;
  if (typeof resource !== 'string' || typeof fromSeq !== 'number' || !isRecord(state)) return undefined;
  if (!hasCore(kindOfResource(resource), state)) return undefined;
  return { resource, state: state as unknown as ResourceState, fromSeq };
}

function hasCore(kind: ResourceKind, state: Fields): boolean {
  switch (kind) {
    case 'root':
      return Array.isArray(state['agents']);
    case 'session':
      return isRecord(state['summary']) && Array.isArray(state['turns']);
    case 'terminal':
      return Array.isArray(state['content']);
  }
}

export function parseReconnectResult(value: unknown): ReconnectResult | undefined {
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'replay' && Array.isArray(value['actions'])) {
    return { type: 'replay', actions: value['actions'].map(parseEnvelope).filter((envelope) => envelope !== undefined) };
  }
  if (value['type'] === 'snapshot' && Array.isArray(value['snapshots']))
    return { type: 'snapshot', snapshots: parseSnapshots(value['snapshots']) };
  return undefined;
}

export function parseSnapshots(values: readonly unknown[]): Snapshot[] {
  return values.map(parseSnapshot).filter((snapshot) => snapshot !== undefined);
}

/** The notification inside the params of `notification`. */
export function parseNotification(params: unknown): ProtocolNotification | undefined {
  const notification = isRecord(params) ? params['notification'] : undefined;
  if (!isRecord(notification) || typeof notification['type'] !== 'string') return undefined;
  return notification as unknown as ProtocolNotification;
}

export function parseSummary(value: unknown): SessionSummary | undefined {
  return isRecord(value) && typeof value['resource'] === 'string' ? (value as unknown as SessionSummary) : undefined;
}
