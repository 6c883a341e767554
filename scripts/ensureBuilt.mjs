// Programs of the project are built when they are started. A build takes long, so there is none where nothing has changed since the last one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf, filesBelow } from './folders.mjs';
import { root, runNode } from './workbenchTools.mjs';

const dist = join(root, 'dist');
const lastFile = join(root, 'artifacts/lastBuild');
/** The lock file stands for the packages. */
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.lib.json'];
const FOLDERS = ['src', 'scripts', 'examples/providers'];

/** Of all that a build reads. */
export function digestOfSources() {
  const below = (folder) => filesBelow(join(root, folder)).map((name) => join(folder, name));
  const isTest = (name) => /\.test\.tsx?$/.test(name);
  return digestOf(root, [...FILES, ...FOLDERS.flatMap(below).filter((name) => !isTest(name))]);
}

/** After a build. `sources`: their digest before it, because they may have changed meanwhile. */
export function noteBuild(sources) {
  mkdirSync(dirname(lastFile), { recursive: true });
  writeFileSync(lastFile, `${sources} ${digestOf(dist)}`);
}

/** What is in dist/ may be of another build than the last one, for example of `npm run watch`, so that counts too. */
export function ensureBuilt() {
  const last = existsSync(dist) && existsSync(lastFile) ? readFileSync(lastFile, 'utf8') : '';
  if (last === '' || last !== `${digestOfSources()} ${digestOf(dist)}`) runNode(process.execPath, ['scripts/build.mjs']);
}
