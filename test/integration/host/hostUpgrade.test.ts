/** What happens to a running daemon and its sessions when the extension is upgraded. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient, whenLive } from '../../../src/ahp/index.ts';
import { Challenge } from '../../../src/base/server/challenge.ts';
import { findOrStartDaemon } from '../../../src/base/daemon/daemon.ts';
import { type DaemonRecord, isDaemonAlive, readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { bundleHost, type HostBundle } from '../../support/hostBundle.ts';
import { startHostProcess } from '../../support/hostProcess.ts';
import { untilGone } from '../../support/processes.ts';

describe('upgrade of a running agent host', function () {
  this.timeout(60_000);
  const older = '0.1.0';
  const newer = '0.2.0';
  const bundles: Record<string, HostBundle> = {};
  let folder: string;
  let lockFile: string;

  before(async () => {
    for (const version of [older, newer]) bundles[version] = await bundleHost(version);
  });
  after(() => {
    for (const bundle of Object.values(bundles)) bundle.remove();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-upgrade-'));
    lockFile = join(folder, 'host.lock.json');
  });
  afterEach(async () => {
    await endDaemons(lockFile);
    rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });

  const start = (version: string): Promise<DaemonRecord> =>
    findOrStartDaemon(
      {
        name: 'agent host',
        lockFile,
        logFile: join(folder, 'host.log'),
        args: [bundles[version]!.script, '--daemon', '--lock-file', lockFile],
        version,
      },
      nullLogger,
    );
  const post = (record: DaemonRecord, path: string, secret?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: new URL(record.url).port, method: 'POST', path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.once('error', reject);
      if (secret === undefined) asked.end();
      else new Challenge(secret).send(asked);
    });

  it('replaces an older one that is idle, and its sessions are there', async () => {
    const old = await start(older);
    const client = await AgentHostClient.connect(old);
    const session = 'demo:/stays';
    await client.command('createSession', { channel: session, provider: 'demo', workingDirectories: [pathToFileURL(folder).href] });
    client.close();
    // The daemon hears of the end of a connection in its own time; from then on it is idle.
    let fresh = await start(newer);
    for (const deadline = Date.now() + 10_000; fresh.version === older && Date.now() < deadline;) fresh = await start(newer);
    assert.equal(fresh.version, newer);
    await untilGone(old.pid);
    const again = await AgentHostClient.connect(fresh);
    const { items } = await again.command('listSessions', {});
    assert.deepEqual(
      items.map(({ resource }) => resource),
      [session],
    );
    again.close();
  });

  it('uses an older one that is in use, which makes room when it is not any more', async () => {
    const old = await start(older);
    const client = await AgentHostClient.connect(old);
    const found = await start(newer);
    assert.deepEqual([found.pid, found.version], [old.pid, older]);
    const second = await AgentHostClient.connect(found);
    assert.equal(second.state.kind, 'connected');
    second.close();
    client.close();
    // No idle time: it was asked.
    await untilGone(old.pid);
    assert.equal((await start(newer)).version, newer);
  });

  it('is done once, however many ask at the same time', async () => {
    const old = await start(older);
    const records = await Promise.all(Array.from({ length: 10 }, () => start(newer)));
    assert.deepEqual([...new Set(records.map(({ version }) => version))], [newer]);
    assert.equal(new Set(records.map(({ pid }) => pid)).size, 1);
    await untilGone(old.pid);
  });

  it('starts one when ten find their owner killed, and the sessions are there', async () => {
    const killed = await start(newer);
    const client = await AgentHostClient.connect(killed);
    await client.command('createSession', { channel: 'demo:/x', provider: 'demo', workingDirectories: [pathToFileURL(folder).href] });
    client.close();
    process.kill(killed.pid, 'SIGKILL');
    await untilGone(killed.pid);
    const records = await Promise.all(Array.from({ length: 10 }, () => start(newer)));
    assert.equal(new Set(records.map(({ pid }) => pid)).size, 1);
    const again = await AgentHostClient.connect(records[0]!);
    assert.equal((await again.command('listSessions', {})).items.length, 1);
    again.close();
  });

  it('leaves one of the same or a newer version alone, and makes room for nobody without the token', async () => {
    const running = await start(newer);
    assert.equal((await start(newer)).pid, running.pid);
    assert.equal((await start(older)).pid, running.pid);
    assert.equal(await post(running, '/retire'), 401);
    assert.equal(await post(running, '/retire', 'wrong'), 401);
    assert.equal(await post(running, `/retire?tkn=${running.token}`), 401, 'in no URL of ours');
    assert.equal(await post(running, '/other', running.token), 404);
    assert.equal(await isDaemonAlive(running), true);
    assert.equal(await post(running, '/retire', running.token), 200);
    await untilGone(running.pid);
    assert.equal(readDaemonRecord(lockFile), undefined);
  });

  it('keeps two hosts from using the same sessions', async () => {
    const data = join(folder, 'sessions');
    const script = bundles[newer]!.script;
    const first = await startHostProcess(['--data', data], script);
    try {
      await assert.rejects(startHostProcess(['--data', data], script), /in use by another agent host/);
    } finally {
      await first.stop('SIGKILL');
    }
    // Killed, it holds nothing any more.
    const next = await startHostProcess(['--data', data], script);
    const client = await AgentHostClient.connect(next);
    const session = 'demo:/x';
    await client.command('createSession', { channel: session, provider: 'demo', workingDirectories: [pathToFileURL(folder).href] });
    await whenLive(client.session(session));
    client.close();
    assert.equal(await next.stop(), 0);
  });
});
