// npm test: runs the checks and every suite, and prints one line with the sum of all. `npm test -- unit e2e` runs the named ones.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureWorkbenchTools, root } from './workbenchTools.mjs';

// Node's own option, not mocha's: mocha would start a second process, which outlives the one that the time limit kills.
const mocha = ['--import=tsx', 'node_modules/mocha/bin/mocha.js', '--reporter', 'test/support/reporter.cjs', '--forbid-only'];
const integration = readdirSync(join(root, 'test/integration'), { recursive: true }).filter((name) => name.endsWith('.test.ts'));
/** They wait more than they work, so several parts side by side take little longer than one, also on two cores. */
const PARTS = 3;
const part = (which) => integration.filter((_, at) => at % PARTS === which).map((name) => `test/integration/${name}`);

/** A check counts as one test. */
const steps = {
  types: { check: true, args: ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.browser.json', 'tsconfig.node.json', 'tsconfig.json'] },
  unit: { args: [...mocha, '--timeout', '20000', 'src/**/*.test.{ts,tsx}', 'test/gateway/**/*.test.ts', 'test/conformance/**/*.test.ts'] },
  lint: { check: true, args: ['node_modules/eslint/bin/eslint.js', '.'] },
  circles: { check: true, args: ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src'] },
  format: { check: true, args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'] },
  build: { check: true, args: ['scripts/build.mjs'] },
  integration: { parts: Array.from({ length: PARTS }, (_, which) => [...mocha, '--timeout', '60000', ...part(which)]) },
  webview: { args: [...mocha, '--timeout', '60000', 'test/webview/**/*.test.ts'] },
  vscode: { workbench: true, args: ['--import=tsx', 'test/vscode/run.ts'] },
  e2e: { workbench: true, args: [...mocha, '--timeout', '120000', 'test/e2e/**/*.test.ts'] },
};
/** One after the other, with as many processes at a time. What shows a workbench has the machine to itself. */
const stages = [
  { names: ['types', 'unit', 'lint', 'circles', 'format', 'build'], sideBySide: 2 },
  { names: ['integration', 'webview'], sideBySide: PARTS + 1 },
  { names: ['vscode'], sideBySide: 1 },
  { names: ['e2e'], sideBySide: 1 },
];

/** A suite that hangs fails instead of holding everything up. */
const SUITE_TIMEOUT_MS = 20 * 60_000;
const OUTPUT_TIMEOUT_MS = 5_000;
/** Of a check that failed, in characters. */
const OUTPUT_KEPT = 2_000;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in steps));
if (unknown.length) {
  console.error(`Unknown suite: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tapline-counts-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const failed = new Set();
const failures = [];

/** What runs beside others is printed as a whole when it ends. */
async function run({ name, title, args, check }, isAlone, at) {
  const countsFile = join(folder, `${name}-${at}`);
  const output = [];
  if (isAlone) console.log(`\n── ${title}`);
  const code = await new Promise((done, fail) => {
    const stdio = isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, TAPLINE_TEST_COUNTS: countsFile } });
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
  const crashed = { passed: 0, failed: 1, skipped: 0 };
  const counted = existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : crashed;
  const counts = check ? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 } : counted;
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
  if (code === 0 && counts.failed === 0) return;
  failed.add(name);
  failures.push(
    ...(counts.failures?.length
      ? counts.failures
      : [`ended with code ${code}\n${Buffer.concat(output).toString().slice(-OUTPUT_KEPT)}`]
    ).map((failure) => `${title}: ${failure}`),
  );
}

for (const { names, sideBySide } of stages) {
  const queue = names
    .filter((name) => named.length === 0 || named.includes(name))
    .flatMap((name) => {
      const { parts, ...step } = steps[name];
      if (!parts) return { ...step, name, title: name };
      return parts.map((args, at) => ({ ...step, name, title: `${name}, part ${at + 1} of ${parts.length}`, args }));
    });
  if (queue.some(({ workbench }) => workbench)) ensureWorkbenchTools();
  const isAlone = queue.length === 1;
  let at = 0;
  const lane = async () => {
    for (let next; (next = queue.shift());) await run(next, isAlone, at++);
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  if (failed.has('build')) break;
}

rmSync(folder, { recursive: true });
// Again at the end, as the output of all suites is long and may be cut at its beginning.
for (const failure of failures) console.log(`\nFailed in ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
// A reader of a pipe may be slower than we are, and the last line is the one that counts.
process.stdout.write('', () => process.exit(failed.size > 0 ? 1 : 0));
