/** Everything that is done with a session from the tree, the palette and the keyboard. */
import * as vscode from 'vscode';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { SessionAction } from '../../ahp/v1/session.ts';
import { UserError } from '../../base/errors.ts';
import { sessionTitle } from '../../views/sessionItem.ts';
import type { AgentHost } from '../hosts/agentHost.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { Draft } from '../../webviews/session/protocol.ts';
import { attachmentsOf } from '../sessions/attachments.ts';
import type { Drafts } from '../sessions/drafts.ts';
import type { SessionRef } from '../sessions/sessionRef.ts';
import type { SessionsTree } from '../sessions/sessionsTree.ts';
import type { SessionViews } from '../sessions/sessionView.ts';
import type { ModelCommands } from '../models/modelCommands.ts';
import { confirm } from '../notifications.ts';
import { settings } from '../settings.ts';
import { dispatchSettled, type SessionDisposal } from './sessionDisposal.ts';
import { newSession, type NewSessionChoice } from './newSession.ts';
import { hostIdFromArgument, pickSession, sessionFromArgument } from './sessionArgument.ts';

export class SessionCommands {
  constructor(
    private readonly hosts: HostRegistry,
    private readonly tree: SessionsTree,
    private readonly views: SessionViews,
    private readonly models: ModelCommands,
    private readonly disposal: SessionDisposal,
    private readonly drafts: Drafts,
  ) {}

  /** `draft`: the words that its composer begins with. */
  async create(choice: NewSessionChoice, draft?: Draft): Promise<void> {
    const session = await newSession(this.hosts, choice, this.models);
    if (!session) return;
    if (draft) await this.drafts.set(session, draft);
    await this.views.show(session, 'composer');
  }
  createFrom(argument: unknown): Promise<void> {
    return this.create({ hostId: hostIdFromArgument(argument) });
  }

  async open(argument: unknown): Promise<void> {
    const session =
      sessionFromArgument(argument) ?? (await pickSession(this.tree, this.tree.allSessions, 'Which session do you want to open?'));
    if (!session) return;
    await this.views.show(session, undefined);
  }

  async openInEditor(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    this.views.openInEditor(session);
  }

  async showNeedsYou(): Promise<void> {
    const waiting = this.tree.needsYou;
    const [only] = waiting;
    const session =
      waiting.length === 1 && only
        ? { hostId: only.hostId, uri: only.item.uri }
        : await pickSession(this.tree, waiting, 'Which session do you want to answer?');
    if (session) await this.views.show(session, 'needsYou');
  }

  async rename(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    const host = this.#host(session);
    const summary = host.client.sessions.get(session.uri);
    const title = await vscode.window.showInputBox({
      title: 'Rename Session',
      value: summary ? sessionTitle(summary) : '',
      validateInput: (value) => (value.trim() ? undefined : 'Enter a title.'),
    });
    if (title) await this.#dispatch(session, { type: 'session/titleChanged', session: session.uri, title: title.trim() });
  }

  async archive(argument: unknown, isArchived: boolean): Promise<void> {
    const session = await this.#target(argument);
    if (session) await this.disposal.archive(this.#host(session), session, isArchived);
  }

  async setRead(argument: unknown, isRead: boolean): Promise<void> {
    const session = await this.#target(argument);
    if (session) await this.#dispatch(session, { type: 'session/isReadChanged', session: session.uri, isRead });
  }

  async delete(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    const host = this.#host(session);
    const summary = host.client.sessions.get(session.uri);
    const question = `Delete the session “${summary ? sessionTitle(summary) : session.uri}”?`;
    const detail =
      'The agent host is asked to remove its history and to stop a turn in progress. Files in the working directory stay as they are, but ' +
      'the host may remove a worktree that it made for the session.';
    if (!(await confirm(question, detail, 'Delete'))) return;
    await host.client.request('disposeSession', { session: session.uri });
    await this.views.forget(session);
    await this.disposal.checkDeleted(host, session, summary);
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

  async filter(): Promise<void> {
    const text = await vscode.window.showInputBox({
      title: 'Filter Sessions',
      prompt: 'Shows sessions whose title or folder contains this',
      value: this.tree.filter,
    });
    if (text !== undefined) this.tree.setFilter(text.trim());
  }
  clearFilter(): void {
    this.tree.setFilter('');
  }
  toggleArchived(): Promise<void> {
    return settings.setShowArchived(!settings.showArchived());
  }

  /** Stops the turn of the session in front (or of the argument). */
  async stopTurn(argument: unknown): Promise<void> {
    const session = await this.#target(argument);
    if (!session) return;
    const subscription = this.#host(session).client.subscribeSession(session.uri);
    try {
      const turnId = (await whenLive(subscription)).activeTurn?.id;
      if (!turnId) throw new UserError('No turn is in progress in this session.');
      await this.#dispatch(session, { type: 'session/turnCancelled', session: session.uri, turnId });
    } finally {
      subscription.dispose();
    }
  }

  async focusComposer(): Promise<void> {
    const session = this.views.activeRef;
    if (session) await this.views.show(session, 'composer');
    else await this.create({});
  }

  /** Files chosen in the explorer, or the one of the editor, go to the composer of the session in front. */
  async attach(file: unknown, files: unknown): Promise<void> {
    const chosen = (Array.isArray(files) ? files : [file ?? vscode.window.activeTextEditor?.document.uri]).filter(isUri);
    const attachments = await attachmentsOf(chosen);
    if (attachments.length === 0) throw new UserError('There is no file to add. Choose one in the explorer, or open it.');
    const session = await this.#target(undefined);
    if (session) await this.views.attach(session, attachments);
  }

  #host({ hostId }: SessionRef): AgentHost {
    const host = this.hosts.get(hostId);
    if (!host) throw new UserError('The agent host of this session is no longer listed.');
    return host;
  }

  async #target(argument: unknown): Promise<SessionRef | undefined> {
    return sessionFromArgument(argument) ?? this.views.activeRef ?? (await pickSession(this.tree, this.tree.allSessions, 'Which session?'));
  }

  #dispatch(session: SessionRef, action: SessionAction): Promise<void> {
    return dispatchSettled(this.#host(session), session, action);
  }
}

const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
