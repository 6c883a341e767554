import { generateChartNodes } from '../chart/generateChartNodes.ts';
import { withoutAsking } from '../entry/approve.ts';
import type { Portal } from '../portal.ts';
import { type JobState, runningWorkIds } from '../runs/jobState.ts';
import { bodyOf, continueBody, jobBody, param, requireStore, revisionOf } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';
import { directoryProblem } from './folders.ts';

export function addJobRoutes(add: AddRoute, portal: Portal): void {
  const { runs, control } = portal;
  add('/copilot/job', (c) => c.json(runs.listJobs()));

  add('/copilot/job/runs', (c) => {
    requireStore(portal);
    return c.json({ runs: runs.jobStates().map(summaryOf) });
  });

  add('/copilot/job/start/{name}', async (c) => {
    const { workingDirectory, userInput } = bodyOf(c, jobBody);
    const name = param(c, 'name');
    const revision = revisionOf(c);
    if (!runs.hasJob(name)) return c.json({ error: 'JobNotFound' });
    const lacking = runs.lacksInput('jobs', name, userInput) ? 'UserInputRequired' : undefined;
    const error = (await directoryProblem(workingDirectory)) ?? lacking;
    return c.json(error ? { error } : await control.startJob(name, userInput, workingDirectory, revision));
  });

  add('/copilot/job/{id}/stop', async (c) => c.json(await control.stopJob(param(c, 'id'))));

  add('/copilot/job/{id}/status', (c) => {
    requireStore(portal);
    const job = runs.jobState(param(c, 'id'));
    if (!job) return c.json({ error: 'JobNotFound' });
    const { definition, ...rest } = job;
    const { work } = definition;
    // The entry may have changed since the job began.
    return c.json({ ...rest, ...summaryOf(job), work, chart: generateChartNodes(work) });
  });

  add('/copilot/job/{id}/continue', async (c) => {
    const options = bodyOf(c, continueBody);
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
