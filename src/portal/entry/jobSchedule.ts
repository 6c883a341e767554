/** When a job starts by itself. */
import { Cron } from 'croner';
import * as z from 'zod';
import { english, type Phrase, phrase } from '../../base/text/phrase.ts';

const MAX_CRON = 200;

/** Absolute on this computer: the run of a schedule has nobody who could say from where a relative one counts. */
const absolutePath = /^(?:\/|[A-Za-z]:[\\/])[^\0]*$/;

export const schedule = z
  .strictObject({
    cron: z
      .string()
      .max(MAX_CRON)
      .describe('Minute, hour, day of the month, month and day of the week, as in a crontab (“30 6 * * 1-5”), or @daily, @weekly, ….'),
    timeZone: z.string().max(100).optional().describe('Such as Europe/Berlin. Absent: that of this computer.'),
    folder: z.string().regex(absolutePath, 'must be an absolute path').describe('The working directory of the runs.'),
    userInput: z.string().optional().describe('For a job that requires user input.'),
    missed: z
      .enum(['skip', 'run'])
      .optional()
      .describe('What happens when its time came while the portal did not run, or slept: nothing (skip), or one run as soon as it can.'),
  })
  .superRefine(({ cron, timeZone }, context) => {
    const problem = problemOf(cron, timeZone);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', path: [problem.member], message: english(problem.words), params: { words: problem.words } });
  });
export type Schedule = z.infer<typeof schedule>;

/** The first time after that one, in ms since the epoch. Undefined: there is none. */
export function nextTime({ cron, timeZone }: Pick<Schedule, 'cron' | 'timeZone'>, after: number): number | undefined {
  return timesOf(cron, timeZone).nextRun(new Date(after))?.getTime();
}

/** The last time before that one. */
export function lastTime({ cron, timeZone }: Pick<Schedule, 'cron' | 'timeZone'>, before: number): number | undefined {
  return timesOf(cron, timeZone).previousRuns(1, new Date(before))[0]?.getTime();
}

function problemOf(cron: string, timeZone: string | undefined): { member: 'cron' | 'timeZone'; words: Phrase } | undefined {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return { member: 'timeZone', words: phrase`must be a time zone such as Europe/Berlin` };
  try {
    if (nextTime({ cron, ...(timeZone !== undefined && { timeZone }) }, Date.now()) !== undefined) return undefined;
    return { member: 'cron', words: phrase`is a time that never comes` };
  } catch {
    return { member: 'cron', words: phrase`must have the five fields of cron: minute, hour, day of the month, month, day of the week` };
  }
}

function timesOf(cron: string, timeZone: string | undefined): Cron {
  return new Cron(cron, { mode: '5-part', ...(timeZone !== undefined && { timezone: timeZone }) });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
