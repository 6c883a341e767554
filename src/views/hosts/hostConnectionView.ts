/** How the connection to a host is shown. It never says connected when it is not. */
import * as l10n from '../../base/l10n.ts';
import type { ConnectionState } from '../../ahp/client/connection/connectionState.ts';
import { type HostKind, hostProblem, type HostProblem } from './hostProblem.ts';

export interface HostConnectionView {
  connected: boolean;
  /** The connection will not be made again by itself. */
  failed: boolean;
  /** Short, such as `connected` or `reconnecting in 4 s`. */
  text: string;
  /** Whole seconds to the next attempt. Absent during an attempt. */
  retryIn?: number;
  /** Absent for a connection that was just lost and may be back after the next attempt. During an attempt it is what the one before has met. */
  problem?: HostProblem;
}

export function hostConnectionView(state: ConnectionState, now: number, host: HostKind = 'configured'): HostConnectionView {
  switch (state.kind) {
    case 'connected':
      return { connected: true, failed: false, text: l10n.t('connected') };
    case 'connecting':
      return { connected: false, failed: false, text: l10n.t('connecting') };
    case 'reconnecting': {
      const seconds = Math.max(0, Math.ceil((state.nextAttemptAt - now) / 1000));
      const counts = seconds > 0;
      const { kind } = state.reason;
      const isMomentary = state.attempt <= 2 && (kind === 'lost' || kind === 'restarted');
      return {
        connected: false,
        failed: false,
        text: counts ? l10n.t`reconnecting in ${seconds} s` : l10n.t('reconnecting'),
        ...(counts && { retryIn: seconds }),
        ...(!isMomentary && { problem: hostProblem(state.reason, host) }),
      };
    }
    case 'failed':
      return { connected: false, failed: true, text: l10n.t('not connected'), problem: hostProblem(state.reason, host) };
    case 'closed':
      return { connected: false, failed: false, text: l10n.t('closed') };
  }
}

/** It may be there in a moment: neither made, nor given up, nor met with a problem. */
export function isConnecting({ connected, failed, problem }: HostConnectionView): boolean {
  return !connected && !failed && problem === undefined;
}

/** Milliseconds until the view of this state changes with time; undefined when it does not. */
export function nextViewIn(state: ConnectionState, now: number): number | undefined {
  const left = state.kind === 'reconnecting' ? state.nextAttemptAt - now : 0;
  return left > 0 ? left % 1000 || 1000 : undefined;
}

/** The full text, for a tooltip or a screen reader. */
export function connectionSentence({ text, problem }: HostConnectionView): string {
  return problem ? l10n.t`${text}. ${problem.message}` : text;
}
