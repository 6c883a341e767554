import type { Hono } from 'hono';
import { generateChartNodes } from '../chart/generateChartNodes.ts';
import { withoutAsking } from '../entry/approve.ts';
import type { Portal } from '../portal.ts';
import { type JobState, runningWorkIds } from '../runs/jobState.ts';
import { bodyOf, continueBody, jobBody, param, type PortalEnv, requireStore, revisionOf } from './answers.ts';
import { directoryProblem } from './folders.ts';

const METHODS = ['GET', 'POST'];

export function addJobRoutes(app: Hono<PortalEnv>, portal: Portal): void {
  const { runs, control } = portal;
  app.on(METHODS, '/api/copilot/job', (c) => c.json(runs.listJobs()));

  app.on(METHODS, '/api/copilot/job/runs', (c) => {
    requireStore(portal);
    return c.json({ runs: runs.jobStates().map(summaryOf) });
  });

  app.on(METHODS, '/api/copilot/job/start/:name', async (c) => {
    const { workingDirectory, userInput } = await bodyOf(c, jobBody);
    const name = param(c, 'name');
    const revision = revisionOf(c);
    if (!runs.hasJob(name)) return c.json({ error: 'JobNotFound' });
    const error = await directoryProblem(workingDirectory);
    return c.json(error ? { error } : await control.startJob(name, userInput, workingDirectory, revision));
  });

  app.on(METHODS, '/api/copilot/job/:id/stop', async (c) => c.json(await control.stopJob(param(c, 'id'))));

  app.on(METHODS, '/api/copilot/job/:id/status', (c) => {
    requireStore(portal);
    const job = runs.jobState(param(c, 'id'));
    if (!job) return c.json({ error: 'JobNotFound' });
    const { definition, ...rest } = job;
    const { work } = definition;
    // The entry may have changed since the job began.
    return c.json({ ...rest, ...summaryOf(job), work, chart: generateChartNodes(work) });
  });

  app.on(METHODS, '/api/copilot/job/:id/continue', async (c) => {
    const options = await bodyOf(c, continueBody);
    return c.json(await control.continueJob(param(c, 'id'), options));
  });
}

function summaryOf(job: JobState) {
  const { jobId, definition, status, attempt, startedAt, endedAt, reason, loopCap, workingDirectory } = job;
  return {
    jobId,
    jobName: definition.jobName,
    status,
    attempt,
    startedAt,
    endedAt,
    reason,
    loopCap,
    workingDirectory,
    runningWorkIds: runningWorkIds(job),
    withoutAsking: withoutAsking(definition.tasks),
  };
}
