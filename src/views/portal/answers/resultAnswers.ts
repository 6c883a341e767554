/** What the portal answers about what a run has brought about, as its page reads it. */
import * as z from 'zod/mini';
import { listWords } from './answerWords.ts';
import { atLeast0, runStatus } from './runAnswers.ts';

const atLeast1 = z.int().check(z.minimum(1));

/** What the agent host asks before it discards something. Absent: it does not discard it. */
const discard = z.optional(z.string());
/** Of exactly what was listed. */
const revision = z.string();
const path = z.string();
const change = z.enum(['created', 'changed', 'deleted']);

export const changedFile = z.object({
  /** Which file of the session's changes it is. */
  id: z.string(),
  /** In the folder of the session, or absolute. */
  path,
  change: z.enum([...change.options, 'moved']),
  /** The old path of a file that was moved. */
  from: z.optional(path),
  added: z.optional(atLeast0),
  removed: z.optional(atLeast0),
  /** The absolute path of a file that is on this computer. */
  localPath: z.optional(path),
  discard,
  revision,
});
export type ChangedFile = z.infer<typeof changedFile>;

/** What one session of a step has changed. */
export const changesOfSession = z.object({
  sessionId: z.string(),
  files: z.array(changedFile),
  /** There are so many more, which are not listed. */
  more: z.optional(atLeast1),
  /** Of all of them. */
  discard,
  revision,
});
export type ChangesOfSession = z.infer<typeof changesOfSession>;

export const resultOfStep = z.object({
  step: z.string(),
  workId: atLeast0,
  taskName: z.string(),
  status: runStatus,
  /** The job was continued from here, so this step does not count any more. What it has changed may still be there. */
  redone: z.optional(z.boolean()),
  /** The agent host, where it is not that of the portal. */
  host: z.optional(z.string()),
  changes: z.array(changesOfSession),
  /** Paths of what its agents have reported, as they wrote them. */
  documents: z.array(path),
  /** What could not be found out, in words. */
  problems: z.array(z.string()),
  /** `problems`. */
  words: listWords,
});
export type ResultOfStep = z.infer<typeof resultOfStep>;

/** A work tree of the run in which it has changed something. */
export const changedTree = z.object({ id: z.string(), path, branch: z.string() });
export type ChangedTree = z.infer<typeof changedTree>;

/** Of `copilot/job/ID/result`: steps in the order in which they started, without those that have nothing to tell. */
export const runResult = z.object({
  steps: z.array(resultOfStep),
  /** Those that are there. Absent: the run works in its folder itself. */
  worktrees: z.optional(z.array(changedTree)),
});
export type RunResult = z.infer<typeof runResult>;

/** Of `copilot/job/ID/result/diff`: both texts of a change. `before` is empty for a file that was created, `after` for one that was deleted. */
export const fileTexts = z.object({ before: z.string(), after: z.string() });
export type FileTexts = z.infer<typeof fileTexts>;

/** Of `copilot/job/ID/result/document`. `localPath`: the real path, absolute. */
export const documentText = z.object({ localPath: path, isMarkdown: z.boolean(), text: z.string() });
export type DocumentText = z.infer<typeof documentText>;

/** Of `copilot/job/ID/result/discard`. */
export const changesDiscarded = z.object({ result: z.literal('Discarded'), message: z.optional(z.string()) });
export type ChangesDiscarded = z.infer<typeof changesDiscarded>;

/** Of `copilot/job/ID/result/commit/plan`: a commit that can be made of what a run has changed. */
export const commitPlan = z.object({
  /** The top folder of the work tree. */
  folder: path,
  /** The branch that the work tree is on, and stays on. Absent: none. */
  base: z.optional(z.string()),
  /** The commit that it follows. */
  head: z.string(),
  /** What is suggested, as is the message. In a work tree of the run, its branch. */
  branch: z.string(),
  /** The work tree of the run, by its id. */
  worktree: z.optional(z.string()),
  message: z.string(),
  files: z.array(z.object({ path, change })),
  /** Paths outside of the folder of the run. */
  leftOut: z.array(path),
  /** Of exactly these files and the last commit. */
  revision,
});
export type CommitPlan = z.infer<typeof commitPlan>;

/** Of `copilot/job/ID/result/commit`. `folder`: the top folder of the work tree. */
export const resultCommitted = z.object({ result: z.literal('Committed'), folder: path, branch: z.string(), commit: z.string() });
export type ResultCommitted = z.infer<typeof resultCommitted>;
