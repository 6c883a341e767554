/** Recorded frames of real hosts (`conformance/transcripts`), as the tests and the bench replay them. */
import { isRecord } from '../../src/base/isRecord.ts';
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

/** File names of the transcripts of VS Code 1.117, which speaks protocol version 1. */
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

/** File names of the transcripts of VS Code 1.139, which speaks the channel protocol. */
export function channelTranscripts(dir: string): string[] {
  return sharedFiles(dir, FOLDER, /^139-.*\.jsonl$/);
}
