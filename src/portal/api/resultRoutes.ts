import * as z from 'zod';
import {
  changedFile,
  changedTree,
  changesDiscarded,
  changesOfSession,
  commitPlan,
  documentText,
  fileTexts,
  resultCommitted,
  resultOfStep,
} from '../../views/portal/answers/resultAnswers.ts';
import { branchPushed, pullRequestPlan } from '../../views/portal/answers/pullRequestAnswers.ts';
import type { PullRequestPlanRequest, PullRequestRequest } from '../result/pullRequests.ts';
import type { ResultOfStep } from '../result/runResult.ts';
import type { ChangeRef, CommitRequest, DiscardRequest, DocumentRef } from '../result/runResults.ts';
import { stepKey } from './runChangeRoutes.ts';
import { described, requestText, routes, shape, wordsOf } from './route.ts';

const ofListed = 'Of exactly what is listed.';
const asksBefore = 'The agent host can discard it. What is to be asked before.';

const file = shape(
  'ChangedFile',
  z.strictObject(
    described(changedFile.shape, {
      id: 'Which file of the session’s changes it is.',
      path: 'In the folder of the session, or absolute.',
      from: 'The old path of a file that was moved.',
      added: 'Lines.',
      removed: 'Lines.',
      localPath: 'The absolute path of a file that is on this computer.',
      discard: asksBefore,
      revision: ofListed,
    }),
  ),
);

const changes = shape(
  'ChangesOfSession',
  z.strictObject({
    ...described(changesOfSession.shape, { more: 'So many more files are not listed.', discard: asksBefore, revision: ofListed }),
    files: z.array(file),
  }),
);

const ofStep = shape(
  'ResultOfStep',
  z.strictObject({
    ...described(resultOfStep.shape, {
      host: 'The other agent host at which its sessions are.',
      documents: 'Paths of what its agents have reported with job_prepare_document, as they wrote them.',
      problems: 'What could not be found out, in words.',
    }),
    words: z.array(wordsOf('A problem')).optional(),
    step: stepKey,
    redone: z.literal(true).optional().describe('The job was continued from here. What the step has changed may still be there.'),
    changes: z.array(changes),
  }),
) satisfies z.ZodType<ResultOfStep>;

const tree = shape('ChangedTree', z.strictObject(changedTree.shape));
const treeId = requestText.max(10_000).optional().describe('The work tree of the run. Absent: that of the whole run, where it has one.');

const branchName = requestText.max(200);

const changeRef = shape(
  'ChangeRef',
  z.strictObject({ sessionId: requestText.max(200), file: requestText.max(10_000).describe('The `id` of a file in the result.') }),
) satisfies z.ZodType<ChangeRef>;

const documentRef = shape(
  'DocumentRef',
  z.strictObject({ step: stepKey, document: requestText.max(10_000).describe('As in the result.') }),
) satisfies z.ZodType<DocumentRef>;

const discardRequest = shape(
  'DiscardRequest',
  z.strictObject({
    sessionId: requestText.max(200),
    file: requestText.max(10_000).optional().describe('Absent: all that the session has changed.'),
    revision: requestText.max(100).describe('Of what was seen.'),
  }),
) satisfies z.ZodType<DiscardRequest>;

const commitRequest = shape(
  'CommitRequest',
  z.strictObject({
    worktree: treeId,
    branch: requestText.max(200).describe('The name of a new branch. In a work tree of the run, its own.'),
    message: requestText.max(16 * 1024),
    revision: requestText.max(100).describe('Of the plan that was seen.'),
  }),
) satisfies z.ZodType<CommitRequest>;

const planRequest = shape('CommitPlanRequest', z.strictObject({ worktree: treeId }));

const plan = shape(
  'CommitPlan',
  z.strictObject(
    described(commitPlan.shape, {
      folder: 'The top folder of the work tree.',
      base: 'The branch that the work tree is on, and stays on.',
      head: 'The commit that it follows.',
      branch: 'What is suggested. In a work tree of the run, its branch.',
      worktree: 'The work tree of the run, which the branch goes forward in.',
      message: 'What is suggested.',
      leftOut: 'What the run has changed outside of its folder.',
      revision: ofListed,
    }),
  ),
);

const pushRequest = shape(
  'PullRequestPlanRequest',
  z.strictObject({
    branch: branchName.optional().describe('One on which the run has committed. Absent: that of the last commit.'),
    remote: requestText.max(200).optional().describe('Absent: “origin”, or the first one.'),
  }),
) satisfies z.ZodType<PullRequestPlanRequest>;

const requestPlan = shape(
  'PullRequestPlan',
  z.strictObject(
    described(pullRequestPlan.shape, {
      folder: 'The top folder of the work tree.',
      branches: 'All that could be pushed.',
      commits: 'That the remote does not have in `base`, newest first, as far as is known without asking it. Absent: it is not known.',
      hasMore: 'There are more.',
      address: 'Where it is pushed to, without secrets.',
      isFolder: 'It is a repository on this computer, whose hooks run.',
      repository: 'In which gh opens it: host, owner and name.',
      base: 'What is suggested, as are title and body.',
      gh: 'Whether gh can open it. unusable: the address is none of a host with such requests.',
      revision: 'Of the commit and the address.',
    }),
  ),
);

