// The platforms that a package is made for. Its only native part is that of node-pty, which has these; where there is none, Tapline has no terminals.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'node_modules/@lydell/node-pty-';

/** By their names of VS Code, which are those of the packages, from `package-lock.json`. */
export const platformTargets = ({ packages }) =>
  Object.keys(packages)
    .filter((path) => path.startsWith(PREFIX))
    .map((path) => path.slice(PREFIX.length));

/** Of this computer. */
export const ownTarget = () => `${process.platform}-${process.arch}`;

/** Puts the native part for `target` into `folder` in place of that of this computer. Its content must be that of the lock file. */
export function putNativePart(folder, target, { packages }, root) {
  const scope = join(folder, 'dist/node_modules/@lydell');
  const { version, integrity } = packages[`${PREFIX}${target}`];
  rmSync(join(scope, `node-pty-${ownTarget()}`), { recursive: true, force: true });
  const part = join(scope, `node-pty-${target}`);
  mkdirSync(part, { recursive: true });
  // What a debugger needs is as large as all the rest of the package.
  const filter = (path) => !path.endsWith('.pdb');
  if (target === ownTarget()) return cpSync(join(root, `${PREFIX}${target}`), part, { recursive: true, filter });
  const download = mkdtempSync(join(tmpdir(), 'tapline-native-'));
  try {
    const name = `@lydell/node-pty-${target}@${version}`;
    const npm = process.platform === 'win32' ? ['cmd', ['/c', 'npm']] : ['npm', []];
    const packed = execFileSync(npm[0], [...npm[1], 'pack', name, '--json', '--silent'], { cwd: download, encoding: 'utf8' });
    const archive = join(download, JSON.parse(packed)[0].filename);
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== integrity) throw new Error(`${name} of the registry is ${digest}, but package-lock.json says ${integrity}`);
    execFileSync('tar', ['-xzf', archive], { cwd: download });
    cpSync(join(download, 'package'), part, { recursive: true, filter });
  } finally {
    rmSync(download, { recursive: true });
  }
}
