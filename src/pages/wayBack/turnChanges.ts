/** What turns changed in files, as their host has it, and undoing it. */
import { said } from '../../base/text/phrase.ts';
import * as l10n from '../../base/l10n.ts';
import type { ChangesetFile } from '../../ahp/channels/changeset.ts';
import type { ActiveTurn, Turn } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenComputed } from '../../ahp/client/model/whenComputed.ts';
import type { WhyNot } from '../../ahp/client/resources/unsettled.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import { DISCARD, OPERATION_TIMEOUT_MS } from '../../ahp/changesetOperations.ts';
import { messageOf, unlessAborted } from '../../base/errors.ts';
import { operationsOf } from '../../views/changes/changesTree.ts';
import { turnChangeset } from '../../views/changes/listedChangesets.ts';
import { editsOf, hasCalls, subagentsOf } from '../../views/session/wayBack/wayBack.ts';
import type { ChangedPaths, SubagentWork } from '../../views/session/wayBack/wayBackQuestion.ts';
import { plainText } from '../../views/text/inlineText.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';

/** Until all that is read is there. */
const READ_MS = 10_000;
/** Read at once. */
const AT_ONCE = 8;
/** Chats of subagents that are read, with those of their subagents. */
const MAX_SUBAGENTS = 32;
/** In characters. */
const MAX_PATH = 120;
const MAX_SAID = 500;

type AnyTurn = Turn | ActiveTurn;

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
  readonly subagents: SubagentWork;
}

/** What undoing came to. */
export interface Undone {
  /** Something was undone. */
  readonly some: boolean;
  /** What the host says of changes that it could not undo. */
  readonly left: readonly string[];
}

/**
 * `turns`: oldest first. Where the host has no changesets of turns, what the calls say stays as it is. What is not there in time, or when the user
 * does not wait any longer, is unknown.
 */
export async function changesOfTurns(
  client: AgentHostClient,
  session: SessionState,
  folder: URI | undefined,
  turns: readonly AnyTurn[],
  { signal }: { signal: AbortSignal },
): Promise<ChangesOfTurns> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]);
  const working = workOfSubagents(client, turns, limit);
  const channels = turns.filter(hasCalls).flatMap(({ id }) => turnChangeset(session, id) ?? []);
  if (channels.length === 0) {
    const subagents = await working;
    return { changes: [], paths: { undoable: [], kept: pathsOf(editsOf([...turns, ...subagents.turns]), folder) }, subagents };
  }
  const changes: TurnChanges[] = [];
  let isUnknown = false;
  for (let at = 0; at < channels.length; at += AT_ONCE) {
    for (const read of await Promise.all(channels.slice(at, at + AT_ONCE).map((channel) => readTurn(client, channel, limit)))) {
      if (!read) isUnknown = true;
      else if (read.files.length > 0) changes.push(read);
    }
  }
  const editsIn = (canUndo: boolean) =>
    changes.filter((one) => one.canUndo === canUndo).flatMap(({ files }) => files.map(({ edit }) => edit));
  return {
    changes: changes.reverse(),
    paths: { undoable: pathsOf(editsIn(true), folder), kept: pathsOf(editsIn(false), folder), ...(isUnknown && { isUnknown }) },
    subagents: await working,
  };
}

/** With those that they started, too. A chat that is not there in time is unknown. */
async function workOfSubagents(client: AgentHostClient, turns: readonly AnyTurn[], limit: AbortSignal): Promise<SubagentWork> {
  const found: AnyTurn[] = [];
  const seen = new Set<URI>();
  let next = subagentsOf(turns);
  let isUnknown = next.isUnknown;
  while (next.chats.length > 0) {
    const chats = next.chats.filter((uri) => !seen.has(uri)).slice(0, MAX_SUBAGENTS - seen.size);
    if (chats.length < next.chats.length) isUnknown ||= seen.size + chats.length >= MAX_SUBAGENTS;
    for (const uri of chats) seen.add(uri);
    const read = await Promise.all(chats.map((uri) => readChat(client, uri, limit)));
    const all = read.flatMap((one) => one?.turns ?? []);
    isUnknown ||= read.some((one) => one === undefined || !one.isWhole);
    found.push(...all);
    next = subagentsOf(all);
    isUnknown ||= next.isUnknown;
  }
  return { turns: found, isUnknown };
}

async function readChat(
  client: AgentHostClient,
  uri: URI,
  limit: AbortSignal,
): Promise<{ turns: AnyTurn[]; isWhole: boolean } | undefined> {
  const model = client.chat(uri);
  try {
    const { turns, activeTurn, turnsNextCursor } = await unlessAborted(whenLive(model), limit);
    return { turns: [...turns, ...(activeTurn ? [activeTurn] : [])], isWhole: turnsNextCursor === undefined };
  } catch {
    return undefined;
  } finally {
    model.dispose();
  }
}

/** Newest first. The others are tried where one cannot be undone; none after the user has stopped it, or when it may not be done any more. */
export async function undoTurns(
  client: AgentHostClient,
  changes: readonly TurnChanges[],
  { signal, whyNot }: { signal: AbortSignal; whyNot: WhyNot },
): Promise<Undone> {
  const left: string[] = [];
  let some = false;
  for (const { channel, canUndo } of changes) {
    if (!canUndo) continue;
    const why = whyNot();
    if (why !== undefined) {
      left.push(said(why));
      break;
    }
    if (signal.aborted) {
      left.push(l10n.t('You stopped it before all was undone.'));
      break;
    }
    try {
      const { message } = await client.command('invokeChangesetOperation', { channel, operationId: DISCARD }, OPERATION_TIMEOUT_MS);
      some = true;
      // A host may also only say that all is done. What is left is in the changeset.
      if (message !== undefined && (await readTurn(client, channel))?.files.length !== 0) left.push(oneLine(plainText(message), MAX_SAID));
    } catch (error) {
      left.push(oneLine(messageOf(error), MAX_SAID));
    }
  }
  return { some, left };
}

/** Undefined when the host does not say in time. */
export async function readTurn(
  client: AgentHostClient,
  channel: URI,
  limit = AbortSignal.timeout(READ_MS),
): Promise<TurnChanges | undefined> {
  if (limit.aborted) return undefined;
  const model = client.model('changeset', channel);
  try {
    const state = await unlessAborted(whenComputed(model), limit);
    const canUndo = operationsOf(state, 'changeset').some(({ id }) => id === DISCARD);
    return state.status === 'error' ? undefined : { channel, files: state.files, canUndo };
  } catch {
    return undefined;
  } finally {
    model.dispose();
  }
}

function pathsOf(edits: readonly FileEdit[], folder: URI | undefined): string[] {
  const uris = edits.flatMap(({ before, after }) => (after ?? before)?.uri ?? []);
  return [...new Set(uris)].map((uri) => oneLine(displayPath(uri, folder), MAX_PATH));
}
