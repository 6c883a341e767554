import { changeRef, commitRequest, discardRequest, documentRef } from '../api/resultDocs.ts';
import type { Portal } from '../portal.ts';
import type { JobState } from '../runs/jobState.ts';
import { jsonBodyOf, param, type PortalContext, requireStore } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';

export function addResultRoutes(add: AddRoute, portal: Portal): void {
  const { runs, results } = portal;
  /** `work` gets the job that the path names. */
  const ofJob = async (c: PortalContext, work: (job: JobState) => Promise<object>) => {
    requireStore(portal);
    const job = runs.jobState(param(c, 'id'));
    return c.json(job ? await work(job) : { error: 'JobNotFound' });
  };

  add('/copilot/job/{id}/result', (c) => ofJob(c, (job) => results.result(job)));

  add('/copilot/job/{id}/result/diff', (c) => {
    const ref = jsonBodyOf(c, changeRef);
    return ofJob(c, (job) => results.texts(job, ref));
  });

  add('/copilot/job/{id}/result/document', (c) => {
    const ref = jsonBodyOf(c, documentRef);
    return ofJob(c, (job) => results.document(job, ref));
  });

  add('/copilot/job/{id}/result/discard', (c) => {
    const request = jsonBodyOf(c, discardRequest);
    return ofJob(c, (job) => results.discard(job, request));
  });

  add('/copilot/job/{id}/result/commit/plan', (c) => ofJob(c, (job) => results.commitPlan(job)));

  add('/copilot/job/{id}/result/commit', (c) => {
    const request = jsonBodyOf(c, commitRequest);
    return ofJob(c, (job) => results.commit(job, request));
  });
}
