/** What a session owner sees and decides of providers over its link: calls that run, pairings, consent. */
import assert from 'node:assert/strict';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { TestGateway, type TestOwner } from './gatewayHarness.ts';

describe('owners of sessions', () => {
  let test: TestGateway;
  let owner: TestOwner;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  });
  afterEach(() => test.stop());
  const diagnostics = () => owner.client.request('diagnostics', {});

  it('see the calls that have not ended, and which of them wait for their provider', async () => {
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', name: 'ci', tools: [{ name: 'build' }], concurrency: { scope: 'provider', max: 1 } });
    await owner.tools('a', ['build']);
    const calls = [session.call('build', {}), session.call('build', {})];
    const { id } = await peer.next('tool.call');
    const shown = (await diagnostics()).calls.map(({ ageMs, ...call }) => ({ ...call, hasAge: ageMs >= 0 }));
    const call = { sessionId: 'a', tool: 'build', provider: 'ci', hasAge: true };
    assert.deepEqual(shown, [
      { ...call, waits: false },
      { ...call, waits: true },
    ]);
    peer.say({ type: 'tool.result', id, data: 1 });
    peer.say({ type: 'tool.result', id: (await peer.next('tool.call')).id, data: 2 });
    await Promise.all(calls);
    assert.deepEqual((await diagnostics()).calls, []);
  });

  it('call the tool of the provider that they mean, and of no other that has it by then', async () => {
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', name: 'ci', tools: [{ name: 'build' }] });
    await owner.tools('a', ['build']);
    const of = { provider: 'ci', trust: 'project' } as const;
    for (const other of [
      { ...of, provider: 'other' },
      { ...of, trust: 'external' as const },
      { ...of, origin: 'https://a.example' },
      { ...of, spawned: true as const },
    ]) {
      const outcome = await session.call('build', {}, undefined, undefined, other);
      assert.ok(!outcome.ok && outcome.errorCode === 'NOT_FOUND' && /another provider now/.test(outcome.error));
    }
    const call = session.call('build', {}, undefined, undefined, of);
    peer.say({ type: 'tool.result', id: (await peer.next('tool.call')).id, data: 'built' });
    assert.deepEqual(await call, { ok: true, data: 'built' });
    assert.deepEqual(
      peer.heard.filter(({ type }) => type === 'tool.call'),
      [],
    );
  });

  it('revoke a pairing: the provider is gone, and its token is refused', async () => {
    await owner.session('a');
    const page = await test.peer();
    page.say({ type: 'auth', mode: 'pair' });
    page.say({ type: 'auth.confirm', code: (await owner.next('pairing/started')).code });
    const { token } = await page.next('sessions');
    page.say({ type: 'hello', name: 'page', protocolVersion: 2, session: 'a', tools: [{ name: 'click' }] });
    await owner.tools('a', ['click']);
    const [pairing] = (await diagnostics()).pairings;
    assert.deepEqual({ ...pairing, id: '' }, { id: '', name: 'page', connected: true });
    await assert.rejects(owner.client.request('pairing/revoke', {}), RpcError);
    await owner.client.request('pairing/revoke', { pairing: pairing?.id });
    assert.equal(await page.closed(), 1001);
    await owner.tools('a', []);
    const again = await test.peer();
    again.say({ type: 'auth', token });
    assert.equal((await again.next('error')).code, 'AUTH_FAILED');
  });

  it('hear what another owner has decided, and ask again once that is forgotten', async () => {
    await owner.session('a');
    const other = await test.owner();
    const peer = await test.bound({ session: 'a', name: 'ci', context: 'x' });
    await other.next('consent/asked');
    await owner.client.request('consent/answer', { provider: 'ci', allow: true });
    await other.next('consent/decided', ({ allow }) => allow === true);
    const asked = other.events.length;
    await owner.client.request('consent/forget', { provider: 'ci' });
    await other.next('consent/decided', ({ allow }) => allow === undefined);
    assert.deepEqual(
      other.events.slice(asked).map(({ event }) => event),
      ['consent/decided', 'consent/asked'],
    );
    // A provider cannot decide for itself.
    peer.say({ type: 'consent/answer', provider: 'ci', allow: true }).say({ jsonrpc: '2.0', id: 1, method: 'consent/answer' });
    await peer.next('error');
    assert.deepEqual((await diagnostics()).consents, [{ provider: 'ci', decision: 'asked', wants: ['context'] }]);
  });
});
