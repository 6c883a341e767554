import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { nullLogger } from '../../../src/base/log.ts';
import { keyOf } from '../../../src/base/server/challenge.ts';
import { TokenHistory } from '../../../src/gateway/trust/tokenHistory.ts';
import { OwnerClient, type OwnerState } from '../../../src/tap/owner/ownerClient.ts';
import { Time } from '../../../src/tap/wire/limits.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { Impostor } from '../../support/impostor.ts';
import { GatewayHome, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { TestGateway, TestOwner } from './gatewayHarness.ts';

const echo = { name: 'echo', description: 'x', parameters: {} };

describe('the client of the owner link', () => {
  let test: TestGateway;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
  });
  afterEach(() => test.stop());

  it('cancels a call whose signal was aborted before', async () => {
    const owner = await test.owner();
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', tools: [echo] });
    await owner.tools('a', ['echo']);
    const outcome = await session.call('echo', {}, AbortSignal.abort('no longer'));
    assert.ok(!outcome.ok && outcome.errorCode === 'CANCELLED');
    assert.equal((await peer.next('tool.cancel')).reason, 'no longer');
  });

  it('looks for the gateway again after waits that double up to 10 s, with jitter', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const find = async () => {
      if (++asked < 10) throw new Error('there is none');
      return { url: test.server.url, token: test.server.gateway.grants.ownerSecret };
    };
    const client = new OwnerClient({ name: 'test', find, logger: nullLogger, clock, random: () => 0 });
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

  it('registers its sessions in their current state with a new link, and none that has ended', async () => {
    const clock = new FakeClock();
    const find = async () => ({ url: test.server.url, token: test.server.gateway.grants.ownerSecret });
    const client = new OwnerClient({ name: 'test', find, logger: nullLogger, clock, random: () => 0 });
    const known = () => test.server.gateway.sessions.active.map(({ id, label }) => `${id} ${label}`);
    try {
      const [a, b] = ['a', 'b'].map((sessionId) => client.addSession({ sessionId, label: 'before' }));
      await eventually(() => known().length === 2, 'both');
      assert.throws(() => client.addSession({ sessionId: 'a', label: 'x' }), /already registered/);
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

  describe('when the gateway has ended', () => {
    const clock = new FakeClock();
    let client: OwnerClient | undefined;
    let history: TokenHistory;
    afterEach(() => client?.dispose());
    const kept = () => test.server.gateway.grants.fileToken;
    const is = (kind: OwnerState['kind']) => eventually(() => client?.state.kind === kind, `the state ${kind}`);
    /** Connected to a gateway, which has ended then. */
    const lost = async () => {
      await test.server.close(0);
      history = new TokenHistory();
      await test.start({ history });
      history.began(keyOf(kept()), test.server.port);
      const find = async () => ({ url: test.server.url, token: test.server.gateway.grants.ownerSecret });
      client = new OwnerClient({ name: 'test', find, logger: nullLogger, clock, random: () => 0 });
      await is('connected');
      const { port } = test.server;
      const token = kept();
      await test.server.close(0);
      await is('waiting');
      return { port, token };
    };

    it('passes on what the user has let in to one that is there again within 5 s', async () => {
      const { port, token } = await lost();
      clock.advance(249);
      await test.start({ port, history });
      clock.advance(1);
      await is('connected');
      assert.equal(kept(), token);
      await test.authenticated(token);
    });

    it('passes nothing on to one that is later', async () => {
      const { port, token } = await lost();
      await test.start({ port, history });
      clock.sleep(Time.passOnMs + 1);
      await is('connected');
      assert.notEqual(kept(), token);
    });

    it('passes nothing on to one on another port, whatever that one would take', async () => {
      const { token } = await lost();
      await test.start();
      const { port } = test.server;
      await test.server.close(0);
      history.began(keyOf(token), port);
      await test.start({ port, history });
      clock.advance(250);
      await is('connected');
      assert.notEqual(kept(), token);
    });

    it('passes nothing on to another program on the port', async () => {
      const { port, token } = await lost();
      const impostor = await Impostor.start({ port });
      try {
        clock.advance(250);
        await eventually(() => impostor.asked > 0 && client?.state.kind === 'waiting', 'the attempt');
        assert.ok(!impostor.heard.includes(token.slice(4)));
      } finally {
        await impostor.stop();
      }
    });
  });

  it('cannot pass anything on without the secret of the gateway', async () => {
    const history = new TokenHistory([{ digest: keyOf('ptk-old'), port: 1, names: [] }]);
    await test.server.close(0);
    await test.start({ history });
    const socket = new WebSocket(`${test.server.url}/owner`, { headers: { Authorization: 'Bearer ptk-old' } });
    const [request, response] = (await once(socket, 'unexpected-response')) as [ClientRequest, IncomingMessage];
    assert.equal(response.statusCode, 401);
    request.destroy();
  });

  it('gets a session that another owner has once that one has left it', async () => {
    const [first, second] = [await test.owner(), await test.owner()];
    const held = await first.session('a');
    second.client.addSession({ sessionId: 'a', label: 'mine' });
    await second.client.request('diagnostics', {}); // the refusal has come
    assert.deepEqual(second.events, []);
    await held.end();
    await second.next('tools/changed');
    assert.deepEqual(
      test.server.gateway.sessions.active.map(({ label }) => label),
      ['mine'],
    );
  });

  it('tells the progress of a call to who has made it', async () => {
    const owner = await test.owner();
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', tools: [echo] });
    await owner.tools('a', ['echo']);
    const heard: string[][] = [];
    const calls = ['first', 'second'].map((name) => session.call('echo', {}, undefined, (...said) => void heard.push([name, ...said])));
    for (const _ of calls) {
      const { id } = await peer.next('tool.call');
      peer.say({ type: 'tool.progress', id, message: 'on it' }).say({ type: 'tool.result', id, data: 1 });
    }
    await Promise.all(calls);
    assert.deepEqual(heard, [
      ['first', 'on it', 'provider'],
      ['second', 'on it', 'provider'],
    ]);
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
      await client.request('diagnostics', {}); // earlier requests are answered by now
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

describe('the client of the owner link, of a gateway in another process', () => {
  it('ends with what the gateway has said last, also when the window was busy meanwhile', async () => {
    const home = new GatewayHome();
    const gateway = await startGatewayProcess(home);
    const owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    try {
      await owner.connected();
      // The answer to the registration and the tools, which are told after it, arrive together.
      for (const sessionId of ['a', 'b', 'c']) {
        owner.client.addSession({ sessionId, label: '' });
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      }
      for (const sessionId of ['a', 'b', 'c'])
        await owner.next('tools/changed', (params) => params.sessionId === sessionId && params.tools.length > 0);
      await owner.client.request('diagnostics', {});
      for (const sessionId of ['a', 'b', 'c']) {
        const last = owner.events.findLast(({ event, params }) => event === 'tools/changed' && params.sessionId === sessionId);
        assert.ok(last?.event === 'tools/changed' && last.params.tools.length > 0, sessionId);
      }
    } finally {
      owner.dispose();
      await gateway.stop();
      home.remove();
    }
  });
});
