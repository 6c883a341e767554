import * as z from 'zod';
import { routes, shape } from './route.ts';

/** Queues keep what they are given. */
type LiveEvent = Record<string, unknown>;
/** A callback of the seed's interfaces, with its arguments. */
const told = <N extends string, S extends z.ZodRawShape>(callback: N, argumentsOfIt: S) =>
  z.strictObject({ callback: z.literal(callback), ...argumentsOfIt });
const text = z.string();
const turn = { turnId: text };
const toolCall = { toolCallId: text };
const session = { taskId: text, sessionId: text };

const events = {
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

const dropped = shape(
  'EventsDropped',
  z
    .strictObject({ error: z.literal('EventsDropped'), dropped: z.int().min(1) })
    .describe('The reader was so slow that events are gone. It goes on with the next one.'),
);

export type Followed = keyof typeof events;

/** `id`: what its events are called in the document. `notFound`, `closed`: the errors that have a name of their own. */
function followed(of: Followed, id: string, notFound: string, closed: string) {
  const errors = [notFound, closed, 'HttpRequestTimeout', 'ParallelCallNotSupported'] as const;
  const event: z.ZodType<LiveEvent> = shape(id, events[of]);
  const tokenError = z.enum([...errors, 'TokenNotFound']);
  const tokenErrors = z.strictObject({ error: tokenError });
  return routes({
    next: {
      path: `/copilot/${of}/{id}/live`,
      changes: true,
      summary: 'The next event. Waits up to five seconds.',
      answer: shape(`${id}OrDropped`, z.union([event, dropped])),
      errors,
    },
    unread: {
      path: `/copilot/${of}/{id}/live/{token}`,
      changes: true,
      summary: 'All events that the reader of the token has not read. Waits up to five seconds.',
      answer: shape(
        `${id}s`,
        z.strictObject({
          responses: z.array(z.union([event, dropped, tokenErrors])).min(1),
          error: tokenError.optional().describe('That of the only response, once more.'),
        }),
      ),
    },
  });
}

export const liveRoutes = {
  session: followed('session', 'SessionEvent', 'SessionNotFound', 'SessionClosed'),
  task: followed('task', 'TaskEvent', 'TaskNotFound', 'TaskClosed'),
  job: followed('job', 'JobEvent', 'JobNotFound', 'JobsClosed'),
};
