/** `summary.json` of a session's folder: what a list shows. It is valid while it names the exact size of the log. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { englishOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { Logger } from '../../../base/log.ts';
import { isThere, replaceFile, type Write } from '../../../base/node/wholeFile.ts';
import type { ListedSession, SessionFacts } from '../listedSession.ts';
import { olderSummary } from './listedChannels.ts';
import { FORMAT, LOG_FILE } from './files/logFile.ts';

export interface KnownSession {
  facts: SessionFacts;
  listed: ListedSession;
}

export interface SummaryFile extends KnownSession {
  /** Bytes of the log that it summarizes. */
  logSize: number;
  /** The greatest sequence number in those. */
  seq: number;
}

const FILE = 'summary.json';

/** As far as it is the same in all formats. It may be of any age. */
export interface AnySummaryFile {
  format: unknown;
  /** Of the whole file. */
  content: Record<string, unknown>;
  seq: number;
  /** It is of the log as that is now. */
  isCurrent: boolean;
}

/** Undefined when there is no readable summary. Never throws. */
export function readSummaryFile(folder: string, logger: Logger): AnySummaryFile | undefined {
  const path = join(folder, FILE);
  if (!isThere(path)) return undefined;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(content) || !Number.isSafeInteger(content.seq)) return undefined;
    return { format: content.format, content, seq: Number(content.seq), isCurrent: content.logSize === sizeOfLog(folder) };
  } catch (error) {
    logger.warn(`${path} cannot be read, so the log is read: ${englishOf(error)}`);
    return undefined;
  }
}

/** A failure is only logged: without the summary, the next run reads the log. */
export function writeSummaryFile(folder: string, file: SummaryFile, logger: Logger, write?: Write): void {
  const content = { format: FORMAT, ...file, summary: olderSummary(file.listed) };
  try {
    replaceFile(join(folder, FILE), Buffer.from(JSON.stringify(content)), { sync: false, write });
  } catch (error) {
    logger.warn(`the summary of ${file.facts.uri} could not be written: ${englishOf(error)}`);
  }
}

/** The fields that a list needs. Further fields may be from another version. */
export function isKnown(value: { facts?: unknown; listed?: unknown }): value is KnownSession {
  const { uri, workingDirectory, createdAt } = (value.facts ?? {}) as Partial<SessionFacts>;
  const { summary, chats, edits } = (value.listed ?? {}) as Partial<ListedSession>;
  const texts = [uri, workingDirectory, summary?.resource, summary?.provider, summary?.title, summary?.createdAt, summary?.modifiedAt];
  return (
    texts.every((text) => typeof text === 'string') &&
    [createdAt, summary?.status].every((number) => Number.isSafeInteger(number)) &&
    [chats, edits].every((list) => Array.isArray(list))
  );
}

/** Undefined where it is not known. Reading the log reports the error. */
function sizeOfLog(folder: string): number | undefined {
  try {
    return statSync(join(folder, LOG_FILE)).size;
  } catch {
    return undefined;
  }
}
