// The types of the library. The compiler takes most of a build's time, so it runs only where there is something new for it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { digestOf, filesBelow } from './folders.mjs';

/** The lock file stands for the compiler, and for the types of packages. */
const SETTINGS = ['tsconfig.lib.json', 'tsconfig.json', 'package-lock.json'];

/** Puts them into dist/lib/types. Throws where the sources have errors. */
export function emitLibraryTypes(root, output) {
  const types = join(output.path, 'lib/types');
  const lastFile = join(root, 'artifacts/libraryTypes');
  const sources = filesBelow(join(root, 'src')).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
  const from = digestOf(root, [...SETTINGS, ...sources.map((name) => join('src', name))]);
  const last = existsSync(lastFile) ? readFileSync(lastFile, 'utf8') : '';
  // What is there may be of another build than the last one.
  if (existsSync(types) && last === `${from} ${digestOf(types)}`) {
    output.keep(types);
    return;
  }
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const emitted = mkdtempSync(join(tmpdir(), 'tapline-types-'));
  try {
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.lib.json', '--outDir', emitted], { cwd: root, stdio: 'inherit' });
    output.copy(emitted, types);
    mkdirSync(dirname(lastFile), { recursive: true });
    writeFileSync(lastFile, `${from} ${digestOf(emitted)}`);
  } finally {
    rmSync(emitted, { recursive: true });
  }
}
