/** The agent hosts of the window, and those of VS Code on this computer. */
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { sessionsWithCalls } from '../bridge/storage/callMemory.ts';
import { settings } from '../settings.ts';
import type { WindowBase } from '../windowServices.ts';
import { HostAnswers } from './discovery/hostAnswers.ts';
import { LocalHosts } from './discovery/localHosts.ts';
import { userDataFolders } from './discovery/userDataFolders.ts';
import { VsCodeHosts } from './discovery/vsCodeHosts.ts';
import { followHosts } from './followHosts.ts';
import { HostRegistry } from './hostRegistry.ts';
import { HostTokens } from './hostTokens.ts';
import { holdIdentity } from './windowIdentity.ts';

/** How long a window that was loaded again waits for the one before, where that has left calls. */
const HANDOVER_MS = 3_000;

export const windowsFolder = () => join(taplineHome(), 'windows');

/** Who this window is for hosts and the gateway, until the result is disposed. */
export function holdWindowIdentity({ workspaceState: storage }: vscode.ExtensionContext, logger: vscode.LogOutputChannel) {
  const hasCalls = sessionsWithCalls(storage).size > 0;
  return holdIdentity({ storage, folder: windowsFolder(), waitMs: hasCalls ? HANDOVER_MS : 0, logger });
}

export function registerHosts({ context, keys, logger, own }: WindowBase, clientId: string) {
  const tokens = new HostTokens(context.secrets, context.globalState);
  const hosts = own(new HostRegistry(context.extensionPath, clientId, tokens, logger));
  const userData = userDataFolders({ platform: process.platform, env: process.env, home: homedir() }, context.globalStorageUri.fsPath);
  const localHosts = new LocalHosts(userData, logger);
  const vsCodeHosts = own(
    new VsCodeHosts({
      find: () => localHosts.find(),
      answers: new HostAnswers(join(taplineHome(), 'vscode-hosts'), hostname()),
      offers: () => settings.offerVsCodeHosts(),
      clock: systemClock,
      logger,
    }),
  );
  const listVsCodeHosts = () =>
    hosts.setVsCodeHosts(vsCodeHosts.accepted.map((host) => ({ ...host, transport: vsCodeHosts.transport(host) })));
  own(vsCodeHosts.onDidChange(() => void listVsCodeHosts()));
  followHosts(keys, hosts);
  return { hosts, tokens, vsCodeHosts, listVsCodeHosts, isOnThisComputer: (hostId: string) => hosts.get(hostId)?.kind === 'embedded' };
}

/** Looks for hosts, now and whenever the user comes back to the window. */
export function beginHosts({ keys, own }: WindowBase, { vsCodeHosts, listVsCodeHosts }: ReturnType<typeof registerHosts>): void {
  void vsCodeHosts.look();
  own(vscode.window.onDidChangeWindowState(({ focused }) => focused && void vsCodeHosts.look()));
  own(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsList(event) && void vsCodeHosts.look()));
  void listVsCodeHosts().then(() => keys.set('tapline.ready', true));
}
