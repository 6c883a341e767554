/** What a provider asks the user of a session while one of its tools runs, in the words of MCP's elicitation, and the answer. */
import * as z from 'zod';
import { id, record } from './fields.ts';
import { Limit } from './limits.ts';

const message = z.string().min(1).max(Limit.questionLength);

/** As it would be opened: what cannot be seen is encoded. Nothing that looks like another site before an “@”. */
const url = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2_000)
  .refine((value) => !/[@]/.test(new URL(value).href.split('/')[2] ?? ''), 'must not hold a user name or a password')
  .transform((value) => new URL(value).href);

export const userQuestion = z.union([
  /** A form: `requestedSchema` is an object of primitive properties. */
  z.object({
    message,
    requestedSchema: record.refine((schema) => JSON.stringify(schema).length <= Limit.questionLength, 'is too large'),
  }),
  /** A page that the user is to open. */
  z.object({ message, url }),
]);
export type UserQuestion = z.output<typeof userQuestion>;

/** `decline`: also where nobody can be asked. */
export const userAnswer = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  /** Of a form that was accepted. */
  content: record.refine((content) => JSON.stringify(content).length <= Limit.textLength, 'is too large').optional(),
});
export type UserAnswer = z.output<typeof userAnswer>;

export const toolAsk = z.object({ type: z.literal('tool.ask'), id, askId: id, question: userQuestion });
