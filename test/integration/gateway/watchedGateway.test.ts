/** The gateway as the portal looks at it. */
import { strict as assert } from 'node:assert';
import { nullLogger } from '../../../src/base/log.ts';
import { watchedGateway } from '../../../src/portalProcess/watchedGateway.ts';
import { eventually } from '../../fakes/eventually.ts';
import { GatewayHome, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { TestOwner } from './gatewayHarness.ts';

const WAIT_MS = 20_000;

describe('the gateway that a portal looks at', function () {
  this.timeout(60_000);
  const home = new GatewayHome();
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  after(() => home.remove());

  it('is not started by it', async () => {
    const looking = watchedGateway(nullLogger, home.lockFile);
    ends.push(() => looking.dispose());
    await assert.rejects(looking.status(), /No tap gateway runs now/);
  });

  it('says what it watches and what it has kept, and what runs later is found', async () => {
    const looking = watchedGateway(nullLogger, home.lockFile);
    ends.push(() => looking.dispose());
    await assert.rejects(looking.status(), /No tap gateway runs now/);
    const gateway = await startGatewayProcess(home, ['--port', '0', '--lock-file', home.lockFile]);
    ends.push(() => gateway.stop('SIGKILL'));
    const owner = await TestOwner.of(gateway);
    ends.push(() => owner.dispose());
    const session = owner.client.addSession({ sessionId: 'a', label: 'Fix the login', cwd: home.folder });
    await owner.next('tools/changed', undefined, WAIT_MS);
    await session.emitters.start({ name: 'tests', command: 'echo 1', runInterval: '1h' });
    const record = { kind: 'goal', id: 'g', at: Date.now(), sessionId: 'a', data: { text: 'x' } };
    await owner.client.request('records/add', { records: [record] });
    const sessions = async () => (await looking.status().catch(() => undefined))?.sessions.map(({ label }) => label);
    await eventually(async () => (await sessions())?.includes('Fix the login') === true, 'the session', WAIT_MS);
    const { emitters } = await looking.status();
    assert.deepEqual(
      emitters?.map(({ sessionId, name }) => [sessionId, name]),
      [['a', 'tests']],
    );
    const kept = await looking.records({ kind: 'goal', sessionId: 'a', limit: 5 });
    assert.deepEqual(
      kept.map(({ id }) => id),
      ['g'],
    );
  });
});
