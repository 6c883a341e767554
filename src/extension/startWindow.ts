/** The parts of the window, and what each command does with them. */
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { messageOf, UserError } from '../base/errors.ts';
import { taplineHome } from '../base/node/taplineHome.ts';
import { copilotHome } from '../tap/owner/gatewayPaths.ts';
import { Attention } from '../views/attention/attention.ts';
import { attentionNotification, finishedNotification, openAttentionItem, pickAttentionItem } from './commands/attentionCommands.ts';
import { AttentionNotifier } from './attention/attentionNotifier.ts';
import { type OpenReview, WindowAttention } from './attention/windowAttention.ts';
import type { AttentionItem, WindowItem } from '../views/attention/attentionItems.ts';
import { FinishedTurns } from '../views/attention/finishedTurns.ts';
import { Emitter } from '../base/event.ts';
import { CallMemory } from './bridge/storage/callMemory.ts';
import { WindowBridge } from './bridge/windowBridge.ts';
import { HostConfigPanels } from './hostConfig/hostConfigPanels.ts';
import { HostCommands } from './commands/hostCommands.ts';
import { DEMO_PROVIDER, startOffer } from '../views/newSession/startOffer.ts';
import { startFolders, startHost } from './sessions/startHost.ts';
import { VsCodeHostCommands } from './commands/vsCodeHostCommands.ts';
import { hostIdFromArgument } from './commands/sessions/sessionArgument.ts';
import { ChatCommands } from './commands/sessions/chatCommands.ts';
import { ContextCommands } from './commands/sessions/contextCommands.ts';
import { StartRequests } from './commands/sessions/startRequests.ts';
import { SessionCommands } from './commands/sessions/sessionCommands.ts';
import { ANSWER_KEY, type CommandId, commandIdOf, commandName, type Commands } from './commandTable.ts';
import { ContextKeys } from './window/contextKeys.ts';
import { WindowEditorTools } from './editorTools/windowEditorTools.ts';
import type { WindowFolders } from './editorTools/shared/windowFolders.ts';
import { Focus } from './focus.ts';
import { HostAnswers } from './hosts/discovery/hostAnswers.ts';
import { LocalHosts } from './hosts/discovery/localHosts.ts';
import { userDataFolders } from './hosts/discovery/userDataFolders.ts';
import { VsCodeHosts } from './hosts/discovery/vsCodeHosts.ts';
import { embeddedHostLog, stopEmbeddedHost } from './hosts/embeddedHost.ts';
import { HostRegistry } from './hosts/hostRegistry.ts';
import { HostTokens } from './hosts/hostTokens.ts';
import { holdIdentity, otherWindows } from './hosts/windowIdentity.ts';
import { Inbox, type InboxServices } from './inbox/inbox.ts';
import { showLent } from './commands/showLent.ts';
import { ProvidersView } from './providers/providersView.ts';
import { ChangeAtCursor } from './changes/changeAtCursor.ts';
import { ChangesView } from './changes/changesView.ts';
import { ShownChanges } from './changes/shownChanges.ts';
import { ResourceSignIn } from './signIn/resourceSignIn.ts';
import { SignInNotices } from './signIn/signInNotices.ts';
import { GitHubAccount } from './models/gitHubAccount.ts';
import { ModelCommands } from './models/modelCommands.ts';
import { OwnModels } from './models/ownModels.ts';
import { AgentConsent } from './openctx/agentConsent.ts';
import { AgentContext } from './openctx/agentContext.ts';
import { askAboutAgents, chooseAboutAgents } from './openctx/agentQuestions.ts';
import { OpenCtx } from './openctx/openCtx.ts';
import { OpenCtxEditor } from './openctx/openCtxEditor.ts';
import { OpenCtxGroup, rowOf } from './openctx/openCtxGroup.ts';
import { ProviderReview } from './openctx/providerReview.ts';
import { OpenCtxSecrets } from './openctx/providers/openCtxSecrets.ts';
import { Pairing } from './pairing/pairing.ts';
import { SessionDisposal } from './commands/sessions/sessionDisposal.ts';
import { DecisionLog } from './sessions/decisionLog.ts';
import { Drafts } from './sessions/drafts.ts';
import { SessionSet } from './sessions/sessionSet.ts';
import { bridgeInfo } from './sessionView/bridgeInfo.ts';
import { WindowProjectProviders } from './projectProviders/windowProjectProviders.ts';
import { registerResourceDocuments } from './sessionView/resourceDocuments.ts';
import type { SessionRef } from '../views/session/sessionRef.ts';
import type { SessionServices } from './sessionView/sessionServices.ts';
import { SessionTerminals } from './sessionView/terminal/sessionTerminals.ts';
import { SessionsTree } from './sessions/sessionsTree.ts';
import { ImageStore } from './sessionView/attachments/imageStore.ts';
import { SessionViews } from './sessionView/sessionViews.ts';
import { WindowQuestions } from './questions/windowQuestions.ts';
import { StatusBar } from './window/statusBar.ts';
import { type ClosableNotification, ClosableNotifications, showError } from './notifications.ts';
import type { Removal } from './removal/removeData.ts';
import { registerAnnotations } from './annotations/index.ts';
import { registerAutomations } from './automations/index.ts';
import { registerFinding } from './commands/finding/index.ts';
import { registerPortal } from './portal/index.ts';
import { registerWireLog } from './wireLog/index.ts';
import type { WindowServices } from './windowServices.ts';
import { settings } from './settings.ts';
import { TextDocuments } from './textDocuments.ts';
import { ToolsView } from './tools/toolsView.ts';
import { openOnFirstStart, WalkthroughSteps } from './window/walkthrough.ts';
import type { WindowLife } from './window/windowStart.ts';

