/** What a session has changed in files, as its agent host has it. */
import type { ChangesetFile, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenComputed } from '../../ahp/client/model/whenComputed.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { FileEditSide, URI } from '../../ahp/common/shapes.ts';
import { UserError, unlessAborted } from '../../base/errors.ts';
import { readResource } from '../../pages/readResource.ts';
import type { FileTexts } from '../../views/portal/answers/resultAnswers.ts';
import { folderOf } from '../../views/session/openChat.ts';
import { phrase } from '../../base/text/phrase.ts';
import { oneLine } from '../../views/text/oneLine.ts';

/** Characters of one side of a change. */
const MAX_TEXT = 256 * 1024;

export interface SessionChanges {
  /** Absent: the host lists no changes of the session. */
  readonly channel?: URI;
  /** In which the session works. */
  readonly folder?: URI;
  readonly files: readonly ChangesetFile[];
  readonly state?: ChangesetState;
}

/** Rejects when the host does not say, or not before the signal is aborted. */
export async function readSessionChanges(client: AgentHostClient, session: URI, signal: AbortSignal): Promise<SessionChanges> {
  const model = client.session(session);
  try {
    const state = await unlessAborted(whenLive(model), signal);
    const folder = folderOf(state);
    const known = { ...(folder !== undefined && { folder }) };
    const listed = (state.changesets ?? []).find(({ changeKind, uriTemplate }) => changeKind === 'session' && !/[{}]/.test(uriTemplate));
    if (!listed) return { ...known, files: [] };
    const changes = await readChangeset(client, listed.uriTemplate, signal);
    return { ...known, channel: listed.uriTemplate, files: changes.files, state: changes };
  } finally {
    model.dispose();
  }
}

/** In which the session works. Undefined where the host does not say. */
export async function readFolder(client: AgentHostClient, session: URI, signal: AbortSignal): Promise<URI | undefined> {
  const model = client.session(session);
  try {
    return folderOf(await unlessAborted(whenLive(model), signal));
  } catch {
    return undefined;
  } finally {
    model.dispose();
  }
}

/** Both texts of the change. Throws a {@link UserError} for what is no text, or too long. */
export async function readTexts(client: AgentHostClient, { edit }: ChangesetFile): Promise<FileTexts> {
  const [before, after] = await Promise.all([readSide(client, edit.before), readSide(client, edit.after)]);
  return { before, after };
}

async function readChangeset(client: AgentHostClient, channel: URI, signal: AbortSignal): Promise<ChangesetState> {
  const model = client.model('changeset', channel);
  try {
    const state = await unlessAborted(whenComputed(model), signal);
    if (state.status === 'error') throw new Error(oneLine(state.error?.message) || 'the agent host could not tell the changes');
    return state;
  } finally {
    model.dispose();
  }
}

async function readSide(client: AgentHostClient, side: FileEditSide | undefined): Promise<string> {
  if (!side) return '';
  const { encoding, data } = await readResource(client, { uri: side.content.uri, encoding: 'utf-8' });
  const text = encoding === 'utf-8' ? data : Buffer.from(data, 'base64').toString();
  if (text.includes('\0') || (encoding !== 'utf-8' && text.includes('\ufffd'))) throw new UserError(phrase`This is no text.`);
  if (text.length > MAX_TEXT) throw new UserError(phrase`This is too long to be shown here.`);
  return text;
}
