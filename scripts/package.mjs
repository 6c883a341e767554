// npm run package: builds Tapline and packs it into `tapline.vsix` (or the file that is named) for this platform.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { withoutIntegrity } from './engineLock.mjs';
import { digestOf } from './folders.mjs';
import { isFinished } from './outputFolder.mjs';
import { root, runNode } from './workbenchTools.mjs';

const keptFolder = join(root, 'artifacts/package');

/** Packs dist/ as it is, with the manifest. With `isKept`, what was packed last is taken again when nothing has changed. */
export async function packageExtension(packagePath, { isKept = false } = {}) {
  const folder = copyForPackage();
  try {
    const kept = isKept && join(keptFolder, `${digestOf(folder)}.vsix`);
    if (kept && existsSync(kept)) return cpSync(kept, packagePath);
    // It takes half a second to load.
    const { createVSIX } = await import('@vscode/vsce');
    await createVSIX({ cwd: folder, packagePath, dependencies: false, rewriteRelativeLinks: false });
    if (kept) keep(packagePath, kept);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Several may do so at the same time. */
function keep(packagePath, kept) {
  mkdirSync(keptFolder, { recursive: true });
  const earlier = readdirSync(keptFolder).filter((name) => name.endsWith('.vsix') && name !== basename(kept));
  for (const name of earlier) rmSync(join(keptFolder, name), { force: true });
  const unfinished = `${kept}.${process.pid}`;
  cpSync(packagePath, unfinished);
  renameSync(unfinished, kept);
}

/**
 * A new folder with everything that `.vscodeignore` lets into the package. There vsce does not have to look through the installed workbench,
 * which takes it seconds. Throws when something is missing.
 */
export function copyForPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-package-'));
  const ignored = readFileSync(join(root, '.vscodeignore'), 'utf8');
  const wanted = ignored.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1).replace(/[^/]*\*.*$/, '')] : []));
  for (const path of new Set(['.vscodeignore', ...wanted]))
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isFinished });
  return folder;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const out = resolve(positionals[0] ?? 'tapline.vsix');
  if (!out.endsWith('.vsix')) throw new Error(`${out} must end with .vsix`);
  runNode(process.execPath, ['scripts/build.mjs', '--production']);
  // The package is for this platform, so the engine's parts for others are never installed by it.
  const isOwn = (path) => path.endsWith(process.arch) && path.includes(`-${process.platform}`);
  const unknown = withoutIntegrity(JSON.parse(readFileSync(join(root, 'dist/engine/package-lock.json'), 'utf8'))).filter(isOwn);
  if (unknown.length > 0)
    throw new Error(
      `package-lock.json has no integrity for ${unknown.join(' and ')}. Run npm install with a registry that has the engine for this platform.`,
    );
  await packageExtension(out);
  console.log(`\n${out}\nInstall it with: code --install-extension ${out}`);
}
