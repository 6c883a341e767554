// What `npm test` and `npm run test:quick` have in common: which files are tests, how they are divided, and how types are checked.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workbenchTools.mjs';

export const UNIT_FOLDERS = ['src', 'test/gateway', 'test/conformance'];
/** TypeScript 7 takes a third of the time. It has no API yet, so typescript-eslint and scripts/sourceTexts.mjs need TypeScript 6. */
export const TYPE_CHECK = ['node_modules/typescript-7/bin/tsc', '-b', 'tsconfig.browser.json', 'tsconfig.node.json', 'tsconfig.json'];

/** Of the files that take longest, as the end of a whole run shows them. They need not be exact. */
const secondsOf = JSON.parse(readFileSync(join(root, 'scripts/testSeconds.json'), 'utf8'));
/** To start what a file needs. */
const START_SECONDS = 2;
/** What the other files take, in the mean. */
const BYTES_A_SECOND = 2_000;
/** By their paths below the root, with slashes. */
export const testsIn = (folders) => {
  const namesIn = (folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`.replaceAll('\\', '/'));
  return folders.flatMap(namesIn).filter((name) => /\.test\.tsx?$/.test(name));
};
/**
 * Each part has the time limit of a suite, which a long suite does not keep on a slow machine. Each file goes, the longest first, to the part with
 * the least. The part with the most is the first. `last`: the share of the first part that the last one has. Small parts at the end leave no core idle.
 */
export const inParts = (names, count, last = 1) => {
  const guessed = (name) => statSync(join(root, name)).size / BYTES_A_SECOND;
  const files = names.map((name) => ({ name, seconds: START_SECONDS + (secondsOf[name] ?? guessed(name)) }));
  const parts = Array.from({ length: count }, (_, at) => ({ seconds: 0, files: [], share: 1 - ((1 - last) * at) / count }));
  for (const { name, seconds } of files.sort((a, b) => b.seconds - a.seconds)) {
    const fill = (part) => (part.seconds + seconds) / part.share;
    const emptiest = parts.reduce((one, other) => (fill(other) < fill(one) ? other : one));
    emptiest.files.push(name);
    emptiest.seconds += seconds;
  }
  return parts.sort((a, b) => b.seconds - a.seconds).map((part) => part.files);
};
