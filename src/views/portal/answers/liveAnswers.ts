/** What the portal tells of a task or a job while it runs, as far as its clients read it. They pass on what they do not know. */
import * as z from 'zod/mini';

const liveResponse = z.looseObject({
  callback: z.optional(z.string()),
  /** Why there is no event, such as that none has come in time. */
  error: z.optional(z.string()),
  workId: z.optional(z.number()),
  taskId: z.optional(z.string()),
  taskError: z.optional(z.string()),
  jobError: z.optional(z.string()),
});

/** Of `copilot/task/ID/live/TOKEN` and `copilot/job/ID/live/TOKEN`. */
export const liveResponses = z.object({ responses: z.array(liveResponse) });
