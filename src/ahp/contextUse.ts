/** A vendor extension of our host: how full the model's context is, in `_meta` of a turn's usage. Untrusted, as all that hosts say. */
import { isRecord } from '../base/isRecord.ts';
import type { UsageInfo } from './common/shapes.ts';
import { count, exactly, needs, object } from './wellFormed/parts/shapeChecks.ts';

const CONTEXT = 'tapline.context';

/** Counts of tokens. */
export interface ContextUse {
  /** Tokens that the model got with the latest request. */
  used: number;
  /** Of the model. */
  limit: number;
  /** Of `used`: the agent's instructions, the definitions of its tools, and what was said and read. */
  system?: number | undefined;
  tools?: number | undefined;
  conversation?: number | undefined;
  /** The message with which the agent replaces the conversation by a summary, where it can. */
  compact?: string | undefined;
}

const COMPACT = /^\/[a-z][a-z-]{0,98}$/;
const contextUse = object({
  used: needs(count),
  limit: needs((value) => count(value) || undefined),
  system: exactly(count),
  tools: exactly(count),
  conversation: exactly(count),
  compact: exactly((value) => (typeof value === 'string' && COMPACT.test(value) ? value : undefined)),
});

/** For `_meta` of a usage. */
export function contextMeta(use: ContextUse): Record<string, unknown> {
  return { [CONTEXT]: use };
}

/** Undefined where the host does not say it, or says something else by it. */
export function contextUseIn(usage: UsageInfo | undefined): ContextUse | undefined {
  const meta: unknown = usage?._meta;
  return isRecord(meta) ? (contextUse(meta[CONTEXT]) as ContextUse | undefined) : undefined;
}
