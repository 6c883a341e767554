// npm run test:quick: the unit tests, types and lint of what differs from `main`, for while something is written. `-- --since REF` compares with
// something else, `-- --all` takes all unit tests. Properties are tried at most twenty times. It does not stand in for `npm test`.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { inParts, testsIn, TYPE_CHECK, UNIT_FOLDERS } from './testParts.mjs';
import { root } from './workbenchTools.mjs';

const { values: options } = parseArgs({ options: { since: { type: 'string' }, all: { type: 'boolean' } } });

const lines = (text) => text.split('\n').filter((line) => line !== '');
const git = (...args) => lines(execFileSync('git', args, { cwd: root, encoding: 'utf8' }));
/** Where this branch has left `main`. On `main` itself, what is not committed counts. */
const base = () => {
  if (options.since !== undefined) return options.since;
  try {
    return git('merge-base', 'HEAD', 'main')[0];
  } catch {
    return 'HEAD';
  }
};
/** Also what is deleted or renamed: whatever imports it fails. */
const changed = [...new Set([...git('diff', '--name-only', '--no-renames', base()), ...git('ls-files', '--others', '--exclude-standard')])];
const present = changed.filter((name) => existsSync(join(root, name)));

const MODULE = /\.(?:ts|tsx|mjs|cjs|js)$/;
const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`.replaceAll('\\', '/'))
    .filter((name) => MODULE.test(name));
const modules = new Map(['src', 'test', 'scripts'].flatMap(filesOf).map((name) => [name, readFileSync(join(root, name), 'utf8')]));
const unitTests = testsIn(UNIT_FOLDERS);

/** All modules that lead to one of `names` by imports, and these. */
function importersOf(names) {
  const importers = new Map();
  for (const [name, text] of modules) {
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = posix.join(dirname(name), path);
      importers.set(imported, [...(importers.get(imported) ?? []), name]);
    }
  }
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const importer of importers.get(name) ?? []) add(importer);
  };
  for (const name of names) add(name);
  return found;
}

/** What is no module is read by the tests that name it, or its folder. */
const readersOf = (name) => {
  const isNamedIn = (text) => text.includes(basename(name)) || text.includes(`'${dirname(name)}'`) || text.includes(`/${dirname(name)}'`);
  return unitTests.filter((test) => isNamedIn(modules.get(test)));
};

const reached = importersOf(changed);
const read = new Set(changed.filter((name) => !modules.has(name)).flatMap(readersOf));
const tests = unitTests.filter((name) => options.all || reached.has(name) || read.has(name));

const linted = present.filter((name) => MODULE.test(name));
const isTyped = changed.some((name) => /\.tsx?$/.test(name));
const mocha = ['--import=tsx', 'node_modules/mocha/bin/mocha.js', '--require', 'test/support/runs.ts', '--reporter', 'dot', '--exit'];
const steps = [
  ...inParts(tests, 2)
    .filter((files) => files.length > 0)
    .map((files) => ({ title: `${files.length} files of unit tests`, args: [...mocha, '--timeout', '20000', ...files] })),
  ...(isTyped ? [{ title: 'types', args: TYPE_CHECK }] : []),
  ...(linted.length > 0
    ? [
        {
          title: 'lint',
          args: ['node_modules/eslint/bin/eslint.js', '--no-warn-ignored', '--cache', '--cache-location', 'artifacts/eslint/', ...linted],
        },
      ]
    : []),
  ...(present.length > 0
    ? [
        {
          title: 'format',
          args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--ignore-unknown', '--log-level', 'warn', ...present],
        },
      ]
    : []),
];

const home = mkdtempSync(join(tmpdir(), 'tapline-quick-'));
const env = { ...process.env, TAPLINE_QUICK: '1', HOME: home, USERPROFILE: home };
const failed = [];
const secondsSince = (begin) => ((Date.now() - begin) / 1000).toFixed(1);
/** What it prints is shown when it has failed. */
async function run({ title, args }) {
  const begin = Date.now();
  const output = [];
  const code = await new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.once('error', fail);
    child.once('close', done);
  });
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${title} (${secondsSince(begin)} s)`);
  if (code === 0) return;
  process.stdout.write(Buffer.concat(output));
  failed.push(title);
}

const begin = Date.now();
console.log(`${changed.length} files have changed, ${tests.length} files of unit tests are concerned.`);
const lane = async () => {
  for (let step; (step = steps.shift());) await run(step);
};
await Promise.all([lane(), lane()]);
rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : `\nAll passed, in ${secondsSince(begin)} s`);
process.exitCode = failed.length > 0 ? 1 : 0;
