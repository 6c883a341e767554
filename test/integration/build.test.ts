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
import { OutputFolder } from '../../scripts/outputFolder.mjs';
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

  it('is there, whole, at every moment of two builds', async () => {
    const size = statSync(hostScript).size;
    const builds = [1, 2].map(() => spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'ignore' }));
    const ended = Promise.all(builds.map((build) => once(build, 'exit')));
    let running = true;
    void ended.then(() => (running = false));
    while (running) {
      assert.ok(existsSync(hostScript), 'dist/host.cjs is gone');
      assert.equal(statSync(hostScript).size, size);
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      (await ended).map(([code]) => code as unknown),
      [0, 0],
    );
  });
});
