/** Runs code whose cost depends on untrusted input (a JSON Schema with references) under a time limit. */
import { createContext, Script } from 'node:vm';

const context = createContext(Object.create(null) as object) as { work?: () => unknown };
const script = new Script('work()');

/**
 * Returns the result of `work`. After `ms` (a whole number) it throws an error for which {@link isOutOfTime} is true. `work` must be
 * synchronous.
 */
export function bounded<T>(work: () => T, ms: number): T {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } finally {
    context.work = undefined;
  }
}

export function isOutOfTime(error: unknown): boolean {
  // The error comes from another context, so `instanceof Error` is false.
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
