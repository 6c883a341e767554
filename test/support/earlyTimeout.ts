/** For a gateway process whose tool timeouts a test does not want to wait for: the test says when a timer is over. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atRest, eventually } from '../fakes/eventually.ts';
import type { GatewayProcess } from './gatewayProcess.ts';

const DONE = 'a timer was ended early';

/** The environment for a process whose timers of so many milliseconds can be ended early. The file that does it goes to `folder`. */
export function earlyTimeouts(folder: string, ms: number): { NODE_OPTIONS: string } {
  const file = join(folder, 'earlyTimeouts.mjs');
  writeFileSync(
    file,
    `const { setTimeout: set, clearTimeout: clear } = globalThis;
const running = new Map(); // oldest first
globalThis.setTimeout = (run, ms, ...rest) => {
  if (ms !== ${ms}) return set(run, ms, ...rest);
  const end = () => {
    running.delete(timer);
    run(...rest);
  };
  const timer = set(end, ms);
  running.set(timer, end);
  return timer;
};
globalThis.clearTimeout = (timer) => {
  running.delete(timer);
  clear(timer);
};
process.on('SIGUSR2', () => {
  const [oldest] = running;
  if (oldest) {
    clear(oldest[0]);
    oldest[1]();
  }
  console.error(${JSON.stringify(DONE)});
});`,
  );
  return { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
}

/**
 * Of the calls that are under way the one that waits longest times out, and no other. `outcome`: its. `settled`: everything that was said to
 * the gateway has been heard, and what it has to say about it too.
 */
export async function timeOutOldest<T>(gateway: GatewayProcess, outcome: Promise<T>, settled: () => Promise<unknown>): Promise<T> {
  let isOver = false;
  const told = outcome.then((value) => {
    isOver = true;
    return value;
  });
  await settled();
  // The gateway may have older timers of the same length that mean something else: pings, for one.
  for (let ended = 1; !isOver; ended++) {
    process.kill(gateway.pid, 'SIGUSR2');
    await eventually(() => gateway.stderr().split(DONE).length > ended, 'the end of a timer of the gateway');
    await settled();
    await atRest(); // the outcome may have come in the same piece as that, and takes more steps
  }
  return told;
}