export interface WindowParts {
  readonly hosts: HostRegistry;
  readonly bridge: WindowBridge;
  readonly editorTools: WindowEditorTools;
  readonly projectProviders: WindowProjectProviders;
  readonly openCtx: OpenCtx;
  readonly vsCodeHosts: VsCodeHosts;
  readonly openCtxEditor: OpenCtxEditor;
}

/** The host and the agent of the session that was started last from the composer. */
const LAST_AGENT = 'tapline.lastAgent';
/** How long a window that was loaded again waits for the one before, where that has left calls. */
const HANDOVER_MS = 3_000;

export interface StartedWindow {
  readonly parts: WindowParts;
  /** `command`: as VS Code knows it. */
  run(command: string, argument: unknown, more: unknown): Promise<unknown>;
}

/** `logger`: of the whole extension. */
export async function startWindow(
  context: vscode.ExtensionContext,
  logger: vscode.LogOutputChannel,
  life: WindowLife,
): Promise<StartedWindow> {
  const own = <T extends vscode.Disposable>(part: T): T => life.own(part);
  openOnFirstStart(context).catch((error: unknown) => logger.warn(`The walkthrough did not open: ${messageOf(error)}`));
  const tokens = new HostTokens(context.secrets, context.globalState);
  const windowsFolder = join(taplineHome(), 'windows');
  const hasCalls = new CallMemory(context.workspaceState).sessions.size > 0;
  const held = await holdIdentity({
    storage: context.workspaceState,
    folder: windowsFolder,
    waitMs: hasCalls ? HANDOVER_MS : 0,
    logger,
  });
  // All connections are closed before another window may take the identity.
  life.ownLast(held);
  if (life.isOver) throw new Error('The window has ended before it was started.');
  const { clientId, ownerKey } = held.identity;
  const hosts = own(new HostRegistry(context.extensionPath, clientId, tokens, logger));
  const hidden = own(new SessionSet(context.workspaceState, 'tapline.hiddenSessions'));
  const pinned = own(new SessionSet(context.globalState, 'tapline.pinnedSessions'));
  const sessionAttention = own(new Attention(hosts, systemClock));
  const attention = own(new WindowAttention(sessionAttention, context.workspaceState, systemClock));
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
  const tree = own(new SessionsTree(hosts, hidden, pinned, attention, vsCodeHosts));
  own(registerResourceDocuments(hosts));

  const terminals = own(new SessionTerminals());
  const signIn = new ResourceSignIn(logger);
  const focus = own(new Focus());
  const decisions = own(new DecisionLog(hosts, context.workspaceState, systemClock));
  const drafts = new Drafts(context.workspaceState);
  /** What the bridge knows of a session: for the pages, which are there before the bridge. */
  const bridgeChange = own(new Emitter<void>());
  const startRequests = new StartRequests(hosts, context.globalState);
  const services: SessionServices = {
    hosts,
    drafts,
    logger,
    focus,
    decisions,
    openSession: (session) => void run('openSession', () => sessionCommands.open(session)),
    renameChat: (session, chat) => chatCommands.rename(session, chat),
    deleteChat: (session, chat) => chatCommands.delete(session, chat),
    openTerminal: (host, uri) => terminals.open(host, uri),
    createSession: (choice, draft) => void run('newSession', () => sessionCommands.create(choice, draft)),
    startOffer: () =>
      startOffer(
        hosts.all.flatMap(startHost),
        startFolders(),
        context.globalState.get(LAST_AGENT),
        settings.models().length > 0,
        startRequests.remembered,
      ),
    answerStart: (message) => startRequests.answer(message),
    startSession: async (choice, draft) => {
      let session: SessionRef | undefined;
      try {
        session = await sessionCommands.create(choice, draft, true);
        if (!session) return undefined;
        const { hostId, provider } = choice;
        await context.globalState.update(LAST_AGENT, { hostId, provider });
        await startRequests.remember(choice);
      } catch (error) {
        // The page has its words back before the message is closed.
        void tell('newSession', error);
      }
      return session;
    },
    preparePrompt: (session, text) => bridge.preparePrompt(session, text),
    bridgeInfo: (session) => {
      const joined = bridge.bridge.get(session);
      return joined && bridgeInfo(joined, pairing.pending.all, bridge.lendingOf(joined), bridge.programsOf(joined));
    },
    onDidChangeBridge: bridgeChange.event,
    context: {
      mentions: (folder, query) => agentContext.mentions(folder, query),
      ofMention: (folder, mention) => agentContext.ofMention(folder, mention),
      ofFiles: (uris) => agentContext.ofFiles(uris),
    },
    denyPairing: (id) => pairing.denyOne(id),
    proposedCode: own(new TextDocuments('tapline-code', 'This text is no longer kept. Apply the code again.')),
    images: new ImageStore(join(taplineHome(), 'images')),
    signIn,
    runCommand: async (command, session) => void (await vscode.commands.executeCommand(commandName(command), session)),
  };
  const views = own(new SessionViews(context, services));
  tree.whenVisible(() => void views.openBeside());
  const trails = own(new TextDocuments('tapline-trail', 'This text is no longer kept. Run the command again.'));
  const notifications = own(new ClosableNotifications());
  const bridge = own(
    new WindowBridge(
      context,
      hosts,
      views,
      ownerKey,
      ({ hostId, uri }, call) => decisions.denyingByRule({ hostId, uri: call.chat ?? uri }, call),
      logger,
    ),
  );
  const pairing = own(new Pairing(bridge.bridge));
  for (const event of [bridge.onDidChange, bridge.bridge.onDidChangeTimeline, pairing.pending.onDidChange])
    own(event(() => bridgeChange.fire()));
  const providers = own(new ProvidersView(bridge, context, logger, (command) => run('refreshProviders', command)));
  const putOff = (review: OpenReview) => attention.putOff(review.id);
  const isOnThisComputer = (hostId: string) => hosts.get(hostId)?.kind === 'embedded';
  const projectProviders = own(new WindowProjectProviders(context.workspaceState, bridge.bridge, isOnThisComputer, putOff, logger));
  const openCtxSecrets = new OpenCtxSecrets(context.secrets, context.globalState);
  const providerReview = own(new ProviderReview(() => openCtx, putOff));
  const openCtx = own(
    new OpenCtx({
      storage: context.workspaceState,
      secrets: openCtxSecrets,
      workerScript: join(context.extensionPath, 'dist', 'lib', 'openctxWorker.js'),
      ask: (provider) => providerReview.ask(provider),
    }),
  );
  attention.add(providerReview);
  attention.add(projectProviders);
  attention.add(bridge.toolReviews);
  attention.add(providers.reviews);
  const questions = own(new WindowQuestions(bridge.questions));
  attention.add(questions);
  const agentConsent = own(new AgentConsent(context.workspaceState, askAboutAgents));
  const agentContext = new AgentContext(openCtx, agentConsent);
  const contextTools = {
    get areOffered() {
      return openCtx.providers.some(({ provider }) => provider);
    },
    tools: async (folders: WindowFolders) => [(await import('./openctx/contextTool.ts')).contextTool(folders, agentContext)],
    onDidChange: openCtx.onDidChange,
  };
  const editorTools = own(new WindowEditorTools(context.workspaceState, bridge.bridge, isOnThisComputer, contextTools, logger));
  const openCtxGroup = own(new OpenCtxGroup(openCtx, agentConsent));
  const openCtxEditor = own(new OpenCtxEditor(openCtx));
  const inboxServices: InboxServices = {
    ...services,
    attention,
    openItem: (item) => openItem(item),
    markRead: (session) => sessionCommands.setRead(session, undefined, true),
  };
  const inbox = own(new Inbox(context.extensionUri, inboxServices, views));
  const keys = own(new ContextKeys(views, inbox, hosts, focus));
  const window: WindowServices = { context, logger, hosts, tree, views, keys, own, run };
  const { portal, ...jobs } = registerPortal(window, tokens, (group) => tools.show(group));
  own(new WalkthroughSteps(hosts, decisions, keys));
  keys.follow(bridge.onDidChange, () => ({
    'tapline.providersShown': bridge.areProvidersShown,
    ...(bridge.hasProviders && { 'tapline.providerFound': true }),
  }));
  keys.follow(attention.onDidChange, () => ({ 'tapline.thingsNeedYou': attention.items.length > 0 }));
  keys.follow(questions.onDidChange, () => ({ 'tapline.toolAsks': questions.open.length > 0 }));
  keys.follow(pairing.pending.onDidChange, () => ({ 'tapline.pairingPending': pairing.pending.all.length > 0 }));
  keys.follow(vscode.workspace.onDidChangeConfiguration, () => ({ 'tapline.modelAdded': settings.models().length > 0 }));
  const changes = own(new ShownChanges(views, hosts));
  const changesView = own(new ChangesView(changes, (key, value) => keys.set(key, value)));
  const changeAtCursor = own(new ChangeAtCursor(changes));
  keys.follow(changeAtCursor.onDidChange, () => ({ 'tapline.changeAtCursorOffered': changeAtCursor.isOffered }));
  const automations = registerAutomations(window);
  keys.follow(openCtxGroup.onDidChange, () => ({ 'tapline.contextProvidersShown': openCtxGroup.isShown }));
  const toolGroups = [providers.group, openCtxGroup, jobs.group, automations.group];
  const tools = own(new ToolsView(toolGroups, context.workspaceState, (isShown) => keys.set('tapline.toolsShown', isShown)));
  const annotations = registerAnnotations(window);
  own(new StatusBar(hosts, attention));
  const wireLog = registerWireLog(window);
  const hostCommands = new HostCommands(hosts, tokens, vsCodeHosts, own(new HostConfigPanels(context.extensionUri, hosts, logger)));
  const vsCodeHostCommands = new VsCodeHostCommands(vsCodeHosts);
  const models = own(new OwnModels(hosts, context.secrets, context.globalState, logger));
  own(models.onDidFail((problem) => void showError(problem)));
  const account = own(new GitHubAccount(hosts, context.globalState, logger));
  const modelCommands = new ModelCommands(hosts, models, account, context.extensionPath, logger);
  own(
    new SignInNotices({
      hosts,
      clock: systemClock,
      giveAgain: (host, resource) => account.giveAgainTo(host, resource),
      signIn: (host, resource) => (account.covers(host, resource) ? account.signInAgain(host) : signIn.signIn(host, { resource })),
      show: (notification) => notifications.show(notification),
    }),
  );
  const sessionCommands = new SessionCommands(hosts, tree, views, modelCommands, new SessionDisposal(hidden), drafts);
  const chatCommands = new ChatCommands(hosts, views);
  const finding = registerFinding(window, terminals, trails);
  const contextCommands = new ContextCommands(hosts, tree, views);
  const openItem = (item: WindowItem) =>
    run('showNeedsYou', () => (item.kind === 'review' ? attention.review(item.id) : openAttentionItem(item, views, account)));
  const notifying = { storage: context.globalState, clock: systemClock, window: vscode.window, windowId: vscode.env.sessionId };
  const showWithOpen = (notification: (open: () => unknown) => ClosableNotification, open: () => unknown) => {
    // Closed first: VS Code moves the focus to the editor when a notification closes that has it.
    const shown = notifications.show(notification(() => (shown.dispose(), open())));
    return shown;
  };
  const attentionScreen = { has: (item: AttentionItem) => views.shows(item) || inbox.isVisible, onDidChange: inbox.onDidChange };
  own(
    new AttentionNotifier({
      ...notifying,
      attention: sessionAttention,
      isOn: () => settings.notifyWhenNeeded(),
      screen: attentionScreen,
      show: (item) =>
        showWithOpen(
          (open) => attentionNotification(item, open),
          () => openItem(item),
        ),
    }),
  );
  const finishedTurns = own(
    new FinishedTurns({
      hosts,
      clock: systemClock,
      longMs: () => settings.notifyWhenFinishedAfter() * 1000,
      isNotified(hostId, uri) {
        sessionAttention.look();
        const inSession = sessionAttention.items.filter((item) => item.hostId === hostId && (item.topSession ?? item.uri) === uri);
        return settings.notifyWhenNeeded() && inSession.some((item) => !attentionScreen.has(item));
      },
    }),
  );
  own(
    new AttentionNotifier({
      ...notifying,
      attention: finishedTurns,
      isOn: () => true,
      screen: { has: (turn) => vscode.window.state.focused && views.isVisible(turn), onDidChange: views.onDidChange },
      show: (turn) =>
        showWithOpen(
          (open) => finishedNotification(turn, open),
          () => run('openSession', () => views.show(turn, 'composer')),
        ),
    }),
  );

  function answer(how: 'approve' | 'deny', byKey: boolean): unknown {
    if (byKey) return focus.answer(how);
    // A session keeps the card that had the focus in it, and the user has been at another one since.
    return inbox.hadFocusLast && inbox.isNeeded ? inbox.showUnanswered() : views.answer(how);
  }

  /** Shows a `UserError` as it is. Any other error is logged with its stack, and the message has a button that opens the log. */
  async function run(id: CommandId, command: () => unknown): Promise<unknown> {
    try {
      return await command();
    } catch (error) {
      await tell(id, error);
      return undefined;
    }
  }

  /** Until the user has closed the message. */
  async function tell(id: CommandId, error: unknown): Promise<void> {
    logger.error(error instanceof Error ? error : `${id}: ${messageOf(error)}`);
    const showLog = 'Show Log';
    const choice = await showError(messageOf(error), ...(error instanceof UserError ? [] : [showLog]));
    if (choice === showLog) logger.show();
  }

  const removal: Removal = {
    folders: { home: taplineHome(), copilotHome: copilotHome() },
    otherWindows: () => otherWindows(windowsFolder),
    end: () => context.subscriptions.splice(0).forEach((part) => void part.dispose()),
    endProcesses: async () => {
      await Promise.all([stopEmbeddedHost(), bridge.endGateway(), portal.end()]);
    },
    forget: async () => {
      await models.forgetKeys();
      for (const url of new Set([...tokens.urls, ...settings.hosts().map((host) => host.url)])) await tokens.set(url, undefined);
      for (const name of openCtxSecrets.names) await openCtxSecrets.delete(name);
      for (const memory of [context.globalState, context.workspaceState])
        for (const key of memory.keys()) await memory.update(key, undefined);
    },
    uninstall: () => vscode.commands.executeCommand('workbench.extensions.uninstallExtension', context.extension.id),
  };
  const commands: Commands = {
    ...finding.commands,
    ...automations.commands,
    ...annotations.commands,
    ...jobs.commands,
    ...wireLog.commands,
    newSession: (argument) => sessionCommands.createFrom(argument),
    startDemo: () => sessionCommands.create({ provider: DEMO_PROVIDER }),
    openSession: (argument) => sessionCommands.open(argument),
    openSessionInEditor: (argument) => sessionCommands.openInEditor(argument),
    nextSession: () => sessionCommands.openBeside(1),
    previousSession: () => sessionCommands.openBeside(-1),
    renameSession: (argument) => sessionCommands.rename(argument),
    archiveSession: (argument, more) => sessionCommands.archive(argument, more, true),
    unarchiveSession: (argument, more) => sessionCommands.archive(argument, more, false),
    markSessionRead: (argument, more) => sessionCommands.setRead(argument, more, true),
    markSessionUnread: (argument, more) => sessionCommands.setRead(argument, more, false),
    deleteSession: (argument, more) => sessionCommands.delete(argument, more),
    copySessionUri: (argument) => sessionCommands.copyUri(argument),
    showCustomizations: (argument) => sessionCommands.showCustomizations(signIn, argument),
    showLent: () => showLent(hosts.all),
    showTrail: (argument) => sessionCommands.showTrail(decisions, trails, argument),
    refreshSessions: () => sessionCommands.refresh(),
    toggleArchived: () => sessionCommands.toggleArchived(),
    groupSessionsByDate: () => settings.setGroupBy('date'),
    groupSessionsByProject: () => settings.setGroupBy('project'),
    pinSession: (argument, more) => sessionCommands.pin(pinned, argument, more, true),
    unpinSession: (argument, more) => sessionCommands.pin(pinned, argument, more, false),
    showNeedsYou: async () => {
      const item = await pickAttentionItem(attention.items);
      if (item) await openItem(item);
    },
    followNotification: (key, link) => notifications.follow(key, link),
    nextInInbox: () => inbox.focusNext(),
    approve: (argument) => answer('approve', argument === ANSWER_KEY),
    deny: (argument) => answer('deny', argument === ANSWER_KEY),
    nextWaiting: () => views.active?.command('focusNextWaiting'),
    stopTurn: (argument) => sessionCommands.stopTurn(argument),
    focusComposer: () => sessionCommands.focusComposer(),
    attachToSession: (file, files) => contextCommands.attach(file, files),
    attachTerminalSelection: () => contextCommands.attachTerminalSelection(),
    attachProblems: () => contextCommands.attachProblems(),
    attachChanges: (source) => contextCommands.attachChanges(source),
    openChange: (argument) => changesView.openChange(argument),
    runChangeOperation: (argument) => changesView.runOperation(argument),
    discardChanges: (argument) => changesView.runOwnOperation('discard', argument),
    keepChanges: (argument) => changesView.runOwnOperation('keep', argument),
    discardChangeAtCursor: () => changeAtCursor.discard(),
    openTerminal: (argument) => sessionCommands.openTerminal(terminals, argument),
    jumpToLatest: () => views.active?.command('jumpToLatest'),
    findInConversation: () => views.find(),
    copyAnswer: () => views.active?.command('copyAnswer'),
    newChat: () => views.active?.command('newChat'),
    renameChat: () => chatCommands.renameShown(),
    deleteChat: () => chatCommands.chooseAndDelete(),
    chooseChat: () => chatCommands.choose(),
    forkChat: () => chatCommands.beginAt('fork'),
    askAside: () => chatCommands.beginAt('sideChat'),
    resumeTurn: () => chatCommands.resume(),
    goBack: () => views.active?.command('goBack'),
    editMessage: () => views.active?.command('editMessage'),
    retryTurn: () => views.active?.command('retryTurn'),
    loadOlderTurns: () => views.active?.command('loadOlderTurns'),
    connectCopilot: () => modelCommands.connect(),
    addModel: async () => (await modelCommands.ensureEngine()) && modelCommands.add(),
    removeModel: () => modelCommands.remove(),
    signInToGitHub: (argument) => account.signIn(hostIdFromArgument(argument)),
    installEngine: () => modelCommands.ensureEngine(),
    addHost: () => hostCommands.add(),
    editHost: (argument) => hostCommands.edit(argument),
    enterHostToken: (argument) => hostCommands.enterToken(argument),
    editHostSettings: (argument) => hostCommands.editSettings(argument),
    browseHostFiles: (argument) => hostCommands.browse(argument),
    removeHost: (argument) => hostCommands.remove(argument),
    reconnectHost: (argument) => hostCommands.reconnect(argument),
    connectVsCodeHost: (argument) => vsCodeHostCommands.connect(argument),
    declineVsCodeHost: (argument) => vsCodeHostCommands.decline(argument),
    showConnections: () => hostCommands.showConnections(),
    updateTapline: () => vscode.commands.executeCommand('workbench.extensions.action.showExtensionsWithIds', [context.extension.id]),
    showProviders: () => {
      bridge.showProviders();
      return tools.show(providers.group);
    },
    refreshProviders: () => providers.refresh(),
    runTool: (argument) => providers.runTool(argument),
    switchProvider: (argument) => providers.switch(argument),
    showTool: (argument) => providers.showTool(argument),
    copyProvider: () => providers.copyProvider(),
    revokePairing: (argument) => providers.revokePairing(argument),
    letProviderIn: (argument) => providers.letProviderIn(argument),
    answerConsent: (argument) => providers.answerConsent(argument),
    answerQuestion: () => questions.answer(),
    forgetConsent: (argument) => providers.forgetConsent(argument),
    startGateway: () => bridge.start(),
    stopGateway: () => bridge.stop(),
    restartGateway: () => bridge.restart(),
    showGatewayLog: () => bridge.showLog(),
    reviewTools: () => bridge.review(),
    showPairingCodes: () => pairing.show(),
    copyPairingCode: () => pairing.copy(),
    denyPairing: () => pairing.deny(),
    lendEditorTools: (argument) => sessionCommands.lendEditorTools(editorTools, argument),
    lendToolsHere: (argument) => sessionCommands.lendToolsHere(bridge, argument),
    reviewProjectProviders: () => projectProviders.review(),
    runProjectProviders: () => projectProviders.answer('run'),
    neverRunProjectProviders: () => projectProviders.answer('never'),
    showProjectProviderLog: (argument) => projectProviders.showLog(argument),
    showFileContext: (line) => openCtxEditor.pick(line),
    showOpenCtxItem: (document, item) => openCtxEditor.showItem(document, item),
    showOpenCtxProviders: () => {
      openCtxGroup.show();
      return tools.show(openCtxGroup);
    },
    reviewOpenCtxProviders: (argument) => providerReview.review(rowOf(argument)),
    allowOpenCtxProvider: () => providerReview.answer('run'),
    neverAllowOpenCtxProvider: () => providerReview.answer('never'),
    retryOpenCtxProvider: (argument) => openCtx.tryAgain(rowOf(argument)?.uri),
    letAgentsAskOpenCtx: (argument) => chooseAboutAgents(openCtx, agentConsent, rowOf(argument)),
    showOpenCtxLog: () => openCtx.showLog(),
    setOpenCtxSecret: () => openCtxSecrets.enter(),
    removeOpenCtxSecret: () => openCtxSecrets.remove(),
    showLog: () => logger.show(),
    removeData: async () => (await import('./removal/removeData.ts')).removeData(removal),
    showHostLog: async () => vscode.window.showTextDocument(vscode.Uri.file(embeddedHostLog())),
  };
  void portal.find().catch((error: unknown) => logger.warn(`The portal: ${messageOf(error)}`));
  void vsCodeHosts.look();
  own(vscode.window.onDidChangeWindowState(({ focused }) => focused && void vsCodeHosts.look()));
  void listVsCodeHosts().then(() => keys.set('tapline.ready', true));
  logger.info(`Tapline ${context.extension.packageJSON.version as string} is active`);
  return {
    parts: { hosts, bridge, editorTools, projectProviders, openCtx, vsCodeHosts, openCtxEditor },
    run: (command, argument, more) => {
      const id = commandIdOf(command);
      return run(id, () => commands[id](argument, more));
    },
  };
}
