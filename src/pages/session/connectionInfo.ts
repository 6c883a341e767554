import * as l10n from '../../base/l10n.ts';
import { hasChatNames } from '../../ahp/chatNames.ts';
import { hostProblem, type HostRemedy, remedyNames } from '../../views/hosts/hostProblem.ts';
import type { ConnectionInfo, WebviewCommand } from '../../webviews/session/protocol.ts';
import type { ShownHost } from '../shownHost.ts';

/** The banner of a session: what happened to the connection and what the user can do. None while connected. */
export function connectionInfo({ client, kind, connection }: Pick<ShownHost, 'client' | 'kind' | 'connection'>): ConnectionInfo {
  const { state } = client;
  switch (state.kind) {
    case 'connected':
      return { kind: 'connected', ...(hasChatNames(client.hostMeta) && { renamesChats: true }) };
    case 'connecting':
      return { kind: 'connecting', message: l10n.t('Connecting to the agent host.') };
    case 'reconnecting': {
      const { brief, message } = hostProblem(state.reason, kind);
      const { retryIn } = connection;
      return {
        kind: 'reconnecting',
        message,
        brief,
        ...(retryIn !== undefined && { retryIn }),
        action: { label: l10n.t('Try now'), command: 'reconnectHost' },
      };
    }
    case 'failed': {
      const { brief, message, remedies } = hostProblem(state.reason, kind);
      const [remedy = 'reconnect'] = remedies;
      return { kind: 'failed', message, brief, action: { label: remedyNames[remedy], command: commands[remedy] } };
    }
    case 'closed':
      return {
        kind: 'closed',
        message: l10n.t('The connection to the agent host was closed.'),
        action: { label: l10n.t('Connect'), command: 'reconnectHost' },
      };
  }
}

const commands: Record<HostRemedy, WebviewCommand> = {
  reconnect: 'reconnectHost',
  editHost: 'editHost',
  enterHostToken: 'enterHostToken',
  updateTapline: 'updateTapline',
  showHostLog: 'showHostLog',
};
