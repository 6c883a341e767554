/** What a new session needs to know of hosts and folders of this window. */
import * as vscode from 'vscode';
import type { StartFolder, StartHost } from '../../views/newSession/startOffer.ts';
import { agentsOf, hasOurFiles, type RegisteredHost } from '../hosts/registeredHost.ts';

/** None for a recording. */
export function startHost(host: RegisteredHost): StartHost[] {
  const { id, label, connection, readOnly } = host;
  if (readOnly !== undefined) return [];
  const isConnecting = !connection.connected && !connection.failed && connection.problem === undefined;
  return [{ id, label, agents: connection.connected ? agentsOf(host) : [], isConnecting, isLocal: hasOurFiles(host) }];
}

export function startFolders(): StartFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), label: name }));
}
