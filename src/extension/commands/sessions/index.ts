/** What the user does with sessions and chats. */
import * as l10n from '../../../base/l10n.ts';
import { lazy } from '../../../base/lazy.ts';
import { DEMO_PROVIDER } from '../../../views/newSession/startOffer.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { CallDecision } from '../../../views/session/trail/callDecision.ts';
import type { Commands } from '../../commandTable.ts';
import type { ModelCommands } from '../../models/modelCommands.ts';
import type { KeptSessions } from '../../sessions/index.ts';
import type { SessionServices } from '../../sessionView/sessionServices.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';
import type { SessionTerminals } from '../../sessionView/terminal/sessionTerminals.ts';
import { settings } from '../../settings.ts';
import type { ResourceSignIn } from '../../signIn/resourceSignIn.ts';
import { TextDocuments } from '../../textDocuments.ts';
import type { WindowServices } from '../../windowServices.ts';
import { newSessions } from '../newSession/index.ts';

/** What is made after the pages, which need the commands. */
export interface LaterParts {
  readonly views: SessionViews;
  readonly terminals: SessionTerminals;
  readonly signIn: ResourceSignIn;
  readonly bridge: { lendHere(session: SessionRef): Promise<string> };
  /** What the gateway knows of decisions in a session. */
  recordedDecisions(session: SessionRef): Promise<CallDecision[]>;
  readonly editorTools: { choose(session: SessionRef): Promise<void> };
  models(): Promise<ModelCommands>;
}

export function registerSessionCommands(
  window: Omit<WindowServices, 'views'>,
  { hidden, pinned, decisions, drafts }: KeptSessions,
  later: () => LaterParts,
) {
  const { hosts, own, run, tree } = window;
  const documents = own(new TextDocuments('tapline-trail', l10n.t('This text is no longer kept. Run the command again.')));
  const load = lazy(async () => {
    const { views, models } = later();
    const [{ SessionCommands }, { SessionDisposal }, modelCommands] = await Promise.all([
      import('./sessionCommands.ts'),
      import('./sessionDisposal.ts'),
      models(),
    ]);
    return new SessionCommands(hosts, tree, views, modelCommands, new SessionDisposal(hidden), drafts);
  });
  const chats = lazy(async () => new (await import('./chatCommands.ts')).ChatCommands(hosts, later().views));
  const attaching = lazy(async () => new (await import('./contextCommands.ts')).ContextCommands(hosts, tree, later().views));
  const ofPages: Pick<
    SessionServices,
    'openSession' | 'createSession' | 'startOffer' | 'answerStart' | 'startSession' | 'renameChat' | 'deleteChat'
  > = {
    ...newSessions(window, async (choice, draft, sends) => (await load()).create(choice, draft, sends)),
    openSession: (session) => void run('openSession', async () => (await load()).open(session)),
    renameChat: async (session, chat) => (await chats()).rename(session, chat),
    deleteChat: async (session, chat) => (await chats()).delete(session, chat),
  };
  const commands = {
    newSession: async (argument) => (await load()).createFrom(argument),
    startDemo: async () => (await load()).create({ provider: DEMO_PROVIDER }),
    openSession: async (argument) => (await load()).open(argument),
    openSessionInEditor: async (argument) => (await load()).openInEditor(argument),
    nextSession: async () => (await load()).openBeside(1),
    previousSession: async () => (await load()).openBeside(-1),
    renameSession: async (argument) => (await load()).rename(argument),
    archiveSession: async (argument, more) => (await load()).archive(argument, more, true),
    unarchiveSession: async (argument, more) => (await load()).archive(argument, more, false),
    markSessionRead: async (argument, more) => (await load()).setRead(argument, more, true),
    markSessionUnread: async (argument, more) => (await load()).setRead(argument, more, false),
    pinSession: async (argument, more) => (await load()).pin(pinned, argument, more, true),
    unpinSession: async (argument, more) => (await load()).pin(pinned, argument, more, false),
    deleteSession: async (argument, more) => (await load()).delete(argument, more),
    copySessionUri: async (argument) => (await load()).copyUri(argument),
    showCustomizations: async (argument) => (await load()).showCustomizations(later().signIn, argument),
    showTrail: async (argument) => (await load()).showTrail({ decisions, documents, recorded: later().recordedDecisions }, argument),
    refreshSessions: async () => (await load()).refresh(),
    toggleArchived: async () => (await load()).toggleArchived(),
    groupSessionsByDate: () => settings.setGroupBy('date'),
    groupSessionsByProject: () => settings.setGroupBy('project'),
    stopTurn: async (argument) => (await load()).stopTurn(argument),
    focusComposer: async () => (await load()).focusComposer(),
    openTerminal: async (argument) => (await load()).openTerminal(later().terminals, argument),
    lendEditorTools: async (argument) => (await load()).lendEditorTools(later().editorTools, argument),
    lendToolsHere: async (argument) => (await load()).lendToolsHere(later().bridge, argument),
    renameChat: async () => (await chats()).renameShown(),
    deleteChat: async () => (await chats()).chooseAndDelete(),
    chooseChat: async () => (await chats()).choose(),
    forkChat: async () => (await chats()).beginAt('fork'),
    askAside: async () => (await chats()).beginAt('sideChat'),
    resumeTurn: async () => (await chats()).resume(),
    attachToSession: async (file, files) => (await attaching()).attach(file, files),
    attachTerminalSelection: async () => (await attaching()).attachTerminalSelection(),
    attachProblems: async () => (await attaching()).attachProblems(),
    attachChanges: async (source) => (await attaching()).attachChanges(source),
  } satisfies Partial<Commands>;
  const markRead = async (session: SessionRef) => (await load()).setRead(session, undefined, true);
  return { commands, ofPages, markRead, documents };
}
