/** Recorded frames of real hosts (`conformance/transcripts`), as the tests and the bench replay them. */
import { isRecord } from '../../src/base/isRecord.ts';
import { deepFreeze } from './deepFreeze.ts';
import { sharedFiles, sharedLines } from './shared.ts';

export interface TranscriptFrame {
  /** Number of the connection. */
  conn: number;
  dir: 'c2s' | 's2c';
  raw: string;
  /** The frame, parsed. */
  message: { id?: unknown; method?: string; params?: Record<string, unknown>; result?: Record<string, unknown> | null };
}

const FOLDER = 'conformance/transcripts';

/** File names of the transcripts of VS Code 1.117, which speaks AHP v1. */
export function v1Transcripts(dir: string): string[] {
  return sharedFiles(dir, FOLDER, /^117-.*\.jsonl$/);
}

/** Some frames are no JSON, to try what the host says to that. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** The frames of a transcript that are JSON objects, in order, without its events (open, close). */
export function transcriptFrames(dir: string, name: string): TranscriptFrame[] {
  return sharedLines(dir, `${FOLDER}/${name}`)
    .map((line) => JSON.parse(line) as Omit<TranscriptFrame, 'message'>)
    .filter((entry) => typeof entry.raw === 'string')
    .flatMap((entry) => {
      const message = parsed(entry.raw);
      return isRecord(message) ? [{ ...entry, message: message as unknown as TranscriptFrame['message'] }] : [];
    });
}

/** File names of the transcripts of VS Code 1.139, which speaks AHP 1.0. */
export function channelTranscripts(dir: string): string[] {
  return sharedFiles(dir, FOLDER, /^139-.*\.jsonl$/);
}

interface FrameStates<S, E> {
  snapshots: S[];
  /** Absent where the frame has no action. */
  envelope?: E;
}

/** What the host of a transcript says of states, frame by frame. `S` and `E`: the snapshots and envelopes of its dialect. */
export function toldByHost<S, E>(dir: string, name: string): FrameStates<S, E>[] {
  return transcriptFrames(dir, name).flatMap(({ dir: direction, message }) => {
    if (direction !== 's2c') return [];
    const { snapshot, snapshots = snapshot ? [snapshot] : [] } = (message.result ?? {}) as { snapshot?: S; snapshots?: S[] };
    return [{ snapshots, ...(message.method === 'action' && { envelope: message.params as unknown as E }) }];
  });
}

/** A replay of each connection, with all of its frames, which are frozen. */
export function replayed<R extends { receive(frame: TranscriptFrame): void }>(dir: string, name: string, create: () => R): R[] {
  const replays = new Map<number, R>();
  for (const frame of transcriptFrames(dir, name)) {
    const onConnection = replays.get(frame.conn) ?? create();
    replays.set(frame.conn, onConnection);
    onConnection.receive(deepFreeze(frame));
  }
  return [...replays.values()];
}
