/** A case: what a model is asked, what it must have looked at, what it must not say, and examples of conversations that pass and that fail. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

/** Found anywhere, upper or lower case. */
const pattern = z
  .string()
  .min(1)
  .transform((text, context) => {
    try {
      return new RegExp(text, 'i');
    } catch (error) {
      context.addIssue({ code: 'custom', message: String(error) });
      return z.NEVER;
    }
  });
const tool = z.string().min(1);

/** A call of the tool with such arguments, as JSON, that was answered so. */
const observation = z.strictObject({ tool, args: pattern.optional(), result: pattern.optional() });
const assertion = z.union([
  z.strictObject({ firstTool: tool }),
  z.strictObject({ neverCalled: tool }),
  z.strictObject({ callsAtMost: z.int().min(0) }),
  z.strictObject({ answerMatches: pattern }),
  /** The gateway took all calls as they were. */
  z.strictObject({ noFailedCalls: z.literal(true) }),
]);
const calls = z.array(z.strictObject({ tool, args: z.record(z.string(), z.unknown()).default({}) })).default([]);
export type Assertion = z.infer<typeof assertion>;

const evalCase = z.strictObject({
  about: z.string().min(1),
  prompt: z.string().min(1),
  /** In the folder of the session. */
  files: z.record(z.string(), z.string()).default({}),
  /** In streams of the session, before it begins. */
  posts: z.array(z.strictObject({ stream: z.string(), event: z.string() })).default([]),
  /** What may be run. Any other command is refused, as a user would. */
  commands: z.array(z.string()).default([]),
  /** Calls that are needed to know the answer. */
  required: z.array(observation).default([]),
  /** What the answer must not say. */
  prohibited: z.array(pattern).default([]),
  assertions: z.array(assertion).default([]),
  /** Read by a model that judges; the rest needs none. */
  rubric: z.string().optional(),
  examples: z.strictObject({
    pass: z.array(z.strictObject({ calls, answer: z.string() })).min(1),
    fail: z.array(z.strictObject({ calls, answer: z.string(), because: z.enum(['required', 'prohibited', 'assertion']) })).min(1),
  }),
});
export type EvalCase = z.infer<typeof evalCase> & { readonly name: string };
export type Example = { calls: { tool: string; args: Record<string, unknown> }[]; answer: string };

export function parseCase(name: string, text: string): EvalCase {
  const { data, error } = evalCase.safeParse(parse(text));
  if (!data) throw new Error(`The case ${name} is not right: ${z.prettifyError(error)}`);
  return { ...data, name };
}

/** All, or the named ones. */
export function readCases(folder: string, names: readonly string[] = []): EvalCase[] {
  const there = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
  const unknown = names.filter((name) => !there.includes(name));
  if (unknown.length) throw new Error(`There is no case ${unknown.join(', ')}. There are: ${there.join(', ')}.`);
  return (names.length ? names : there).map((name) => parseCase(name, readFileSync(join(folder, `${name}.yaml`), 'utf8')));
}
