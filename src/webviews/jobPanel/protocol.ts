/**
 * The messages between the page of a job and the extension. The extension posts lists of
 * messages, the page one message at a time. The extension asks the portal; the page never does.
 */
import * as z from 'zod/mini';
import type { JobOffer, JobStatus } from '../../views/portal/jobData.ts';

/** All that is shown. Replaces what was sent before. */
export interface JobMessage {
  type: 'job';
  /** A portal runs. */
  isRunning: boolean;
  /** Of the run that is shown. Absent: what can be started is shown. */
  jobId?: string;
  /** Absent until it is known. */
  job?: JobStatus;
  /** What can be started. Absent until it is known. */
  offer?: JobOffer;
  /** Ids of the sessions that wait for the user. */
  waiting?: readonly string[];
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

const jobPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Starts the portal, as the command does, and opens its page. */
  z.object({ type: z.literal('openPortal') }),
  z.object({
    type: z.literal('start'),
    jobName: text,
    folder: z.string().check(z.maxLength(4096), z.regex(/^[^\r\n\0]*$/)),
    userInput: text,
    /** Of the job as the page shows it. It becomes a header. */
    revision: z.string().check(z.regex(/^[\w-]{1,100}$/)),
    /** In ms since the epoch, up to what a date can be. */
    notBefore: z.optional(z.int().check(z.minimum(0), z.maximum(8.64e15))),
  }),
  z.object({ type: z.literal('stop'), jobId }),
  z.object({ type: z.literal('continue'), jobId, loopCap: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))) }),
]);
export type JobPageMessage = z.infer<typeof jobPageMessage>;

/** A fresh message with no member that the protocol does not know. Undefined for anything malformed. */
export function parseJobPageMessage(value: unknown): JobPageMessage | undefined {
  return jobPageMessage.safeParse(value).data;
}
