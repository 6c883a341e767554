/** The commands that act on sessions. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import type { SessionModel } from '../../../ahp/client/model/sessionModel.ts';
import type { Dispatched } from '../../../ahp/client/resources/subscription.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { sessionBeside } from '../../../views/sessionList/sessionGroups.ts';
import { sessionNodeId } from '../../../views/sessionList/listedSessions.ts';
import { deleteQuestion } from '../../../views/sessionList/deleteQuestion.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import type { Draft } from '../../../webviews/session/protocol.ts';
import type { DecisionLog } from '../../sessions/decisionLog.ts';
import type { Drafts } from '../../sessions/drafts.ts';
import { shownChat } from '../../../views/session/chats.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { SessionSet } from '../../sessions/sessionSet.ts';
import { titleOf } from '../../../pages/titleOf.ts';
import type { SessionsTree } from '../../sessions/sessionsTree.ts';
import type { NewSessionChoice } from '../../../pages/session/sessionPageServices.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';
import type { SessionTerminals } from '../../sessionView/terminal/sessionTerminals.ts';
import type { ModelCommands } from '../../models/modelCommands.ts';
import { confirm, showInfo } from '../../notifications.ts';
import type { TextDocuments } from '../../textDocuments.ts';
import { SELECTION_KEY } from '../../commandTable.ts';
import { settings } from '../../settings.ts';
import type { ResourceSignIn } from '../../signIn/resourceSignIn.ts';
import { showCustomizations } from './customizationsPicker.ts';
import { performSettled, type SessionDisposal } from './sessionDisposal.ts';
import { type RecordedDecisions, trailOf } from './showTrail.ts';
import { newSession } from '../newSession/newSession.ts';
import { hostIdFromArgument, pickSession, sessionFromArgument, sessionsFromArguments, targetSession } from './sessionArgument.ts';

export class SessionCommands {
  constructor(
    private readonly hosts: HostRegistry,
    private readonly tree: SessionsTree,
    private readonly views: SessionViews,
    private readonly models: ModelCommands,
    private readonly disposal: SessionDisposal,
    private readonly drafts: Drafts,
  ) {}

  /** `draft`: the initial content of its composer. `sends`: it is sent as the first message. */
  async create(choice: NewSessionChoice, draft?: Draft, sends = false): Promise<SessionRef | undefined> {
    const session = await newSession(this.hosts, choice, this.models);
    if (!session) return undefined;
    if (draft) await this.drafts.set(session, draft);
    await this.views.show(session, 'composer');
    if (sends) this.views.sendDraft(session, choice.model);
    return session;
  }
  async createFrom(argument: unknown): Promise<void> {
    await this.create({ hostId: hostIdFromArgument(argument) });
  }

  async open(argument: unknown): Promise<void> {
    const session =
      sessionFromArgument(argument) ?? (await pickSession(this.tree.allSessions, l10n.t('Which session do you want to open?')));
    if (!session) return;
    await this.views.show(session, undefined);
  }

  async openInEditor(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    await this.views.openInEditor(session);
  }

  async openBeside(step: 1 | -1): Promise<void> {
    const active = this.views.activeRef;
    const beside = sessionBeside(this.tree.allSessions, active && sessionNodeId(active.hostId, active.uri), step);
    if (!beside) throw new UserError(l10n.t('There is no session in the list. Start one, or clear its filter.'));
    await this.views.show({ hostId: beside.hostId, uri: beside.item.uri }, 'composer');
  }

  async rename(argument: unknown): Promise<void> {
    const [session] = await this.#targets(argument, undefined);
    if (!session) return;
    const host = this.#host(session);
    const summary = host.client.sessions.summary(session.uri);
    const title = await vscode.window.showInputBox({
      title: l10n.t('Rename Session'),
      value: summary ? sessionTitle(summary) : '',
      validateInput: (value) => (value.trim() ? undefined : l10n.t('Enter a title.')),
    });
    if (title) await this.#perform(session, (model) => model.rename(title.trim()));
  }

  async archive(argument: unknown, more: unknown, isArchived: boolean): Promise<void> {
    await this.#each(await this.#targets(argument, more), (session) => this.disposal.archive(this.#host(session), session, isArchived));
  }

  async setRead(argument: unknown, more: unknown, isRead: boolean): Promise<void> {
    await this.#each(await this.#targets(argument, more), (session) => this.#perform(session, (model) => model.setRead(isRead)));
  }

  async pin(pinned: SessionSet, argument: unknown, more: unknown, isPinned: boolean): Promise<void> {
    await pinned.set(await this.#targets(argument, more), isPinned);
  }

  async delete(argument: unknown, more: unknown): Promise<void> {
    const sessions = await this.#targets(argument, more);
    if (sessions.length === 0) return;
    const { question, detail } = deleteQuestion(sessions.map((session) => this.#title(session)));
    if (!(await confirm(question, detail, l10n.t('Delete')))) return;
    await this.#each(sessions, async (session) => {
      const host = this.#host(session);
      const summary = host.client.sessions.summary(session.uri);
      await host.client.command('disposeSession', { channel: session.uri });
      await this.views.forget(session);
      await this.disposal.checkDeleted(host, session, summary);
    });
  }

  async copyUri(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (session) await vscode.env.clipboard.writeText(session.uri);
  }

  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: 'tapline.sessions' } }, async () => {
      await Promise.all(this.hosts.all.filter((host) => host.connection.connected).map((host) => host.client.sessions.refresh()));
    });
  }

  toggleArchived(): Promise<void> {
    return settings.setShowArchived(!settings.showArchived());
  }

  /** Stops the turn of the given session, or of the active one: that of the chat which the user sees. */
  async stopTurn(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    const { client } = this.#host(session);
    const model = client.session(session.uri);
    try {
      const uri = shownChat(await whenLive(model), this.views.chatOf(session));
      const chat = uri === undefined ? undefined : client.chat(uri);
      try {
        if (!chat || !(await whenLive(chat)).activeTurn) throw new UserError(l10n.t('No turn is in progress in this session.'));
        await this.#perform(session, () => chat.stop());
      } finally {
        chat?.dispose();
      }
    } finally {
      model.dispose();
    }
  }

  async showTrail(
    { decisions, documents, recorded }: { decisions: DecisionLog; documents: TextDocuments; recorded: RecordedDecisions },
    argument: unknown,
  ): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    const host = this.#host(session);
    const read = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Reading what was allowed in the session…'), cancellable: true },
      async (_progress, token) => {
        const left = new AbortController();
        token.onCancellationRequested(() => left.abort());
        return trailOf(host, session, { own: decisions, recorded }, left.signal).catch((error: unknown) => {
          if (!left.signal.aborted) throw error;
        });
      },
    );
    if (read) await documents.show(read.title, 'txt', read.text);
  }

  async showCustomizations(signIn: ResourceSignIn, argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (session) await showCustomizations(this.#host(session), session, signIn);
  }

  async lendToolsHere(bridge: { lendHere(session: SessionRef): Promise<string> }, argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (session) void showInfo(await bridge.lendHere(session));
  }

  async lendEditorTools(editorTools: { choose(session: SessionRef): Promise<void> }, argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (session) await editorTools.choose(session);
  }

  async focusComposer(): Promise<void> {
    const session = this.views.activeRef;
    if (session) await this.views.show(session, 'composer');
    else await this.views.showStart();
  }

  async openTerminal(terminals: SessionTerminals, argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (session) await terminals.choose(this.#host(session), session.uri);
  }

  #host({ hostId }: SessionRef): RegisteredHost {
    const host = this.hosts.get(hostId);
    if (!host) throw new UserError(l10n.t('The agent host of this session is no longer listed.'));
    return host;
  }

  #target(argument: unknown): Promise<SessionRef | undefined> {
    return targetSession(argument, this.views.activeRef, this.tree.allSessions);
  }

  /** All sessions that a command of the tree acts on. A key passes no row, so that the selected ones are meant. */
  async #targets(argument: unknown, more: unknown): Promise<SessionRef[]> {
    const sessions = argument === SELECTION_KEY ? this.tree.selection : sessionsFromArguments(argument, more);
    if (sessions.length > 0) return sessions;
    const session =
      argument === SELECTION_KEY ? await pickSession(this.tree.allSessions, l10n.t('Which session?')) : await this.#target(undefined);
    return session ? [session] : [];
  }

  /** One after the other. What fails of several does not keep the others from it, and is said at the end. */
  async #each(sessions: readonly SessionRef[], act: (session: SessionRef) => Promise<void>): Promise<void> {
    const [only] = sessions;
    if (only && sessions.length === 1) return act(only);
    const problems: string[] = [];
    for (const session of sessions)
      await act(session).catch((error: unknown) => problems.push(`“${this.#title(session)}”: ${messageOf(error)}`));
    if (problems.length > 0)
      throw new UserError(l10n.t`${problems.length} of ${sessions.length} sessions failed. ${l10n.sentencesText(problems.slice(0, 3))}`);
  }

  #title(session: SessionRef): string {
    return titleOf(this.hosts, session);
  }

  #perform(session: SessionRef, how: (model: SessionModel) => Dispatched): Promise<void> {
    return performSettled(this.#host(session), session, how);
  }
}
