/** Why a host is not connected and what the user can do about it. The texts fit into a narrow sidebar. */
import * as l10n from '../../base/l10n.ts';
import type { ConnectionFailure } from '../../ahp/client/connection/connectionState.ts';
import { said } from '../../base/text/phrase.ts';
import { oneLine } from '../text/oneLine.ts';

/** `embedded`: Tapline's own; `vscode`: found on this computer; `configured`: the user has entered its address. */
export type HostKind = 'embedded' | 'portal' | 'vscode' | 'configured' | 'replay';

/** What a host is whose address tells the user nothing. */
export const ownWords: { readonly [K in HostKind]?: string } = {
  embedded: l10n.t('Tapline’s own agent host'),
  vscode: l10n.t('VS Code’s agent host on this computer'),
};

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
  reconnect: l10n.t('Try again now'),
  editHost: l10n.t('Edit address…'),
  enterHostToken: l10n.t('Enter token…'),
  updateTapline: l10n.t('Update Tapline'),
  showHostLog: l10n.t('Show its log'),
};

export function hostProblem(failure: ConnectionFailure, host: HostKind): HostProblem {
  const { brief, message } = failure.words;
  return {
    brief: said(brief).replace(/^./u, (first) => first.toLocaleUpperCase()),
    message: oneLine(said(message)),
    remedies:
      host === 'embedded'
        ? ['reconnect', 'showHostLog']
        : remediesOf(failure).filter((remedy) => host === 'configured' || !isEntered(remedy)),
  };
}

/** It changes what only the user has entered. */
function isEntered(remedy: HostRemedy): boolean {
  return remedy === 'editHost' || remedy === 'enterHostToken';
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
