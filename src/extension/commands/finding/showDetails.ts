/** Shows all that is known of a session, as a read-only JSON document. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../../base/errors.ts';
import { sessionDetails } from '../../../views/session/details/sessionDetails.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { readChats } from '../../sessions/readChats.ts';
import type { TextDocuments } from '../../textDocuments.ts';

export async function showDetails(host: RegisteredHost, { uri }: SessionRef, documents: TextDocuments): Promise<void> {
  const { id, label, client } = host;
  const read = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Reading the details of the session…'), cancellable: true },
    async (_progress, token) => {
      const left = new AbortController();
      token.onCancellationRequested(() => left.abort());
      try {
        return await readChats(client, uri, { signal: left.signal });
      } catch (error) {
        if (left.signal.aborted) return undefined;
        throw new UserError(l10n.t`The details cannot be shown: ${messageOf(error)}`);
      }
    },
  );
  if (!read) return;
  const { session, chats } = read;
  const summary = client.sessions.summary(uri);
  await documents.show(
    l10n.t`Details of ${sessionTitle(session)}`,
    'json',
    sessionDetails({ uri, host: { id, label }, session, summary, chats }),
  );
}
