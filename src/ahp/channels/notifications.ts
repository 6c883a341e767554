/** Notifications from host to client. Those of the root are not replayed after a reconnect: list the sessions again. */
import type { UnknownTag } from '../common/schemas.ts';
import type { ProtectedResourceMetadata } from '../common/shapes.ts';
import type { ActionEnvelope } from './actions.ts';
import type { URI } from './shapes/basic.ts';
import type { SessionSummary } from './shapes/summaries.ts';

interface Telemetry {
  channel: URI;
  /** OTLP as JSON. */
  payload: Record<string, unknown>;
}

/** The parameters by method. */
export interface ServerNotifications {
  action: ActionEnvelope;
  'root/sessionAdded': { channel: URI; summary: SessionSummary };
  'root/sessionRemoved': { channel: URI; session: URI };
  /** `changes` holds only what changed. Its `chats` replace the whole list. */
  'root/sessionSummaryChanged': { channel: URI; session: URI; changes: Partial<SessionSummary> };
  'root/progress': { channel: URI; progressToken: string; progress: number; total?: number; message?: string };
  'auth/required': { channel: URI; resource: ProtectedResourceMetadata; reason?: 'required' | 'expired' | UnknownTag };
  'otlp/exportLogs': Telemetry;
  'otlp/exportTraces': Telemetry;
  'otlp/exportMetrics': Telemetry;
}
