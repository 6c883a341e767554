// npm test: runs the checks and every suite, and prints one line with the sum of all. `npm test -- unit e2e` runs the named ones.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, cpus, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inParts, testsIn, TYPE_CHECK, UNIT_FOLDERS } from './testParts.mjs';
import { ensureWorkbenchTools, root } from './workbenchTools.mjs';

// Node's own option, not mocha's: mocha would start a second process, which outlives the one that the time limit kills.
// `--exit`: a timer or a connection that a test has left would hold up what comes next, for up to a minute.
const mocha = ['--import=tsx', 'node_modules/mocha/bin/mocha.js', '--reporter', 'test/support/reporter.cjs', '--forbid-only', '--exit'];
/** The last part of a suite has this share of the first. */
const SMALLER_AT_THE_END = 0.4;
/**
 * The larger a process, the longer it takes to start another one: those that start many, mostly Git, take twice as long in the process that has
 * all the others loaded.
 */
const unitParts = () => {
  const startsProcesses = (name) => readFileSync(join(root, name), 'utf8').includes("'node:child_process'");
  const names = testsIn(UNIT_FOLDERS);
  return [
    names.filter(startsProcesses),
    ...inParts(
      names.filter((name) => !startsProcesses(name)),
      2,
    ),
  ];
};

/** Those that share one Tapline are together, so that few of it are started. */
const e2eParts = () => {
  const sharesTapline = (name) => readFileSync(join(root, name), 'utf8').includes('/sharedTapline.ts');
  const names = testsIn(['test/e2e']);
  const others = names.filter((name) => !sharesTapline(name));
  return [...inParts(names.filter(sharesTapline), 5, SMALLER_AT_THE_END), ...inParts(others, 4)];
};

