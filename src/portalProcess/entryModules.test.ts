import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { runsLater } from '../host/agents/copilot/permissions/runsLater.ts';
import { nullLogger } from '../base/log.ts';
import { loadEntry } from './entryFile.ts';
import { EntryModules } from './entryModules.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-entry-')));
const empty = JSON.stringify({ models: { driving: 'm' }, promptVariables: {}, tasks: {}, jobs: {}, grid: [] });

function put(name: string, text: string): string {
  const path = join(base, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('the modules of an entry', () => {
  after(() => rmSync(base, { recursive: true }));

  const own = async (file: string, modules = new EntryModules()) => {
    await loadEntry(file, modules, nullLogger);
    const places = { workingDirectory: base, home: '/home/ada', own: [...modules.files], moduleFolders: [...modules.folders] };
    return {
      folders: [...modules.folders].map((folder) => relative(base, folder)).sort(),
      counts: (name: string) => runsLater(join(base, name), places) === 'It can make Tapline run programs later',
    };
  };

  it('are all modules of its folder, whether it imports them now or not', async () => {
    const { counts } = await own(put('alone/night.mjs', `export const entry = ${empty};`));
    for (const name of ['night.mjs', 'lib/tasks.mjs', 'tasks.cjs', 'a.ts', 'a.json', 'a.node', 'tasks', 'NEW.MJS'])
      assert.ok(counts(`alone/${name}`), name);
    for (const name of ['alone/notes.md', 'alone/a.py', 'other/a.mjs', 'a.mjs']) assert.ok(!counts(name), name);
  });

  it('are those of other folders that it imports, in every way and over others', async () => {
    put('esm/a.mjs', `export { b } from './deep/b.mjs';`);
    put('esm/deep/b.mjs', `import '../../far/c.mjs'; export const b = 1;`);
    put('far/c.mjs', '');
    put('data/tasks.json', '{}');
    put('cjs/lib/index.cjs', `require('../../cjs2/x.conf');`);
    put('cjs2/x.conf', '');
    put('later/d.mjs', '');
    put('lost/nothing.txt', '');
    const file = put(
      'jobs/night.mjs',
      `import { createRequire } from 'node:module';
      import { b } from '../esm/a.mjs';
      import '../data/tasks.json' with { type: 'json' };
      createRequire(import.meta.url)('../cjs/lib/index.cjs');
      await import(\`../later/\${'d'}.mjs\`);
      await import('../lost/optional.mjs').catch(() => undefined);
      export const entry = ${empty};`,
    );
    const { folders, counts } = await own(file);
    assert.deepEqual(folders, ['cjs', 'cjs/lib', 'cjs2', 'data', 'esm', 'far', 'jobs', 'later', 'lost']);
    for (const name of ['esm/a.mjs', 'esm/deep/b.mjs', 'far/c.mjs', 'data/tasks.json', 'cjs/lib/index.cjs', 'cjs/lib.js', 'cjs2/x.conf'])
      assert.ok(counts(name), name);
    for (const name of ['lost/optional.mjs', 'later/new.mjs']) assert.ok(counts(name), name);
    for (const name of ['esm/notes.md', 'cjs2/y.conf', 'src/main.mjs']) assert.ok(!counts(name), name);
  });

  it('grow when it is loaded again, and with what it imports later', async () => {
    const modules = new EntryModules();
    put('second/x.mjs', '');
    put('third/y.mjs', '');
    const file = put('growing/night.mjs', `export const entry = ${empty};`);
    assert.deepEqual((await own(file, modules)).folders, ['growing']);
    writeFileSync(
      file,
      `import '../second/x.mjs'; globalThis.importLater = () => import('../third/y.mjs'); export const entry = ${empty};`,
    );
    assert.deepEqual((await own(file, modules)).folders, ['growing', 'second']);
    await (globalThis as unknown as { importLater(): Promise<void> }).importLater();
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(modules.folders.has(join(base, 'third')));
  });

  it('are found where a link leads, and are none of the rest of the process', async () => {
    put('real/night.mjs', `import './near.mjs'; export const entry = ${empty};`);
    put('real/near.mjs', '');
    mkdirSync(join(base, 'linked'));
    symlinkSync(join(base, 'real/night.mjs'), join(base, 'linked/night.mjs'));
    put('foreign/z.mjs', '');
    const modules = new EntryModules();
    await own(join(base, 'linked/night.mjs'), modules);
    await import(join(base, 'foreign/z.mjs'));
    assert.deepEqual((await own(join(base, 'linked/night.mjs'), modules)).folders, ['linked', 'real']);
  });

  it('are none where the entry is no module', async () => {
    const { folders } = await own(put('json/night.json', empty));
    assert.deepEqual(folders, []);
  });
});
