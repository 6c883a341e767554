// npm test: checks, then every suite, then one line with the sum of all. `npm test -- unit e2e` runs the named ones.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureWorkbenchTools, root } from './workbenchTools.mjs';

const mocha = ['node_modules/mocha/bin/mocha.js', '--import=tsx', '--reporter', 'test/support/reporter.cjs', '--forbid-only'];
/** A check counts as one test. */
const steps = {
  types: { check: true, args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  lint: { check: true, args: ['node_modules/eslint/bin/eslint.js', '.'] },
  format: { check: true, args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'] },
  build: { check: true, args: ['scripts/build.mjs'] },
  unit: { args: [...mocha, 'src/**/*.test.{ts,tsx}', 'test/gateway/**/*.test.ts', 'test/conformance/**/*.test.ts'] },
  integration: { args: [...mocha, '--timeout', '20000', 'test/integration/**/*.test.ts'] },
  webview: { args: [...mocha, '--timeout', '60000', 'test/webview/**/*.test.ts'] },
  vscode: { workbench: true, args: ['--import=tsx', 'test/vscode/run.ts'] },
  e2e: { workbench: true, args: [...mocha, '--timeout', '120000', 'test/e2e/**/*.test.ts'] },
};

/** A suite that hangs fails instead of holding everything up. */
const SUITE_TIMEOUT_MS = 8 * 60_000;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in steps));
if (unknown.length) {
  console.error(`Unknown suite: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tapline-counts-'));
const countsFile = join(folder, 'counts');
writeFileSync(countsFile, '');
const counted = () =>
  readFileSync(countsFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

let broken = false;
for (const name of named.length ? named : Object.keys(steps)) {
  const { args, check, workbench } = steps[name];
  if (workbench) ensureWorkbenchTools();
  console.log(`\n── ${name}`);
  const before = counted().length;
  const code = await new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TAPLINE_TEST_COUNTS: countsFile } });
    const timer = setTimeout(() => {
      console.error(`${name} did not end within ${SUITE_TIMEOUT_MS / 60_000} minutes`);
      child.kill('SIGKILL');
    }, SUITE_TIMEOUT_MS);
    child.once('error', fail);
    child.once('exit', (exitCode) => {
      clearTimeout(timer);
      done(exitCode);
    });
  });
  if (check) appendFileSync(countsFile, `${JSON.stringify({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 })}\n`);
  // A suite that ended without counting has crashed: that is a failure, not nothing.
  else if (counted().length === before) appendFileSync(countsFile, `${JSON.stringify({ passed: 0, failed: 1, skipped: 0 })}\n`);
  if (code !== 0) broken = true;
  if (code !== 0 && name === 'build') break;
}

const total = counted().reduce((sum, one) => ({
  passed: sum.passed + one.passed,
  failed: sum.failed + one.failed,
  skipped: sum.skipped + one.skipped,
}));
rmSync(folder, { recursive: true });
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(broken || total.failed > 0 ? 1 : 0);
