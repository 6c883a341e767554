/** Shows all that is known of a session, as a read-only JSON document. */
import { messageOf, UserError } from '../../../base/errors.ts';
import { sessionDetails } from '../../../views/session/details/sessionDetails.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { readChats } from '../../sessions/readChats.ts';
import type { TextDocuments } from '../../textDocuments.ts';

export async function showDetails(host: RegisteredHost, { uri }: SessionRef, documents: TextDocuments): Promise<void> {
  const { id, label, client } = host;
  const { session, chats } = await readChats(client, uri, { signal: new AbortController().signal }).catch((error: unknown) => {
    throw new UserError(`The details cannot be shown: ${messageOf(error)}`);
  });
  const summary = client.sessions.summary(uri);
  await documents.show(
    `Details of ${sessionTitle(session)}`,
    'json',
    sessionDetails({ uri, host: { id, label }, session, summary, chats }),
  );
}
