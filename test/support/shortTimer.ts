/** For a gateway process whose tool timeouts a test does not want to wait for: its first timer of so many milliseconds is over at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The environment that does it. The file goes to `folder`. */
export function shortTimer(folder: string, ms: number): { NODE_OPTIONS: string } {
  const file = join(folder, 'shortTimer.mjs');
  writeFileSync(
    file,
    `const real = globalThis.setTimeout;
let isUsed = false;
globalThis.setTimeout = (run, ms, ...rest) => {
  const isMeant = !isUsed && ms === ${ms};
  isUsed ||= isMeant;
  return real(run, isMeant ? 1 : ms, ...rest);
};`,
  );
  return { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
}
