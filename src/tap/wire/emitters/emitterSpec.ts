/** Emitters: commands and prompts that watch something for a session. The owner link and the tools of the provider `tap` describe them like this. */
import * as z from 'zod';
import { Limit } from '../limits.ts';
import { emitterName, runInterval } from './emitterWords.ts';

const MAX_RUNS = 1_000_000;
const hasNoNul = (value: string) => !value.includes('\0');

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
  description: z.string().max(Limit.emitterDescription).optional().describe('What it is for, for people'),
  ownership: ownership.optional().describe('userOwned: a model may not stop or change it without the yes of the user. modelOwned: it may'),
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

/** What the user alone says of an emitter. */
export const userFields = {
  autoStart: z.boolean().optional().describe('false: it waits until somebody runs it'),
  lifespan: z
    .enum(['temporary', 'persistent'])
    .optional()
    .describe('temporary: it ends with its session. persistent: it stands in tap.config.json and is started in each session of the folder'),
  injector: z.boolean().optional().describe('false: lines for the agent wait until the user switches its injector on'),
} as const;

/** As an owner starts it. */
export const emitterSpec = z.strictObject({ ...emitterFields, ...userFields }).superRefine(checkEmitter);
export type EmitterInput = z.input<typeof emitterSpec>;
export type EmitterSpec = z.output<typeof emitterSpec>;

/** They start, run, and do with their lines, the same. */
export function isSameEmitter(one: EmitterSpec, other: EmitterSpec): boolean {
  const words = (spec: EmitterSpec) => {
    const defaults = { stream: spec.name, eventFilter: [], includeStderr: false, ownership: 'userOwned', injector: true, autoStart: true };
    const full: Record<string, unknown> = { ...defaults, ...withoutUndefined(spec) };
    return JSON.stringify([...Object.keys(emitterFields), 'injector', 'autoStart'].map((field) => full[field] ?? null));
  };
  return words(one) === words(other);
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
