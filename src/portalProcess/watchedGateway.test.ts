import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDaemonLock } from '../base/daemon/daemonLock.ts';
import { nullLogger } from '../base/log.ts';
import { onlyKey } from '../base/server/challenge.ts';
import { LoopbackServer } from '../base/server/loopbackServer.ts';
import { watchedGateway } from './watchedGateway.ts';

describe('why the gateway is not asked', function () {
  this.timeout(20_000);
  let folder: string;
  let lockFile: string;
  const ends: (() => unknown)[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-watched-'));
    lockFile = join(folder, 'gateway.lock.json');
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    rmSync(folder, { recursive: true });
  });
  const status = () => {
    const looking = watchedGateway(nullLogger, lockFile);
    ends.push(() => looking.dispose());
    return looking.status();
  };
  const claimed = async () => {
    const server = await LoopbackServer.listen({ port: 0, logger: nullLogger });
    ends.push(() => server.close(''));
    const [token, version] = ['secret', '1.0.0'];
    const lock = await claimDaemonLock(lockFile, { url: server.url, token, version }, { logger: nullLogger, onLost: () => undefined });
    assert.ok(lock);
    ends.push(() => lock.dispose());
    return server;
  };

  it('says that none runs, also where one was killed', async () => {
    await assert.rejects(status(), /^UserError: No tap gateway runs now/);
    const server = await claimed();
    await server.close('');
    await assert.rejects(status(), /^UserError: No tap gateway runs now/);
  });

  it('says why one that runs cannot be asked', async () => {
    const server = await claimed();
    server.serve({ findKey: onlyKey('secret'), routes: {}, otherwise: 404 });
    await assert.rejects(status(), /^UserError: The gateway cannot be asked: .*404/);
  });

  it('says why its file cannot be read', async () => {
    mkdirSync(lockFile);
    await assert.rejects(status(), /^UserError: The gateway cannot be asked: EISDIR/);
  });
});
