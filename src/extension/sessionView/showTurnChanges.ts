/** Shows all that a turn changed in files, in one editor. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { ActiveTurn, Turn } from '../../ahp/channels/chat/state.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { FileEdit, FileEditSide, URI } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { turnChangeset } from '../../views/changes/listedChangesets.ts';
import { mergedEdits } from '../../views/session/transcript/turnFiles.ts';
import { messageView } from '../../views/session/transcript/messageView.ts';
import { editsOf } from '../../views/session/wayBack/wayBack.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { resourceDocument } from './resourceDocuments.ts';
import type { TurnsShown } from '../../pages/session/sessionPageServices.ts';
import { readTurn } from '../../pages/wayBack/turnChanges.ts';

/** In characters. */
const MAX_TITLE = 60;

/** As the host's changeset of the turn has it, or else as its calls say it. */
export async function showTurnChanges(shown: TurnsShown<RegisteredHost>, uri: URI, turnId: string): Promise<void> {
  const { host, session } = shown;
  const turn = shown.holds(uri) ? await turnOf(host, uri, turnId) : undefined;
  if (!turn) throw new UserError(l10n.t('That turn is not in the conversation any more.'));
  const channel = session && turnChangeset(session, turnId);
  const read = channel === undefined ? undefined : await readTurn(host.client, channel);
  const edits = read && read.files.length > 0 ? read.files.map(({ edit }) => edit) : mergedEdits(editsOf([turn]));
  if (edits.length === 0) throw new UserError(l10n.t('Nothing is left of what this turn changed.'));
  const document = (side: FileEditSide | undefined) => side && resourceDocument(host.id, side.content.uri, displayPath(side.uri));
  const row = ({ before, after }: FileEdit) => [document(after ?? before), document(before), document(after)];
  const words = oneLine(messageView(turn.message).words, MAX_TITLE);
  const title = words === '' ? l10n.t('Changes of a turn') : l10n.t`Changes of “${words}”`;
  await vscode.commands.executeCommand('vscode.changes', title, edits.map(row));
}

async function turnOf(host: RegisteredHost, uri: URI, turnId: string): Promise<Turn | ActiveTurn | undefined> {
  const model = host.client.chat(uri);
  try {
    const { turns, activeTurn } = await whenLive(model);
    return activeTurn?.id === turnId ? activeTurn : turns.find(({ id }) => id === turnId);
  } finally {
    model.dispose();
  }
}
