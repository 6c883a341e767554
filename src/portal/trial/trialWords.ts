/** What a trial says of a task and a job without running them. */
import { counted } from '../../views/text/counted.ts';
import { type Approval, withoutAsking } from '../entry/approve.ts';
import { worktreePolicy } from '../entry/folders/worktreePolicy.ts';
import type { Task } from '../entry/task.ts';
import { type Budget, DEFAULT_LIMITS } from '../limits/taskLimits.ts';
import type { JobDefinition } from '../runs/jobDefinition.ts';
import { failureKind } from './scriptedModel.ts';

export function approvedOf({ approve }: Task): string | undefined {
  return withoutAsking({ task: approve ? { approve } : {} })?.['task'];
}

/** A call of a job tool, which is all that the script calls. */
export function asksForJobTools({ approve = [] }: Task): boolean {
  return !approve.includes('job-tools') && !approve.includes('everything');
}

const others: Readonly<Record<Approval | 'nothing', string | undefined>> = {
  nothing: 'Each change of a file, command, page and other tool of the agent asks first.',
  'job-tools': 'Each change of a file, command, page and other tool of the agent asks first.',
  edits: 'Each command, page and other tool of the agent asks first, and so do changes of files outside of what “edits” approves.',
  everything: undefined,
};

/** What would wait for a person. `called`: the job tools that the script called. */
export function waitsOf(task: Task, called: readonly string[]): string[] {
  const { approve = [] } = task;
  const widest = (['everything', 'edits', 'job-tools'] as const).find((name) => approve.includes(name)) ?? 'nothing';
  const tools = [...new Set(called)];
  const jobTools =
    asksForJobTools(task) && tools.length > 0
      ? [`${tools.join(', ')} would wait for a person, unless the portal has --allow-job-tools: "approve": ["job-tools"] lets it run.`]
      : [];
  return [...jobTools, ...[others[widest]].filter((words) => words !== undefined)];
}

export function limitsOf({ limits }: Task): string {
  const { toolCalls, modelCalls, minutes, tokens, quietMinutes } = { ...DEFAULT_LIMITS, ...limits };
  const round = [
    counted(toolCalls, 'tool call'),
    counted(modelCalls, 'model call'),
    counted(minutes, 'minute'),
    counted(tokens, 'token'),
  ].join(', ');
  return `a round at most ${round}; stalled after ${counted(quietMinutes, 'minute')} without an event`;
}

const failures = {
  condition: 'the condition of its criteria is answered with no',
  tools: 'it does not call what its criteria want',
  limit: 'it has no criteria that could fail, so it reaches a limit',
} as const;

export function failureWords(task: Task): string {
  return failures[failureKind(task)];
}

export function jobFacts({ budget, worktree }: JobDefinition): string[] {
  return [...(budget ? [`The run may use ${budgetWords(budget)}.`] : []), ...(worktree ? [treeWords(worktree)] : [])];
}

function budgetWords({ minutes, tokens, modelCalls }: Budget): string {
  return [
    ...(minutes === undefined ? [] : [`${counted(minutes, 'minute')} of work`]),
    ...(tokens === undefined ? [] : [counted(tokens, 'token')]),
    ...(modelCalls === undefined ? [] : [counted(modelCalls, 'model call')]),
  ].join(', ');
}

function treeWords(worktree: NonNullable<JobDefinition['worktree']>): string {
  const policy = worktreePolicy(worktree);
  const who = policy.for === 'run' ? 'The run has a work tree of Git' : 'The run and each branch of a Par have a work tree of Git';
  return `${who}. ${policy.merge === 'merge' ? 'When it has succeeded, its work is merged into the folder.' : 'Its work is left on a branch.'}`;
}
