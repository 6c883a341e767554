/** What the folder of sessions holds when the host starts. Only logs that no summary describes are read. */
import type { URI } from '../../../ahp/common/shapes.ts';
import { isSubagent } from '../../../ahp/subagentUri.ts';
import { messageOf } from '../../../base/errors.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Logger } from '../../../base/log.ts';
import type { Write } from '../../../base/node/wholeFile.ts';
import type { ListedSession, SessionFacts } from '../listedSession.ts';
import type { ArchiveFolder } from './files/archiveFolder.ts';
import { channelsOfFormatOne, factsSince } from './formatOne/channelsOfFormatOne.ts';
import { type FamiliesOfFormatOne, isFormatOne } from './formatOne/familiesOfFormatOne.ts';
import { bareState, knownOfFormatOne, readLogOfFormatOne } from './formatOne/logOfFormatOne.ts';
import { listedChannels, unreadableListed } from './listedChannels.ts';
import { DamagedLogError, FORMAT, NewerFormatError, readLogFile } from './files/logFile.ts';
import { SessionLog } from './sessionLog.ts';
import { isKnown, type KnownSession, readSummaryFile } from './summaryFile.ts';

export interface ArchivedSession {
  facts: SessionFacts;
  listed: ListedSession;
  /** The earlier run ended during a turn or similar. The session must be opened and repaired. */
  interrupted: boolean;
  /** The session cannot be read and stays as it is. What is listed says why, and may be old. */
  unreadable: boolean;
}

export interface FindOptions {
  folders: ArchiveFolder;
  families: FamiliesOfFormatOne;
  logger: Logger;
  write?: Write | undefined;
}

/** `highestSeq`: the greatest sequence number of any envelope. */
export function findSessions(options: FindOptions): { found: ArchivedSession[]; highestSeq: number } {
  const { folders, families } = options;
  const found: ArchivedSession[] = [];
  let highestSeq = 0;
  for (const folder of folders.sessions()) {
    const { session, seq } = find(folder, options);
    if (session) found.push(session);
    highestSeq = Math.max(highestSeq, seq);
  }
  const older = families.sessions();
  const readable = new Map(found.flatMap(({ facts, listed, unreadable }) => (unreadable ? [] : [[facts.uri, listed]])));
  const incomplete = families.settle((uri) => {
    const listed = readable.get(uri);
    return listed && new Set(listed.chats.map(({ resource }) => resource));
  });
  for (const session of found) if (incomplete.has(session.facts.uri)) session.interrupted = true;
  for (const { facts, channels, interrupted } of older)
    found.push({ facts, listed: listedChannels(facts, channels), interrupted, unreadable: false });
  return { found, highestSeq };
}

/** Folders of format 1 go to their families. */
function find(folder: string, options: FindOptions): { session?: ArchivedSession; seq: number } {
  const { folders, families, logger, write } = options;
  const isIn = ({ uri }: { uri: URI }) => folder === folders.folderOf(uri);
  const summary = readSummaryFile(folder, logger);
  if (summary?.isCurrent && isFormatOne(summary)) {
    const known = knownOfFormatOne(summary.content);
    if (known && isIn(known.facts)) {
      families.add({ folder, facts: known.facts, state: bareState(known.summary, known.facts.uri), interrupted: false });
      return { seq: summary.seq };
    }
  }
  if (summary?.isCurrent && summary.format === FORMAT && isKnown(summary.content) && isIn(summary.content.facts)) {
    const { facts, listed } = summary.content;
    return { session: { facts, listed, interrupted: false, unreadable: false }, seq: summary.seq };
  }
  try {
    const file = readLogFile(folder);
    if (isFormatOne(file)) {
      const { facts, state, seq } = readLogOfFormatOne(file);
      if (!isIn(facts)) throw new MisplacedError();
      families.add({ folder, facts, state, interrupted: true });
      return { seq };
    }
    const { log, channels } = SessionLog.open(folder, logger, write, file);
    if (!isIn(log.facts)) throw new MisplacedError();
    return {
      session: { facts: log.facts, listed: listedChannels(log.facts, channels), interrupted: true, unreadable: false },
      seq: log.seq,
    };
  } catch (error) {
    if (error instanceof DamagedLogError) {
      folders.setAside(folder, error.message);
      return { seq: 0 };
    }
    const head = error instanceof NewerFormatError ? error.head : undefined;
    const known = [summary?.content, head].map((content) => knownIn(content)).find((each) => each && isIn(each.facts));
    const problem = readProblem(error);
    logger.error(`${known?.facts.uri ?? 'A session'} stays as it is in ${folder}: ${problem}`);
    if (!known || isSubagent(known.facts.uri)) return { seq: 0 };
    return { session: { ...known, listed: unreadableListed(known.listed, problem), interrupted: false, unreadable: true }, seq: 0 };
  }
}

class MisplacedError extends Error {
  constructor() {
    super('it lies in the folder of another session');
  }
}

/** What a summary of any format says, or the first line of a log. */
function knownIn(content: Record<string, unknown> | undefined): KnownSession | undefined {
  if (!content) return undefined;
  if (isKnown(content)) return content;
  const state = content.state as { summary?: unknown } | undefined;
  const older = knownOfFormatOne({ facts: content.facts, summary: content.summary ?? state?.summary });
  if (!older) return undefined;
  const stub = { facts: older.facts, state: bareState(older.summary, older.facts.uri) };
  const facts = factsSince(stub);
  return { facts, listed: listedChannels(facts, channelsOfFormatOne(facts.uri, [stub.state])) };
}

/** Why a session cannot be read, for the user. */
export function readProblem(error: unknown): string {
  return error instanceof NewerFormatError
    ? messageOf(error)
    : l10n.t`The session cannot be read from this host's disk: ${messageOf(error)}`;
}
