import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/fakes/eventually.ts';
import { onlyKey, proofHeaders } from '../server/challenge.ts';
import {
  claimDaemonLock,
  type DaemonAddress,
  type DaemonLock,
  type DaemonRecord,
  isDaemonAlive,
  stateOf,
  readDaemonRecord,
} from './daemonLock.ts';
import { UserError } from '../errors.ts';
import { nullLogger } from '../log.ts';
import { ownIdentity, startTimeOf } from './processIdentity.ts';

const WAIT_MS = 10_000;

describe('daemon lock', function () {
  this.timeout(WAIT_MS * 2);
  let folder: string;
  let lockFile: string;
  let server: Server;
  /** Secrets of which the server knows the proof. */
  let known: string[];
  let asked: string;
  let live: DaemonAddress;
  const locks: DaemonLock[] = [];
  const children: ChildProcess[] = [];
  let lost: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-daemon-'));
    lockFile = join(folder, 'home', 'host.lock.json');
    known = Array.from({ length: 10 }, (_, at) => `secret-${at}`);
    asked = '';
    lost = 0;
    server = createServer((request, response) => {
      asked += `${request.method} ${request.url} ${request.rawHeaders.join(' ')}\n`;
      const headers = known.map((secret) => proofHeaders(request, onlyKey(secret))).find((proof) => Object.keys(proof).length);
      response.writeHead(404, headers).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    live = { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'secret-0', version: '1' };
  });
  afterEach(() => {
    for (const lock of locks.splice(0)) lock.dispose();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const claim = async (address: Partial<DaemonAddress> = {}): Promise<boolean> => {
    const lock = await claimDaemonLock(lockFile, { ...live, ...address }, { logger: nullLogger, onLost: () => lost++ });
    if (lock) locks.push(lock);
    return lock !== undefined;
  };
  /** The lock of a process that has long gone. */
  const leave = async (change: Partial<DaemonRecord> = {}) => {
    rmSync(lockFile, { force: true });
    assert.equal(await claim(), true);
    const record = { ...readDaemonRecord(lockFile), ...change } as DaemonRecord;
    locks.splice(0).forEach((lock) => lock.dispose());
    writeFileSync(lockFile, JSON.stringify(record));
    return record;
  };
  const GONE = 2 ** 22 + 1;
  const bystander = async (): Promise<number> => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.push(child);
    await new Promise((resolve) => child.once('spawn', resolve));
    return child.pid as number;
  };

  it('is written for the user alone and read back', async () => {
    assert.equal(await claim(), true);
    assert.deepEqual(readDaemonRecord(lockFile), { ...live, pid: process.pid, process: ownIdentity() });
    assert.equal(statSync(lockFile).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'home')).mode & 0o777, 0o700);
  });

  it('belongs to one of two live claimants', async () => {
    assert.equal(await claim(), true);
    assert.equal(await claim({ token: 'secret-1' }), false);
    assert.equal(readDaemonRecord(lockFile)?.token, 'secret-0');
  });

  it('has one winner among ten claimants at once, also over a stale file', async () => {
    await leave({ pid: GONE, token: 'dead' });
    const claims = await Promise.all(known.map((token) => claim({ token })));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(readDaemonRecord(lockFile)?.token, `secret-${claims.indexOf(true)}`);
    assert.deepEqual(readdirSync(join(folder, 'home')), ['host.lock.json'], 'nothing is left over');
  });

  it('is taken over from a dead process and from a half-written file', async () => {
    await leave({ pid: GONE });
    assert.equal(await claim({ token: 'secret-1' }), true);
    locks.splice(0).forEach((lock) => lock.dispose());
    for (const damaged of ['{"pid": 1, "ur', JSON.stringify({ ...live, url: 'nowhere' })]) {
      writeFileSync(lockFile, damaged);
      assert.equal(readDaemonRecord(lockFile), undefined);
      assert.equal(await claim(), true);
      locks.splice(0).forEach((lock) => lock.dispose());
    }
  });

  it('is released by its owner only', async () => {
    await claim();
    const [lock] = locks.splice(0);
    const other = JSON.stringify({ ...readDaemonRecord(lockFile), token: 'other' });
    writeFileSync(lockFile, other);
    lock?.dispose();
    assert.equal(readFileSync(lockFile, 'utf8'), other);
    rmSync(lockFile);
    await claim();
    locks.pop()?.dispose();
    assert.equal(readDaemonRecord(lockFile), undefined);
  });

  describe('of a process', () => {
    const held = async (record: DaemonRecord) => (await stateOf(lockFile, record)) === 'ready';

    it('that lives and proves it is believed, without being told the token', async () => {
      await claim();
      assert.equal(await held(readDaemonRecord(lockFile)!), true);
      assert.ok(asked && !asked.includes('secret'));
    });

    it('whose port is closed is stale', async () => {
      const record = await leave();
      assert.equal(await held(record), true);
      await new Promise((resolve) => server.close(resolve));
      assert.equal(await held(record), false);
    });

    it('whose port somebody else has is stale, even where the number is of a process that lives', async () => {
      const pid = await bystander();
      const record = await leave({ pid, process: { ...ownIdentity(), startTime: startTimeOf(pid) ?? '' } });
      assert.equal(await held(record), true, 'as long as it is proved');
      known = [];
      assert.equal(await held(record), false);
      assert.equal(await claim({ token: 'secret-1' }), true);
      assert.ok(asked && !asked.includes('secret'));
    });

    it('whose number another process has by now is stale, and nobody is asked', async function () {
      if (process.platform !== 'linux') this.skip(); // start times are known there alone
      const record = await leave({ pid: await bystander() });
      asked = '';
      assert.equal(await held(record), false);
      assert.equal(asked, '');
    });

    it('that is too busy to answer is no stale one', async () => {
      const record = await leave();
      server.removeAllListeners('request');
      assert.equal(await held(record), true);
    });

    it('of another user is stale', async function () {
      if (process.getuid?.() === 0) return this.skip(); // for root see test/integration/host/namespaces.test.ts
      const record = await leave({ pid: 1, process: { ...ownIdentity(), startTime: '' } });
      assert.equal(await held(record), false);
    });

    it('of another namespace on the same network is asked for its proof, whatever its number is here', async () => {
      const elsewhere = { ...ownIdentity(), pidNamespace: 'another' };
      for (const pid of [GONE, process.pid]) {
        const record = await leave({ pid, process: elsewhere });
        assert.equal(await held(record), true);
        const [all] = [known, (known = [])];
        assert.equal(await held(record), false);
        known = all;
      }
    });

    it('of another network is nobody’s as long as it is touched; then it is stale', async () => {
      const record = await leave({ pid: 12, process: { startTime: '1', pidNamespace: 'another', netNamespace: 'another' } });
      asked = '';
      const beat = setInterval(() => utimesSync(lockFile, new Date(), new Date()), 500);
      try {
        for (const attempt of [() => held(record), () => claim({ token: 'secret-1' })])
          await assert.rejects(
            attempt,
            (error) =>
              error instanceof UserError &&
              error.message.includes(join(folder, 'home')) &&
              /another container or another computer \(by process 12 there\).*TAPLINE_HOME/.test(error.message),
          );
        assert.equal(await isDaemonAlive(record), false);
      } finally {
        clearInterval(beat);
      }
      assert.equal(await claim({ token: 'secret-1' }), true);
      assert.equal(asked, '', 'the port of that number here is another');
    });

    it('of an older version is neither believed nor replaced while it listens', async () => {
      const { process: _, ...older } = await leave();
      writeFileSync(lockFile, JSON.stringify(older));
      asked = '';
      for (const attempt of [() => held(older), () => claim({ token: 'secret-1' })])
        await assert.rejects(attempt, (error) => error instanceof UserError && error.message.includes(`Process ${process.pid}`));
      assert.equal(asked, '');
      assert.deepEqual(readDaemonRecord(lockFile), older);
      for (const gone of [
        { ...older, pid: GONE },
        { ...older, url: 'ws://127.0.0.1:1' },
      ]) {
        writeFileSync(lockFile, JSON.stringify(gone));
        assert.equal(await claim(), true);
        locks.splice(0).forEach((lock) => lock.dispose());
      }
    });
  });

  describe('while it is held', () => {
    it('is touched again and again', async () => {
      await claim();
      const before = new Date(Date.now() - 60_000);
      for (let times = 0; times < 2; times++) {
        utimesSync(lockFile, before, before);
        await eventually(() => statSync(lockFile).mtimeMs > before.getTime() + 30_000, 'a beat', WAIT_MS);
      }
      assert.equal(lost, 0);
    });

    it('is looked at before something is written by a process that stood still, and counts as lost where that shows none', async () => {
      await claim();
      const [lock] = locks;
      const now = Date.now;
      try {
        Date.now = () => now() + 10_000;
        lock!.check();
        assert.equal(lost, 0);
        rmSync(lockFile);
        lock!.check();
        assert.equal(lost, 0, 'it has just looked');
        Date.now = () => now() + 20_000;
        lock!.check();
        assert.equal(lost, 1);
        mkdirSync(lockFile);
        Date.now = () => now() + 30_000;
        assert.throws(() => lock!.check(), { code: 'EISDIR' });
      } finally {
        Date.now = now;
        rmSync(lockFile, { recursive: true, force: true });
      }
    });

    for (const [title, lose] of [
      ['another has taken it', () => writeFileSync(lockFile, JSON.stringify({ ...readDaemonRecord(lockFile), token: 'other' }))],
      ['the file was deleted', () => rmSync(lockFile)],
    ] as const) {
      it(`is lost when ${title}, which its owner hears`, async () => {
        await claim();
        lose();
        await eventually(() => lost, 'the loss', WAIT_MS);
      });
    }
  });
});
