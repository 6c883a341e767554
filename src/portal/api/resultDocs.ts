import * as z from 'zod';
import type { ChangedFile, ChangesOfSession, CommitPlan, DocumentText, FileTexts, ResultOfStep } from '../result/runResult.ts';
import type { ChangeRef, CommitRequest, DiscardRequest, DocumentRef } from '../result/runResults.ts';
import { stepKey } from './jobDocs.ts';
import { requestText, type RouteDoc, shape } from './routeDoc.ts';
import { runStatus } from './taskDocs.ts';

const revision = z.string().describe('Of exactly what is listed.');

const discard = z.string().optional().describe('The agent host can discard it. What is to be asked before.');

const changedFile: z.ZodType<ChangedFile> = shape(
  'ChangedFile',
  z.strictObject({
    id: z.string().describe('Which file of the session’s changes it is.'),
    path: z.string().describe('In the folder of the session, or absolute.'),
    change: z.enum(['created', 'changed', 'deleted', 'moved']),
    from: z.string().optional().describe('The old path of a file that was moved.'),
    added: z.int().min(0).optional().describe('Lines.'),
    removed: z.int().min(0).optional().describe('Lines.'),
    localPath: z.string().optional().describe('The absolute path of a file that is on this computer.'),
    discard,
    revision,
  }),
);

const changesOfSession: z.ZodType<ChangesOfSession> = shape(
  'ChangesOfSession',
  z.strictObject({
    sessionId: z.string(),
    files: z.array(changedFile),
    more: z.int().min(1).optional().describe('So many more files are not listed.'),
    discard,
    revision,
  }),
);

const resultOfStep: z.ZodType<ResultOfStep> = shape(
  'ResultOfStep',
  z.strictObject({
    step: stepKey,
    workId: z.int().min(0),
    taskName: z.string(),
    status: runStatus,
    redone: z.literal(true).optional().describe('The job was continued from here. What the step has changed may still be there.'),
    host: z.string().optional().describe('The other agent host at which its sessions are.'),
    changes: z.array(changesOfSession),
    documents: z.array(z.string()).describe('Paths of what its agents have reported with job_prepare_document, as they wrote them.'),
    problems: z.array(z.string()).describe('What could not be found out, in words.'),
  }),
);

export const changeRef: z.ZodType<ChangeRef> = shape(
  'ChangeRef',
  z.strictObject({ sessionId: requestText.max(200), file: requestText.max(10_000).describe('The `id` of a file in the result.') }),
);

const fileTexts: z.ZodType<FileTexts> = shape(
  'FileTexts',
  z.strictObject({
    before: z.string().describe('Empty for a file that was created.'),
    after: z.string().describe('Empty for one that was deleted.'),
  }),
);

export const documentRef: z.ZodType<DocumentRef> = shape(
  'DocumentRef',
  z.strictObject({ step: stepKey, document: requestText.max(10_000).describe('As in the result.') }),
);

export const discardRequest: z.ZodType<DiscardRequest> = shape(
  'DiscardRequest',
  z.strictObject({
    sessionId: requestText.max(200),
    file: requestText.max(10_000).optional().describe('Absent: all that the session has changed.'),
    revision: requestText.max(100).describe('Of what was seen.'),
  }),
);

export const commitRequest: z.ZodType<CommitRequest> = shape(
  'CommitRequest',
  z.strictObject({
    branch: requestText.max(200).describe('The name of a new branch.'),
    message: requestText.max(16 * 1024),
    revision: requestText.max(100).describe('Of the plan that was seen.'),
  }),
);

const commitPlan: z.ZodType<CommitPlan> = shape(
  'CommitPlan',
  z.strictObject({
    folder: z.string().describe('The top folder of the work tree.'),
    base: z.string().optional().describe('The branch that the work tree is on, and stays on.'),
    head: z.string().describe('The commit that it follows.'),
    branch: z.string().describe('What is suggested.'),
    message: z.string().describe('What is suggested.'),
    files: z.array(z.strictObject({ path: z.string(), change: z.enum(['created', 'changed', 'deleted']) })),
    leftOut: z.array(z.string()).describe('What the run has changed outside of its folder.'),
    revision,
  }),
);

const documentText: z.ZodType<DocumentText> = shape(
  'DocumentText',
  z.strictObject({ localPath: z.string().describe('The real path, absolute.'), isMarkdown: z.boolean(), text: z.string() }),
);

export const resultDocs: readonly RouteDoc[] = [
  {
    path: '/copilot/job/{id}/result',
    changes: false,
    summary: 'What a job has brought about, step by step: the files that the sessions of each have changed, as their agent hosts keep it.',
    answer: shape('RunResult', z.strictObject({ jobId: z.string(), steps: z.array(resultOfStep) })),
    errors: ['JobNotFound'],
  },
  {
    path: '/copilot/job/{id}/result/diff',
    changes: false,
    summary: 'Both texts of a file that a session of the job has changed.',
    body: { description: 'Which change.', schema: changeRef },
    answer: fileTexts,
    errors: ['JobNotFound', 'ChangeNotFound', 'ContentUnavailable'],
  },
  {
    path: '/copilot/job/{id}/result/document',
    changes: false,
    summary: 'A document that a step has reported: a text of at most 512 KiB in the folder of the run.',
    body: { description: 'Which one.', schema: documentRef },
    answer: documentText,
    errors: ['JobNotFound', 'DocumentNotFound', 'ContentUnavailable'],
  },
  {
    path: '/copilot/job/{id}/result/discard',
    changes: true,
    postOnly: true,
    summary: 'Takes back what a session of the job has changed, as its agent host does it. What others have changed since stays.',
    body: { description: 'Which changes.', schema: discardRequest },
    answer: shape('ChangesDiscarded', z.strictObject({ result: z.literal('Discarded'), message: z.string().optional() })),
    errors: ['JobNotFound', 'ChangeNotFound', 'ChangeChanged', 'DiscardRefused'],
  },
  {
    path: '/copilot/job/{id}/result/commit/plan',
    changes: false,
    summary: 'The commit that can be made of what a job has changed in its folder, as the files are now. Nothing is done yet.',
    answer: commitPlan,
    errors: ['JobNotFound', 'CommitRefused'],
  },
  {
    path: '/copilot/job/{id}/result/commit',
    changes: true,
    postOnly: true,
    summary: 'Makes that commit on a new branch. The work tree stays on its own. Hooks of the repository are not run.',
    body: { description: 'What was agreed to.', schema: commitRequest },
    answer: shape('ResultCommitted', z.strictObject({ result: z.literal('Committed'), branch: z.string(), commit: z.string() })),
    errors: ['JobNotFound', 'CommitRefused'],
  },
];
