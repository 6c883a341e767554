/** Building while dist/ is in use: by a running host, the tests, or the packaging of another `npm start`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { OutputFolder } from '../../scripts/outputFolder.mjs';
import { copyForPackage } from '../../scripts/package.mjs';
import { hostScript } from '../support/hostProcess.ts';

const root = join(import.meta.dirname, '../..');

describe('The output folder of the build', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-output-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('replaces a file as a whole: who has the old one open reads it to its end', () => {
    const file = join(folder, 'host.cjs');
    new OutputFolder(folder).put(file, 'old '.repeat(1000));
    const reader = openSync(file, 'r');
    new OutputFolder(folder).put(file, 'new');
    assert.equal(readFileSync(reader, 'utf8'), 'old '.repeat(1000));
    assert.equal(readFileSync(file, 'utf8'), 'new');
    closeSync(reader);
  });

  it('leaves a file alone that has not changed', () => {
    const file = join(folder, 'host.cjs');
    new OutputFolder(folder).put(file, 'same');
    const { ino } = statSync(file);
    new OutputFolder(folder).put(file, 'same');
    assert.equal(statSync(file).ino, ino);
  });

  it('removes what an earlier build put there, and nothing that another build is writing', () => {
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'lib/gone.js'), '');
    writeFileSync(join(folder, 'lib/other.js.1234.unfinished'), '');
    const output = new OutputFolder(folder);
    output.put(join(folder, 'lib/kept.js'), '');
    output.removeOthers();
    assert.deepEqual(readdirSync(join(folder, 'lib')).sort(), ['kept.js', 'other.js.1234.unfinished']);
  });

  it('takes a file twice only with the same content, so that no part of a page is lost to another page', () => {
    const file = join(folder, 'part.js');
    const output = new OutputFolder(folder);
    output.put(file, 'one');
    output.put(file, Buffer.from('one'));
    assert.throws(() => output.put(file, 'two'), /part\.js: the build has two contents for it/);
    assert.equal(readFileSync(file, 'utf8'), 'one');
  });

  it('is there, whole, at every moment of two builds', async function () {
    // On a busy machine a build with all its types takes long.
    this.timeout(180_000);
    const before = statSync(hostScript).size;
    const sizes = new Set<number>();
    const builds = [1, 2].map(() => spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'ignore' }));
    const ended = Promise.all(builds.map((build) => once(build, 'exit')));
    let running = true;
    void ended.then(() => (running = false));
    while (running) {
      assert.ok(existsSync(hostScript), 'dist/host.cjs is gone');
      sizes.add(statSync(hostScript).size);
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      (await ended).map(([code]) => code as unknown),
      [0, 0],
    );
    // What was there before may be of other sources.
    const whole = [before, statSync(hostScript).size];
    assert.deepEqual(
      [...sizes].filter((size) => !whole.includes(size)),
      [],
    );
  });
});

describe('A page of the extension', () => {
  const folder = join(root, 'dist/webviews');
  const pages = ['session', 'inbox', 'jobPanel', 'entryChart', 'hostConfig', 'controlTower'];

  it('has all that it needs at its start in its own file, which can stand in a document', () => {
    for (const page of pages) {
      const script = readFileSync(join(folder, `${page}.js`), 'utf8');
      assert.deepEqual(script.match(/(?:^|[;}\n])(?:import|export)\b[^;()]*?\bfrom ?"[^"]*"/g) ?? [], [], page);
      assert.doesNotMatch(script, /<!--|<\/script/i, page);
      assert.doesNotMatch(readFileSync(join(folder, `${page}.css`), 'utf8'), /<\/style/i, page);
    }
  });
});

describe('The package of the extension', () => {
  const sizeOf = (file: string) => statSync(join(root, file)).size;
  let packed: string[];
  before(async () => {
    const cwd = copyForPackage();
    packed = await listFiles({ cwd, packageManager: PackageManager.None });
    rmSync(cwd, { recursive: true });
  });

  it('has every program, every page, the native module and SQLite', () => {
    const pages = ['webviews', 'portal'].flatMap((folder) => readdirSync(join(root, 'dist', folder)).map((name) => `${folder}/${name}`));
    const native = readdirSync(join(root, 'dist/node_modules'), { recursive: true, encoding: 'utf8' }).map(
      (name) => `node_modules/${name}`,
    );
    const programs = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.cjs'));
    assert.deepEqual(programs.sort(), [
      'extension.cjs',
      'gateway.cjs',
      'gatewayRecords.cjs',
      'gatewayTraces.cjs',
      'host.cjs',
      'mcp.cjs',
      'openctx.cjs',
      'portal.cjs',
      'tapline.cjs',
    ]);
    const parts = readdirSync(join(root, 'dist/extension')).map((name) => `extension/${name}`);
    assert.ok(parts.some((name) => /startWindow-\w+\.cjs$/.test(name)));
    const readyMade = readdirSync(join(root, 'dist/providers')).map((name) => `providers/${name}`);
    assert.deepEqual(
      readyMade.sort(),
      ['browser.html', 'node.mjs', 'python.py', 'sdk.cjs'].map((name) => `providers/${name}`),
    );
    const engine = ['engine/package.json', 'engine/package-lock.json'];
    const read = [
      'lib/openctxWorker.js',
      'lib/providerBrowser.js',
      'tap.config.schema.json',
      'portal.entry.schema.json',
      'ThirdPartyNotices.txt',
      'sbom.cdx.json',
      ...engine,
    ];
    // It serves other clients than the extension, from the repository.
    const shipped = programs.filter((name) => name !== 'openctx.cjs');
    const built = [...shipped, ...parts, ...pages, ...native, ...readyMade, ...read].map((name) => `dist/${name}`);
    const isShipped = (file: string) => !file.endsWith('.map') && statSync(join(root, file)).isFile();
    assert.deepEqual(packed.filter((file) => file.startsWith('dist/')).sort(), built.filter(isShipped).sort());
  });

  it('has every file that the manifest names', () => {
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    const { contributes, main, icon } = JSON.parse(manifest) as Record<string, unknown>;
    const texts = JSON.stringify([contributes, main, icon]).matchAll(/"(?:\.\/)?((?:dist|media|schemas)\/[^"]+)"/g);
    const named = new Set([...texts].map(([, file = '']) => file));
    assert.ok(named.size >= 7);
    for (const file of named) assert.ok(packed.includes(file), file);
  });

  it('has the texts of the manifest in every language', () => {
    const texts = readdirSync(root).filter((name) => /^package\.nls(\.[\w-]+)?\.json$/.test(name));
    assert.ok(texts.length >= 3);
    for (const file of texts) assert.ok(packed.includes(file), file);
  });

  it('has nothing large besides programs, pages, texts, SQLite and the licences of others', () => {
    const large = packed.filter((file) => sizeOf(file) > 200_000);
    assert.deepEqual(
      large.filter(
        (file) =>
          !/^l10n\/bundle\.l10n\.[\w-]+\.json$|^dist\/(\w+\.cjs|ThirdPartyNotices\.txt|extension\/[\w-]+\.[cm]js|providers\/sdk\.cjs|(webviews|portal)\/[\w-]+\.js|node_modules\/node-sqlite3-wasm\/dist\/[\w-]+\.wasm)$/.test(
            file,
          ),
      ),
      [],
    );
    // Before it is made small for release.
    assert.ok(packed.reduce((sum, file) => sum + sizeOf(file), 0) < 23_000_000);
  });
});
