/** The shape of an event that another program has kept. What is not known here was written by another version of Tapline. */
import * as z from 'zod';
import { approve } from '../entry/approve.ts';
import { drivingSessionRetries } from '../entry/entry.ts';
import { hosts } from '../entry/hosts.ts';
import { task } from '../entry/task.ts';
import { numberedWork } from '../entry/work.ts';
import { worktree } from '../entry/folders/worktreePolicy.ts';
import { budget } from '../limits/taskLimits.ts';
import { usage } from '../limits/usage.ts';
import type { JobDefinition } from './jobDefinition.ts';
import { personAnswer } from './personAnswer.ts';
import { resultChange } from './resultChange.ts';
import type { RunEvent, StepEdit, StepKey } from './runEvents.ts';

const stepKey: z.ZodType<StepKey> = z.templateLiteral([z.int().min(0), '#', z.int().min(0)]);
const definition: z.ZodType<JobDefinition> = z.strictObject({
  requireUserInput: z.boolean(),
  work: numberedWork,
  worktree: worktree.optional(),
  jobName: z.string(),
  tasks: z.record(z.string(), task),
  models: z.record(z.string(), z.string()),
  drivingSessionRetries: drivingSessionRetries.optional(),
  hosts: hosts.optional(),
  budget: budget.optional(),
});

const at = z.number();
const text = z.string();
const stepEdit: z.ZodType<StepEdit> = z.strictObject({
  workId: z.int(),
  taskName: text,
  userInput: text.optional(),
  prompt: text.optional(),
});
const ofTask = { at, taskId: text };

export const runEvent: z.ZodType<RunEvent> = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ ...ofTask, type: z.literal('taskStarted'), taskName: text, model: text },
    ...{ borrowedSessionId: text.optional(), sessionModel: text.optional(), approve: approve.optional() },
    ...{ host: text.optional(), folder: text.optional() },
  }),
  z.strictObject({ ...ofTask, type: z.literal('taskSessionStarted'), sessionId: text, model: text, isDriving: z.boolean() }),
  z.strictObject({ ...ofTask, type: z.literal('taskSessionStopped'), sessionId: text, succeeded: z.boolean() }),
  z.strictObject({ ...ofTask, type: z.literal('taskPrompt'), sessionId: text, prompt: text }),
  z.strictObject({ ...ofTask, type: z.literal('taskDecision'), reason: text, answer: personAnswer.optional() }),
  z.strictObject({ ...ofTask, type: z.literal('taskDocument'), sessionId: text, path: text }),
  z.strictObject({ ...ofTask, type: z.literal('taskUsage'), used: usage }),
  z.strictObject({ ...ofTask, type: z.literal('taskStalled'), since: at }),
  z.strictObject({ ...ofTask, type: z.literal('taskResumed') }),
  z.strictObject({ ...ofTask, type: z.literal('taskSucceeded') }),
  z.strictObject({ ...ofTask, type: z.literal('taskFailed'), crashError: text.optional(), reason: text.optional() }),
  z.strictObject({ ...ofTask, type: z.literal('taskStopped') }),
  z.strictObject({ ...ofTask, type: z.literal('taskInterrupted') }),
  z.strictObject({
    ...{ at, type: z.literal('jobStarted'), jobId: text, definition, userInput: text, workingDirectory: text },
    queued: z.strictObject({ notBefore: at.optional() }).optional(),
  }),
  z.strictObject({ at, type: z.literal('jobBegan'), isLate: z.literal(true).optional() }),
  z.strictObject({ at, type: z.literal('workStarted'), workId: z.int(), step: stepKey, taskId: text, taskName: text }),
  z.strictObject({
    ...{ at, type: z.literal('workStopped'), workId: z.int(), step: stepKey, taskId: text },
    ...{ succeeded: z.boolean(), crashError: text.optional() },
  }),
  z.strictObject({ at, type: z.literal('jobSucceeded') }),
  z.strictObject({ at, type: z.literal('jobFailed'), reason: text, failedSteps: z.array(stepKey), loopCap: z.int().optional() }),
  z.strictObject({ at, type: z.literal('jobUsedUp'), reason: text }),
  z.strictObject({ at, type: z.literal('jobStopped'), by: text.optional() }),
  z.strictObject({ at, type: z.literal('jobPausing'), by: text }),
  z.strictObject({ at, type: z.literal('jobPauseWithdrawn'), by: text }),
  z.strictObject({ at, type: z.literal('jobPaused') }),
  z.strictObject({ at, type: z.literal('workSkipped'), workId: z.int(), step: stepKey, taskId: text, by: text }),
  z.strictObject({ at, type: z.literal('jobInterrupted') }),
  z.strictObject({
    ...{ at, type: z.literal('jobContinued'), redo: z.array(stepKey), by: text.optional() },
    ...{ skipped: z.array(stepKey).optional(), edit: stepEdit.optional() },
  }),
  z.strictObject({ at, type: z.literal('jobTakenOver') }),
  z.strictObject({ at, type: z.literal('resultChanged'), ...resultChange.shape }),
  z.strictObject({
    ...{ at, type: z.literal('worktreeMade'), id: text, path: text, folder: text, branch: text, base: text },
    ...{ onto: text.optional(), uncommitted: z.int().optional() },
  }),
  z.strictObject({ at, type: z.literal('worktreeMerged'), id: text, commit: text }),
  z.strictObject({ at, type: z.literal('worktreeConflict'), id: text, files: z.array(text) }),
  z.strictObject({ at, type: z.literal('worktreeLeft'), id: text, commit: text }),
]);
