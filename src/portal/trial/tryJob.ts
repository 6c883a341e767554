/** Runs a job by the rules of every run, with a script in place of hosts and models. Nothing is done, and nothing is kept. */
import type { Clock } from '../../base/clock.ts';
import { toDisposable } from '../../base/lifecycle.ts';
import { nullLogger } from '../../base/log.ts';
import { phrase, type Words } from '../../base/text/phrase.ts';
import type { Trial, TrialScript, TrialTask } from '../../views/portal/trial/trial.ts';
import type { Entry } from '../entry/entry.ts';
import { worktreePolicy } from '../entry/folders/worktreePolicy.ts';
import { writesAtOnce } from '../entry/folders/writesAtOnce.ts';
import { own } from '../entry/own.ts';
import { hasLoop, refsIn } from '../entry/work.ts';
import { type JobContext, JobRun } from '../jobs/jobRun.ts';
import { jobDefinition, type JobDefinition } from '../runs/jobDefinition.ts';
import { SessionLeases } from '../tasks/sessionLeases.ts';
import { LOOP_CAP } from '../work/runWork.ts';
import { ScriptedModel } from './scriptedModel.ts';
import { ScriptedSessions } from './scriptedSessions.ts';
import { TrialRecord } from './trialRecord.ts';
import { failureWords, jobFacts } from './trialWords.ts';

/** A trial that is longer is stopped. */
const MAX_STEPS = 500;
const MAX_PROMPTS = 2_000;
const MAX_MS = 3_000;

export const NO_INPUT = '<what is typed at the start>';

export interface TrialOptions extends TrialScript {
  /** Where the run would work. Absent: words that say so. */
  folder?: string;
  /** For tests. */
  now?: () => number;
}

/** What outcomes can be chosen for. Undefined when the entry has no such job. */
export function trialTasks(entry: Entry, jobName: string): TrialTask[] | undefined {
  const definition = jobDefinition(entry, jobName);
  return definition && tasksOf(definition);
}

/** Undefined when the entry has no such job. */
export async function tryJob(entry: Entry, jobName: string, options: TrialOptions): Promise<Trial | undefined> {
  const definition = jobDefinition(entry, jobName);
  if (!definition) return undefined;
  const { outcomes, userInput = NO_INPUT, loopCap = LOOP_CAP, folder = '<the folder of the run>', now = Date.now } = options;
  const record = new TrialRecord(definition, new ScriptedModel(outcomes), folder);
  const sessions = new ScriptedSessions((sessionId) => record.turn(sessionId));
  let ids = 0;
  const context: JobContext = {
    ...{ sessions, leases: new SessionLeases(), clock: stillClock, logger: nullLogger, newId: () => `trial-${ids++}` },
    worktrees: { ofRun: ({ policy }) => namedTrees(policy) },
  };
  const startedAt = now();
  let stopped: Words | undefined;
  const request = { jobId: 'trial', definition, userInput, workingDirectory: folder, loopCap };
  const run = JobRun.start(context, request, (event) => {
    record.take(event, (sessionId) => sessions.folderOf(sessionId));
    stopped ??= tooLong(record, now() - startedAt);
    if (stopped !== undefined) run.stop();
  });
  const status = await run.ended;
  record.close();
  return trial(definition, record, { status: status === 'Paused' ? 'Stopped' : status, stopped, loopCap });
}

function tooLong({ steps, prompts }: TrialRecord, ms: number): Words | undefined {
  if (steps.length > MAX_STEPS) return phrase`The trial was stopped after ${MAX_STEPS} steps.`;
  if (prompts > MAX_PROMPTS) return phrase`The trial was stopped after ${MAX_PROMPTS} prompts.`;
  return ms > MAX_MS ? phrase`The trial was stopped after ${MAX_MS / 1_000} seconds.` : undefined;
}

function trial(
  definition: JobDefinition,
  { steps, end }: TrialRecord,
  { status, stopped, loopCap }: Pick<Trial, 'status' | 'loopCap'> & { stopped: Words | undefined },
): Trial {
  const { jobName, requireUserInput, tasks, work } = definition;
  const listed = tasksOf(definition);
  const reached = new Set(steps.map(({ taskName }) => taskName));
  const reason = stopped ?? end?.reason;
  return {
    ...{ jobName, status, ...(reason !== undefined && { reason }), loopCap, hasLoop: hasLoop(work), requireUserInput },
    facts: jobFacts(definition),
    warnings: writesAtOnce(definition, tasks),
    tasks: listed,
    steps: steps.slice(0, MAX_STEPS),
    notReached: listed.map(({ name }) => name).filter((name) => !reached.has(name)),
  };
}

/** In the order of the job. */
function tasksOf({ tasks, work }: JobDefinition): TrialTask[] {
  const names = [...new Set(refsIn(work).map(({ taskId }) => taskId))];
  return names.flatMap((name) => {
    const task = own(tasks, name);
    return task ? { name, failure: failureWords(task), hasCondition: task.availability?.condition !== undefined } : [];
  });
}

/** No time passes in a trial, so no timer is ever due. */
const stillClock: Clock = { now: () => 0, setTimer: () => toDisposable(() => undefined) };

/** Folders by what they are for. None is made. */
function namedTrees(policy: ReturnType<typeof worktreePolicy>): ReturnType<NonNullable<JobContext['worktrees']>['ofRun']> {
  return {
    folderOf: async (branches) => {
      const inner = policy.for === 'run' ? undefined : branches.at(-1);
      return inner === undefined ? '<the work tree of the run>' : `<the work tree of the branch that begins with ${inner}>`;
    },
    join: async () => undefined,
    finish: async () => undefined,
  };
}
