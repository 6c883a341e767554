/** What a run has brought about, as the page of the portal reads it (docs/portal-api.md). */
import * as z from 'zod';
import { runStatus } from '../jobData.ts';

const changedFile = z.object({
  id: z.string(),
  path: z.string(),
  change: z.enum(['created', 'changed', 'deleted', 'moved']),
  from: z.string().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  localPath: z.string().optional(),
  /** What the agent host asks before it discards the change. */
  discard: z.string().optional(),
  revision: z.string(),
});
export type ChangedFile = z.infer<typeof changedFile>;

const changesOfSession = z.object({
  sessionId: z.string(),
  files: z.array(changedFile),
  more: z.number().optional(),
  /** The same for all of them. */
  discard: z.string().optional(),
  revision: z.string(),
});
export type ChangesOfSession = z.infer<typeof changesOfSession>;

const resultOfStep = z.object({
  step: z.string(),
  workId: z.number(),
  taskName: z.string(),
  status: runStatus,
  redone: z.boolean().optional(),
  host: z.string().optional(),
  changes: z.array(changesOfSession),
  documents: z.array(z.string()),
  problems: z.array(z.string()),
});
export type ResultOfStep = z.infer<typeof resultOfStep>;

/** Of `copilot/job/ID/result`. */
export const runResult = z.object({ steps: z.array(resultOfStep) });
export type RunResult = z.infer<typeof runResult>;

/** Of `copilot/job/ID/result/document`. */
export const documentText = z.object({ localPath: z.string(), isMarkdown: z.boolean(), text: z.string() });

/** Of `copilot/job/ID/result/discard`. */
export const changesDiscarded = z.object({ message: z.string().optional() });

/** Of `copilot/job/ID/result/commit/plan`. */
export const commitPlan = z.object({
  folder: z.string(),
  /** The branch of the folder. */
  base: z.string().optional(),
  /** The commit that it follows. */
  head: z.string(),
  branch: z.string(),
  message: z.string(),
  files: z.array(z.object({ path: z.string(), change: z.enum(['created', 'changed', 'deleted']) })),
  leftOut: z.array(z.string()),
  revision: z.string(),
});
export type CommitPlan = z.infer<typeof commitPlan>;

/** Of `copilot/job/ID/result/commit`. */
export const resultCommitted = z.object({ branch: z.string(), commit: z.string() });

/** Of `copilot/job/ID/result/diff`. */
export const fileTexts = z.object({ before: z.string(), after: z.string() });
