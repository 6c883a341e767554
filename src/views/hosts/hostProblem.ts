/** Why a host is not connected and what the user can do about it. The texts fit into a narrow sidebar. */
import type { ConnectionFailure } from '../../ahp/client/connection/connectionState.ts';
import { oneLine } from '../text/oneLine.ts';

export type HostRemedy = 'reconnect' | 'editHost' | 'enterHostToken' | 'updateTapline' | 'showHostLog';

export interface HostProblem {
  /** A few words, such as `Connection refused`. */
  brief: string;
  /** What happened and what to do, in sentences. */
  message: string;
  /** Commands that may help, best first. */
  remedies: readonly HostRemedy[];
}

/** Labels of buttons and rows. */
export const remedyNames: Readonly<Record<HostRemedy, string>> = {
  reconnect: 'Try again now',
  editHost: 'Edit address…',
  enterHostToken: 'Enter token…',
  updateTapline: 'Update Tapline',
  showHostLog: 'Show its log',
};

/** `isOwn`: Tapline's own host, for which the user has entered neither an address nor a token. */
export function hostProblem(failure: ConnectionFailure, isOwn: boolean): HostProblem {
  const { brief, message } = failure;
  return {
    brief: brief.charAt(0).toUpperCase() + brief.slice(1),
    message: oneLine(message),
    remedies: isOwn ? ['reconnect', 'showHostLog'] : remediesOf(failure),
  };
}

function remediesOf({ kind, outdated }: ConnectionFailure): HostRemedy[] {
  switch (kind) {
    case 'address':
      return ['editHost'];
    case 'token':
      return ['enterHostToken', 'reconnect'];
    case 'notAgentHost':
      return ['editHost', 'reconnect'];
    case 'version':
      return outdated === 'client' ? ['updateTapline', 'reconnect'] : ['reconnect'];
    case 'unreachable':
      return ['reconnect', 'editHost'];
    case 'handshake':
    case 'lost':
    case 'replaced':
    case 'restarted':
      return ['reconnect'];
  }
}
