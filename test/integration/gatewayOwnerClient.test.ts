import assert from 'node:assert/strict';
import { nullLogger } from '../../src/base/log.ts';
import { OwnerClient, type OwnerState } from '../../src/tap/owner/ownerClient.ts';
import { eventually } from '../fakes/eventually.ts';
import { FakeClock } from '../fakes/fakeClock.ts';
import { TestGateway } from './gatewayHarness.ts';

const echo = { name: 'echo', description: 'x', parameters: {} };

describe('the client of the owner link', () => {
  let test: TestGateway;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
  });
  afterEach(() => test.stop());

  it('cancels a call whose signal had said so before', async () => {
    const owner = await test.owner();
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', tools: [echo] });
    await owner.tools('a', ['echo']);
    const outcome = await session.call('echo', {}, AbortSignal.abort('no longer'));
    assert.ok(!outcome.ok && outcome.errorCode === 'CANCELLED');
    assert.equal((await peer.next('tool.cancel')).reason, 'no longer');
  });

  it('looks for the gateway anew after waits that double up to 10 s, spread by chance', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const find = async () => {
      if (++asked < 10) throw new Error('there is none');
      return { url: test.server.url, token: test.server.gateway.grants.ownerSecret };
    };
    const client = new OwnerClient({ name: 'test', find, logger: nullLogger, clock, random: () => 0.5 });
    const is = (kind: OwnerState['kind']) => eventually(() => client.state.kind === kind, `the state ${kind}`);
    try {
      for (const [attempt, wait] of [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000].entries()) {
        await is('waiting');
        assert.equal(asked, attempt + 1);
        assert.ok(client.state.kind === 'waiting' && client.state.error === 'there is none');
        clock.advance(wait - 1);
        assert.equal(asked, attempt + 1);
        clock.advance(1);
        assert.equal(asked, attempt + 2);
      }
      await is('waiting');
      clock.advance(10_000);
      await is('connected');
    } finally {
      client.dispose();
    }
  });

  it('tells a new link its sessions as they are by then, and none that has ended meanwhile', async () => {
    const clock = new FakeClock();
    const find = async () => ({ url: test.server.url, token: test.server.gateway.grants.ownerSecret });
    const client = new OwnerClient({ name: 'test', find, logger: nullLogger, clock, random: () => 0.5 });
    const known = () => test.server.gateway.sessions.active.map(({ id, label }) => `${id} ${label}`);
    try {
      const [a, b] = ['a', 'b'].map((sessionId) => client.addSession({ sessionId, label: 'before' }));
      await eventually(() => known().length === 2, 'both');
      assert.throws(() => client.addSession({ sessionId: 'a', label: 'x' }), /registered already/);
      await test.server.close(0);
      await test.start();
      await eventually(() => client.state.kind === 'waiting', 'the loss');
      await a?.update({ label: 'after' });
      await b?.end();
      await assert.rejects(client.request('diagnostics', {}), /no link/);
      clock.advance(250);
      await eventually(() => known().length > 0, 'the new registration');
      assert.deepEqual(known(), ['a after']);
    } finally {
      client.dispose();
    }
  });

  it('registers once what is added as soon as it says that it is connected', async () => {
    const warnings: string[] = [];
    const logger = { ...nullLogger, warn: (text: string) => void warnings.push(text) };
    const find = async () => ({ url: test.server.url, token: test.server.gateway.grants.ownerSecret });
    const client = new OwnerClient({ name: 'test', find, logger });
    let registered = 0;
    client.onEvent(({ event }) => (registered += Number(event === 'tools/changed')));
    client.onDidChangeState(({ kind }) => void (kind === 'connected' && client.addSession({ sessionId: 'a', label: 'a' })));
    try {
      await eventually(() => registered, 'the registration');
      await client.request('diagnostics', {}); // whatever was asked before is answered
      assert.deepEqual([registered, warnings], [1, []]);
    } finally {
      client.dispose();
    }
  });

  it('stays away once it is disposed of, also while it is connecting', async () => {
    let given: (endpoint: { url: string; token: string }) => void = () => undefined;
    const client = new OwnerClient({ name: 'test', find: () => new Promise((resolve) => (given = resolve)), logger: nullLogger });
    client.dispose();
    given({ url: test.server.url, token: test.server.gateway.grants.ownerSecret });
    const other = await test.owner();
    assert.equal(test.server.ownerCount, 1);
    assert.equal(client.state.kind, 'disposed');
    other.dispose();
  });
});
