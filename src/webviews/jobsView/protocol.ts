/**
 * The messages between the Jobs view and the extension. The extension posts lists of
 * messages, the page one message at a time. The extension asks the portal; the page never does.
 */
import * as z from 'zod/mini';
import type { JobOffer, JobStatus, JobSummary } from '../../views/portal/jobData.ts';

/** All that is shown. Replaces what was sent before. */
export interface JobsMessage {
  type: 'jobs';
  /** Absent: no portal runs. */
  portal?: {
    offer: JobOffer;
    runs: readonly JobSummary[];
    /** Ids of the sessions that wait for the user. */
    waiting: readonly string[];
  };
  /** The run that is shown. */
  job?: JobStatus;
  /** Where a job works, unless the user says something else. */
  folder: string;
  /** When this was so, in milliseconds since the epoch. */
  at: number;
  /** Why there is nothing newer, or why something could not be done. */
  problem?: string;
}

/** Ids become parts of a path. */
const jobId = z.string().check(z.regex(/^[\w-]{1,100}$/));
const text = z.string().check(z.maxLength(1_000_000));

const jobsViewMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Starts the portal, as the command does, and opens its page. */
  z.object({ type: z.literal('openPortal') }),
  /** Undefined: no run is shown. */
  z.object({ type: z.literal('show'), jobId: z.optional(jobId) }),
  z.object({
    type: z.literal('start'),
    jobName: text,
    folder: z.string().check(z.maxLength(4096), z.regex(/^[^\r\n\0]*$/)),
    userInput: text,
    /** Of the job as the page shows it. It becomes a header. */
    revision: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  }),
  z.object({ type: z.literal('stop'), jobId }),
  z.object({ type: z.literal('continue'), jobId, loopCap: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))) }),
]);
export type JobsViewMessage = z.infer<typeof jobsViewMessage>;

/** A fresh message with no member that the protocol does not know. Undefined for anything malformed. */
export function parseJobsViewMessage(value: unknown): JobsViewMessage | undefined {
  return jobsViewMessage.safeParse(value).data;
}
