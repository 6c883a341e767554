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

/** One request to a model, once it is over. */
export interface ModelCall {
  /** Absent: not known. */
  readonly model?: string | undefined;
  readonly durationMs: number;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Why it failed, as a code. */
  readonly error?: string | undefined;
}

const MODEL_CALL = 'tapline.modelCall';

/** For `_meta` of the action that tells of the usage. It is in no state. */
export function modelCallMeta(call: ModelCall): Record<string, unknown> {
  return { [MODEL_CALL]: call };
}

/** What this host has written there itself. */
export function modelCallIn(meta: Record<string, unknown> | undefined): ModelCall | undefined {
  return meta?.[MODEL_CALL] as ModelCall | undefined;
}
