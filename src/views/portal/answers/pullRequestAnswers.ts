/** What the portal answers about pull requests for what a run has brought about, as its page reads it. */
import * as z from 'zod/mini';
import { textWords } from './answerWords.ts';

const branch = z.string();
const commit = z.string();
/** Without secrets. */
const address = z.string();

/** Of `copilot/job/ID/result/pullRequest/plan`. */
export const pullRequestPlan = z.object({
  /** The top folder of the work tree. */
  folder: z.string(),
  branch,
  /** All that could be pushed. */
  branches: z.array(branch),
  commit,
  /** That the remote does not have in `base`, newest first. Absent: that is not known here. */
  commits: z.optional(z.array(z.string())),
  /** There are more, which are not listed. */
  hasMore: z.optional(z.boolean()),
  remote: z.string(),
  remotes: z.array(z.string()),
  /** Where it is pushed to. */
  address,
  /** It is a repository on this computer. */
  isFolder: z.optional(z.boolean()),
  /** `HOST/OWNER/NAME`, in which gh opens it. */
  repository: z.optional(z.string()),
  /** Suggested, as are the title and the body. */
  base: branch,
  title: z.string(),
  body: z.string(),
  /** Whether it can open it. */
  gh: z.enum(['ready', 'signedOut', 'missing', 'silent', 'unusable']),
  /** Of the commit and the address. */
  revision: z.string(),
});
export type PullRequestPlan = z.infer<typeof pullRequestPlan>;

/** Of `copilot/job/ID/result/pullRequest`. */
export const branchPushed = z.object({
  result: z.literal('Pushed'),
  branch,
  commit,
  address,
  /** By Git, line by line. */
  said: z.array(z.string()),
  /** On the pages of the remote, which has named it for a new pull request. */
  page: z.optional(z.string()),
  /** By gh. */
  opened: z.optional(z.boolean()),
  /** The address of the one that is open. */
  pullRequest: z.optional(z.string()),
  /** Why gh did not open it. */
  problem: z.optional(z.string()),
  /** `problem`, where it is the portal's. */
  words: textWords,
});
export type BranchPushed = z.infer<typeof branchPushed>;
