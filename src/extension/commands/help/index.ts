/** Where a user finds out how things stand, and tells others. */
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { taplineHome } from '../../../base/node/taplineHome.ts';
import type { WindowBridge } from '../../bridge/windowBridge.ts';
import type { CommandId, Commands } from '../../commandTable.ts';
import { embeddedHostLog } from '../../hosts/embeddedHost.ts';
import type { ProviderLogs } from '../../projectProviders/providerLogs.ts';
import { settings } from '../../settings.ts';
import { TextDocuments } from '../../textDocuments.ts';
import { openWalkthrough } from '../../window/walkthrough.ts';
import type { RecentProblems } from '../../window/recentProblems.ts';
import type { WindowServices } from '../../windowServices.ts';
import type { LogSource } from './showLog.ts';

/** VS Code’s own. It is not there where the user has switched feedback off. */
const ISSUE_REPORTER = 'vscode.openIssueReporter';

export interface HelpedParts {
  readonly bridge: WindowBridge;
  readonly portal: { readonly logFile: string; find(): Promise<object | undefined> };
  readonly projectProviders: { readonly logs: ProviderLogs };
  readonly contextProviders: { readonly isShown: boolean };
  readonly problems: RecentProblems;
  run(command: CommandId): unknown;
}

export function registerHelp(window: WindowServices, parts: HelpedParts) {
  const { context, logger, own } = window;
  const { bridge, portal, projectProviders, contextProviders, run } = parts;
  const documents = own(new TextDocuments('tapline-diagnostics', 'This text is no longer kept. Run the command again.'));
  const logs = async (): Promise<LogSource[]> => {
    const { mcpLogs } = await import('./showLog.ts');
    const runsPortal = (await portal.find()) !== undefined;
    const all: (LogSource | false)[] = [
      { label: 'This window', description: vscode.workspace.name ?? '', show: () => logger.show() },
      bridge.health.kind !== 'off' && { label: 'Gateway', show: () => run('showGatewayLog') },
      settings.embeddedHost() && existsSync(embeddedHostLog()) && { label: 'Built-in agent host', show: () => run('showHostLog') },
      (runsPortal || existsSync(portal.logFile)) && {
        label: 'Portal',
        ...(!runsPortal && { description: 'does not run; the last time' }),
        show: () => run('showPortalLog'),
      },
      contextProviders.isShown && { label: 'Context providers', show: () => run('showOpenCtxLog') },
      ...projectProviders.logs.titles.map((title) => ({
        label: title.replace(/^Tapline: /, ''),
        description: 'project provider',
        show: () => projectProviders.logs.show(title),
      })),
      ...mcpLogs(taplineHome()),
    ];
    return all.filter((one) => one !== false);
  };
  const diagnostics = async () => {
    const { diagnosticsOf } = await import('./diagnostics.ts');
    return diagnosticsOf(window, parts);
  };
  const commands = {
    getStarted: () => openWalkthrough(context.extension.id),
    openSettings: () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    showLog: async () => (await import('./showLog.ts')).showLog(await logs()),
    copyDiagnostics: async () => {
      const { copyDiagnostics } = await import('./diagnostics.ts');
      await copyDiagnostics(await diagnostics(), documents);
    },
    reportIssue: async () => {
      const data = await diagnostics();
      // The reporter shows all of it before anything is sent.
      if ((await vscode.commands.getCommands()).includes(ISSUE_REPORTER))
        return vscode.commands.executeCommand(ISSUE_REPORTER, { extensionId: context.extension.id, data });
      const { copyDiagnostics } = await import('./diagnostics.ts');
      await copyDiagnostics(data, documents);
      const { bugs } = context.extension.packageJSON as { bugs: { url: string } };
      return vscode.env.openExternal(vscode.Uri.parse(bugs.url, true));
    },
  } satisfies Partial<Commands>;
  return { commands };
}
