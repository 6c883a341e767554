// npm test: runs the checks and every suite, and prints one line with the sum of all. `npm test -- unit e2e` runs the named ones.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureWorkbenchTools, root } from './workbenchTools.mjs';

// Node's own option, not mocha's: mocha would start a second process, which outlives the one that the time limit kills.
// `--exit`: a timer or a connection that a test has left would hold up what comes next, for up to a minute.
const mocha = ['--import=tsx', 'node_modules/mocha/bin/mocha.js', '--reporter', 'test/support/reporter.cjs', '--forbid-only', '--exit'];
/**
 * Each part has the time limit of a suite, which a long suite does not keep on a slow machine. Many small parts leave no core idle at the end.
 * A file's size is all that is known beforehand of how long it takes: each goes, the largest first, to the part with the least.
 */
const inParts = (folder, count) => {
  const names = readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  const files = names.map((name) => ({ name: `${folder}/${name}`, size: statSync(join(root, folder, name)).size }));
  const parts = Array.from({ length: count }, () => ({ size: 0, files: [] }));
  for (const { name, size } of files.sort((a, b) => b.size - a.size)) {
    const smallest = parts.reduce((one, other) => (other.size < one.size ? other : one));
    smallest.files.push(name);
    smallest.size += size;
  }
  return parts.map((part) => part.files);
};

/** A check counts as one test. Mocha runs what has `files`, with `timeout` in milliseconds for one test. */
const steps = {
  types: { check: true, args: ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.browser.json', 'tsconfig.node.json', 'tsconfig.json'] },
  unit: { timeout: 20_000, files: ['src/**/*.test.{ts,tsx}', 'test/gateway/**/*.test.ts', 'test/conformance/**/*.test.ts'] },
  lint: { check: true, args: ['node_modules/eslint/bin/eslint.js', '.'] },
  circles: { check: true, args: ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src'] },
  format: { check: true, args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'] },
  build: { check: true, args: ['scripts/build.mjs'] },
  workbench: { check: true, args: ['scripts/workbenchTools.mjs'] },
  integration: { timeout: 60_000, parts: inParts('test/integration', 16) },
  webview: { timeout: 60_000, parts: inParts('test/webview', 6) },
  vscode: { workbench: true, args: ['--import=tsx', 'test/vscode/run.ts'] },
  e2e: { workbench: true, timeout: 120_000, parts: inParts('test/e2e', 2) },
};
const argsOf = ({ args, timeout, files }) => args ?? [...mocha, '--timeout', String(timeout), ...files];
/** One after the other, with as many processes at a time. What shows a workbench has the machine to itself. */
const stages = [
  { names: ['unit', 'build', 'types', 'lint'], sideBySide: 2 },
  // These wait more than they work, so several side by side take little longer than one, also on two cores.
  { names: ['workbench', 'format', 'integration', 'webview', 'circles'], sideBySide: 4 },
  { names: ['vscode'], sideBySide: 1 },
  { names: ['e2e'], sideBySide: 2 },
];

/** A suite that hangs fails instead of holding everything up. */
const SUITE_TIMEOUT_MS = 20 * 60_000;
const OUTPUT_TIMEOUT_MS = 5_000;
/** Of a check that failed, in characters. */
const OUTPUT_KEPT = 2_000;
/** More files than this do not fail by chance. */
const RUN_AGAIN_AT_MOST = 3;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in steps));
if (unknown.length) {
  console.error(`Unknown suite: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tapline-tests-'));
/** Shells keep their history there, and the engine and VS Code what they know of the user. */
const home = join(folder, 'home');
mkdirSync(home);
const env = { ...process.env, HOME: home, USERPROFILE: home };
const kinds = ['passed', 'failed', 'skipped'];
/** What each file of a suite has brought, so that a second run of it takes the place of the first. */
const results = new Map();
let processes = 0;

/** What runs beside others is printed as a whole when it ends. */
async function run(step, isAlone) {
  const { name, title, check } = step;
  const countsFile = join(folder, `${name}-${processes++}`);
  const output = [];
  if (isAlone) console.log(`\n── ${title}`);
  const code = await new Promise((done, fail) => {
    const stdio = isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, argsOf(step), { cwd: root, stdio, env: { ...env, TAPLINE_TEST_COUNTS: countsFile } });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
    const timer = setTimeout(() => {
      console.error(`${title} did not end within ${SUITE_TIMEOUT_MS / 60_000} minutes`);
      child.kill('SIGKILL');
    }, SUITE_TIMEOUT_MS);
    child.once('error', fail);
    child.once('exit', (exitCode) => {
      clearTimeout(timer);
      // The last output may follow the exit. A process that a test has left behind may hold its end back.
      child.once('close', () => done(exitCode));
      setTimeout(() => done(exitCode), OUTPUT_TIMEOUT_MS).unref();
    });
  });
  if (!isAlone) {
    console.log(`\n── ${title}`);
    process.stdout.write(Buffer.concat(output));
  }
  const counts = !check && existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : [];
  for (const counted of counts) results.set(`${name} ${counted.file}`, { ...counted, step });
  if (check && code === 0) results.set(title, { passed: 1, failed: 0, skipped: 0, failures: [], step });
  if (code === 0 || counts.some(({ failed }) => failed > 0)) return;
  const failures = [`ended with code ${code}\n${Buffer.concat(output).toString().slice(-OUTPUT_KEPT)}`];
  results.set(title, { passed: 0, failed: 1, skipped: 0, failures, step });
}

const failedResults = () => [...results.values()].filter(({ failed }) => failed > 0);

for (const { names, sideBySide } of stages) {
  const queue = names
    .filter((name) => named.length === 0 || named.includes(name))
    .flatMap((name) => {
      const { parts, ...step } = steps[name];
      if (!parts) return { ...step, name, title: name };
      return parts.map((files, at) => ({ ...step, name, title: `${name}, part ${at + 1} of ${parts.length}`, files }));
    });
  if (queue.some(({ workbench }) => workbench)) ensureWorkbenchTools();
  const isAlone = sideBySide === 1 || queue.length === 1;
  const lane = async () => {
    for (let next; (next = queue.shift());) await run(next, isAlone);
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  if (failedResults().some(({ step }) => step.name === 'build')) break;
}

// A crowded machine can fail a test that drives processes. A fault fails again when its file has the machine to itself, but a property
// that failed at random values may not.
const isByChance = ({ file, step, failures }) =>
  file !== undefined && step.name !== 'unit' && !failures.some((failure) => failure.includes('Property failed'));
const again = failedResults().filter(isByChance);
if (again.length <= RUN_AGAIN_AT_MOST) {
  for (const { step, file } of again) await run({ ...step, files: [file], title: `${step.name}, again ${file}` }, true);
}
const failures = failedResults().flatMap(({ step, failures }) => failures.map((failure) => `${step.title}: ${failure}`));
const total = Object.fromEntries(kinds.map((kind) => [kind, [...results.values()].reduce((sum, counts) => sum + counts[kind], 0)]));

rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
// Again at the end, as the output of all suites is long and may be cut at its beginning.
for (const { step, file, failures } of again) {
  if (results.get(`${step.name} ${file}`).failed === 0) console.log(`\nPassed when run again in ${step.name}: ${failures.join('\n')}`);
}
for (const failure of failures) console.log(`\nFailed in ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
// A reader of a pipe may be slower than we are, and the last line is the one that counts.
process.stdout.write('', () => process.exit(failures.length > 0 ? 1 : 0));
