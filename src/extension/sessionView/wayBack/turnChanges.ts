/** What turns changed in files, as their host has it, and undoing it. */
import type { ChangesetFile, ChangesetState } from '../../../ahp/channels/changeset.ts';
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { ResourceModel } from '../../../ahp/client/model/resourceModel.ts';
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import { messageOf, withTimeout } from '../../../base/errors.ts';
import { operationsOf } from '../../../views/changes/changesTree.ts';
import { turnChangeset } from '../../../views/changes/listedChangesets.ts';
import { editsOf, hasCalls } from '../../../views/session/wayBack/wayBack.ts';
import type { ChangedPaths } from '../../../views/session/wayBack/wayBackQuestion.ts';
import { plainText } from '../../../views/text/inlineText.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { wellFormedChangeset } from '../../../views/wellFormed/index.ts';

/** Until a changeset is there. */
const READ_MS = 10_000;
/** An operation may be about many files. */
const UNDO_MS = 5 * 60_000;
/** Read at once. */
const AT_ONCE = 8;
/** The operation that takes back all of a changeset. */
const DISCARD = 'discard';
/** In characters. */
const MAX_PATH = 120;
const MAX_SAID = 500;

type AnyTurn = Turn | ActiveTurn;
type Changeset = ResourceModel<'changeset'>;

export interface TurnChanges {
  readonly channel: URI;
  readonly files: readonly ChangesetFile[];
  /** The host offers to take all of it back. */
  readonly canUndo: boolean;
}

export interface ChangesOfTurns {
  /** Newest first. Those without files are left out. */
  readonly changes: readonly TurnChanges[];
  readonly paths: ChangedPaths;
}

/** `turns`: oldest first. Where the host has no changesets of turns, what the calls say stays as it is. */
export async function changesOfTurns(
  client: AgentHostClient,
  session: SessionState,
  folder: URI | undefined,
  turns: readonly AnyTurn[],
): Promise<ChangesOfTurns> {
  const channels = turns.filter(hasCalls).flatMap(({ id }) => turnChangeset(session, id) ?? []);
  if (channels.length === 0) return { changes: [], paths: { undoable: [], kept: pathsOf(editsOf(turns), folder) } };
  const changes: TurnChanges[] = [];
  let isUnknown = false;
  for (let at = 0; at < channels.length; at += AT_ONCE) {
    for (const read of await Promise.all(channels.slice(at, at + AT_ONCE).map((channel) => readTurn(client, channel)))) {
      if (!read) isUnknown = true;
      else if (read.files.length > 0) changes.push(read);
    }
  }
  const editsIn = (canUndo: boolean) =>
    changes.filter((one) => one.canUndo === canUndo).flatMap(({ files }) => files.map(({ edit }) => edit));
  return {
    changes: changes.reverse(),
    paths: { undoable: pathsOf(editsIn(true), folder), kept: pathsOf(editsIn(false), folder), ...(isUnknown && { isUnknown }) },
  };
}

/** Newest first. What the host says of changes that it could not undo; the others are tried all the same. */
export async function undoTurns(client: AgentHostClient, changes: readonly TurnChanges[]): Promise<string[]> {
  const said: string[] = [];
  for (const { channel, canUndo } of changes) {
    if (!canUndo) continue;
    try {
      const { message } = await client.command('invokeChangesetOperation', { channel, operationId: DISCARD }, UNDO_MS);
      // A host may also only say that all is done. What is left is in the changeset.
      if (message !== undefined && (await readTurn(client, channel))?.files.length !== 0) said.push(oneLine(plainText(message), MAX_SAID));
    } catch (error) {
      said.push(oneLine(messageOf(error), MAX_SAID));
    }
  }
  return said;
}

/** Undefined when the host does not say in time. */
export async function readTurn(client: AgentHostClient, channel: URI): Promise<TurnChanges | undefined> {
  const model = client.model('changeset', channel);
  try {
    const state = await withTimeout(settled(model), READ_MS, 'the changes of a turn');
    const canUndo = operationsOf(state, 'changeset').some(({ id }) => id === DISCARD);
    return state.status === 'error' ? undefined : { channel, files: state.files, canUndo };
  } catch {
    return undefined;
  } finally {
    model.dispose();
  }
}

/** As soon as the host is done with computing it. */
function settled(model: Changeset): Promise<ChangesetState> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { status, state } = model;
      const read = status.kind === 'live' && state ? wellFormedChangeset(state) : undefined;
      if (read && read.status !== 'computing' && read.status !== 'recomputing') resolve(read);
      else if (status.kind === 'failed' || status.kind === 'removed') reject(new Error(`no changeset ${model.uri}`));
    };
    model.onDidChange(look);
    look();
  });
}

function pathsOf(edits: readonly FileEdit[], folder: URI | undefined): string[] {
  const uris = edits.flatMap(({ before, after }) => (after ?? before)?.uri ?? []);
  return [...new Set(uris)].map((uri) => oneLine(displayPath(uri, folder), MAX_PATH));
}
