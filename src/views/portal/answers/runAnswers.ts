/**
 * What the portal answers about runs, as far as its clients read it. Each of them picks what it needs. The portal's documents are made of these
 * shapes and say more exactly what its own version answers (docs/portal-api.md).
 */
import * as z from 'zod/mini';

export const atLeast0 = z.int().check(z.minimum(0));
const atLeast1 = z.int().check(z.minimum(1));
/** Milliseconds since the epoch. */
export const time = z.number();

export const runStatus = z.enum(['Executing', 'Succeeded', 'Failed', 'Stopped', 'Interrupted', 'Paused']);
export type RunStatus = z.infer<typeof runStatus>;

/** What somebody has answered. The words of other versions are shown as they are. */
const personAnswer = z.object({
  about: z.string(),
  answer: z.string(),
  by: z.string(),
  tool: z.optional(z.string()),
  input: z.optional(z.string()),
  reason: z.optional(z.string()),
  option: z.optional(z.string()),
});

export const decision = z.object({ at: time, reason: z.string(), answer: z.optional(personAnswer) });

/** What a task or a run has used. */
export const usage = z.object({
  modelCalls: atLeast0,
  toolCalls: atLeast0,
  inputTokens: atLeast0,
  outputTokens: atLeast0,
  /** Of work. */
  ms: atLeast0,
});
export type Usage = z.infer<typeof usage>;

export const taskSession = z.object({ sessionId: z.string(), status: z.enum(['Running', 'Succeeded', 'Failed', 'Stopped']) });

/** Of `copilot/task/ID/status`. */
export const task = z.object({
  taskId: z.string(),
  taskName: z.string(),
  model: z.string(),
  /** The session in which it was started, which stays alive. */
  borrowedSessionId: z.optional(z.string()),
  /** Of that session. */
  sessionModel: z.optional(z.string()),
  /** The agent host, where it is not that of the portal. */
  host: z.optional(z.string()),
  /** The folder there, or that of the borrowed session. */
  folder: z.optional(z.string()),
  status: runStatus,
  startedAt: time,
  endedAt: z.optional(time),
  /** Why it failed by its rules. */
  reason: z.optional(z.string()),
  /** How many answers have refused something. */
  denied: z.optional(atLeast1),
  used: z.optional(usage),
  /** It runs, and nothing has happened in it since then. */
  stalledSince: z.optional(time),
  decisions: z.array(decision),
  sessions: z.array(taskSession),
});

/** One run of a step. */
export const step = z.object({
  step: z.string(),
  workId: atLeast0,
  taskId: z.string(),
  taskName: z.string(),
  status: runStatus,
  startedAt: time,
  endedAt: z.optional(time),
  crashError: z.optional(z.string()),
  /** Somebody has said that it counts as done. */
  skipped: z.optional(z.object({ at: time, by: z.string(), was: z.string() })),
  redone: z.optional(z.boolean()),
  task: z.optional(
    z.pick(task, {
      ...{ host: true, folder: true, model: true, reason: true, denied: true },
      ...{ used: true, stalledSince: true, decisions: true, sessions: true },
    }),
  ),
});

/** Where a run failed, or was stopped. */
export const failedStep = z.object({ step: z.string(), workId: atLeast0, taskName: z.string(), reason: z.optional(z.string()) });

/** A step that runs, and in which nothing happens. */
export const stalledStep = z.object({ taskName: z.string(), since: time });

export const queue = z.object({ notBefore: z.optional(time), isLate: z.optional(z.boolean()) });

/** Of `copilot/job/runs`. */
export const jobSummary = z.object({
  jobId: z.string(),
  jobName: z.string(),
  status: runStatus,
  attempt: atLeast1,
  startedAt: time,
  /** How it waited for its time or for other runs, or does. Absent: it began at once. */
  queue: z.optional(queue),
  /** What a run that is queued waits for, in words. Its status is that of one that runs. */
  queuedFor: z.optional(z.string()),
  endedAt: z.optional(time),
  reason: z.optional(z.string()),
  /** It failed because a loop went round more often. */
  loopCap: z.optional(atLeast1),
  /** Nothing new is started, because somebody wants it to pause. */
  pausing: z.optional(z.object({ by: z.string() })),
  /** Who stopped it. */
  stoppedBy: z.optional(z.string()),
  workingDirectory: z.string(),
  /** The beginning of the user input. */
  input: z.optional(z.string()),
  /** Calls and questions that wait for the user. */
  waiting: z.optional(atLeast0),
  /** How many answers have refused something. */
  denied: z.optional(atLeast1),
  failedStep: z.optional(failedStep),
  /** The step in which nothing has happened for longest. */
  stalled: z.optional(stalledStep),
  used: z.optional(usage),
});

/** A work tree of a run. */
export const worktreeState = z.object({
  id: z.string(),
  path: z.string(),
  branch: z.string(),
  /** The branch of the folder, into which it is merged. */
  onto: z.optional(z.string()),
  uncommitted: z.optional(atLeast1),
  status: z.string(),
  files: z.optional(z.array(z.string())),
});

/** An earlier end of a run, or what somebody did to it. The words of other versions are left out. */
export const historyEntry = z.object({
  at: time,
  what: z.string(),
  by: z.optional(z.string()),
  skipped: z.optional(z.array(z.string())),
  edit: z.optional(z.object({ taskName: z.string(), userInput: z.optional(z.string()), prompt: z.optional(z.string()) })),
});

/** What somebody has done with the result of a run. */
export const resultChange = z.object({
  at: time,
  did: z.string(),
  by: z.string(),
  files: z.optional(z.array(z.string())),
  more: z.optional(atLeast1),
  branch: z.optional(z.string()),
  base: z.optional(z.string()),
  commit: z.optional(z.string()),
  address: z.optional(z.string()),
});

/** Of `copilot/job/ID/step/N`. */
export const stepInput = z.object({ userInput: z.string(), prompt: z.string() });

/** Of `copilot/job/ID/status`, with what only charts need in `jobAnswers.ts`. */
export const jobRun = z.extend(jobSummary, {
  userInput: z.string(),
  steps: z.array(step),
  worktrees: z.optional(z.array(worktreeState)),
  history: z.optional(z.array(historyEntry)),
  /** What was done with its result. Oldest first. */
  resultChanges: z.optional(z.array(resultChange)),
});
