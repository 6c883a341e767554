/** A vendor extension of our host: how many requests a turn has made, in `_meta` of its usage, which then is that of all of them. Untrusted, as all that hosts say. */
import type { UsageInfo } from './shapes.ts';

const MODEL_CALLS = 'tapline.modelCalls';

/** For `_meta` of a usage. */
export function modelCallsMeta(modelCalls: number): Record<string, unknown> {
  return { [MODEL_CALLS]: modelCalls };
}

/** Undefined where the host does not say it, or says something else by it. */
export function modelCallsIn(usage: UsageInfo | undefined): number | undefined {
  const value = usage?._meta?.[MODEL_CALLS];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
