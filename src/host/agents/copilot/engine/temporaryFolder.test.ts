import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { nullLogger } from '../../../../base/log.ts';
import { makeTemporaryFolder } from './temporaryFolder.ts';

describe('the folder for temporary files of the engine', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'tapline-temporary-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  it('is this host’s own, and only its user can read it', () => {
    const folder = makeTemporaryFolder(home, nullLogger);
    if (process.platform !== 'win32')
      for (const path of [join(home, 'tmp'), folder]) assert.equal(statSync(path).mode & 0o777, 0o700, path);
    writeFileSync(join(folder, 'a'), '');
    assert.equal(makeTemporaryFolder(home, nullLogger), folder);
    assert.deepEqual(readdirSync(folder), ['a'], 'what a portal in the same process uses stays');
  });

  it('of a host that is gone is removed, and those of others stay', () => {
    const own = basename(makeTemporaryFolder(home, nullLogger));
    const [namespace = '', startTime = ''] = own.split('.');
    const put = (name: string, ageMs: number) => {
      const folder = join(home, 'tmp', name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'result.txt'), 'secret');
      const then = (Date.now() - ageMs) / 1000;
      utimesSync(folder, then, then);
      return name;
    };
    const day = 24 * 60 * 60_000;
    put(`${namespace}.${startTime}.${2 ** 22 + 1}`, 0); // no process can have this number
    put('before-a-restart.1.1', 2 * day);
    put('nonsense', 2 * day);
    const kept = [own, put(`${namespace}..${process.ppid}`, 2 * day), put('another-container.1.1', day / 2)];
    makeTemporaryFolder(home, nullLogger);
    assert.deepEqual(readdirSync(join(home, 'tmp')).sort(), kept.sort());
  });
});
