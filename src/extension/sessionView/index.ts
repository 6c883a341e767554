/** The pages of sessions, in the side bar and in editors. */
import * as l10n from '../../base/l10n.ts';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { commandName, type Commands } from '../commandTable.ts';
import { Focus } from '../focus.ts';
import type { DecisionLog } from '../sessions/decisionLog.ts';
import type { Drafts } from '../sessions/drafts.ts';
import { ResourceSignIn } from '../signIn/resourceSignIn.ts';
import { TextDocuments } from '../textDocuments.ts';
import type { WindowServices } from '../windowServices.ts';
import { ImageStore } from './attachments/imageStore.ts';
import { followPages } from './followPages.ts';
import { registerResourceDocuments } from './resourceDocuments.ts';
import type { SessionServices } from './sessionServices.ts';
import { SessionViews } from './sessionViews.ts';
import { SessionTerminals } from './terminal/sessionTerminals.ts';

/** What other features do for the pages. */
export type PageFeatures = Pick<
  SessionServices,
  | 'openSession'
  | 'createSession'
  | 'startOffer'
  | 'answerStart'
  | 'startSession'
  | 'renameChat'
  | 'deleteChat'
  | 'preparePrompt'
  | 'bridgeInfo'
  | 'onDidChangeBridge'
  | 'denyPairing'
  | 'context'
  | 'emitters'
>;

export function registerSessionViews(
  { context, hosts, keys, logger, own, tree }: Omit<WindowServices, 'views'>,
  { decisions, drafts }: { readonly decisions: DecisionLog; readonly drafts: Drafts },
  features: PageFeatures,
) {
  own(registerResourceDocuments(hosts));
  const terminals = own(new SessionTerminals());
  const signIn = new ResourceSignIn(logger);
  const focus = own(new Focus());
  const services: SessionServices = {
    ...features,
    hosts,
    drafts,
    logger,
    focus,
    decisions,
    openTerminal: (host, uri) => terminals.open(host, uri),
    proposedCode: own(new TextDocuments('tapline-code', l10n.t('This text is no longer kept. Apply the code again.'))),
    images: new ImageStore(join(taplineHome(), 'images')),
    signIn,
    runCommand: async (command, session) => void (await vscode.commands.executeCommand(commandName(command), session)),
  };
  const views = own(new SessionViews(context, services));
  tree.whenVisible(() => void views.openBeside());
  followPages(keys, views, focus);
  const commands = {
    nextWaiting: () => views.active?.command('focusNextWaiting'),
    jumpToLatest: () => views.active?.command('jumpToLatest'),
    findInConversation: () => views.find(),
    copyAnswer: () => views.active?.command('copyAnswer'),
    newChat: () => views.active?.command('newChat'),
    goBack: () => views.active?.command('goBack'),
    editMessage: () => views.active?.command('editMessage'),
    retryTurn: () => views.active?.command('retryTurn'),
    loadOlderTurns: () => views.active?.command('loadOlderTurns'),
  } satisfies Partial<Commands>;
  return { commands, views, services, terminals, signIn };
}
