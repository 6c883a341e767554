/** Hook rules and transforms as a provider declares them. */
import * as z from 'zod';
import { id, text } from './fields.ts';
import { Limit } from './limits.ts';

const match = z.object({
  /** Name of the tool; absent: every tool. */
  tool: z.string().max(200).optional(),
  /** Regular expression on `JSON.stringify(args)`. */
  args: z.string().max(Limit.patternLength).optional(),
  /** Only tools of this provider. */
  provider: z.string().max(200).optional(),
  /** Glob on the path among the arguments. */
  file: z.string().max(Limit.patternLength).optional(),
});

const hookRule = z.discriminatedUnion('action', [
  z.object({ action: z.literal('deny'), match: match.default({}), reason: text.optional() }),
  z.object({ action: z.literal('context'), match: match.default({}), content: text }),
  z.object({ action: z.literal('gate'), match: match.default({}), gateId: id, failOpen: z.boolean().default(false) }),
]);
export type HookRule = z.infer<typeof hookRule>;

export const transform = z.discriminatedUnion('action', [
  z.object({ action: z.literal('append'), content: text }),
  z.object({ action: z.literal('prepend'), content: text }),
  z.object({ action: z.literal('replace'), content: text }),
  z.object({ action: z.literal('callback') }),
]);
export type Transform = z.infer<typeof transform>;

export const hookRules = z.array(hookRule).max(Limit.hookRules);
/** By section; null takes a transform back. */
export const transforms = z.record(z.string().min(1).max(200), transform.nullable()).superRefine((value, context) => {
  const input = Object.keys(value).length;
  if (input > Limit.transforms)
    context.addIssue({
      code: 'too_big',
      origin: 'object',
      maximum: Limit.transforms,
      input,
      message: `at most ${Limit.transforms} sections`,
    });
});

export const hooks = z.object({ onPreToolUse: hookRules.optional(), transforms: transforms.optional() });
export type Hooks = z.infer<typeof hooks>;
