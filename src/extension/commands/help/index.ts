/** Where a user finds out how things stand, and tells others. */
import * as l10n from '../../../base/l10n.ts';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { englishOf } from '../../../base/errors.ts';
import { taplineHome } from '../../../base/node/taplineHome.ts';
import type { WindowBridge } from '../../bridge/windowBridge.ts';
import type { CommandId, Commands } from '../../commandTable.ts';
import { embeddedHostLog } from '../../hosts/embeddedHost.ts';
import { settings } from '../../settings.ts';
import { TextDocuments } from '../../textDocuments.ts';
import { openWalkthrough } from '../../window/walkthrough.ts';
import type { WindowServices } from '../../windowServices.ts';
import type { DiagnosedParts } from './windowDiagnostics.ts';
import type { LogSource } from './showLog.ts';

/** VS Code’s own. It is not there where the user has switched feedback off, and in a browser it knows issues at GitHub only. */
const ISSUE_REPORTER = 'vscode.openIssueReporter';

export interface HelpedParts extends DiagnosedParts {
  readonly bridge: WindowBridge;
  readonly portal: { readonly logFile: string; find(): Promise<object | undefined> };
  readonly contextProviders: { readonly isShown: boolean };
  run(command: CommandId): unknown;
}

export function registerHelp(window: WindowServices, parts: HelpedParts) {
  const { context, logger, own } = window;
  const { bridge, portal, projectProviders, contextProviders, run } = parts;
  const documents = own(new TextDocuments('tapline-diagnostics', l10n.t('This text is no longer kept. Run the command again.')));
  const logs = async (): Promise<LogSource[]> => {
    const { mcpLogs } = await import('./showLog.ts');
    const runsPortal = (await portal.find()) !== undefined;
    const all: (LogSource | false)[] = [
      { label: l10n.t('This window'), description: vscode.workspace.name ?? '', show: () => logger.show() },
      existsSync(bridge.logFile) && {
        label: l10n.t('Gateway'),
        // Another window may have started it again.
        ...(bridge.health.kind === 'off' && { description: l10n.t('off in this window') }),
        show: () => run('showGatewayLog'),
      },
      settings.embeddedHost() && existsSync(embeddedHostLog()) && { label: l10n.t('Built-in agent host'), show: () => run('showHostLog') },
      (runsPortal || existsSync(portal.logFile)) && {
        label: l10n.t('Portal'),
        ...(!runsPortal && { description: l10n.t('does not run; the last time') }),
        show: () => run('showPortalLog'),
      },
      contextProviders.isShown && { label: l10n.t('Context providers'), show: () => run('showOpenCtxLog') },
      ...projectProviders.logs.titles.map((title) => ({
        label: title.replace(/^Tapline: /, ''),
        description: l10n.t('project provider'),
        show: () => projectProviders.logs.show(title),
      })),
      ...mcpLogs(taplineHome()),
    ];
    return all.filter((one) => one !== false);
  };
  const diagnostics = async () => {
    const { diagnosticsOf } = await import('./windowDiagnostics.ts');
    return diagnosticsOf(window, parts);
  };
  const commands = {
    getStarted: () => openWalkthrough(context.extension.id),
    openSettings: () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    showLog: async () => (await import('./showLog.ts')).showLog(await logs()),
    copyDiagnostics: async () => {
      const { copyDiagnostics } = await import('./windowDiagnostics.ts');
      await copyDiagnostics(await diagnostics(), documents);
    },
    reportIssue: async () => {
      const data = await diagnostics();
      // The reporter shows all of it before anything is sent.
      try {
        return await vscode.commands.executeCommand(ISSUE_REPORTER, { extensionId: context.extension.id, data });
      } catch (error) {
        logger.info(`VS Code’s issue reporter: ${englishOf(error)}`);
      }
      const { copyDiagnostics } = await import('./windowDiagnostics.ts');
      await copyDiagnostics(data, documents);
      const { bugs } = context.extension.packageJSON as { bugs: { url: string } };
      return vscode.env.openExternal(vscode.Uri.parse(bugs.url, true));
    },
  } satisfies Partial<Commands>;
  return { commands };
}
