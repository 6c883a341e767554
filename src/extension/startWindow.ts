/** The features of the window, in the order in which they end. Each has its commands in its `index.ts`. */
import * as l10n from '../base/l10n.ts';
import type * as vscode from 'vscode';
import { englishOf } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { registerAnnotations } from './annotations/index.ts';
import { registerAttention } from './attention/index.ts';
import { registerAutomations } from './automations/index.ts';
import { registerBridge } from './bridge/index.ts';
import { registerChanges } from './changes/index.ts';
import { commandIdOf, type Commands } from './commandTable.ts';
import { registerNotifications } from './commands/attention/index.ts';
import { registerFinding } from './commands/finding/index.ts';
import { registerHelp } from './commands/help/index.ts';
import { registerHostCommands } from './commands/hosts/index.ts';
import { registerSessionCommands } from './commands/sessions/index.ts';
import { hostIdFromArgument } from './commands/sessions/sessionArgument.ts';
import { WindowEditorTools } from './editorTools/windowEditorTools.ts';
import { registerEmitters } from './emitters/index.ts';
import { beginHosts, holdWindowIdentity, registerHosts } from './hosts/index.ts';
import { registerInbox } from './inbox/index.ts';
import { registerModels } from './models/index.ts';
import { ClosableNotifications } from './notifications.ts';
import { registerOpenCtx } from './openctx/index.ts';
import { registerPairing } from './pairing/index.ts';
import { registerPortal } from './portal/index.ts';
import { registerProjectProviders } from './projectProviders/index.ts';
import { registerProviders } from './providers/index.ts';
import { registerQuestions } from './questions/index.ts';
import { registerRemoval } from './removal/index.ts';
import { registerSessionViews } from './sessionView/index.ts';
import { registerSessions } from './sessions/index.ts';
import { registerSignInNotices } from './signIn/index.ts';
import type { ToolsGroup } from './tools/toolsGroup.ts';
import { ToolsView } from './tools/toolsView.ts';
import { commandRunner } from './window/commandRunner.ts';
import { ContextKeys } from './window/contextKeys.ts';
import { followDeeds } from './window/followDeeds.ts';
import type { RecentProblems } from './window/recentProblems.ts';
import { StatusBar } from './window/statusBar.ts';
import { openOnFirstStart, WalkthroughSteps } from './window/walkthrough.ts';
import type { WindowLife } from './window/windowStart.ts';
import type { WindowBase, WindowServices } from './windowServices.ts';
import { registerWireLog } from './wireLog/index.ts';

export type StartedWindow = Awaited<ReturnType<typeof startWindow>>;
export type WindowParts = StartedWindow['parts'];

