/** What the portal answers about the jobs of its entry, as far as its clients read it. */
import * as z from 'zod/mini';
import { listWords } from './answerWords.ts';
import { atLeast0, time } from './runAnswers.ts';

/** Which step a node stands for. */
export const nodeWorkId = z.int().check(z.minimum(0));
export const chartNode = z.object({
  id: atLeast0,
  hint: z.union([
    z.tuple([z.enum(['TaskNode', 'CondNode']), nodeWorkId]),
    z.enum(['ParBegin', 'ParEnd', 'CondBegin', 'CondEnd', 'LoopEnd', 'AltEnd']),
  ]),
  /** The name of the task, and the model where this run of it has one of its own. */
  label: z.optional(z.string()),
  arrows: z.optional(z.array(z.object({ to: atLeast0, loopBack: z.boolean(), label: z.optional(z.enum(['true', 'false'])) }))),
});

/** What is to be known before a job starts. */
const warnings = z.optional(z.array(z.string()));
/** `warnings`. */
const words = listWords;

/** What tasks do without asking, in words that follow their names. */
export const withoutAsking = z.optional(z.record(z.string(), z.string()));

export const lastStart = z.object({ at: time, jobId: z.optional(z.string()), problem: z.optional(z.string()) });
export const missedTimes = z.object({ count: z.number(), last: time });
export const listedSchedule = z.object({
  cron: z.string(),
  timeZone: z.optional(z.string()),
  folder: z.string(),
  missed: z.optional(z.string()),
  next: z.optional(time),
  last: z.optional(lastStart),
  missedTimes: z.optional(missedTimes),
});

/** Of `copilot/job`. */
export const listedJob = z.object({
  requireUserInput: z.boolean(),
  withoutAsking,
  /** Of tasks by their names, where it is not that of the portal. */
  hosts: z.optional(z.record(z.string(), z.string())),
  /** Whether it works in the folder that is named, or in work trees of Git. */
  worktree: z.optional(z.union([z.string(), z.object({ for: z.string(), merge: z.optional(z.string()) })])),
  warnings,
  words,
  /** When it starts by itself. */
  schedule: z.optional(listedSchedule),
  /** Of all that a start of it does. A start names it, so that what was shown is what is done. */
  revision: z.string(),
});

export const gridRow = z.object({
  keyword: z.string(),
  jobs: z.array(z.nullable(z.object({ name: z.string(), jobName: z.string() }))),
});

export const jobStarted = z.object({ jobId: z.string(), warnings, words });

export const timelineDocument = z.object({ fileName: z.string(), markdown: z.string() });

/** Of `copilot/job/ID/timeline`, for a file that programs read. */
export const timelineEntries = z.looseObject({ jobName: z.string(), entries: z.array(z.unknown()) });
