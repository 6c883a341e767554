/** What a new session needs to know of hosts and folders of this window. */
import * as vscode from 'vscode';
import { isConnecting } from '../../views/hosts/hostConnectionView.ts';
import type { StartFolder, StartHost } from '../../views/newSession/startOffer.ts';
import { agentsOf, hasOurFiles, type RegisteredHost } from '../hosts/registeredHost.ts';
import { foldersHere } from './foldersHere.ts';

/** None for a recording. */
export function startHost(host: RegisteredHost): StartHost[] {
  const { id, label, connection, readOnly, client } = host;
  if (readOnly !== undefined) return [];
  const agents = connection.connected ? agentsOf(host) : [];
  const defaultFolder = client.state.kind === 'connected' ? client.state.defaultDirectory : undefined;
  return [
    {
      ...{ id, label, agents, isConnecting: isConnecting(connection), isLocal: hasOurFiles(host), isOwn: host.kind === 'embedded' },
      ...(defaultFolder !== undefined && { defaultFolder }),
    },
  ];
}

export function startFolders(): StartFolder[] {
  return foldersHere(vscode.workspace.workspaceFolders).map(({ uri, name }) => ({ uri: uri.toString(), label: name }));
}
