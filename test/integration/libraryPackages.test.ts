/** Which packages are installed with the package `tapline`: those that the library imports. All else that Tapline needs is bundled. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, Record<string, { dev?: boolean }>>;
const { dependencies = {}, exports: entries = {} } = read('package.json');
const installed = Object.keys(dependencies).sort();

describe('The packages that are installed with the library', () => {
  it('are those that it imports', () => {
    const lib = join(root, 'dist/lib');
    const imports = readdirSync(lib)
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [...readFileSync(join(lib, name), 'utf8').matchAll(/^(?:import|export)\b[^'";]*\bfrom "([^".][^"]*)";$/gm)])
      .map(([, from = '']) => from)
      .filter((from) => !from.startsWith('node:') && !builtinModules.includes(from));
    const packages = imports.map((from) => (/^(?:@[^/]+\/)?[^/]+/.exec(from) ?? [from])[0]);
    assert.deepEqual([...new Set(packages)].sort(), installed);
  });

  it('bring no others', () => {
    const { packages = {} } = read('package-lock.json');
    const brought = Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev);
    assert.deepEqual(brought.sort(), installed.map((name) => `node_modules/${name}`).sort());
  });

  it('are enough for each of its entries and for the command, as they are packed', function () {
    this.timeout(120_000); // npm takes long on a crowded machine
    const folder = mkdtempSync(join(tmpdir(), 'tapline-packed-'));
    try {
      execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
      const [tarball = assert.fail('nothing was packed')] = readdirSync(folder);
      const modules = join(folder, 'node_modules');
      mkdirSync(join(modules, 'tapline'), { recursive: true });
      execFileSync('tar', ['-xzf', join(folder, tarball), '-C', join(modules, 'tapline'), '--strip-components=1']);
      for (const name of installed) {
        mkdirSync(dirname(join(modules, name)), { recursive: true });
        symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
      }
      const names = Object.keys(entries).map((entry) => `tapline${entry.slice(1)}`);
      const loaded = names.filter((name) => !name.endsWith('.json'));
      const program = loaded.map((name) => `await import('${name}');`);
      writeFileSync(join(folder, 'program.mjs'), `${program.join('\n')}\nconsole.log('all');`);
      const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      assert.ok(existsSync(join(modules, 'tapline/dist/ThirdPartyNotices.txt')), 'the licences of what is bundled');
      assert.equal(loaded.length, 5);
      assert.equal(run('program.mjs'), 'all\n');
      assert.match(run(join(modules, 'tapline/dist/tapline.cjs'), '--help'), /tapline/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