const pullRequest = shape(
  'PullRequestRequest',
  z.strictObject({
    branch: branchName,
    remote: requestText.max(200),
    revision: requestText.max(100).describe('Of the plan that was seen.'),
    open: z
      .strictObject({ base: branchName, title: requestText.max(256), body: requestText.max(16 * 1024) })
      .optional()
      .describe('With gh. Absent: the branch is only pushed.'),
  }),
) satisfies z.ZodType<PullRequestRequest>;

const pushed = shape(
  'BranchPushed',
  z.strictObject({
    ...described(branchPushed.shape, {
      said: 'By Git, line by line.',
      page: 'For a new pull request, as the remote has named it. It is on the host of the remote.',
      opened: 'By gh.',
      pullRequest: 'The address of the one that is open.',
      problem: 'Why gh did not open it. The branch is pushed.',
    }),
    words: wordsOf('The problem').optional(),
  }),
);

export const resultRoutes = routes({
  result: {
    path: '/copilot/job/{id}/result',
    changes: false,
    needsStore: true,
    summary: 'What a job has brought about, step by step: the files that the sessions of each have changed, as their agent hosts keep it.',
    answer: shape(
      'RunResult',
      z.strictObject({
        jobId: z.string(),
        steps: z.array(ofStep),
        worktrees: z
          .array(tree)
          .optional()
          .describe('Work trees in which it has changed something and that are there. Absent: the run works in its folder itself.'),
      }),
    ),
    errors: ['JobNotFound'],
  },
  diff: {
    path: '/copilot/job/{id}/result/diff',
    changes: false,
    needsStore: true,
    summary: 'Both texts of a file that a session of the job has changed.',
    body: { description: 'Which change.', format: 'json', schema: changeRef },
    answer: shape(
      'FileTexts',
      z.strictObject(
        described(fileTexts.shape, { before: 'Empty for a file that was created.', after: 'Empty for one that was deleted.' }),
      ),
    ),
    errors: ['JobNotFound', 'ChangeNotFound', 'ContentUnavailable'],
  },
  document: {
    path: '/copilot/job/{id}/result/document',
    changes: false,
    needsStore: true,
    summary: 'A document that a step has reported: a text of at most 512 KiB in the folder of the run.',
    body: { description: 'Which one.', format: 'json', schema: documentRef },
    answer: shape('DocumentText', z.strictObject(described(documentText.shape, { localPath: 'The real path, absolute.' }))),
    errors: ['JobNotFound', 'DocumentNotFound', 'ContentUnavailable'],
  },
  discard: {
    path: '/copilot/job/{id}/result/discard',
    changes: true,
    postOnly: true,
    needsStore: true,
    summary: 'Takes back what a session of the job has changed, as its agent host does it. What others have changed since stays.',
    body: { description: 'Which changes.', format: 'json', schema: discardRequest },
    answer: shape('ChangesDiscarded', z.strictObject(changesDiscarded.shape)),
    errors: ['JobNotFound', 'ChangeNotFound', 'ChangeChanged', 'DiscardRefused'],
  },
  commitPlan: {
    path: '/copilot/job/{id}/result/commit/plan',
    changes: false,
    needsStore: true,
    summary: 'The commit that can be made of what a job has changed in its folder, as the files are now. Nothing is done yet.',
    body: { description: 'Where. May be empty.', format: 'optionalJson', schema: planRequest },
    answer: plan,
    errors: ['JobNotFound', 'CommitRefused'],
  },
  commit: {
    path: '/copilot/job/{id}/result/commit',
    changes: true,
    postOnly: true,
    needsStore: true,
    summary:
      'Makes that commit on a new branch, and the work tree stays on its own; or on the branch of a work tree of the run. Hooks of the repository are not run.',
    body: { description: 'What was agreed to.', format: 'json', schema: commitRequest },
    answer: shape('ResultCommitted', z.strictObject(described(resultCommitted.shape, { folder: 'The top folder of the work tree.' }))),
    errors: ['JobNotFound', 'CommitRefused'],
  },
  pullRequestPlan: {
    path: '/copilot/job/{id}/result/pullRequest/plan',
    changes: false,
    needsStore: true,
    summary: 'What would be pushed where, for a pull request from a branch on which the job has committed. Nothing is done yet.',
    body: { description: 'Which branch, and where. May be empty.', format: 'optionalJson', schema: pushRequest },
    answer: requestPlan,
    errors: ['JobNotFound', 'PullRequestRefused'],
  },
  pullRequest: {
    path: '/copilot/job/{id}/result/pullRequest',
    changes: true,
    postOnly: true,
    needsStore: true,
    summary: 'Pushes exactly that commit to that branch, never by force, and opens a pull request. It ends when its client goes.',
    body: { description: 'What was agreed to.', format: 'json', schema: pullRequest },
    answer: pushed,
    errors: ['JobNotFound', 'PullRequestRefused'],
  },
});
