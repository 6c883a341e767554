/**
 * The messages between the page of a job and the extension. The extension posts lists of
 * messages, the page one message at a time. The extension asks the portal; the page never does.
 */
import * as z from 'zod/mini';
import { runChange } from '../../views/portal/changes/runChange.ts';
import type { JobOffer, JobStatus, StepInput } from '../../views/portal/jobData.ts';
import {
  changeRef,
  documentRef,
  type OfferedDeed,
  offeredDeed,
  type ResultAnswer,
  type ResultQuestion,
  resultQuestions,
} from '../../views/portal/result/resultQuestions.ts';

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
  /** The sessions that wait for the user. `host`: the agent host, where that is not the portal's own. */
  waiting?: readonly { sessionId: string; host?: string }[];
  /** Where a job works, unless the user says something else. */
  folder: string;
  /** When this was so, in milliseconds since the epoch. */
  at: number;
  /** Why there is nothing newer. */
  problem?: string;
}

/** To a message with this number. */
export interface AnswerMessage {
  type: 'answer';
  id: number;
  /** What was asked for. Absent: there is nothing but that it was done. */
  input?: StepInput;
  result?: ResultAnswer<ResultQuestion>;
  /** Why it was not done. */
  problem?: string;
}

/** A command of VS Code: shows what would be committed, or opened as a pull request, as the button for it does. */
export interface BeginMessage {
  type: 'begin';
  deed: OfferedDeed;
}

export type JobPanelMessage = JobMessage | AnswerMessage | BeginMessage;

/** Ids become parts of a path. */
const runId = z.string().check(z.regex(/^[\w-]{1,100}$/));
/** Of a message that is answered. */
const id = z.int().check(z.minimum(1));
const text = z.string().check(z.maxLength(1_000_000));

const ofRun = { id, jobId: runId };
const resultMessage = <const Q extends ResultQuestion>(question: Q) =>
  z.object({ type: z.literal('result'), question: z.literal(question), ...ofRun, body: resultQuestions[question].body });

const jobPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Starts the portal, as the command does, and opens its page. */
  z.object({ type: z.literal('openPortal') }),
  z.object({
    type: z.literal('start'),
    id,
    jobName: text,
    folder: z.string().check(z.maxLength(4096), z.regex(/^[^\r\n\0]*$/)),
    userInput: text,
    /** Of the job as the page shows it. It becomes a header. */
    revision: z.string().check(z.regex(/^[\w-]{1,100}$/)),
    /** In ms since the epoch, up to what a date can be. */
    notBefore: z.optional(z.int().check(z.minimum(0), z.maximum(8.64e15))),
  }),
  z.object({ type: z.literal('change'), ...ofRun, change: runChange }),
  /** What the step gets when it runs the next time. */
  z.object({ type: z.literal('stepInput'), ...ofRun, workId: z.int().check(z.minimum(0)) }),
  /** `host`: its agent host, where that is not the portal's own. */
  z.object({
    type: z.literal('showSession'),
    id,
    sessionId: z.string().check(z.regex(/^[\w-]{1,100}$/)),
    host: z.optional(z.string().check(z.maxLength(1_000))),
    /** At the first thing that waits in it. */
    atCard: z.optional(z.literal(true)),
  }),
  /** Asks the portal about the result of the run. */
  z.discriminatedUnion('question', [
    resultMessage('result'),
    resultMessage('diff'),
    resultMessage('document'),
    resultMessage('discard'),
    resultMessage('commitPlan'),
    resultMessage('commit'),
    resultMessage('pullRequestPlan'),
    resultMessage('pullRequest'),
  ]),
  /** Nobody wants the answer to this message any more. */
  z.object({ type: z.literal('cancel'), of: id }),
  /** In VS Code's own editor of differences. */
  z.object({ type: z.literal('showChange'), ...ofRun, change: changeRef }),
  /** A file or document of the result, in an editor. */
  z.object({ type: z.literal('openFile'), ...ofRun, file: z.union([changeRef, documentRef]) }),
  /** What can be begun on the page now. */
  z.object({ type: z.literal('offers'), jobId: runId, deeds: z.array(offeredDeed).check(z.maxLength(2)) }),
  z.object({ type: z.literal('openLink'), address: z.string().check(z.maxLength(10_000), z.regex(/^(?:https?|mailto):/i)) }),
]);
export type JobPageMessage = z.infer<typeof jobPageMessage>;
/** A message that is answered. */
export type JobPageRequest = Extract<JobPageMessage, { id: number }>;

/** A fresh message with no member that the protocol does not know. Undefined for anything malformed. */
export function parseJobPageMessage(value: unknown): JobPageMessage | undefined {
  return jobPageMessage.safeParse(value).data;
}
