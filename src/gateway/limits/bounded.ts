/** Runs code whose cost a stranger decides (a JSON Schema with references), and stops it. */
import { createContext, Script } from 'node:vm';

const context = createContext(Object.create(null) as object) as { work?: () => unknown };
const script = new Script('work()');

/** The result of `work`; throws what {@link isOutOfTime} knows after `ms` (a whole number). Not for asynchronous work. */
export function bounded<T>(work: () => T, ms: number): T {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } finally {
    context.work = undefined;
  }
}

export function isOutOfTime(error: unknown): boolean {
  // Made in the other context, so it is no instance of our Error.
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