/** A check counts as one test. Mocha runs what has `files`, with `timeout` in milliseconds for one test. `needs`: what is run before, if it is run. */
const steps = {
  types: { check: true, args: TYPE_CHECK },
  unit: { timeout: 20_000, parts: unitParts() },
  build: { check: true, args: ['scripts/build.mjs'] },
  workbench: { check: true, args: ['scripts/workbenchTools.mjs'] },
  lint: { check: true, args: ['node_modules/eslint/bin/eslint.js', '.'] },
  circles: { check: true, args: ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src'] },
  format: { check: true, args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'] },
  integration: { needs: ['build'], timeout: 60_000, parts: inParts(testsIn(['test/integration']), 20, SMALLER_AT_THE_END) },
  webview: { needs: ['build'], timeout: 60_000, parts: inParts(testsIn(['test/webview']), 12, SMALLER_AT_THE_END) },
  vscode: { needs: ['build', 'workbench'], args: ['--import=tsx', 'test/vscode/run.ts'] },
  e2e: { needs: ['build', 'workbench'], timeout: 120_000, parts: e2eParts() },
};
const argsOf = ({ args, timeout, files }) => args ?? [...mocha, '--timeout', String(timeout), ...files];
/** The idle time is that of the whole machine, which says nothing where only a part of its cores is ours, as in some containers. */
const seesIdleTime = availableParallelism() === cpus().length;
const MORE = seesIdleTime && process.env.TAPLINE_TEST_MORE !== '0' ? 2 : 0;
/**
 * Most of these wait for two thirds of their time. With five side by side all the time, tests with limits of time fail by chance on two cores, so more
 * begin only while a part of the processor is idle. All are in one queue, so that none is idle until the last one of a kind has ended.
 */
const SUITES = ['build', 'workbench', 'unit', 'webview', 'integration', 'vscode', 'e2e'];
const SIDE_BY_SIDE = 4;
/** One by one beside the suites, with what they leave of the processor. */
const CHECKS = ['types', 'lint', 'circles', 'format'];

/** Of all cores, for so long: what another process needs in the mean. */
const IDLE_SHARE = 0.25;
const IDLE_MS = 8_000;

/** A suite that hangs fails instead of holding everything up. */
const SUITE_TIMEOUT_MS = 20 * 60_000;
const OUTPUT_TIMEOUT_MS = 5_000;
/** Of a check that failed, in characters. */
const OUTPUT_KEPT = 2_000;
const SLOWEST_SHOWN = 30;
/** More files than this do not fail by chance. */
const RUN_AGAIN_AT_MOST = 6;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in steps));
if (unknown.length) {
  console.error(`Unknown suite: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tapline-tests-'));
/** Shells keep their history there, and the engine and VS Code what they know of the user: each suite has its own. */
const homeOf = (name) => join(folder, 'home', name);
const kinds = ['passed', 'failed', 'skipped'];
/** What each file of a suite has brought, so that a second run of it takes the place of the first. */
const results = new Map();
let processes = 0;

const secondsSince = (begin) => Math.round((Date.now() - begin) / 1000);

/** What runs beside others is printed as a whole when it ends. */
async function run(step, isAlone) {
  const { name, title, check, isMeanwhile } = step;
  const begin = Date.now();
  const countsFile = join(folder, `${name}-${processes++}`);
  const output = [];
  const home = homeOf(name);
  mkdirSync(home, { recursive: true });
  const env = { ...process.env, HOME: home, USERPROFILE: home, TAPLINE_TEST_COUNTS: countsFile };
  if (isAlone) console.log(`\n── ${title}`);
  const code = await new Promise((done, fail) => {
    const stdio = isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, argsOf(step), { cwd: root, stdio, env });
    if (isMeanwhile && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
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
    console.log(`\n── ${title} (${secondsSince(begin)} s)`);
    process.stdout.write(Buffer.concat(output));
  }
  const counts = !check && existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : [];
  for (const counted of counts) results.set(`${name} ${counted.file}`, { ...counted, step });
  if (check && code === 0) results.set(title, { passed: 1, failed: 0, skipped: 0, failures: [], step });
  if (code === 0 || counts.some(({ failed }) => failed > 0)) return;
  const failures = [`ended with code ${code}\n${Buffer.concat(output).toString().slice(-OUTPUT_KEPT)}`];
  results.set(title, { passed: 0, failed: 1, skipped: 0, failures, step });
}

const processorTimes = () => {
  const times = cpus().map((core) => core.times);
  const sum = (values) => values.reduce((all, value) => all + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((one) => Object.values(one))) };
};

/** Runs what is in the queue, so many at a time, and one more each time that a part of the processor was idle for a while. */
async function runSideBySide(queue, isAlone, { sideBySide, more = 0 }) {
  const running = new Set();
  // Only what has one part is needed by others.
  const awaited = new Set(queue.map(({ name }) => name));
  const isReady = ({ needs = [] }) => !needs.some((name) => awaited.has(name));
  const start = () => {
    const [step] = queue.splice(queue.findIndex(isReady), 1);
    const one = run(step, isAlone).finally(() => {
      running.delete(one);
      // What needs it never begins where it has failed.
      if (!results.get(step.title)?.failed) awaited.delete(step.name);
    });
    running.add(one);
  };
  let before = processorTimes();
  const timer = setInterval(() => {
    const now = processorTimes();
    const isIdle = now.idle - before.idle >= IDLE_SHARE * (now.all - before.all);
    before = now;
    if (isIdle && running.size > 0 && running.size < sideBySide + more && queue.some(isReady)) start();
  }, IDLE_MS);
  try {
    while (running.size > 0 || queue.some(isReady)) {
      while (running.size < sideBySide && queue.some(isReady)) start();
      await Promise.race(running);
    }
  } finally {
    clearInterval(timer);
  }
}

const failedResults = () => [...results.values()].filter(({ failed }) => failed > 0);

/** Suites that work and suites that wait take turns: `place` is from 0 to 1. */
const queueOf = (names) =>
  names
    .filter((name) => named.length === 0 || named.includes(name))
    .flatMap((name) => {
      const { parts, ...step } = steps[name];
      if (!parts) return { ...step, name, title: name, place: 0 };
      const titleOf = (at) => `${name}, part ${at + 1} of ${parts.length}`;
      return parts.map((files, at) => ({ ...step, name, title: titleOf(at), files, place: at / parts.length }));
    })
    .sort((a, b) => a.place - b.place);

const suites = queueOf(SUITES);
const checks = queueOf(CHECKS).map((step) => ({ ...step, isMeanwhile: suites.length > 0 }));
if (!suites.some(({ name }) => name === 'workbench') && suites.some(({ needs }) => needs?.includes('workbench'))) ensureWorkbenchTools();
const isAlone = suites.length + checks.length === 1;
await Promise.all([
  runSideBySide(checks, isAlone, { sideBySide: 1 }),
  runSideBySide(suites, isAlone, { sideBySide: SIDE_BY_SIDE, more: MORE }),
]);

// A crowded machine can fail a test that drives processes. A fault fails again when its file has the machine to itself, but a property
// that failed at random values may not.
const isByChance = ({ file, step, failures }) =>
  Boolean(file) && step.name !== 'unit' && !failures.some((failure) => failure.includes('Property failed'));
const again = failedResults().filter(isByChance);
if (again.length <= RUN_AGAIN_AT_MOST) {
  for (const { step, file } of again) await run({ ...step, files: [file], title: `${step.name}, again ${file}` }, true);
}
const failures = failedResults().flatMap(({ step, failures }) => failures.map((failure) => `${step.title}: ${failure}`));
const total = Object.fromEntries(kinds.map((kind) => [kind, [...results.values()].reduce((sum, counts) => sum + counts[kind], 0)]));

const slowest = [...results.values()].filter(({ ms }) => ms > 0).sort((a, b) => b.ms - a.ms);
if (named.length === 0) {
  const inSeconds = (ms) => String(Math.round(ms / 1000)).padStart(5);
  console.log('\nThe slowest files, in seconds, and in seconds of the processor:');
  for (const { ms, cpuMs, file } of slowest.slice(0, SLOWEST_SHOWN)) console.log(`${inSeconds(ms)} ${inSeconds(cpuMs)}  ${file}`);
}

rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
// Again at the end, as the output of all suites is long and may be cut at its beginning.
for (const { step, file, failures } of again) {
  if (results.get(`${step.name} ${file}`).failed === 0) console.log(`\nPassed when run again in ${step.name}: ${failures.join('\n')}`);
}
for (const failure of failures) console.log(`\nFailed in ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
// A reader of a pipe may be slower than we are, and the last line is the one that counts.
process.stdout.write('', () => process.exit(failures.length > 0 ? 1 : 0));
