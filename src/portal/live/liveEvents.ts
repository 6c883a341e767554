/** What the live interface tells of sessions, tasks and jobs, in the words of the callbacks that the specification's interfaces have. */
import * as z from 'zod';

/** A callback of the specification's interfaces, with its arguments. */
const told = <N extends string, S extends z.ZodRawShape>(callback: N, argumentsOfIt: S) =>
  z.strictObject({ callback: z.literal(callback), ...argumentsOfIt });
const text = z.string();
const turn = { turnId: text };
const toolCall = { toolCallId: text };
const session = { taskId: text, sessionId: text };

export const liveEvents = {
  session: z.union([
    z.discriminatedUnion('callback', [
      told('onAgentStart', turn),
      told('onAgentEnd', turn),
      told('onStartReasoning', { reasoningId: text }),
      told('onReasoning', { reasoningId: text, delta: text }),
      told('onEndReasoning', { reasoningId: text, completeContent: text }),
      told('onStartMessage', { messageId: text }),
      told('onMessage', { messageId: text, delta: text }),
      told('onEndMessage', { messageId: text, completeContent: text }),
      told('onStartToolExecution', {
        ...{ ...toolCall, toolName: text, toolArguments: text.describe('A JSON object.') },
        parentToolCallId: text.optional().describe('The call that has started the subagent whose call it is.'),
      }),
      told('onToolExecution', { ...toolCall, delta: text }),
      told('onEndToolExecution', {
        ...toolCall,
        result: z
          .strictObject({ content: text, detailedContent: text.optional().describe('Changed files, and content that is structured.') })
          .optional(),
        error: z.strictObject({ message: text, code: text.optional() }).optional().describe('The code is “denied” where it never ran.'),
      }),
      told('onIdle', {}),
      told('onGeneratedUserPrompt', { prompt: text }),
    ]),
    z.strictObject({ sessionError: text }),
  ]),
  task: z.union([
    z.discriminatedUnion('callback', [
      told('taskDecision', { reason: text }),
      told('taskSessionStarted', { ...session, isDriving: z.boolean(), isDrivingSession: z.boolean() }),
      told('taskSessionStopped', { ...session, succeeded: z.boolean() }),
      told('taskSucceeded', {}),
      told('taskFailed', {}),
    ]),
    z.strictObject({ taskError: text }),
  ]),
  job: z.union([
    z.discriminatedUnion('callback', [
      told('workStarted', { workId: z.int().min(0), taskId: text }),
      told('workStopped', { workId: z.int().min(0), succeeded: z.boolean() }),
      told('jobSucceeded', {}),
      told('jobFailed', {}),
    ]),
    z.strictObject({ jobError: text }),
  ]),
} as const;

export type Followed = keyof typeof liveEvents;
export type LiveEvent<Of extends Followed> = z.output<(typeof liveEvents)[Of]>;

/** The errors that differ by what is followed. */
export const liveErrorNames = {
  session: { notFound: 'SessionNotFound', closed: 'SessionClosed' },
  task: { notFound: 'TaskNotFound', closed: 'TaskClosed' },
  job: { notFound: 'JobNotFound', closed: 'JobsClosed' },
} as const;
export type LiveErrorName<Of extends Followed> = (typeof liveErrorNames)[Of]['notFound' | 'closed'];
