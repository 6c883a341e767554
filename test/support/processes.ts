/** Processes that are not children of the test: they end without an event, so looking is all that can be done. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Processes whose command line holds the text, this one left out. */
export function processesWith(text: string): number[] {
  return commandLines()
    .filter(({ pid, line }) => pid !== process.pid && line.includes(text))
    .map(({ pid }) => pid);
}

export function childrenOf(pid: number): number[] {
  return spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
}

/** Empty for one that has ended. */
export function commandLineOf(pid: number): string {
  return commandLines().find((one) => one.pid === pid)?.line ?? '';
}

function commandLines(): { pid: number; line: string }[] {
  if (!existsSync('/proc/self/cmdline')) {
    const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.map((text) => ({ pid: Number.parseInt(text, 10), line: text }));
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      return [{ pid: Number(pid), line: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ESRCH') return []; // it has ended while we looked
      throw error;
    }
  });
}
