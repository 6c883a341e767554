/** What a host tells all its clients, in the client's words. */
import { isRecord } from '../../../base/isRecord.ts';
import { wellFormedResource } from '../../wellFormed/answers.ts';
import type { HostNotification } from '../dialect.ts';

/** Logs and metrics. The client takes traces itself. */
const TELEMETRY = 'otlp/';
/** Sent on `mcp://` channels by the MCP servers of sessions, such as `notifications/tools/list_changed`. The state says the same. */
const MCP_NOTIFICATIONS = 'notifications/';

export function notificationOf(method: string, params: unknown): HostNotification | 'malformed' | 'unneeded' | undefined {
  if (method.startsWith(MCP_NOTIFICATIONS) || method.startsWith(TELEMETRY)) return 'unneeded';
  const { summary, session, changes, resource, reason, progressToken, progress, total, message } = isRecord(params) ? params : {};
  switch (method) {
    case 'root/sessionAdded':
      return { type: 'notify/sessionAdded', summary };
    case 'root/sessionRemoved':
      return typeof session === 'string' ? { type: 'notify/sessionRemoved', session } : 'malformed';
    case 'root/sessionSummaryChanged':
      return typeof session === 'string' ? { type: 'notify/sessionSummaryChanged', session, changes } : 'malformed';
    case 'auth/required': {
      const metadata = wellFormedResource(resource);
      return metadata
        ? { type: 'notify/authRequired', resource: metadata.resource, ...(typeof reason === 'string' && { reason }), metadata }
        : 'malformed';
    }
    case 'root/progress':
      return typeof progressToken === 'string' && Number.isFinite(progress)
        ? {
            type: 'notify/progress',
            ...{ progressToken, progress: progress as number },
            ...(Number.isFinite(total) && { total: total as number }),
            ...(typeof message === 'string' && { message }),
          }
        : 'malformed';
    default:
      return undefined;
  }
}
