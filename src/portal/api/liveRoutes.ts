import * as z from 'zod';
import { type Followed, liveErrorNames, liveEvents } from '../live/liveEvents.ts';
import { routes, shape } from './route.ts';

const dropped = shape(
  'EventsDropped',
  z
    .strictObject({ error: z.literal('EventsDropped'), dropped: z.int().min(1) })
    .describe('The reader was so slow that events are gone. It goes on with the next one.'),
);

/** `id`: what its events are called in the document. */
function followed<Of extends Followed, E extends z.ZodType, N extends string, C extends string>(
  of: Of,
  id: string,
  events: E,
  { notFound, closed }: { readonly notFound: N; readonly closed: C },
) {
  const errors = [notFound, closed, 'HttpRequestTimeout', 'ParallelCallNotSupported'] as const;
  const event = shape(id, events);
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
  session: followed('session', 'SessionEvent', liveEvents.session, liveErrorNames.session),
  task: followed('task', 'TaskEvent', liveEvents.task, liveErrorNames.task),
  job: followed('job', 'JobEvent', liveEvents.job, liveErrorNames.job),
};
