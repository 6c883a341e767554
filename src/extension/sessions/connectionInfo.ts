import type { ConnectionState } from '../../ahp/client/connectionState.ts';
import type { ConnectionInfo } from '../../webviews/session/protocol.ts';

/** The banner of a session: nothing while connected, else what happened and what can be done. */
export function connectionInfo(state: ConnectionState): ConnectionInfo {
  switch (state.kind) {
    case 'connected':
      return { kind: 'connected' };
    case 'connecting':
      return { kind: 'connecting', message: 'Connecting to the agent host.' };
    case 'reconnecting':
      return {
        kind: 'reconnecting',
        message: state.reason.message,
        since: state.since,
        retryAt: state.nextAttemptAt,
        action: { label: 'Try now', command: 'reconnectHost' },
      };
    case 'failed':
      return {
        kind: 'failed',
        message: state.reason.message,
        since: state.since,
        action: { label: 'Try again', command: 'reconnectHost' },
      };
    case 'closed':
      return {
        kind: 'closed',
        message: 'The connection to the agent host was closed.',
        action: { label: 'Connect', command: 'reconnectHost' },
      };
  }
}
