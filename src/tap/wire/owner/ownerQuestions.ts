/**
 * What the gateway asks the owner of a session, as requests over the owner link. An owner that knows nothing of it answers “method not found”, as
 * older ones do.
 */
import * as z from 'zod';
import { id } from '../fields.ts';
import { Limit } from '../limits.ts';

/** A run of a command in the session. Without `exitCode` it still runs, or nobody has said how it ended. `isCut`: not all of its output is there. */
const seenCommand = z.object({
  exitCode: z.number().int().optional(),
  output: z.string().max(Limit.seenOutput),
  isCut: z.boolean().default(false),
});
export type SeenCommand = z.output<typeof seenCommand>;

const word = z.string().max(400);
const facts = z.object({
  title: word,
  agent: word.optional(),
  /** Where the agent says so. */
  activity: word.optional(),
  turn: z.enum(['idle', 'running', 'waitsForUser']),
  model: word.optional(),
  /** Those of a few values alone: what somebody has typed may be a secret. `choices`: where it can be changed now. */
  settings: z
    .array(
      z.object({ id: word, title: word, value: z.union([z.string().max(400), z.boolean()]), choices: z.array(word).max(50).optional() }),
    )
    .max(60),
  /** Messages that wait. */
  queue: z.array(word).max(20),
  clients: z.array(z.object({ name: word, tools: z.number().int().min(0), isThisOwner: z.boolean() })).max(50),
  /** The to-do list of the agent. */
  tasks: z.array(z.object({ text: word, state: z.enum(['open', 'doing', 'done']) })).max(100),
  /** Work that goes on beside the turns. */
  background: z.array(word).max(50),
});
/** What the owner sees of its session. */
export type SessionFacts = z.output<typeof facts>;

const mode = z.string().min(1).max(100);
const modeChange = z.discriminatedUnion('is', [
  /** `question`: for the user, with the warning that the owner gives where less is asked then. `from`: the value now. */
  z.object({ is: z.literal('possible'), setting: word, from: word, question: z.string().max(Limit.questionLength) }),
  z.object({ is: z.literal('same') }),
  z.object({ is: z.literal('refused'), why: z.string().max(2_000) }),
]);
/** What would become of the wish for another mode. */
export type ModeChange = z.output<typeof modeChange>;

export const ownerQuestions = {
  'session/facts': { params: z.object({ sessionId: id }), result: facts },
  /** Changes nothing. */
  'session/modeChange': { params: z.object({ sessionId: id, mode }), result: modeChange },
  /** Only after the user has said yes to its question, and as long as `setting` still is `from`. */
  'session/setMode': {
    params: z.object({ sessionId: id, mode, setting: word, from: word }),
    result: z.object({ done: z.boolean(), why: z.string().max(2_000).optional() }),
  },
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
