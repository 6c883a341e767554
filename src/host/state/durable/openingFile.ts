/**
 * `opening.json` of the folder of a long session: what a client that opens it sees first, so that this needs no reading of the log, which
 * grows with the session. It is valid while it belongs to the summary beside it, and that to the log.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelReducers } from '../../../ahp/channels/channelReducers.ts';
import { isStateOf } from '../../../ahp/channels/reducers/isStateOf.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { englishOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { Logger } from '../../../base/log.ts';
import { isThere, replaceFile, type Write } from '../../../base/node/wholeFile.ts';
import type { StoredChannel } from '../stateStore.ts';
import { newestPage } from '../turnPages.ts';
import { FORMAT } from './files/logFile.ts';
import { stateIn } from './listedChannels.ts';
import { type AnySummaryFile, readSummaryFile } from './summaryFile.ts';

const FILE = 'opening.json';
/** Bytes. A shorter log is read at once. */
const MIN_LOG = 256 * 1024;
/** Characters. Of a session that says more at first, the log is read. */
const MAX_OPENING = 4 * 1024 * 1024;

interface Opening {
  format: number;
  /** Of the summary. */
  seq: number;
  channels: readonly StoredChannel[];
}

/** A failure is only logged: without the file, the log is read. */
export function writeOpeningFile(
  folder: string,
  channels: readonly StoredChannel[],
  { logSize, seq }: { logSize: number; seq: number },
  { logger, write }: { logger: Logger; write?: Write | undefined },
): void {
  const opening = logSize < MIN_LOG ? undefined : openingOf(channels);
  if (!opening) return;
  const text = JSON.stringify({ format: FORMAT, seq, channels: opening } satisfies Opening);
  if (text.length > MAX_OPENING) return;
  try {
    replaceFile(join(folder, FILE), Buffer.from(text), { sync: false, ...(write && { write }) });
  } catch (error) {
    logger.warn(`${join(folder, FILE)} could not be written: ${englishOf(error)}`);
  }
}

/** Undefined where there is none of the log as it is now. Never throws. */
export function readOpeningFile(folder: string, logger: Logger): readonly StoredChannel[] | undefined {
  const path = join(folder, FILE);
  const summary = isThere(path) ? readSummaryFile(folder, logger) : undefined;
  if (!summary?.isCurrent) return undefined;
  try {
    const opening: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isOpening(opening, summary) ? opening.channels : undefined;
  } catch (error) {
    logger.warn(`${path} cannot be read, so the log is read: ${englishOf(error)}`);
    return undefined;
  }
}

/** The session and its own chat, as they are once the log is read. Undefined where reading it ends or gives back something. */
function openingOf(channels: readonly StoredChannel[]): StoredChannel[] | undefined {
  const [first] = channels;
  const session = first?.kind === 'session' ? first.state : undefined;
  const chat = stateIn(channels, session?.defaultChat, 'chat');
  if (!first || !session || !chat || session.activity !== undefined || !isQuiet(chat)) return undefined;
  // Nobody is connected when it is read, and work in the background has ended with the host.
  const opened: SessionState = { ...session, activeClients: [] };
  const { backgroundWork: _ended, ...rested } = chat;
  return [
    { channel: first.channel, kind: 'session', state: opened },
    { channel: chat.resource, kind: 'chat', state: newestPage(rested) },
  ];
}

function isQuiet({ activity, steeringMessage, queuedMessages, activeTurn }: ChatState): boolean {
  return [activity, steeringMessage, queuedMessages, activeTurn].every((value) => value === undefined);
}

function isOpening(value: unknown, { format, seq }: AnySummaryFile): value is Opening {
  if (!isRecord(value) || value.format !== FORMAT || format !== FORMAT || value.seq !== seq || !Array.isArray(value.channels)) return false;
  return value.channels.every((one: Partial<StoredChannel> | undefined) => {
    const { channel, kind, state } = one ?? {};
    return typeof channel === 'string' && typeof kind === 'string' && Object.hasOwn(channelReducers, kind) && isStateOf(kind, state);
  });
}
