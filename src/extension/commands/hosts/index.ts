/** What the user does with hosts. */
import * as vscode from 'vscode';
import { lazy } from '../../../base/lazy.ts';
import type { Commands } from '../../commandTable.ts';
import type { VsCodeHosts } from '../../hosts/discovery/vsCodeHosts.ts';
import { embeddedHostLog } from '../../hosts/embeddedHost.ts';
import type { HostTokens } from '../../hosts/hostTokens.ts';
import type { WindowServices } from '../../windowServices.ts';

export function registerHostCommands(
  { context, hosts, logger, own }: WindowServices,
  { tokens, vsCodeHosts }: { readonly tokens: HostTokens; readonly vsCodeHosts: VsCodeHosts },
) {
  const load = lazy(async () => {
    const [{ HostCommands }, { HostConfigPanels }] = await Promise.all([
      import('./hostCommands.ts'),
      import('../../hostConfig/hostConfigPanels.ts'),
    ]);
    return new HostCommands(hosts, tokens, vsCodeHosts, own(new HostConfigPanels(context.extensionUri, hosts, logger)));
  });
  const ofVsCode = lazy(async () => new (await import('./vsCodeHostCommands.ts')).VsCodeHostCommands(vsCodeHosts));
  const commands = {
    addHost: async () => (await load()).add(),
    editHost: async (argument) => (await load()).edit(argument),
    enterHostToken: async (argument) => (await load()).enterToken(argument),
    editHostSettings: async (argument) => (await load()).editSettings(argument),
    browseHostFiles: async (argument) => (await load()).browse(argument),
    removeHost: async (argument) => (await load()).remove(argument),
    reconnectHost: async (argument) => (await load()).reconnect(argument),
    showConnections: async () => (await load()).showConnections(),
    connectVsCodeHost: async (argument) => (await ofVsCode()).connect(argument),
    declineVsCodeHost: async (argument) => (await ofVsCode()).decline(argument),
    showLent: async () => (await import('../showLent.ts')).showLent(hosts.all),
    showHostLog: () => vscode.window.showTextDocument(vscode.Uri.file(embeddedHostLog())),
    updateTapline: () => vscode.commands.executeCommand('workbench.extensions.action.showExtensionsWithIds', [context.extension.id]),
  } satisfies Partial<Commands>;
  return { commands };
}
