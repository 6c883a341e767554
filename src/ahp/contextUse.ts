/** A vendor extension of our host: how full the model's context is, in `_meta` of a turn's usage. Untrusted, as all that hosts say. */
import * as z from 'zod/mini';
import { isRecord } from '../base/isRecord.ts';
import type { UsageInfo } from './common/shapes.ts';

const CONTEXT = 'tapline.context';

const tokens = z.number().check(z.int(), z.nonnegative());
const contextUse = z.object({
  /** Tokens that the model got with the latest request. */
  used: tokens,
  /** Of the model. */
  limit: z.number().check(z.int(), z.positive()),
  /** Of `used`: the agent's instructions, the definitions of its tools, and what was said and read. */
  system: z.optional(tokens),
  tools: z.optional(tokens),
  conversation: z.optional(tokens),
  /** The message with which the agent replaces the conversation by a summary, where it can. */
  compact: z.optional(z.string().check(z.maxLength(100), z.regex(/^\/[a-z][a-z-]*$/))),
});
/** Counts of tokens. */
export type ContextUse = z.infer<typeof contextUse>;

/** For `_meta` of a usage. */
export function contextMeta(use: ContextUse): Record<string, unknown> {
  return { [CONTEXT]: use };
}

/** Undefined where the host does not say it, or says something else by it. */
export function contextUseIn(usage: UsageInfo | undefined): ContextUse | undefined {
  const meta: unknown = usage?._meta;
  return isRecord(meta) ? contextUse.safeParse(meta[CONTEXT]).data : undefined;
}
