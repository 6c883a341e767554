/** The commands that act on the chats of a session. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { hasChatNames, MAX_CHAT_NAME } from '../../../ahp/chatNames.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { ChatModel } from '../../../ahp/client/model/chatModel.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { UserError } from '../../../base/errors.ts';
import { chatTabs, chatTitle, deletableChats, shownChat } from '../../../views/session/chats.ts';
import { sameSession, type SessionRef } from '../../../views/session/sessionRef.ts';
import { messageView } from '../../../views/session/transcript/messageView.ts';
import { failureOf } from '../../../views/session/transcript/transcript.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { ChatSource } from '../../../webviews/session/protocol.ts';
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { confirm } from '../../notifications.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';
import type { SessionPage } from '../../../pages/session/sessionPage.ts';
import { performSettled } from './sessionDisposal.ts';

export class ChatCommands {
  constructor(
    private readonly hosts: HostRegistry,
    private readonly views: SessionViews,
  ) {}

  async choose(): Promise<void> {
    const ref = this.#ref();
    const session = await this.#session(ref);
    const chats = chatTabs(session, this.views.chatOf(ref)).map(({ uri }) => uri);
    if (chats.length === 0) throw new UserError(l10n.t('This session has one chat only.'));
    const chat = await pickChat(session, chats, l10n.t('Which chat do you want to see?'));
    if (chat !== undefined) this.#page(ref).command('chooseChat', { chat });
  }

  /** Makes a chat from a turn of the one that the user sees. */
  async beginAt(kind: ChatSource['kind']): Promise<void> {
    const ref = this.#ref();
    const { turns, turnsNextCursor, resource } = await this.#withChat(ref, async (chat) => ({
      ...(await whenLive(chat)),
      resource: chat.uri,
    }));
    if (turns.length === 0) throw new UserError(l10n.t('No turn of this chat has ended yet.'));
    const question = kind === 'fork' ? l10n.t('With which turn shall the new chat end?') : l10n.t('About which turn do you want to ask?');
    // A turn is counted from the first one.
    const isPart = turnsNextCursor !== undefined;
    const placeHolder = isPart
      ? l10n.sentencesText([question, l10n.t('To choose an older one, load older turns in the session first.')])
      : question;
    const items = turns.map(({ id, message }, index) => ({
      label: withoutMarkup(oneLine(messageView(message).words, 100) || l10n.t('A turn without words')),
      ...(!isPart && { description: l10n.t`Turn ${index + 1}` }),
      id,
    }));
    const picked = await vscode.window.showQuickPick(items.reverse(), { placeHolder });
    if (picked) this.#page(ref).command('newChat', { source: { kind, chat: resource, turnId: picked.id } });
  }

  async resume(): Promise<void> {
    const ref = this.#ref();
    await this.#withChat(ref, async (chat) => {
      const { activeTurn, turns } = await whenLive(chat);
      const last = turns.at(-1);
      if (activeTurn || !last || failureOf(last)?.resumable !== true)
        throw new UserError(l10n.t('There is no failed turn that the agent can go on with.'));
      await performSettled(this.#host(ref), ref, () => chat.resume());
    });
  }

  /** Renames the chat that the user sees. */
  async renameShown(): Promise<void> {
    const ref = this.#ref();
    const chat = shownChat(await this.#session(ref), this.views.chatOf(ref));
    if (chat === undefined) throw new UserError(l10n.t('This session has no chat.'));
    await this.rename(ref, chat);
  }

  async rename(ref: SessionRef, chat: URI): Promise<void> {
    const { client, label } = this.#host(ref);
    if (!hasChatNames(client.hostMeta)) throw new UserError(l10n.t`${label} cannot rename the chats of its sessions.`);
    const session = await this.#session(ref);
    if (!session.chats.some(({ resource }) => resource === chat)) throw new UserError(l10n.t('This chat is not in the session any more.'));
    const title = await vscode.window.showInputBox({
      ...{ title: l10n.t('Rename Chat'), value: chatTitle(session, chat) },
      validateInput: (text) =>
        text.trim() === ''
          ? l10n.t('Enter a name.')
          : text.length > MAX_CHAT_NAME
            ? l10n.t`A name has at most ${MAX_CHAT_NAME} characters.`
            : undefined,
    });
    if (title !== undefined) await client.requestOwn('tapline/renameChat', { chat, title: title.trim() });
  }

  /** The chat that the user sees comes first. */
  async chooseAndDelete(): Promise<void> {
    const ref = this.#ref();
    const session = await this.#session(ref);
    const shown = this.views.chatOf(ref);
    const chats = deletableChats(session).sort((a, b) => Number(b === shown) - Number(a === shown));
    if (chats.length === 0) throw new UserError(l10n.t('This session has no chat that can be deleted without the others.'));
    const chat = await pickChat(session, chats, l10n.t('Which chat do you want to delete?'));
    if (chat !== undefined) await this.delete(ref, chat);
  }

  async delete(ref: SessionRef, chat: URI): Promise<void> {
    const session = await this.#session(ref);
    if (!deletableChats(session).includes(chat)) throw new UserError(l10n.t('This chat cannot be deleted without the session.'));
    const question = l10n.t`Delete the chat “${chatTitle(session, chat)}”?`;
    const detail = l10n.t(
      'The agent host is asked to remove what was said in it and to stop a turn in progress. The other chats of the session and its files stay as they are.',
    );
    if (await confirm(question, detail, l10n.t('Delete'))) await this.#host(ref).client.command('disposeChat', { channel: chat });
  }

  #ref(): SessionRef {
    const ref = this.views.activeRef;
    if (!ref) throw new UserError(l10n.t('No session is shown.'));
    return ref;
  }

  /** The page that shows the session. The user may have gone on to another one while they were choosing. */
  #page(ref: SessionRef): SessionPage {
    const { active } = this.views;
    if (!active || !sameSession(active.ref, ref)) throw new UserError(l10n.t('The session is not shown any more.'));
    return active;
  }

  /** The chat that the user sees. */
  async #withChat<T>(ref: SessionRef, act: (chat: ChatModel) => Promise<T>): Promise<T> {
    const uri = shownChat(await this.#session(ref), this.views.chatOf(ref));
    if (uri === undefined) throw new UserError(l10n.t('This session has no chat.'));
    const chat = this.#host(ref).client.chat(uri);
    try {
      return await act(chat);
    } finally {
      chat.dispose();
    }
  }

  #host({ hostId }: SessionRef): RegisteredHost {
    const host = this.hosts.get(hostId);
    if (!host) throw new UserError(l10n.t('The agent host of this session is no longer listed.'));
    return host;
  }

  async #session(ref: SessionRef): Promise<SessionState> {
    const model = this.#host(ref).client.session(ref.uri);
    try {
      return await whenLive(model);
    } finally {
      model.dispose();
    }
  }
}

async function pickChat(session: SessionState, chats: readonly URI[], placeHolder: string): Promise<URI | undefined> {
  const items = chats.map((chat) => ({ label: withoutMarkup(chatTitle(session, chat)), chat }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.chat;
}
