import type { RouteGroups } from '../api/routeGroups.ts';
import { generateChartNodes } from '../chart/generateChartNodes.ts';
import { directoryProblem } from '../hostSessions/directoryProblem.ts';
import type { Portal } from '../portal.ts';
import type { JobState } from '../runs/jobState.ts';
import { matches, runSummary } from '../runs/runSummary.ts';
import { timeline, timelineMarkdown } from '../runs/timeline.ts';
import type { Handlers } from './handler.ts';

export function jobHandlers(portal: Portal): Handlers<RouteGroups['job']> {
  const { runs, control, attention, sessions } = portal;
  /** With what waits now. */
  const summaries = () => {
    const waiting = attention.waiting();
    return (job: JobState) => runSummary(job, (sessionId, host) => waiting(sessions.uriOf(sessionId), host));
  };
  return {
    list: () => portal.listJobs(),

    runs: ({ body: filter }) => {
      const all = runs.jobStates().map(summaries());
      return { runs: all.filter((run) => matches(run, filter)) };
    },

    start: async ({ params: { name }, body: { workingDirectory, userInput }, headers }) => {
      if (!runs.hasJob(name)) return { error: 'JobNotFound' };
      const lacking = runs.lacksInput('jobs', name, userInput) ? 'UserInputRequired' : undefined;
      const error = (await directoryProblem(workingDirectory)) ?? lacking;
      if (error) return { error };
      const started = await control.startJob(name, userInput, workingDirectory, headers['If-Match']);
      if (!('error' in started)) return started;
      if (started.error === 'JobExists') throw new Error('the id of a new run is that of another one');
      return { error: started.error };
    },

    stop: ({ params: { id } }) => control.stopJob(id),

    status: ({ params: { id } }) => {
      const job = runs.jobState(id);
      if (!job) return { error: 'JobNotFound' };
      const { definition, ...rest } = job;
      const { work } = definition;
      // The entry may have changed since the job began.
      return { ...rest, ...summaries()(job), work, chart: generateChartNodes(work) };
    },

    timeline: ({ params: { id } }) => {
      const job = runs.jobState(id);
      return job ? { jobId: job.jobId, jobName: job.definition.jobName, entries: timeline(job) } : { error: 'JobNotFound' };
    },

    timelineDocument: ({ params: { id } }) => {
      const job = runs.jobState(id);
      return job ? timelineMarkdown(job) : { error: 'JobNotFound' };
    },

    delete: ({ params: { id } }) => control.deleteJob(id),

    continue: ({ params: { id }, body: options }) => control.continueJob(id, options),
  };
}
