/** What a trial says of a task and a job without running them. */
import { phrase, type Words } from '../../base/text/phrase.ts';
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

const others: Readonly<Record<Approval | 'nothing', Words | undefined>> = {
  nothing: phrase`Each change of a file, command, page and other tool of the agent asks first.`,
  'job-tools': phrase`Each change of a file, command, page and other tool of the agent asks first.`,
  edits: phrase`Each command, page and other tool of the agent asks first, and so do changes of files outside of what “edits” approves.`,
  everything: undefined,
};

/** What would wait for a person. `called`: the job tools that the script called. */
export function waitsOf(task: Task, called: readonly string[]): Words[] {
  const { approve = [] } = task;
  const widest = (['everything', 'edits', 'job-tools'] as const).find((name) => approve.includes(name)) ?? 'nothing';
  const tools = [...new Set(called)];
  const jobTools =
    asksForJobTools(task) && tools.length > 0
      ? [phrase`Waits for a person, unless the portal has --allow-job-tools: ${tools.join(', ')}. "approve": ["job-tools"] lets it run.`]
      : [];
  return [...jobTools, ...[others[widest]].filter((words) => words !== undefined)];
}

export function limitsOf({ limits }: Task): Words {
  const { toolCalls, modelCalls, minutes, tokens, quietMinutes } = { ...DEFAULT_LIMITS, ...limits };
  const round = listed([toolCallsText(toolCalls), modelCallsText(modelCalls), minutesText(minutes), tokensText(tokens)]);
  return phrase`a round at most ${round}; stalled after ${minutesText(quietMinutes)} without an event`;
}

const failures = {
  condition: phrase`the condition of its criteria is answered with no`,
  tools: phrase`it does not call what its criteria want`,
  limit: phrase`it has no criteria that could fail, so it reaches a limit`,
} as const;

export function failureWords(task: Task): Words {
  return failures[failureKind(task)];
}

export function jobFacts({ budget, worktree }: JobDefinition): Words[] {
  return [...(budget ? [phrase`The run may use ${budgetWords(budget)}.`] : []), ...(worktree ? treeWords(worktree) : [])];
}

function budgetWords({ minutes, tokens, modelCalls }: Budget): Words {
  return listed([
    ...(minutes === undefined ? [] : [minutes === 1 ? phrase`${minutes} minute of work` : phrase`${minutes} minutes of work`]),
    ...(tokens === undefined ? [] : [tokensText(tokens)]),
    ...(modelCalls === undefined ? [] : [modelCallsText(modelCalls)]),
  ]);
}

function treeWords(worktree: NonNullable<JobDefinition['worktree']>): Words[] {
  const { for: scope, merge } = worktreePolicy(worktree);
  return [
    scope === 'run' ? phrase`The run has a work tree of Git.` : phrase`The run and each branch of a Par have a work tree of Git.`,
    merge === 'merge' ? phrase`When it has succeeded, its work is merged into the folder.` : phrase`Its work is left on a branch.`,
  ];
}

function listed(amounts: readonly Words[]): Words {
  return amounts.reduce((list, amount) => phrase`${list}, ${amount}`);
}

const toolCallsText = (count: number) => (count === 1 ? phrase`${count} tool call` : phrase`${count} tool calls`);
const modelCallsText = (count: number) => (count === 1 ? phrase`${count} model call` : phrase`${count} model calls`);
const minutesText = (count: number) => (count === 1 ? phrase`${count} minute` : phrase`${count} minutes`);
const tokensText = (count: number) => (count === 1 ? phrase`${count} token` : phrase`${count} tokens`);
