/** Activation: registers what VS Code may ask for at once. The parts of the window are loaded after it, or with the first thing that needs them. */
import * as vscode from 'vscode';
import { englishOf, messageOf } from '../base/errors.ts';
import * as l10n from '../base/l10n.ts';
import type { CommandContributions } from './manifest/commandContributions.ts';
import { HOST_FILE_SCHEME, HostFileSystem } from './hostFiles/hostFileSystem.ts';
import { registerMcpServerDefinitions } from './mcp/mcpServerDefinitions.ts';
import type { WindowParts } from './startWindow.ts';
import { RecentProblems } from './window/recentProblems.ts';
import { WindowStart } from './window/windowStart.ts';

/** What other extensions and the tests get from `activate()`. */
export interface TaplineApi {
  /** Rejects when the window could not be started. Then it is started again with the next call. */
  parts(): Promise<WindowParts>;
}

// Before the parts are loaded, which have texts in their tables.
l10n.setLanguage({ language: vscode.env.language, texts: vscode.l10n.bundle });

export async function activate(context: vscode.ExtensionContext): Promise<TaplineApi> {
  const problems = new RecentProblems(vscode.window.createOutputChannel('Tapline', { log: true }));
  const logger = problems.log;
  const start = new WindowStart(async (life) => (await import('./startWindow.ts')).startWindow(context, logger, problems, life));
  const parts = async () => (await start.started()).parts;
  const { commands } = (context.extension.packageJSON as { contributes: CommandContributions }).contributes;
  context.subscriptions.push(
    logger,
    registerMcpServerDefinitions(context),
    new HostFileSystem(async () => (await parts()).hosts),
    // All that the manifest offers to the user.
    ...commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (argument: unknown, more: unknown) =>
        (await start.started()).run(command, argument, more),
      ),
    ),
    start,
  );
  const begin = () => start.started().catch((error: unknown) => void tell(error));
  // Until the user has closed the message.
  const tell = async (error: unknown): Promise<void> => {
    if (start.isOver) return;
    logger.error(error instanceof Error ? error : englishOf(error));
    const [again, log] = [l10n.t('Try Again'), l10n.t('Show Log')];
    const choice = await vscode.window.showErrorMessage(l10n.t`Tapline could not start: ${messageOf(error)}`, again, log);
    if (choice === log) logger.show();
    if (choice === again) await begin();
  };
  if (isShown()) await begin();
  // The other extensions of the window are not to wait for it.
  else setImmediate(() => void begin());
  return { parts };
}

/** Whether the window opens with a page or a file of ours. VS Code asks for its contents as soon as the extension is active. */
function isShown(): boolean {
  const isOurs = (uri: vscode.Uri) => uri.scheme === HOST_FILE_SCHEME;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return (
    tabs.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('tapline.')) ||
    (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => isOurs(uri))
  );
}
