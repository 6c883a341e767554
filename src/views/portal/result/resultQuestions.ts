/** What the portal is asked about what a run has brought about, by all its clients. */
import * as z from 'zod/mini';
import { branchPushed, pullRequestPlan } from '../answers/pullRequestAnswers.ts';
import { changesDiscarded, commitPlan, documentText, fileTexts, resultCommitted, runResult } from '../answers/resultAnswers.ts';
import type { PortalRequest, Shape } from '../portalCalls.ts';

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));
const stepKey = z.string().check(z.regex(/^\d{1,10}#\d{1,10}$/));
/** Of what the user has seen. */
const revision = text(100);
const branch = text(200);
const remote = text(200);
const worktree = z.optional(text(10_000));

/** A file of the changes of a session. */
export const changeRef = z.object({ sessionId: text(200), file: text(10_000) });
export type ChangeRef = z.infer<typeof changeRef>;

/** A document that a step has reported. */
export const documentRef = z.object({ step: stepKey, document: text(10_000) });
export type DocumentRef = z.infer<typeof documentRef>;

/** `path`: after that of the result. The portal has the same limits, and says so. */
export const resultQuestions = {
  result: { path: '', body: z.object({}), answer: runResult },
  diff: { path: '/diff', body: changeRef, answer: fileTexts },
  document: { path: '/document', body: documentRef, answer: documentText },
  discard: {
    path: '/discard',
    body: z.object({ sessionId: text(200), file: z.optional(text(10_000)), revision }),
    answer: changesDiscarded,
  },
  commitPlan: { path: '/commit/plan', body: z.object({ worktree }), answer: commitPlan },
  commit: { path: '/commit', body: z.object({ worktree, branch, message: text(16 * 1024), revision }), answer: resultCommitted },
  pullRequestPlan: {
    path: '/pullRequest/plan',
    body: z.object({ branch: z.optional(branch), remote: z.optional(remote) }),
    answer: pullRequestPlan,
  },
  pullRequest: {
    path: '/pullRequest',
    body: z.object({
      ...{ branch, remote, revision },
      open: z.optional(z.object({ base: branch, title: text(256), body: z.string().check(z.maxLength(16 * 1024)) })),
    }),
    answer: branchPushed,
  },
} as const;

/**
 * Until a deed is answered: longer than the portal takes at most, for a push, for `gh`, and for what others do with Git before. Who goes sooner ends
 * a push.
 */
export const DEED_MS = 10 * 60_000;

/** Something is done, which is in the record of the run then. */
export const resultDeeds: ReadonlySet<string> = new Set<ResultQuestion>(['discard', 'commit', 'pullRequest']);

/** What is shown before it is done, and begins with a button. */
export const offeredDeed = z.enum(['commit', 'pullRequest']);
export type OfferedDeed = z.infer<typeof offeredDeed>;

export type ResultQuestion = keyof typeof resultQuestions;
export type ResultBody<Q extends ResultQuestion> = z.infer<(typeof resultQuestions)[Q]['body']>;
export type ResultAnswer<Q extends ResultQuestion> = z.infer<(typeof resultQuestions)[Q]['answer']>;

/** How the portal is asked. `path`: after `/api`. */
export function resultRequest<Q extends ResultQuestion>(jobId: string, question: Q, body: ResultBody<Q>): PortalRequest & { path: string } {
  const path = `copilot/job/${encodeURIComponent(jobId)}/result${resultQuestions[question].path}`;
  const deed = resultDeeds.has(question) ? ({ isDeed: true, timeoutMs: DEED_MS } as const) : {};
  return { path, ...(Object.keys(body).length > 0 && { body }), ...deed };
}

/** Of what the portal answers. */
export function resultShape<Q extends ResultQuestion>(question: Q): Shape<ResultAnswer<Q>> {
  return resultQuestions[question].answer as Shape<unknown> as Shape<ResultAnswer<Q>>;
}
