import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/fakes/eventually.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { startTimeOf } from '../../base/daemon/processIdentity.ts';
import { nullLogger } from '../../base/log.ts';
import { type HeldIdentity, holdIdentity } from './windowIdentity.ts';

describe('The identity of a window', () => {
  let folder: string;
  let storage: MemoryStorage;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tapline-identity-')), 'windows');
    storage = new MemoryStorage();
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const hold = (waitMs = 0): Promise<HeldIdentity> => holdIdentity({ storage, folder, waitMs, logger: nullLogger });
  const held = () => readdirSync(folder);
  /** As if this process had taken it. */
  const giveTo = (pid: number, startTime = startTimeOf(pid) ?? '') => {
    const [name = ''] = held();
    renameSync(join(folder, name), join(folder, name.replace(/\+\d+_[^_]*_/, `+${pid}_${startTime}_`)));
  };

  it('is that of the window before, once that has gone', async () => {
    const before = await hold();
    before.dispose();
    const after = await hold();
    assert.deepEqual(after.identity, before.identity);
    assert.match(after.identity.clientId, /^tapline-/);
    assert.ok(after.identity.ownerKey.length >= 43);
  });

  it('is another one while the window before is there, and each gets its own again', async () => {
    const [first, second] = [await hold(), await hold()];
    assert.notEqual(first.identity.clientId, second.identity.clientId);
    assert.notEqual(first.identity.ownerKey, second.identity.ownerKey);
    first.dispose();
    assert.deepEqual((await hold()).identity, first.identity);
    second.dispose();
    assert.deepEqual((await hold()).identity, second.identity);
  });

  it('is a new one where the storage does not answer, and the late one is given up', async () => {
    const before = await hold();
    before.dispose();
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slow = { get: (key: string) => storage.get(key), update: () => answered };
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const holding = holdIdentity({ storage: slow as never, folder, waitMs: 0, logger: nullLogger });
      await eventually(() => held().some((name) => !name.endsWith('+free')), 'the lease');
      mock.timers.tick(60_000);
      const other = await holding;
      assert.notEqual(other.identity.clientId, before.identity.clientId);
      answer();
      await eventually(() => held().every((name) => name.endsWith('+free')), 'the lease is given up');
    } finally {
      mock.timers.reset();
    }
  });

  it('goes to one of several windows that are opened at once', async () => {
    const before = await hold();
    before.dispose();
    const all = await Promise.all(Array.from({ length: 8 }, () => hold()));
    assert.equal(new Set(all.map(({ identity }) => identity.clientId)).size, 8);
    assert.equal(all.filter(({ identity }) => identity.clientId === before.identity.clientId).length, 1);
  });

  it('waits for a window that is still ending', async () => {
    const before = await hold();
    const after = hold(10_000);
    before.dispose();
    assert.deepEqual((await after).identity, before.identity);
  });

  it('is taken from a process that was killed, and from no other', async () => {
    const before = await hold();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    giveTo(child.pid!);
    const other = await hold();
    assert.notEqual(other.identity.clientId, before.identity.clientId);
    other.dispose();
    rmSync(
      join(
        folder,
        held().find((name) => name.includes('+free'))!,
      ),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual((await hold()).identity, before.identity);
  });

  it('is not taken from a process of another container', async () => {
    const before = await hold();
    const [name = ''] = held();
    renameSync(join(folder, name), join(folder, name.replace(/[^_]*$/, 'f'.repeat(16))));
    assert.notEqual((await hold()).identity.clientId, before.identity.clientId);
  });

  it('is a new one where nothing can be written, or what is kept is not one', async () => {
    writeFileSync(join(folder, '..', 'file'), '');
    const options = { storage, folder: join(folder, '..', 'file', 'x'), waitMs: 0, logger: nullLogger };
    const [first, second] = [await holdIdentity(options), await holdIdentity(options)];
    first.dispose();
    assert.notEqual(first.identity.clientId, second.identity.clientId);
    for (const kept of ['x', [null, 1, { clientId: '../../x', ownerKey: 'k' }], { clientId: 1 }]) {
      await storage.update('tapline.windowIdentities', kept);
      assert.match((await hold()).identity.clientId, /^tapline-[\da-f-]{36}$/);
    }
  });

  it('leaves no old files behind', async () => {
    (await hold()).dispose();
    const [name = ''] = held();
    const longAgo = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000);
    utimesSync(join(folder, name), longAgo, longAgo);
    storage = new MemoryStorage();
    const other = await hold();
    assert.deepEqual(
      held().map((file) => file.split('+')[0]),
      [other.identity.clientId],
    );
  });
});
