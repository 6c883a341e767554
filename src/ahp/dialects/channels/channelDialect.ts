/** AHP 1.0 as a dialect. */
import { sameJson } from '../../../base/sameJson.ts';
import { decisionsIn } from '../../common/pending/envelopeDecisions.ts';
import { listOf } from '../../common/reducers/reducer.ts';
import { reduceAll } from '../../common/reducers/reduceAll.ts';
import { ROOT_URI } from '../../common/root.ts';
import type { URI } from '../../common/shapes.ts';
import type { Dialect, ResourceKind } from '../dialect.ts';
import { isClientDispatchable } from '../../channels/actions.ts';
import { fulfilsRequest } from '../../channels/automations.ts';
import { channelReducers, kindOfState } from '../../channels/channelReducers.ts';
import { isStateOf } from '../../channels/reducers/isStateOf.ts';
import { chatReducer11 } from '../../channels/chat/chatReducer.ts';
import type { ChatState } from '../../channels/chat/state.ts';
import { reduceToolCall } from '../../channels/chat/toolCallReducer.ts';
import { nameOfChannel, ROOT_CHANNEL } from '../../channels/root.ts';
import type { SessionState } from '../../channels/session/state.ts';
import type { SessionSummary } from '../../channels/shapes/summaries.ts';
import { wellFormedSummary } from '../../wellFormed/summary.ts';
import { wellFormed } from '../../wellFormed/wellFormed.ts';
import { channelStatesOf } from './channelStates.ts';
import { notificationOf } from './notificationOf.ts';

const toWire = (uri: URI) => (uri === ROOT_URI ? ROOT_CHANNEL : uri);
const onRoot = { channel: ROOT_CHANNEL };

/** How the types of a channel's actions begin. */
const prefixes: Record<ResourceKind, string> = {
  root: 'root/',
  session: 'session/',
  chat: 'chat/',
  terminal: 'terminal/',
  changeset: 'changeset/',
  annotations: 'annotations/',
  resourceWatch: 'resourceWatch/',
  automations: 'automation/',
  automationRun: 'automationRun/',
  canvas: 'canvas/',
};

/** What 0.9.0 does not have. A host of that version echoes it and does nothing. */
const since1: ReadonlySet<string> = new Set(['chat/isReadChanged', 'chat/isArchivedChanged', 'session/mcpServerBackgroundRequested']);

/** Version 1.0.0, which is also 0.10.0. */
export const channelDialect: Dialect = {
  ...channelStatesOf(channelReducers, wellFormed),
  sessionHolds: 'many',
  delays: true,
  cursors: 'one',

  params: {
    reconnect: (clientId, lastSeenServerSeq, cursors) => ({
      ...onRoot,
      clientId,
      lastSeenServerSeq,
      subscriptions: [...cursors.keys()].map(toWire),
    }),
    subscribe: (uri, maxLatencyMs) => ({ channel: toWire(uri), ...(maxLatencyMs !== undefined && { delivery: { maxLatencyMs } }) }),
    unsubscribe: (uri) => ({ channel: toWire(uri) }),
    dispatch: (uri, clientSeq, action) => ({ channel: toWire(uri), clientSeq, action }),
    authenticate: (params) => ({ ...onRoot, ...params }),
    list: (cursor) => ({ ...onRoot, ...(cursor !== undefined && { cursor }) }),
  },
  resourceOf: (envelope) => {
    const { channel } = envelope as { channel?: unknown };
    return typeof channel === 'string' ? nameOfChannel(channel) : undefined;
  },
  placeOf: (uri) => ({ channel: toWire(uri) }),
  nameOf: nameOfChannel,
  notificationOf,

  kindOfState: (_uri, state) => kindOfState(state),
  isState: (kind, state) => isStateOf(kind, state),
  isSame: (_kind, one, other) => sameJson(withoutClock(one), withoutClock(other)),
  upgradeSummary: (summary) => wellFormedSummary(summary as SessionSummary),
  // It has no times.
  summaryIn: () => undefined,
  topSession: (uri) => uri,
  chatOf: (action) => {
    const { type, chat, summary } = action as { type: string; chat?: unknown; summary?: { resource?: unknown } | null };
    if (type === 'session/chatRemoved' && typeof chat === 'string') return { uri: chat, is: 'removed' };
    const added = type === 'session/chatAdded' ? summary?.resource : undefined;
    return typeof added === 'string' ? { uri: added, is: 'added' } : undefined;
  },

  refusal: (_uri, kind, { type }) => {
    if (!isClientDispatchable(type)) return `Only the host may dispatch ${type}.`;
    return kind === undefined || type.startsWith(prefixes[kind]) ? undefined : `${type} does not belong to a ${kind}.`;
  },
  decisionsIn: (kind, before, envelopes) => (kind === 'chat' ? decisionsIn(before, envelopes, reduceToolCall) : []),
  fulfils: fulfilsRequest,
  ownEntry: (state, clientId) => listOf((state as SessionState).activeClients).find((client) => client?.clientId === clientId),
  rejoin: (_uri, entry, state, pending) => {
    const activeClient = entry as SessionState['activeClients'][number];
    const { clientId } = activeClient;
    const isThere = listOf((state as SessionState).activeClients).some((client) => client?.clientId === clientId);
    const isPending = pending.some(({ type }) => type === 'session/activeClientSet' || type === 'session/activeClientRemoved');
    return isThere || isPending ? undefined : ({ type: 'session/activeClientSet', activeClient } as { type: string });
  },
  actionsFor: (_uri, action) => [action],
  can: isClientDispatchable,
  requestFor: (method, params) => ({ method, params }),
};

export const channelDialect09: Dialect = {
  ...channelDialect,
  params: { ...channelDialect.params, authenticate: (params) => channelDialect.params.authenticate(withoutExpiry(params)) },
  refusal: (uri, kind, action) =>
    since1.has(action.type) ? `This host does not know ${action.type}.` : channelDialect.refusal(uri, kind, action),
  actionsFor: (_uri, action) => (since1.has(action.type) ? undefined : [action]),
  can: (type) => isClientDispatchable(type) && !since1.has(type),
  requestFor: (method, params) =>
    method === 'moveChat' ? undefined : { method, params: method === 'authenticate' ? withoutExpiry(params) : params },
};

/** In development. */
export const channelDialect11: Dialect = {
  ...channelDialect,
  cursors: 'each',
  reduce: (kind, state, actions, now) =>
    kind === 'chat' ? reduceAll(chatReducer11, state as ChatState, actions, now) : channelDialect.reduce(kind, state, actions, now),
  params: {
    ...channelDialect.params,
    reconnect: (clientId, _lastSeen, cursors) => ({
      ...onRoot,
      clientId,
      subscriptions: [...cursors].map(([uri, lastSeenServerSeq]) => ({ channel: toWire(uri), lastSeenServerSeq })),
    }),
  },
};

/** 0.9.0 does not know when a token ends. */
function withoutExpiry(params: object): object {
  return { ...params, expiresIn: undefined };
}

/** Hosts set the time of the last change by their own clock, and no action has it. */
function withoutClock(state: object): object {
  return { ...state, modifiedAt: undefined };
}
