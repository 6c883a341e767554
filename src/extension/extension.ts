/** Activation: registers what VS Code may ask for at once. The parts of the window are loaded after it, or with the first thing that needs them. */
import * as vscode from 'vscode';
import { messageOf } from '../base/errors.ts';
import type { CommandContributions } from './commandContributions.ts';
import { HOST_FILE_SCHEME, HostFileSystem } from './hostFiles/hostFileSystem.ts';
import { registerMcpServerDefinitions } from './mcp/mcpServerDefinitions.ts';
import type { StartedWindow, WindowParts } from './startWindow.ts';

/** What other extensions and the tests get from `activate()`. */
export interface TaplineApi {
  /** Rejects when the window could not be started. */
  parts(): Promise<WindowParts>;
}

export async function activate(context: vscode.ExtensionContext): Promise<TaplineApi> {
  const logger = vscode.window.createOutputChannel('Tapline', { log: true });
  let starting: Promise<StartedWindow> | undefined;
  const started = () => (starting ??= import('./startWindow.ts').then(({ startWindow }) => startWindow(context, logger)));
  const parts = async () => (await started()).parts;
  const { commands } = (context.extension.packageJSON as { contributes: CommandContributions }).contributes;
  context.subscriptions.push(
    logger,
    registerMcpServerDefinitions(context),
    new HostFileSystem(async () => (await parts()).hosts),
    // All that the manifest offers to the user.
    ...commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (argument: unknown, more: unknown) => (await started()).run(command, argument, more)),
    ),
  );
  if (isShown()) await started();
  // The other extensions of the window are not to wait for it.
  else setImmediate(() => void started().catch((error: unknown) => logger.error(`The window could not be started: ${messageOf(error)}`)));
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
