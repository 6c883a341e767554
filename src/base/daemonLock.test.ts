import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDaemonLock, type DaemonRecord, findOrStartDaemon, isDaemonAlive, readDaemonRecord, releaseDaemonLock } from './daemon.ts';
import { UserError } from './errors.ts';
import { nullLogger } from './log.ts';

describe('daemon lock', () => {
  let folder: string;
  let lockFile: string;
  let server: Server;
  let live: DaemonRecord;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-daemon-'));
    lockFile = join(folder, 'home', 'host.lock.json');
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    live = { pid: process.pid, url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`, token: 'a', version: '1' };
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const dead = (): DaemonRecord => ({ ...live, pid: 2 ** 22 + 1, token: 'dead' });

  it('is written for the user alone and read back', async () => {
    assert.equal(await claimDaemonLock(lockFile, live), true);
    assert.deepEqual(readDaemonRecord(lockFile), live);
    assert.equal(statSync(lockFile).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'home')).mode & 0o777, 0o700);
  });

  it('belongs to one of two live claimants', async () => {
    assert.equal(await claimDaemonLock(lockFile, live), true);
    assert.equal(await claimDaemonLock(lockFile, { ...live, token: 'b' }), false);
    assert.equal(readDaemonRecord(lockFile)?.token, 'a');
  });

  it('has one winner among ten claimants at once, also over a stale file', async () => {
    await claimDaemonLock(lockFile, dead());
    const claims = await Promise.all(Array.from({ length: 10 }, (_, i) => claimDaemonLock(lockFile, { ...live, token: `t${i}` })));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(readDaemonRecord(lockFile)?.token, `t${claims.indexOf(true)}`);
    assert.deepEqual(readdirSync(join(folder, 'home')), ['host.lock.json'], 'nothing is left over');
  });

  it('is taken over from a dead process and from a half-written file', async () => {
    await claimDaemonLock(lockFile, dead());
    assert.equal(await claimDaemonLock(lockFile, live), true);
    for (const damaged of ['{"pid": 1, "ur', JSON.stringify({ ...live, url: 'nowhere' })]) {
      writeFileSync(lockFile, damaged);
      assert.equal(readDaemonRecord(lockFile), undefined);
      assert.equal(await claimDaemonLock(lockFile, live), true);
    }
    assert.equal(readDaemonRecord(lockFile)?.token, 'a');
  });

  it('is released by its owner only', async () => {
    await claimDaemonLock(lockFile, live);
    releaseDaemonLock(lockFile, { ...live, token: 'other' });
    assert.ok(readDaemonRecord(lockFile));
    releaseDaemonLock(lockFile, live);
    assert.equal(readDaemonRecord(lockFile), undefined);
  });

  it('knows a process whose port is closed as dead', async () => {
    assert.equal(await isDaemonAlive(live), true);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(await isDaemonAlive(live), false);
  });

  it('says why a daemon did not start, and where its log is', async () => {
    const script = join(folder, 'broken.cjs');
    writeFileSync(script, 'console.error("no such port"); process.exit(3);');
    const logFile = join(folder, 'log');
    await assert.rejects(
      findOrStartDaemon({ name: 'agent host', lockFile, logFile, args: [script] }, nullLogger),
      (error) => error instanceof UserError && /agent host did not start: it ended with code 3.*log/.test(error.message),
    );
    assert.match(readFileSync(logFile, 'utf8'), /no such port/);
  });
});
