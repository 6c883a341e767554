/** Runs code whose cost a stranger decides (a JSON Schema with references), and stops it. */
import { createContext, Script } from 'node:vm';

const context = createContext(Object.create(null) as object) as { work?: () => unknown };
const script = new Script('work()');

/** The result of `work`, or an error with the code ERR_SCRIPT_EXECUTION_TIMEOUT after `ms`. Not for asynchronous work. */
export function bounded<T>(work: () => T, ms: number): T {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } finally {
    context.work = undefined;
  }
}
