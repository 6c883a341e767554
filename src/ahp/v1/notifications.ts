/** Notifications from host to client: `action` (an envelope) and `notification` (one of these). */
import type { ActionEnvelope } from './actions.ts';
import type { UnknownTag, URI } from './common.ts';
import type { SessionSummary } from './session.ts';

export interface SessionAddedNotification {
  type: 'notify/sessionAdded';
  summary: SessionSummary;
}
export interface SessionRemovedNotification {
  type: 'notify/sessionRemoved';
  session: URI;
}
/** `changes` holds only what changed. */
export interface SessionSummaryChangedNotification {
  type: 'notify/sessionSummaryChanged';
  session: URI;
  changes: Partial<SessionSummary>;
}
export interface AuthRequiredNotification {
  type: 'notify/authRequired';
  /** A `ProtectedResourceMetadata.resource`. */
  resource: string;
  reason?: 'required' | 'expired' | UnknownTag;
}
export interface UnknownNotification {
  type: UnknownTag;
}
export type ProtocolNotification =
  | SessionAddedNotification
  | SessionRemovedNotification
  | SessionSummaryChangedNotification
  | AuthRequiredNotification
  | UnknownNotification;

export interface ServerNotifications {
  action: ActionEnvelope;
  notification: { notification: ProtocolNotification };
}
