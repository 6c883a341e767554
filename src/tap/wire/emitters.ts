/** Emitters: commands and prompts that watch something for a session. The owner link and the tools of the provider `tap` describe them like this. */
import * as z from 'zod';
import { Limit } from './limits.ts';

const SECOND_MS = 1000;
const unitMs = { s: SECOND_MS, m: 60 * SECOND_MS, h: 3600 * SECOND_MS, d: 24 * 3600 * SECOND_MS } as const;
/** A timer cannot wait longer than 24.8 days. */
const MAX_INTERVAL_MS = 24 * unitMs.d;
const MAX_INTERVALS = 20;
const MAX_RUNS = 1_000_000;
/** Before it is made a name. */
const RAW_NAME_LENGTH = 200;
const hasNoNul = (value: string) => !value.includes('\0');

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

/** `30s`, `5m`, `2h`, `1d`; undefined for anything else. */
export function intervalMs(word: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,6})([smhd])$/.exec(word) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms <= MAX_INTERVAL_MS ? ms : undefined;
}

const INTERVAL_WORDS = 'a number with s, m, h or d, such as "30s", "5m", "2h" or "1d", and at most 24 days';
const word = z.string().max(20);
const interval = word.refine((value) => intervalMs(value) !== undefined, `must be ${INTERVAL_WORDS}`);
const intervalOrIdle = word.refine(
  (value) => value === 'idle' || intervalMs(value) !== undefined,
  `must be ${INTERVAL_WORDS}; or, of a prompt, "idle"`,
);
const runInterval = z
  .union([intervalOrIdle, z.array(interval).min(1).max(MAX_INTERVALS)], {
    error: `must be ${INTERVAL_WORDS}; a list of such; or, of a prompt, "idle"`,
  })
  .describe(
    'Time between the end of a run and the next: "30s", "5m", "2h" or "1d". A list such as ["1m","5m","15m"] gets slower and stays at the last. A prompt may say "idle": each time the session becomes idle. Left out, a command runs until it ends, and a prompt is sent once.',
  );

const eventRule = z.strictObject({
  match: z.string().min(1).max(Limit.patternLength).describe('Regular expression (RE2), found anywhere in the line'),
  outcome: z
    .enum(['drop', 'keep', 'surface', 'inject'])
    .describe(
      'drop: forget the line. keep: in the stream only. surface: also shown to the user. inject: also given to the agent when it is idle',
    ),
});
/** The first rule that matches decides about a line. Without one it is kept. */
export const eventFilter = z.array(eventRule).max(Limit.filterRules);
export type EventFilter = z.output<typeof eventFilter>;

export const ownership = z.enum(['userOwned', 'modelOwned']);
export type Ownership = z.output<typeof ownership>;

const text = z
  .string()
  .min(1)
  .max(Limit.emitterText)
  .refine(hasNoNul, 'must not hold a NUL')
  .refine((value) => value.trim() !== '', 'must not be blank');

export const emitterFields = {
  name: emitterName.describe('Unique in the session. It becomes lower case, with - for everything but a-z, 0-9, ".", "_" and "-"'),
  command: text
    .optional()
    .describe('Line for the shell, run in the folder of the session. Each line that it prints is an event. Give this or prompt'),
  prompt: text.optional().describe('Message that is sent to this session when it is idle. Give this or command'),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .refine(hasNoNul, 'must not hold a NUL')
    .optional()
    .describe('Of a command: a folder inside that of the session, relative to it'),
  stream: emitterName.optional().describe('Name of the event stream that it fills. Default: its own name'),
  runInterval: runInterval.optional(),
  eventFilter: eventFilter
    .optional()
    .describe('Of a command: what becomes of each line. The first rule that matches decides; a line that none matches is kept'),
  maxRuns: z.number().int().min(1).max(MAX_RUNS).optional().describe('It is over after so many runs. Without runInterval only 1'),
  includeStderr: z.boolean().optional().describe('Of a command: lines on its standard error are events too'),
  description: z.string().max(1000).optional().describe('What it is for, for people'),
  ownership: ownership.optional(),
} as const;

type Fields = z.output<z.ZodObject<typeof emitterFields>>;

/** What one field says about another. */
export function checkEmitter(
  { command, prompt, runInterval, maxRuns, ...only }: Pick<Fields, keyof typeof emitterFields>,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  const wrong = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (command === undefined && prompt === undefined) wrong('command', 'is missing: give a command or a prompt');
  if (command !== undefined && prompt !== undefined) wrong('prompt', 'stands beside a command: give one of them');
  if (command !== undefined && runInterval === 'idle') wrong('runInterval', '"idle" is for a prompt; a command takes a time such as "5m"');
  if (command === undefined)
    for (const field of ['cwd', 'eventFilter', 'includeStderr'] as const)
      if (only[field] !== undefined) wrong(field, 'is for a command alone');
  if (runInterval === undefined && maxRuns !== undefined && maxRuns > 1)
    wrong('maxRuns', 'can only be 1 without a runInterval, because it runs once');
}

/** As an owner starts it. */
export const emitterSpec = z
  .strictObject({ ...emitterFields, autoStart: z.boolean().optional().describe('false: it waits until somebody runs it') })
  .superRefine(checkEmitter);
export type EmitterInput = z.input<typeof emitterSpec>;
export type EmitterSpec = z.output<typeof emitterSpec>;

/** What became of the lines of an emitter. */
export type LineCounts = Record<z.output<typeof eventRule>['outcome'], number>;

export interface EmitterStatus {
  name: string;
  stream: string;
  command?: string;
  prompt?: string;
  cwd?: string;
  description?: string;
  runSchedule: 'continuous' | 'timed' | 'oneTime' | 'idle';
  runInterval?: EmitterSpec['runInterval'];
  maxRuns?: number;
  includeStderr?: boolean;
  eventFilter: EventFilter;
  ownership: Ownership;
  /** All of them end with their session. */
  lifespan: 'temporary';
  startedBy: 'user' | 'model';
  /** `waiting`: for its next run. `ended`: all runs are over. `failed`: it cannot run. */
  state: 'running' | 'waiting' | 'stopped' | 'ended' | 'failed';
  /** While a command runs. */
  pid?: number;
  /** Runs that have begun. */
  runs: number;
  /** Milliseconds until the next run. */
  nextRunInMs?: number;
  lines: LineCounts;
  lastLine?: string;
  /** How its last run has ended, or why it cannot run. */
  lastEnd?: string;
  /** Lines that wait for the agent, and those for which there was no room. `isPaused`: until the user speaks. */
  injector: { enabled: boolean; waiting: number; dropped: number; isPaused: boolean };
}
