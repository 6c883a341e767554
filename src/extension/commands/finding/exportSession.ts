/** Writes a whole session into a file of the user's choice. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../../base/errors.ts';
import { type ExportedSession, joined } from '../../../views/export/exportedSession.ts';
import { sessionJson } from '../../../views/export/sessionJson.ts';
import { sessionMarkdown } from '../../../views/export/sessionMarkdown.ts';
import { folderOf } from '../../../views/session/openChat.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import { agentsOf, type RegisteredHost } from '../../hosts/registeredHost.ts';
import { chooseFile, offerToOpen, type TextFormat } from '../../text/textFile.ts';
import { readChats } from '../../sessions/readChats.ts';
import { slices } from '../../sessions/slices.ts';
import { titleOf } from '../../../pages/titleOf.ts';

/** Of a file, in characters. */
const MAX_EXPORT = 100_000_000;
/** Of a file's name, in characters. */
const NAME_LENGTH = 80;

const formats = [
  // eslint-disable-next-line texts/translated -- a name
  { label: 'Markdown', detail: l10n.t('To be read: what was said, and what tools did'), extension: 'md' },
  { label: 'JSON', detail: l10n.t('For programs: all turns, as the protocol has them'), extension: 'json' },
] as const satisfies readonly TextFormat[];

export async function exportSession(host: RegisteredHost, ref: SessionRef): Promise<void> {
  const title = titleOf({ get: () => host }, ref);
  const format = await vscode.window.showQuickPick(formats, {
    title: l10n.t`Export “${withoutMarkup(title)}”`,
    placeHolder: l10n.t('As what?'),
  });
  if (!format) return;
  const fileName = `${oneLine(title, NAME_LENGTH)}.${format.extension}`;
  const file = await chooseFile(fileName, format, { title: l10n.t('Export Session'), saveLabel: l10n.t('Export') });
  if (!file) return;
  const notes = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Exporting the session…'), cancellable: true },
    async (progress, token) => {
      const left = new AbortController();
      token.onCancellationRequested(() => left.abort());
      const pause = slices();
      try {
        const session = await read(host, ref, left.signal, (turns) =>
          progress.report({ message: l10n.plural(turns, l10n.t`${l10n.countText(turns)} turn`, l10n.t`${l10n.countText(turns)} turns`) }),
        );
        let isLess = false;
        const isMarkdown = format.extension === 'md';
        const pieces = isMarkdown ? sessionMarkdown(session) : sessionJson(session, MAX_EXPORT, () => (isLess = true));
        // What JSON has beside the turns comes on top of the limit, which it keeps by itself.
        const { text, isCut } = await joined(pieces, isMarkdown ? MAX_EXPORT : 2 * MAX_EXPORT, async () => {
          await pause();
          left.signal.throwIfAborted();
        });
        const whole = isCut && isMarkdown ? `${text}\n*${l10n.t('The rest did not fit into this file.')}*\n` : text;
        await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(whole));
        return notesOf(session, isCut || isLess);
      } catch (error) {
        if (left.signal.aborted) return undefined;
        throw new UserError(l10n.t`The session was not exported: ${messageOf(error)}`);
      }
    },
  );
  if (notes === undefined) return;
  await offerToOpen(file, l10n.sentencesText([l10n.t`“${title}” was exported to ${oneLine(displayPath(file.toString()))}.`, ...notes]));
}

async function read(
  host: RegisteredHost,
  ref: SessionRef,
  signal: AbortSignal,
  onTurns: (turns: number) => void,
): Promise<ExportedSession> {
  const { session, chats, missing } = await readChats(host.client, ref.uri, { signal, onTurns });
  if (chats.length === 0 && missing.length > 0) throw new Error(l10n.t`${oneLine(host.label)} gives none of its chats.`);
  const folder = folderOf(session);
  const agent = agentsOf(host).find(({ provider }) => provider === session.provider)?.displayName;
  const createdAt = host.client.sessions.summary(ref.uri)?.createdAt;
  return {
    title: sessionTitle(session),
    agent: agent || session.provider,
    host: host.label,
    ...(folder !== undefined && { folder: displayPath(folder) }),
    ...(typeof createdAt === 'string' && { createdAt }),
    exportedAt: new Date().toISOString(),
    chats,
    missing,
  };
}

function notesOf({ chats, missing }: ExportedSession, isCut: boolean): string[] {
  return [
    ...(chats.some(({ isPart }) => isPart) ? [l10n.t('Older turns are missing, because the host did not give them.')] : []),
    ...(missing.length > 0
      ? [
          l10n.plural(
            missing.length,
            l10n.t`${l10n.countText(missing.length)} chat could not be read.`,
            l10n.t`${l10n.countText(missing.length)} chats could not be read.`,
          ),
        ]
      : []),
    ...(isCut ? [l10n.t('The end did not fit into the file.')] : []),
  ];
}

/** In the window's folder, or else where VS Code begins. */
