// npm run package: builds Tapline and packs it into `tapline.vsix` (or the file that is named) for this platform. `-- --target linux-arm64` makes
// `tapline-linux-arm64.vsix` for another one, `--target all` one for each; `--pre-release` marks them as such.
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
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { component } from './billOfMaterials.mjs';
import { withoutIntegrity } from './engineLock.mjs';
import { digestOf, filesBelow } from './folders.mjs';
import { isFinished } from './outputFolder.mjs';
import { addressOf, isPlaceholder, packagedReadme } from './packagedReadme.mjs';
import { ownTarget, platformTargets, putNativePart } from './platformTargets.mjs';
import { root, runNode } from './workbenchTools.mjs';

const keptFolder = join(root, 'artifacts/package');
/** What the Marketplace shows of Tapline, and VS Code once it is installed. */
const README_PAGE = 'docs/installed.md';
/** Of a package made for release. A package that outgrows them holds what it should not, or this has to be thought about. */
const MOST_PACKED_BYTES = 4_500_000;
const MOST_BYTES = 13_500_000;

/** Packs dist/ as it is, with the manifest. With `isKept`, what was packed last is taken again when nothing has changed. */
export async function packageExtension(packagePath, { isKept = false, target, preRelease = false } = {}) {
  const folder = copyForPackage();
  try {
    if (target !== undefined) setTarget(folder, target);
    const kept = isKept && join(keptFolder, `${digestOf(folder)}.vsix`);
    if (kept && existsSync(kept)) return cpSync(kept, packagePath);
    // It takes half a second to load.
    const { createVSIX } = await import('@vscode/vsce');
    await createVSIX({ cwd: folder, packagePath, target, preRelease, dependencies: false, rewriteRelativeLinks: false });
    if (kept) keep(packagePath, kept);
    if (target !== undefined) checkPackage(packagePath, folder, target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The native part, and what names it. */
function setTarget(folder, target) {
  const lock = readLock();
  putNativePart(folder, target, lock, root);
  const path = join(folder, 'dist/sbom.cdx.json');
  const bill = JSON.parse(readFileSync(path, 'utf8'));
  const isPart = ({ name }) => name.startsWith('@lydell/node-pty-');
  bill.components = bill.components.map((entry) =>
    isPart(entry) ? component(`@lydell/node-pty-${target}`, entry.version, 'MIT', lock) : entry,
  );
  writeFileSync(path, JSON.stringify(bill, undefined, 2));
}

const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

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
  const address = addressOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  writeFileSync(join(folder, 'README.md'), packagedReadme(readFileSync(join(root, README_PAGE), 'utf8'), README_PAGE, address));
  return folder;
}

/** Of what belongs to the sources, and of files that may hold secrets. */
const STRANGE = /\.(?:map|pdb|(?<!\.d\.)tsx?|pem|key|log)$|(?:^|[\\/])\.(?!vscodeignore)/;

/** Throws where a package for release is larger than we want, has what it should not, or would install an engine that nobody has checked. */
function checkPackage(packagePath, folder, target) {
  const sizes = filesBelow(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
  const bytes = sizes.reduce((sum, file) => sum + file.bytes, 0);
  const packedBytes = statSync(packagePath).size;
  console.log(`${target}: ${packedBytes} bytes, ${bytes} unpacked in ${sizes.length} files`);
  const [platform, arch] = target.split('-');
  // The engine's parts for other platforms are never installed by it.
  const isForTarget = (path) => path.endsWith(arch) && path.includes(`-${platform}`);
  const unknown = withoutIntegrity(JSON.parse(readFileSync(join(folder, 'dist/engine/package-lock.json'), 'utf8'))).filter(isForTarget);
  const faults = [
    ...(packedBytes > MOST_PACKED_BYTES ? [`It has ${packedBytes} bytes, more than ${MOST_PACKED_BYTES}.`] : []),
    ...(bytes > MOST_BYTES ? [`Its files have ${bytes} bytes, more than ${MOST_BYTES}.`] : []),
    ...sizes.filter(({ name }) => STRANGE.test(name)).map(({ name }) => `${name} does not belong into it.`),
    ...(unknown.length > 0
      ? [
          `package-lock.json has no integrity for ${unknown.join(' and ')}. Run npm install with a registry that has the engine for ${target}.`,
        ]
      : []),
  ];
  if (faults.length > 0) throw new Error(`${packagePath} is not fit for release. ${faults.join(' ')}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { target: { type: 'string', multiple: true }, 'pre-release': { type: 'boolean' } },
  });
  const targets = platformTargets(readLock());
  const wanted = values.target?.includes('all') ? targets : (values.target ?? [ownTarget()]);
  for (const target of wanted) {
    if (!targets.includes(target)) throw new Error(`There is no native part for ${target}. There are: ${targets.join(', ')}.`);
  }
  if (positionals.length > 0 && wanted.length > 1) throw new Error('One file cannot be for several platforms.');
  const outOf = (target) => resolve(positionals[0] ?? (values.target ? `tapline-${target}.vsix` : 'tapline.vsix'));
  const strangers = wanted.map(outOf).filter((out) => !out.endsWith('.vsix'));
  if (strangers.length > 0) throw new Error(`${strangers.join(', ')} must end with .vsix`);
  runNode(process.execPath, ['scripts/build.mjs', '--production']);
  for (const target of wanted) {
    const out = outOf(target);
    await packageExtension(out, { target, preRelease: values['pre-release'] });
    console.log(`\n${out}\nInstall it with: code --install-extension ${out}`);
  }
  if (isPlaceholder(addressOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))))
    console.log('\nIt cannot be published: the addresses in package.json are placeholders (CONTRIBUTING.md says which).');
}
