/** Processes that are not children of the test: they end without an event, so looking is all that can be done. */
import { withTimeout } from '../../src/base/errors.ts';

const LOOK_EVERY_MS = 20;
const WAIT_MS = 15_000;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export async function untilGone(...pids: number[]): Promise<void> {
  let looking = true;
  const gone = async () => {
    while (looking && pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  };
  try {
    await withTimeout(gone(), WAIT_MS, `the end of the processes ${pids.join(', ')}`);
  } finally {
    looking = false;
  }
}
