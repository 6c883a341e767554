import { generateChartNodes } from '../chart/generateChartNodes.ts';
import type { Portal } from '../portal.ts';
import type { JobState } from '../runs/jobState.ts';
import { matches, runSummary } from '../runs/runSummary.ts';
import { timeline, timelineMarkdown } from '../runs/timeline.ts';
import { bodyOf, continueBody, jobBody, param, requireStore, revisionOf, runsBody } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';
import { directoryProblem } from '../hostSessions/directoryProblem.ts';

export function addJobRoutes(add: AddRoute, portal: Portal): void {
  const { runs, control, attention, sessions } = portal;
  /** With what waits now. */
  const summaries = () => {
    const waiting = attention.waiting();
    return (job: JobState) => runSummary(job, (sessionId, host) => waiting(sessions.uriOf(sessionId), host));
  };
  add('/copilot/job', (c) => c.json(portal.listJobs()));

  add('/copilot/job/runs', (c) => {
    requireStore(portal);
    const filter = bodyOf(c, runsBody);
    const all = runs.jobStates().map(summaries());
    return c.json({ runs: all.filter((run) => matches(run, filter)) });
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
    return c.json({ ...rest, ...summaries()(job), work, chart: generateChartNodes(work) });
  });

  add('/copilot/job/{id}/timeline', (c) => {
    requireStore(portal);
    const job = runs.jobState(param(c, 'id'));
    if (!job) return c.json({ error: 'JobNotFound' });
    return c.json({ jobId: job.jobId, jobName: job.definition.jobName, entries: timeline(job) });
  });

  add('/copilot/job/{id}/timeline/markdown', (c) => {
    requireStore(portal);
    const job = runs.jobState(param(c, 'id'));
    return c.json(job ? timelineMarkdown(job) : { error: 'JobNotFound' });
  });

  add('/copilot/job/{id}/delete', async (c) => c.json(await control.deleteJob(param(c, 'id'))));

  add('/copilot/job/{id}/continue', async (c) => {
    const options = bodyOf(c, continueBody);
    return c.json(await control.continueJob(param(c, 'id'), options));
  });
}
