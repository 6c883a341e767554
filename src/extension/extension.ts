/** Activation: puts the parts together and registers every command of the table. */
import * as vscode from 'vscode';
import { messageOf, UserError } from '../base/errors.ts';
import { HostCommands } from './commands/hostCommands.ts';
import { DEMO_PROVIDER } from './commands/newSession.ts';
import { hostIdFromArgument } from './commands/sessionArgument.ts';
import { SessionCommands } from './commands/sessionCommands.ts';
import { ANSWER_KEY, type CommandId, commandName } from './commandTable.ts';
import { ContextKeys } from './contextKeys.ts';
import { embeddedHostLog } from './hosts/embeddedHost.ts';
import { HostRegistry } from './hosts/hostRegistry.ts';
import { HostTokens } from './hosts/hostTokens.ts';
import { GitHubAccount } from './models/gitHubAccount.ts';
import { ModelCommands } from './models/modelCommands.ts';
import { OwnModels } from './models/ownModels.ts';
import { notifyWhenNeeded } from './needsYouNotifier.ts';
import { SessionDisposal } from './commands/sessionDisposal.ts';
import { Drafts } from './sessions/drafts.ts';
import { HiddenSessions } from './sessions/hiddenSessions.ts';
import { registerResourceDocuments } from './sessions/resourceDocuments.ts';
import type { SessionServices } from './sessions/sessionServices.ts';
import { SessionsTree } from './sessions/sessionsTree.ts';
import { SessionViews } from './sessions/sessionView.ts';
import { StatusBar } from './statusBar.ts';
import { showError } from './notifications.ts';
import { WireLog } from './wireLog.ts';
import { replayWireLog } from './wireLogReplay.ts';

/** What other extensions and our own end-to-end suite get from `activate()`. */
export interface TaplineApi {
  readonly hosts: HostRegistry;
}

export function activate(context: vscode.ExtensionContext): TaplineApi {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const logger = own(vscode.window.createOutputChannel('Tapline', { log: true }));
  const tokens = new HostTokens(context.secrets);
  const hosts = own(new HostRegistry(context.extensionPath, tokens, logger));
  const hidden = own(new HiddenSessions(context.workspaceState));
  const tree = own(new SessionsTree(hosts, hidden));
  own(registerResourceDocuments(hosts));

  const drafts = new Drafts(context.workspaceState);
  const services: SessionServices = {
    hosts,
    drafts,
    logger,
    openSession: (session) => void run('openSession', () => sessionCommands.open(session)),
    createSession: (choice, draft) => void run('newSession', () => sessionCommands.create(choice, draft)),
    runCommand: async (command, session) => void (await vscode.commands.executeCommand(commandName(command), session)),
  };
  const views = own(new SessionViews(context, services));
  const keys = own(new ContextKeys(views, hosts));
  own(new StatusBar(hosts, tree));
  own(notifyWhenNeeded(tree, views));
  const wireLog = own(new WireLog(hosts, context.logUri, (running) => keys.set('tapline.wireLogRunning', running)));
  const hostCommands = new HostCommands(hosts, tokens);
  const models = own(new OwnModels(hosts, context.secrets, logger));
  own(models.onDidFail((problem) => void showError(problem)));
  const account = own(new GitHubAccount(hosts, context.globalState, logger));
  const modelCommands = new ModelCommands(hosts, models, account, context.extensionPath, logger);
  const sessionCommands = new SessionCommands(hosts, tree, views, modelCommands, new SessionDisposal(hidden), drafts);

  /** An error for the user is shown as it is; any other is logged with its stack and shown with a way to the log. */
  async function run(id: CommandId, command: () => unknown): Promise<unknown> {
    try {
      return await command();
    } catch (error) {
      logger.error(error instanceof Error ? error : `${id}: ${messageOf(error)}`);
      const showLog = 'Show Log';
      const choice = await showError(messageOf(error), ...(error instanceof UserError ? [] : [showLog]));
      if (choice === showLog) logger.show();
      return undefined;
    }
  }

  const commands: Record<CommandId, (argument: unknown, more: unknown) => unknown> = {
    newSession: (argument) => sessionCommands.createFrom(argument),
    startDemo: () => sessionCommands.create({ provider: DEMO_PROVIDER }),
    openSession: (argument) => sessionCommands.open(argument),
    openSessionInEditor: (argument) => sessionCommands.openInEditor(argument),
    renameSession: (argument) => sessionCommands.rename(argument),
    archiveSession: (argument) => sessionCommands.archive(argument, true),
    unarchiveSession: (argument) => sessionCommands.archive(argument, false),
    markSessionRead: (argument) => sessionCommands.setRead(argument, true),
    markSessionUnread: (argument) => sessionCommands.setRead(argument, false),
    deleteSession: (argument) => sessionCommands.delete(argument),
    copySessionUri: (argument) => sessionCommands.copyUri(argument),
    refreshSessions: () => sessionCommands.refresh(),
    filterSessions: () => sessionCommands.filter(),
    clearSessionFilter: () => sessionCommands.clearFilter(),
    toggleArchived: () => sessionCommands.toggleArchived(),
    showNeedsYou: () => sessionCommands.showNeedsYou(),
    approve: (argument) => views.answer('approve', argument === ANSWER_KEY),
    deny: (argument) => views.answer('deny', argument === ANSWER_KEY),
    nextWaiting: () => views.active?.command('focusNextWaiting'),
    stopTurn: (argument) => sessionCommands.stopTurn(argument),
    focusComposer: () => sessionCommands.focusComposer(),
    attachToSession: (file, files) => sessionCommands.attach(file, files),
    jumpToLatest: () => views.active?.command('jumpToLatest'),
    connectCopilot: () => modelCommands.connect(),
    addModel: async () => (await modelCommands.ensureEngine()) && modelCommands.add(),
    removeModel: () => modelCommands.remove(),
    signInToGitHub: (argument) => account.signIn(hostIdFromArgument(argument)),
    installEngine: () => modelCommands.ensureEngine(),
    addHost: () => hostCommands.add(),
    editHost: (argument) => hostCommands.edit(argument),
    enterHostToken: (argument) => hostCommands.enterToken(argument),
    removeHost: (argument) => hostCommands.remove(argument),
    reconnectHost: (argument) => hostCommands.reconnect(argument),
    showConnections: () => hostCommands.showConnections(),
    updateTapline: () => vscode.commands.executeCommand('workbench.extensions.action.showExtensionsWithIds', [context.extension.id]),
    showLog: () => logger.show(),
    startWireLog: () => wireLog.start(),
    stopWireLog: () => wireLog.stop(),
    replayWireLog: (argument) => replayWireLog(hosts, argument instanceof vscode.Uri ? argument : undefined, wireLog.folder),
    showHostLog: async () => vscode.window.showTextDocument(vscode.Uri.file(embeddedHostLog())),
  };
  for (const [id, command] of Object.entries(commands) as [CommandId, (typeof commands)[CommandId]][]) {
    own(vscode.commands.registerCommand(commandName(id), (argument: unknown, more: unknown) => run(id, () => command(argument, more))));
  }

  void hosts.sync().then(() => keys.set('tapline.ready', true));
  logger.info(`Tapline ${context.extension.packageJSON.version as string} is active`);
  return { hosts };
}
