/** How a host's connection looks to the user. Never says connected when it is not. */
import type { ConnectionState } from '../ahp/client/connectionState.ts';
import { hostProblem, type HostProblem } from './hostProblem.ts';

export interface HostConnectionView {
  connected: boolean;
  /** It will not come back by itself. */
  failed: boolean;
  /** Short, such as `connected` or `reconnecting in 4 s`. */
  text: string;
  /** When `text` changes by itself, for a countdown; ms since the epoch. */
  retryAt?: number;
  /** What keeps it from being connected; absent for a moment's loss that the next attempt may end. */
  problem?: HostProblem;
}

/** `isOwn`: it is Tapline's own host. */
export function hostConnectionView(state: ConnectionState, now: number, isOwn = false): HostConnectionView {
  switch (state.kind) {
    case 'connected':
      return { connected: true, failed: false, text: 'connected' };
    case 'connecting':
      return { connected: false, failed: false, text: 'connecting' };
    case 'reconnecting': {
      const seconds = Math.max(0, Math.ceil((state.nextAttemptAt - now) / 1000));
      const { kind } = state.reason;
      const isMomentary = state.attempt <= 2 && (kind === 'lost' || kind === 'restarted');
      return {
        connected: false,
        failed: false,
        text: seconds > 0 ? `reconnecting in ${seconds} s` : 'reconnecting',
        retryAt: state.nextAttemptAt,
        ...(!isMomentary && { problem: hostProblem(state.reason, isOwn) }),
      };
    }
    case 'failed':
      return { connected: false, failed: true, text: 'not connected', problem: hostProblem(state.reason, isOwn) };
    case 'closed':
      return { connected: false, failed: false, text: 'closed' };
  }
}

/** All of it, for where there is room: a tooltip, a screen reader. */
export function connectionSentence({ text, problem }: HostConnectionView): string {
  return problem ? `${text}. ${problem.message}` : text;
}
