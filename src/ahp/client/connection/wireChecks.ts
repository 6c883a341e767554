/** Shape checks of what comes from a host: enough that the client's own bookkeeping and the reducers can rely on it. What lies deeper is kept as it came. */
import type { ActionEnvelope, ActionOrigin, StateAction } from '../../v1/actions.ts';
import type { ReconnectResult, ResourceState, Snapshot } from '../../v1/commands.ts';
import type { URI } from '../../v1/common.ts';
import type { ProtocolNotification } from '../../v1/notifications.ts';
import { ROOT_URI } from '../../v1/root.ts';
import type { SessionSummary } from '../../v1/session.ts';
import { TERMINAL_SCHEME } from '../../v1/terminal.ts';

export type ResourceKind = 'root' | 'session' | 'terminal';

/** By the URI alone; whatever is neither root nor terminal is a session of some provider. */
export function kindOfResource(uri: URI): ResourceKind {
  if (uri === ROOT_URI) return 'root';
  return uri.startsWith(TERMINAL_SCHEME) ? 'terminal' : 'session';
}

type Fields = Record<string, unknown>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined when `value` is none. An `origin` that is not whole is left out: it can settle nothing. Whole ones are taken as they are, without a copy. */
export function parseEnvelope(value: unknown): ActionEnvelope | undefined {
  if (!isObject(value)) return undefined;
  const { action, serverSeq, origin, rejectionReason } = value;
  if (!isObject(action) || typeof action['type'] !== 'string' || typeof serverSeq !== 'number') return undefined;
  const originIsWhole = isObject(origin) && typeof origin['clientId'] === 'string' && typeof origin['clientSeq'] === 'number';
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

/** Undefined when `value` is none, or its state lacks what the reducers of that resource build on. */
export function parseSnapshot(value: unknown): Snapshot | undefined {
  if (!isObject(value)) return undefined;
  const { resource, state, fromSeq } = value;
  if (typeof resource !== 'string' || typeof fromSeq !== 'number' || !isObject(state)) return undefined;
  if (!hasCore(kindOfResource(resource), state)) return undefined;
  return { resource, state: state as unknown as ResourceState, fromSeq };
}

function hasCore(kind: ResourceKind, state: Fields): boolean {
  switch (kind) {
    case 'root':
      return Array.isArray(state['agents']);
    case 'session':
      return isObject(state['summary']) && Array.isArray(state['turns']);
    case 'terminal':
      return Array.isArray(state['content']);
  }
}

export function parseReconnectResult(value: unknown): ReconnectResult | undefined {
  if (!isObject(value)) return undefined;
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
  const notification = isObject(params) ? params['notification'] : undefined;
  if (!isObject(notification) || typeof notification['type'] !== 'string') return undefined;
  return notification as unknown as ProtocolNotification;
}

export function parseSummary(value: unknown): SessionSummary | undefined {
  return isObject(value) && typeof value['resource'] === 'string' ? (value as unknown as SessionSummary) : undefined;
}
