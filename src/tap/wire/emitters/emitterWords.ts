/** Names of emitters, and the time between their runs. */
import * as z from 'zod';
import { Limit } from '../limits.ts';
import { intervalMs } from './intervals.ts';

/** Before it is made a name. */
const RAW_NAME_LENGTH = 200;

/** Trimmed, in lower case, with `-` for everything but letters of ASCII, digits, `.`, `_` and `-`. */
export function normalName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9._-]/gu, '-');
}

/** Of an emitter or its stream. */
export const emitterName = z
  .string()
  .max(RAW_NAME_LENGTH)
  .transform(normalName)
  .pipe(
    z
      .string()
      .max(Limit.nameLength, `must have at most ${Limit.nameLength} characters`)
      .regex(/[a-z0-9]/, 'must hold a letter from a to z or a digit'),
  );

const INTERVAL_WORDS = 'a number with s, m, h or d, such as "30s", "5m", "2h" or "1d", and at most 24 days';
const word = z.string().max(Limit.intervalLength);
const interval = word.refine((value) => intervalMs(value) !== undefined, `must be ${INTERVAL_WORDS}`);
const intervalOrIdle = word.refine(
  (value) => value === 'idle' || intervalMs(value) !== undefined,
  `must be ${INTERVAL_WORDS}; or, of a prompt, "idle"`,
);
export const runInterval = z
  .union([intervalOrIdle, z.array(interval).min(1).max(Limit.emitterIntervals)], {
    error: `must be ${INTERVAL_WORDS}; a list of such; or, of a prompt, "idle"`,
  })
  .describe(
    'Time between the end of a run and the next: "30s", "5m", "2h" or "1d". A list such as ["1m","5m","15m"] gets slower and stays at the last. A prompt may say "idle": each time the session becomes idle. Left out, a command runs until it ends, and a prompt is sent once.',
  );
