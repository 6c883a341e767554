/** How a host's connection looks to the user. Never says connected when it is not. */
import type { ConnectionState } from '../ahp/client/connectionState.ts';
import { oneLine } from './oneLine.ts';

export interface HostConnectionView {
  connected: boolean;
  /** It will not come back by itself. */
  failed: boolean;
  /** Short, such as `connected` or `reconnecting in 4 s`. */
  text: string;
  /** When `text` changes by itself, for a countdown; ms since the epoch. */
  retryAt?: number;
}

export function hostConnectionView(state: ConnectionState, now: number): HostConnectionView {
  switch (state.kind) {
    case 'connected':
      return { connected: true, failed: false, text: 'connected' };
    case 'connecting':
      return { connected: false, failed: false, text: 'connecting' };
    case 'reconnecting': {
      const seconds = Math.max(0, Math.ceil((state.nextAttemptAt - now) / 1000));
      return {
        connected: false,
        failed: false,
        text: seconds > 0 ? `reconnecting in ${seconds} s` : 'reconnecting',
        retryAt: state.nextAttemptAt,
      };
    }
    case 'failed':
      return { connected: false, failed: true, text: oneLine(state.reason.message) };
    case 'closed':
      return { connected: false, failed: false, text: 'closed' };
  }
}