/** `logger`: of the whole extension, `problems`: what it has said of them. */
export async function startWindow(
  context: vscode.ExtensionContext,
  logger: vscode.LogOutputChannel,
  problems: RecentProblems,
  life: WindowLife,
) {
  const own = <T extends vscode.Disposable>(part: T): T => life.own(part);
  openOnFirstStart(context).catch((error: unknown) => logger.warn(`The walkthrough did not open: ${englishOf(error)}`));
  const held = await holdWindowIdentity(context, logger);
  // All connections are closed before another window may take the identity.
  life.ownLast(held);
  if (life.isOver) throw new Error(l10n.t('The window has ended before it was started.'));
  const { clientId, ownerKey } = held.identity;
  const keys = own(new ContextKeys());
  const base: WindowBase = { context, logger, keys, own, notifications: own(new ClosableNotifications()), ...commandRunner(problems) };
  const hostParts = registerHosts(base, clientId);
  const { hosts, tokens, vsCodeHosts, isOnThisComputer } = hostParts;
  const { attention, ofSessions, putOff } = registerAttention(base, hosts);
  const { tree, ...kept } = registerSessions(base, hostParts, attention);

  // The pages are there before what they ask.
  const bridgeChange = own(new Emitter<void>());
  const showGroup = (group: ToolsGroup) => tools.show(group);
  const sessions = registerSessionCommands({ ...base, hosts, tree }, kept, () => ({
    ...{ views, terminals, signIn, bridge, editorTools, recordedDecisions },
    models: models.load,
  }));
  const pages = registerSessionViews({ ...base, hosts, tree }, kept, {
    ...sessions.ofPages,
    preparePrompt: (session, text) => bridge.preparePrompt(session, text),
    bridgeInfo: (session) => watching.withCount(session, pairing.infoOf(session)),
    onDidChangeBridge: bridgeChange.event,
    denyPairing: (id) => pairing.denyOne(id),
    context: {
      mentions: (folder, query) => openCtx.agentContext.mentions(folder, query),
      ofMention: (folder, mention) => openCtx.agentContext.ofMention(folder, mention),
      ofFiles: (uris) => openCtx.agentContext.ofFiles(uris),
    },
    emitters: { of: (session) => watching.emitters.of(session), whyNone: () => watching.emitters.whyNone() },
  });
  const { views, terminals, signIn } = pages;
  const window: WindowServices = { ...base, hosts, tree, views };

  const { bridge, recordedDecisions, ...ofBridge } = registerBridge(window, ownerKey, kept.decisions);
  const pairing = registerPairing(window, bridge, bridgeChange);
  const watching = registerEmitters(window, bridge, bridgeChange, sessions.ofPages.openSession);
  const providers = registerProviders(window, bridge, showGroup);
  const { projectProviders, ...ofProjects } = registerProjectProviders(window, bridge.bridge, isOnThisComputer, putOff);
  const openCtx = registerOpenCtx(window, putOff, showGroup);
  const { questions, ...ofQuestions } = registerQuestions(window, bridge.questions);
  // In the order in which they are shown.
  for (const reviews of [openCtx.reviews, projectProviders, bridge.toolReviews, providers.reviews, questions]) attention.add(reviews);
  const editorTools = own(new WindowEditorTools(context.workspaceState, bridge.bridge, isOnThisComputer, openCtx.contextTools, logger));
  const { inbox, ...ofInbox } = registerInbox(window, {
    ...pages.services,
    attention,
    openItem: (item) => notifications.openItem(item),
    markRead: sessions.markRead,
  });
  const { portal, ...jobs } = registerPortal(window, tokens, showGroup);
  own(new WalkthroughSteps(hosts, kept.decisions, keys));
  const changes = registerChanges(window);
  const automations = registerAutomations(window);
  const groups = [providers.group, openCtx.group, jobs.group, automations.group];
  const tools = own(new ToolsView(groups, context.workspaceState, (isShown) => keys.set('tapline.toolsShown', isShown), logger));
  const annotations = registerAnnotations(window);
  own(new StatusBar(hosts, attention));
  const wireLog = registerWireLog(window);
  const hostCommands = registerHostCommands(window, hostParts);
  const models = registerModels(window, hostIdFromArgument);
  registerSignInNotices(window, models.account, signIn);
  const finding = registerFinding(window, terminals, sessions.documents);
  const notifications = registerNotifications(window, { attention, ofSessions, inbox, account: models.account });
  const removal = registerRemoval(window, {
    ...{ tokens, models: models.models, secrets: openCtx.secrets },
    ends: [() => bridge.endGateway(), () => portal.end()],
  });

  followDeeds(window, kept.pinned);
  const help = registerHelp(window, {
    ...{ bridge, portal, projectProviders, problems },
    contextProviders: openCtx.group,
    run: (id) => base.run(id, () => commands[id](undefined, undefined)),
  });

  const commands: Commands = {
    ...sessions.commands,
    ...pages.commands,
    ...ofInbox.commands,
    ...notifications.commands,
    ...finding.commands,
    ...changes.commands,
    ...annotations.commands,
    ...automations.commands,
    ...jobs.commands,
    ...providers.commands,
    ...ofProjects.commands,
    ...openCtx.commands,
    ...ofQuestions.commands,
    ...ofBridge.commands,
    ...pairing.commands,
    ...watching.commands,
    ...hostCommands.commands,
    ...models.commands,
    ...wireLog.commands,
    ...removal.commands,
    ...help.commands,
  };
  void portal.find().catch((error: unknown) => logger.warn(`The portal: ${englishOf(error)}`));
  beginHosts(base, hostParts);
  logger.info(`Tapline ${context.extension.packageJSON.version as string} is active`);
  return {
    parts: { hosts, bridge, editorTools, projectProviders, openCtx: openCtx.openCtx, vsCodeHosts, openCtxEditor: openCtx.editor },
    /** `command`: as VS Code knows it. */
    run: (command: string, argument: unknown, more: unknown) => {
      const id = commandIdOf(command);
      return base.run(id, () => commands[id](argument, more));
    },
  };
}
