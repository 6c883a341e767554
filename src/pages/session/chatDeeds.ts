/** What the user has decided about a chat in the page itself, where the shell has no dialogs of its own. */
import * as l10n from '../../base/l10n.ts';
import { hasChatNames } from '../../ahp/chatNames.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { deletableChats, isRenamable } from '../../views/session/chats.ts';
import type { ShownHost } from '../shownHost.ts';

export async function nameChat({ client, label }: ShownHost, session: SessionState | undefined, chat: URI, title: string): Promise<void> {
  if (!hasChatNames(client.hostMeta)) throw new UserError(l10n.t`${label} cannot rename the chats of its sessions.`);
  if (!session || !isRenamable(session, chat)) throw new UserError(l10n.t('This chat cannot have another name any more.'));
  await client.requestOwn('tapline/renameChat', { chat, title: title.trim() });
}

export async function removeChat({ client }: ShownHost, session: SessionState | undefined, chat: URI): Promise<void> {
  if (!session || !deletableChats(session).includes(chat)) throw new UserError(l10n.t('This chat cannot be deleted without the session.'));
  await client.command('disposeChat', { channel: chat });
}
