/** AHP v1 as a dialect. */
import { decisionsIn } from '../../common/pending/envelopeDecisions.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { Dialect, HostNotification } from '../dialect.ts';
import { topSession } from '../../subagentUri.ts';
import { isClientSendable, resourceOf, type StateAction } from '../../v1/actions.ts';
import type { ResourceState } from '../../v1/commands.ts';
import { kindOfResource } from '../../v1/reducers/reduceAll.ts';
import { reduceToolCall } from '../../v1/reducers/toolCallReducer.ts';
import type { SessionState, SessionSummary } from '../../v1/session.ts';
import { upgradedSummary } from '../../v1/upgrade.ts';
import { wellFormedSummary } from '../../wellFormed/summary.ts';
import { wellFormed } from '../../wellFormed/wellFormed.ts';
import { actionsFor, can } from './actionsFor.ts';
import { requestFor } from './requestFor.ts';
import { sameState } from './sameState.ts';
import { v1StatesOf } from './v1States.ts';

export const v1Dialect: Dialect = {
  ...v1StatesOf(wellFormed),
  sessionHolds: 'one',
  delays: false,
  cursors: 'one',

  params: {
    reconnect: (clientId, lastSeenServerSeq, cursors) => ({ clientId, lastSeenServerSeq, subscriptions: [...cursors.keys()] }),
    subscribe: (resource) => ({ resource }),
    unsubscribe: (resource) => ({ resource }),
    dispatch: (_uri, clientSeq, action) => ({ clientSeq, action }),
    authenticate: (params) => params,
    list: () => ({}),
  },
  resourceOf: ({ action }) => resourceOf(action as StateAction),
  // The action names it.
  placeOf: () => ({}),
  nameOf: (uri) => uri,
  notificationOf: (method, params) => {
    if (method !== 'notification') return undefined;
    const notification = isRecord(params) ? params['notification'] : undefined;
    if (!isRecord(notification) || typeof notification['type'] !== 'string') return 'malformed';
    const { type, session, resource, reason } = notification;
    switch (type) {
      case 'notify/sessionRemoved':
      case 'notify/sessionSummaryChanged':
        if (typeof session !== 'string') return 'malformed';
        break;
      case 'notify/authRequired':
        if (typeof resource !== 'string') return 'malformed';
        return { type, resource, ...(typeof reason === 'string' && { reason }) };
      // AHP v1 has none, so nobody has checked it.
      case 'notify/progress':
        return undefined;
    }
    return notification as unknown as HostNotification;
  },

  kindOfState: (uri) => kindOfResource(uri),
  isState: (kind, state) => {
    const { agents, summary, turns, content } = state as Record<string, unknown>;
    if (kind === 'root') return Array.isArray(agents);
    if (kind === 'terminal') return Array.isArray(content);
    return kind === 'session' && isRecord(summary) && Array.isArray(turns);
  },
  isSame: (_kind, one, other) => sameState(one as ResourceState, other as ResourceState),
  upgradeSummary: (summary) => wellFormedSummary(upgradedSummary(summary as SessionSummary)),
  summaryIn: (uri, state) => ({ ...(state as SessionState).summary, resource: uri }),
  topSession,
  chatOf: () => undefined,

  refusal: (uri, _kind, action) => {
    if (!isClientSendable(action.type)) return `Only the host may dispatch ${action.type}.`;
    return resourceOf(action as StateAction) === uri ? undefined : `${action.type} does not belong to ${uri}.`;
  },
  decisionsIn: (_kind, before, envelopes) => decisionsIn(before, envelopes, reduceToolCall),
  fulfils: () => false,
  ownEntry: (state, clientId) => {
    const { activeClient } = state as SessionState;
    return activeClient?.clientId === clientId ? activeClient : undefined;
  },
  // Not where another client has become the active one meanwhile, or an action of ours is about to change it.
  rejoin: (session, activeClient, state, pending) =>
    (state as SessionState).activeClient || pending.some(({ type }) => type === 'session/activeClientChanged')
      ? undefined
      : ({ type: 'session/activeClientChanged', session, activeClient } as StateAction),
  actionsFor,
  can,
  requestFor,
};
