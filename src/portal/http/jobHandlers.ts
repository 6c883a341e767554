import { english } from '../../base/text/phrase.ts';
import type { RouteGroups } from '../api/routeGroups.ts';
import { generateChartNodes } from '../chart/generateChartNodes.ts';
import { directoryProblem } from '../hostSessions/directoryProblem.ts';
import type { Portal } from '../portal.ts';
import { stepInput } from '../runs/goingOn.ts';
import type { JobState } from '../runs/jobState.ts';
import { matches, runSummary } from '../runs/runSummary.ts';
import { timeline, timelineMarkdown } from '../runs/runTimeline.ts';
import { senderOf } from './routeAnswers.ts';
import type { Handlers } from './handler.ts';

export function jobHandlers(portal: Portal): Handlers<RouteGroups['job']> {
  const { runs, control, attention, sessions } = portal;
  /** With what waits now. */
  const summaries = () => {
    const waiting = attention.waiting();
    const reasonOf = portal.queue.reasons();
    return (job: JobState) => {
      const queuedFor = reasonOf(job);
      const summary = runSummary(job, (sessionId, host) => waiting(sessions.uriOf(sessionId), host));
      return { ...summary, ...(queuedFor !== undefined && { queuedFor }) };
    };
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
      const problem = await portal.worktreeProblem(name, workingDirectory);
      if (problem) return { error: 'WorktreeNotPossible', message: english(problem), words: problem };
      const warnings = runs.warningsOf(name);
      const notBefore = headers['Not-Before'];
      const options = { ...(notBefore !== undefined && { notBefore }) };
      const started = await control.startJob(name, userInput, workingDirectory, headers['If-Match'], options);
      if (!('error' in started)) return { ...started, ...warnings };
      if (started.error === 'JobExists') throw new Error('the id of a new run is that of another one');
      return { error: started.error };
    },

    stop: ({ params: { id }, c }) => control.stopJob(id, senderOf(c)),

    status: ({ params: { id } }) => {
      const job = runs.jobState(id);
      if (!job) return { error: 'JobNotFound' };
      // What was edited is in the history, too.
      const { definition, edits: _edits, ...rest } = job;
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

    delete: async ({ params: { id } }) => control.deleteJob(id),
  };
}

/** What a person does to a run in the middle. */
export function runChangeHandlers({ control, runs }: Portal): Handlers<RouteGroups['runChange']> {
  return {
    pause: ({ params: { id }, c }) => control.pauseJob(id, senderOf(c)),
    continue: async ({ params: { id }, body, c }) => {
      const going = await control.continueJob(id, { ...body, by: senderOf(c) });
      if (!('error' in going)) return going;
      const { error } = going;
      if (error === 'StepNotFound') throw new Error('a step was not found that nobody has named');
      return { error };
    },
    retry: ({ params: { id }, body, c }) => control.continueJob(id, { ...body, by: senderOf(c) }),
    skip: ({ params: { id }, body: { step }, c }) => control.skipStep(id, { step, by: senderOf(c) }),
    steer: async ({ params: { id }, body: { step, text }, c }) => control.steerStep(id, { step, text, by: senderOf(c) }),
    stepInput: ({ params: { id, workId } }) => {
      const job = runs.jobState(id);
      if (!job) return { error: 'JobNotFound' };
      return stepInput(job, Number(workId)) ?? { error: 'StepNotFound' };
    },
  };
}
