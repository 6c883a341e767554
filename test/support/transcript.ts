/** Recorded frames of real hosts (`conformance/transcripts`), as the tests and the bench replay them. */
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

/** The frames of a transcript, in order, without its events (open, close). */
export function transcriptFrames(dir: string, name: string): TranscriptFrame[] {
  return sharedLines(dir, `${FOLDER}/${name}`)
    .map((line) => JSON.parse(line) as Omit<TranscriptFrame, 'message'>)
    .filter((entry) => typeof entry.raw === 'string')
    .map((entry) => ({ ...entry, message: JSON.parse(entry.raw) as TranscriptFrame['message'] }));
}
