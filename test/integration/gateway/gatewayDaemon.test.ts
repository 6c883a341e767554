/** The gateway as the extension starts and stops it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isDaemonAlive } from '../../../src/base/daemon/daemonLock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { GatewayDaemon } from '../../../src/extension/bridge/gateway/bundledGateway.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { untilGone } from '../../support/processes.ts';

describe('the gateway of the extension', function () {
  this.timeout(60_000);
  let home: GatewayHome;
  let daemon: GatewayDaemon;
  const before = new Map<string, string | undefined>();
  beforeEach(() => {
    home = new GatewayHome();
    for (const name of Object.keys(home.env)) before.set(name, process.env[name]);
    Object.assign(process.env, home.env);
    daemon = new GatewayDaemon(join(import.meta.dirname, '../../..'), nullLogger, ['--port', '0', '--idle-seconds', '5']);
  });
  afterEach(async () => {
    await endDaemons(home.lockFile);
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    home.remove();
  });

  it('is started once, whoever looks for it, and stopped when asked', async () => {
    const first = await daemon.find();
    assert.deepEqual(await daemon.find(), first);
    assert.equal(await daemon.stop(), true);
    assert.equal(await isDaemonAlive(first), false);
    assert.equal(await daemon.stop(), false, 'none runs any more');
    assert.notEqual((await daemon.find()).pid, first.pid);
  });

  it('has its address again after it was killed, because programs in terminals were given that', async () => {
    const first = await daemon.find();
    process.kill(first.pid, 'SIGKILL');
    await untilGone(first.pid);
    const next = await daemon.find();
    assert.notEqual(next.pid, first.pid);
    assert.equal(next.url, first.url);
  });

  it('takes another address when somebody else has the port of the one that was killed', async () => {
    const first = await daemon.find();
    process.kill(first.pid, 'SIGKILL');
    await untilGone(first.pid);
    const other = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(other, 'listening');
    try {
      assert.notEqual((await daemon.find()).url, first.url);
    } finally {
      other.close();
    }
  });

  it('is the one that the user runs in a terminal, where there is one', async () => {
    const own = await startGatewayProcess(home);
    const found = await daemon.find();
    assert.deepEqual([found.pid, found.url], [own.pid, own.url]);
    assert.equal(await daemon.stop(), true);
    await own.stop();
  });
});
