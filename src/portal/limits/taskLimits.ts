/** How much a round of a task and a run of a job may use, as an entry says it. */
import * as z from 'zod';
import type { Usage } from './usage.ts';

const MAX_COUNT = 1_000_000_000_000;
/** A timer of that length would overflow. */
const MAX_MINUTES = 30_000;

/** Where an entry says nothing. They are to end what has run wild, and nothing else. */
export const DEFAULT_LIMITS = { toolCalls: 500, modelCalls: 500, minutes: 60, tokens: 50_000_000, quietMinutes: 15 } as const;

const count = (what: string) => z.int().min(1).max(MAX_COUNT).optional().describe(what);
const minutes = (what: string) => z.number().positive().max(MAX_MINUTES).optional().describe(what);

export const limits = z
  .strictObject({
    toolCalls: count(`Calls of tools. Absent: ${DEFAULT_LIMITS.toolCalls}.`),
    modelCalls: count(`Requests to the model, as far as the agent host tells of them. Absent: ${DEFAULT_LIMITS.modelCalls}.`),
    minutes: minutes(`Minutes of work. While something waits for a person, they do not count. Absent: ${DEFAULT_LIMITS.minutes}.`),
    tokens: count(`Tokens that the model gets and gives, as the agent host counts them. Absent: ${DEFAULT_LIMITS.tokens}.`),
    quietMinutes: minutes(
      `After so many minutes without an event the step counts as stalled, and goes on. Absent: ${DEFAULT_LIMITS.quietMinutes}.`,
    ),
  })
  .describe(
    'What a round may use, which is one prompt with all that the agent does about it, in subagents too. What uses more is stopped, and the round has failed.',
  );
export type Limits = z.infer<typeof limits>;

export const budget = z
  .strictObject({
    minutes: minutes('Minutes of work, of steps side by side added up. While something waits for a person, they do not count.'),
    tokens: count('Tokens that the models get and give, as the agent hosts count them.'),
    modelCalls: count('Requests to models, as far as the agent hosts tell of them.'),
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), 'names nothing: leave it out')
  .describe('What a run may use. One that has used it up is stopped. When it is continued, it has as much again.');
export type Budget = z.infer<typeof budget>;

const words = { toolCalls: 'tool calls', modelCalls: 'model calls', minutes: 'minutes', tokens: 'tokens' } as const;
type Measure = keyof typeof words;

/** Why a round that has used so much is stopped. */
export function limitDecision(given: Limits | undefined, used: Usage): string | undefined {
  const all = { ...DEFAULT_LIMITS, ...given };
  const reached = reachedOf(all, used);
  if (!reached) return undefined;
  const whose = given?.[reached] === undefined ? ', which is the default' : '';
  return `[DECISION] limits.${reached} ${all[reached]} is reached${whose}: the turn was stopped after ${amount(reached, usedOf(reached, used))}, and this round has failed.`;
}

/** Why a run that has used so much since it was started or continued is stopped. */
export function budgetReason(given: Budget | undefined, used: Usage): string | undefined {
  const reached = given && reachedOf(given, used);
  if (!reached) return undefined;
  return `its budget of ${amount(reached, given[reached] ?? 0)} is used up, after ${amount(reached, usedOf(reached, used))}; when it is continued, it has as much again`;
}

/** What is more than is allowed. Minutes are counted by timers of that length, so they are it at once. */
function reachedOf<M extends Measure>(allowed: Readonly<Partial<Record<M, number | undefined>>>, used: Usage): M | undefined {
  const measures = (Object.keys(words) as M[]).filter((measure) => allowed[measure] !== undefined);
  return measures.find((measure) => {
    const [has, may] = [usedOf(measure, used), allowed[measure] ?? Infinity];
    return has > may || (has === may && measure === 'minutes');
  });
}

function usedOf(measure: Measure, used: Usage): number {
  switch (measure) {
    case 'minutes':
      return used.ms / 60_000;
    case 'tokens':
      return used.inputTokens + used.outputTokens;
    default:
      return used[measure];
  }
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

function amount(measure: Measure, count: number): string {
  const text = number.format(count);
  return `${text} ${text === '1' ? words[measure].slice(0, -1) : words[measure]}`;
}
