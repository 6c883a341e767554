/**
 * What the gateway asks the owner of a session, as requests over the owner link. An owner that knows nothing of it answers “method not found”, as
 * older ones do.
 */
import * as z from 'zod';
import { id } from './fields.ts';
import { Limit } from './limits.ts';

/** A run of a command in the session. Without `exitCode` it still runs, or nobody has said how it ended. `isCut`: not all of its output is there. */
const seenCommand = z.object({
  exitCode: z.number().int().optional(),
  output: z.string().max(Limit.seenOutput),
  isCut: z.boolean().default(false),
});
export type SeenCommand = z.output<typeof seenCommand>;

export const ownerQuestions = {
  /** The runs of exactly this command, newest first. */
  'session/commands': {
    params: z.object({ sessionId: id, command: z.string().max(Limit.emitterText) }),
    result: z.object({ runs: z.array(seenCommand).max(Limit.seenCommands) }),
  },
} as const;
export type OwnerQuestion = keyof typeof ownerQuestions;
export type QuestionParams<Q extends OwnerQuestion> = z.output<(typeof ownerQuestions)[Q]['params']>;
export type QuestionResult<Q extends OwnerQuestion> = z.output<(typeof ownerQuestions)[Q]['result']>;

/** What an owner answers for one session. */
export type SessionAnswers = {
  readonly [Q in OwnerQuestion]?: (
    params: QuestionParams<Q>,
  ) => z.input<(typeof ownerQuestions)[Q]['result']> | Promise<z.input<(typeof ownerQuestions)[Q]['result']>>;
};
