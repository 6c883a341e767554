/** What agents have used. */
import * as z from 'zod';

const count = z.int().min(0);

export const usage = z.strictObject({
  modelCalls: count.describe('Requests to models, as far as the agent host tells of them. Each prompt is one at least.'),
  toolCalls: count.describe('Calls of tools that have begun, also those that were denied.'),
  inputTokens: count.describe('Tokens that the models got, as the agent host counts them.'),
  outputTokens: count.describe('Tokens that the models gave.'),
  ms: count.describe('Milliseconds of work. While something waits for a person, there is none.'),
});
export type Usage = z.infer<typeof usage>;

export const noUsage: Usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, ms: 0 };

export function sum(parts: Iterable<Usage | undefined>): Usage {
  return [...parts].reduce<Usage>((all, part) => (part ? combined(all, part, 1) : all), noUsage);
}

/** `from`: the same at an earlier time. */
export function difference(now: Usage, from: Usage): Usage {
  return combined(now, from, -1);
}

export function isSame(one: Usage, other: Usage): boolean {
  return Object.entries(one).every(([key, value]) => other[key as keyof Usage] === value);
}

/** Numbers of hosts, which may say anything: nothing is used less than not at all, and a sum stays one that can be kept. */
function combined(one: Usage, other: Usage, sign: 1 | -1): Usage {
  const entries = Object.entries(one).map(([key, value]) => [
    key,
    Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, value + sign * other[key as keyof Usage])),
  ]);
  return Object.fromEntries(entries) as unknown as Usage;
}
