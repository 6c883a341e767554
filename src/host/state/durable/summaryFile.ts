/** `summary.json` of a session's folder: what a list shows. It is valid while it names the exact size of the log. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SessionStatus, type SessionSummary } from '../../../ahp/v1/session.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { FORMAT, LOG_FILE, type SessionFacts } from './sessionLog.ts';
import { isThere, replaceFile, type Write } from '../../../base/node/wholeFile.ts';

export interface KnownSession {
  facts: SessionFacts;
  summary: SessionSummary;
}

export interface SummaryFile extends KnownSession {
  /** Bytes of the log that it summarizes. */
  logSize: number;
  /** Sequence number of the newest envelope in those. */
  seq: number;
}

const FILE = 'summary.json';
const FLAGS = SessionStatus.IsRead | SessionStatus.IsArchived;

/** Undefined when there is no readable summary. It may be of any age. Never throws. */
export function readSummaryFile(folder: string, logger: Logger): (SummaryFile & { isCurrent: boolean }) | undefined {
  const path = join(folder, FILE);
  if (!isThere(path)) return undefined;
  try {
    const { format, logSize = 0, seq, ...known } = JSON.parse(readFileSync(path, 'utf8')) as Partial<SummaryFile> & { format?: unknown };
    if (!isKnown(known) || !Number.isSafeInteger(seq)) return undefined;
    return { ...known, logSize, seq: seq ?? 0, isCurrent: format === FORMAT && logSize === sizeOfLog(folder) };
  } catch (error) {
    logger.warn(`${path} cannot be read, so the log is read: ${messageOf(error)}`);
    return undefined;
  }
}

/** A failure is only logged: without the summary, the next run reads the log. */
export function writeSummaryFile(folder: string, file: SummaryFile, logger: Logger, write?: Write): void {
  try {
    replaceFile(join(folder, FILE), Buffer.from(JSON.stringify({ format: FORMAT, ...file })), { sync: false, write });
  } catch (error) {
    logger.warn(`the summary of ${file.facts.uri} could not be written: ${messageOf(error)}`);
  }
}

/** The fields that a list needs. Further fields may be from another version. */
export function isKnown(value: { facts?: unknown; summary?: unknown }): value is KnownSession {
  const { uri, workingDirectory } = (value.facts ?? {}) as Partial<SessionFacts>;
  const { title, provider, status, createdAt, modifiedAt } = (value.summary ?? {}) as Partial<SessionSummary>;
  return (
    [uri, workingDirectory, title, provider].every((text) => typeof text === 'string') &&
    [status, createdAt, modifiedAt].every((number) => Number.isSafeInteger(number))
  );
}

/** The list entry of a session that cannot be read: what is known of it, with the reason as its activity. */
export function unreadableSummary({ facts, summary }: KnownSession, problem: string): SessionSummary {
  const { provider, title, status, createdAt, modifiedAt, workingDirectory } = summary;
  return {
    resource: facts.uri,
    provider,
    title,
    status: (status & FLAGS) | SessionStatus.Error,
    activity: problem,
    createdAt,
    modifiedAt,
    ...(typeof workingDirectory === 'string' && { workingDirectory }),
  };
}

/** Undefined where it is not known. Reading the log reports the error. */
function sizeOfLog(folder: string): number | undefined {
  try {
    return statSync(join(folder, LOG_FILE)).size;
  } catch {
    return undefined;
  }
}
