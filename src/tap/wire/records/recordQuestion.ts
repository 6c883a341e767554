/** A question for records as people and models write it: with times as text. */
import * as z from 'zod';
import { UserError } from '../../../base/errors.ts';
import { pointInTime } from '../../../base/text/pointInTime.ts';
import { intervalMs } from '../emitters/intervals.ts';
import { id } from '../fields.ts';
import { firstIssue } from '../parsing/firstIssue.ts';
import { recordConditions, recordKind, recordKinds, RecordLimit, recordQuery, type RecordQuery } from './record.ts';

const TIME_WORDS = 'must be a time such as "2026-11-28T06:00:00Z", a day such as "2026-11-28", or so long ago: "30m", "2h", "7d"';

/** Of the computer's time zone where it says none. */
function timeOf(text: string, now: number): number | undefined {
  const ago = intervalMs(text);
  if (ago !== undefined) return now - ago;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text;
  // A time of the day alone would be that of tomorrow as well.
  return at.includes('-') ? pointInTime(at.replace(/\.\d+(?=Z|[+-]\d{2}:|$)/, ''), now) : undefined;
}

const time = z
  .string()
  .max(40)
  .refine((text) => timeOf(text, 0) !== undefined, TIME_WORDS);

export const recordQuestion = z.strictObject({
  kind: recordKind.optional().describe(`What kind: ${recordKinds.join(', ')}. Left out: all but trace`),
  since: time.optional().describe('Not older than this: "2h" (so long ago), "2026-11-28" or "2026-11-28T06:00:00Z"'),
  until: time.optional().describe('Not newer than this, in the same form'),
  where: recordConditions
    .optional()
    .describe('Fields of the data and what they must be, such as {"tool": "run_tests", "allowed": true}; "a.b" for a field in a field'),
  limit: z.number().int().min(1).max(RecordLimit.asked).optional().describe(`How many; ${RecordLimit.askedByDefault} if left out`),
});
export type RecordQuestion = z.output<typeof recordQuestion>;

/** As on a command line or in an address: `where`, `limit` and `after` are JSON, and `session` is the id of one. */
const textQuestion = recordQuestion.extend({ session: id.optional(), after: recordQuery.shape.after });

/** Throws what is wrong with it. */
export function askedByText(given: Readonly<Record<string, string | undefined>>, now: number): RecordQuery {
  const json = ['where', 'limit', 'after'].flatMap((name) =>
    given[name] === undefined ? [] : [[name, parsed(name, given[name])] as const],
  );
  const { data, error } = textQuestion.safeParse({ ...given, ...Object.fromEntries(json) });
  if (error) throw new UserError(firstIssue(error));
  const { session, after, ...question } = data;
  return { ...queryOf(question, now), sessionId: session, after };
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${name} must be JSON`);
  }
}

export function queryOf({ since, until, limit = RecordLimit.askedByDefault, ...rest }: RecordQuestion, now: number): RecordQuery {
  return {
    ...rest,
    limit,
    ...(since !== undefined && { since: timeOf(since, now) }),
    ...(until !== undefined && { until: timeOf(until, now) }),
  };
}
