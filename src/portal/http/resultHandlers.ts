import type { RouteGroups } from '../api/routeGroups.ts';
import type { Portal } from '../portal.ts';
import type { JobState } from '../runs/jobState.ts';
import { senderOf, whileConnected } from './routeAnswers.ts';
import type { Handlers } from './handler.ts';

export function resultHandlers({ runs, results, pullRequests }: Portal): Handlers<RouteGroups['result']> {
  const ofJob = async <T>(id: string, work: (job: JobState) => Promise<T>) => {
    const job = runs.jobState(id);
    return job ? work(job) : ({ error: 'JobNotFound' } as const);
  };
  return {
    result: ({ params: { id } }) => ofJob(id, (job) => results.result(job)),
    diff: ({ params: { id }, body }) => ofJob(id, (job) => results.texts(job, body)),
    document: ({ params: { id }, body }) => ofJob(id, (job) => results.document(job, body)),
    discard: ({ params: { id }, body, c }) => ofJob(id, (job) => results.discard(job, body, senderOf(c))),
    commitPlan: ({ params: { id }, body: { worktree } }) => ofJob(id, (job) => results.commitPlan(job, worktree)),
    commit: ({ params: { id }, body, c }) => ofJob(id, (job) => results.commit(job, body, senderOf(c))),
    pullRequestPlan: ({ params: { id }, body }) => ofJob(id, (job) => pullRequests.plan(job, body)),
    pullRequest: ({ params: { id }, body, c }) =>
      ofJob(id, (job) => whileConnected(c, (signal) => pullRequests.open(job, body, senderOf(c), signal))),
  };
}
