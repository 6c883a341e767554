/** Specifications and conformance data are kept beside the repository and never copied into it; tests find them here or skip. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dir = fileURLToPath(new URL('../../../shared', import.meta.url));

/** The folder with the shared data (`../shared` beside the repository), or undefined where there is none. */
export function sharedDir(): string | undefined {
  return existsSync(dir) ? dir : undefined;
}

/** A suite that needs shared data: `define` gets its folder when mocha loads the file. Without the data, one test is skipped that says so. */
export function describeShared(title: string, define: (dir: string) => void): void {
  describe(title, () => {
    const found = sharedDir();
    if (found !== undefined) define(found);
    else it.skip(`needs the shared data in ${dir}, which is not there`);
  });
}

/** The names of the files in a shared folder that match, sorted. */
export function sharedFiles(dir: string, folder: string, pattern: RegExp): string[] {
  return readdirSync(join(dir, folder))
    .filter((name) => pattern.test(name))
    .sort();
}

/** The lines of a shared text file. */
export function sharedLines(dir: string, path: string): string[] {
  return readFileSync(join(dir, path), 'utf8').split('\n').filter(Boolean);
}

/** A shared JSON file. */
export function sharedJson(dir: string, path: string): unknown {
  return JSON.parse(readFileSync(join(dir, path), 'utf8'));
}
