import assert from 'node:assert/strict';
import { TestGateway, type TestOwner } from './gatewayHarness.ts';

const greet = {
  name: 'greet',
  description: 'x',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const hello = (fields: object = {}) => ({ type: 'hello', name: 'provider', protocolVersion: 2, ...fields });

describe('gateway over sockets', () => {
  let test: TestGateway;
  let owner: TestOwner;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  });
  afterEach(() => test.stop());

  it('carries a call from the owner to a provider and back, with progress', async () => {
    const session = await owner.session('a');
    const peer = await test.authenticated();
    peer.say(hello({ session: 'a', tools: [greet] }));
    await owner.tools('a', ['greet']);
    const outcome = session.call('greet', { name: 'Alice' });
    const { id, args } = await peer.next('tool.call');
    assert.deepEqual(args, { name: 'Alice' });
    peer.say({ type: 'tool.progress', id, message: 'half' }).say({ type: 'tool.result', id, data: 'Hello, Alice!' });
    assert.deepEqual(await outcome, { ok: true, data: 'Hello, Alice!' });
    assert.equal((await owner.next('tool/progress')).message, 'half');
    const wrong = await session.call('greet', {});
    assert.ok(!wrong.ok && wrong.errorCode === 'INVALID_ARGUMENTS');
  });

  it('cancels a call when the owner’s signal says so, and when the owner goes', async () => {
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', tools: [greet] });
    await owner.tools('a', ['greet']);
    const controller = new AbortController();
    const outcome = session.call('greet', { name: 'x' }, controller.signal);
    const { id } = await peer.next('tool.call');
    controller.abort('enough');
    assert.deepEqual((await peer.next('tool.cancel')).reason, 'enough');
    const cancelled = await outcome;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
    peer.say({ type: 'tool.result', id, errorCode: 'CANCELLED' });
    const lost = session.call('greet', { name: 'x' });
    await peer.next('tool.call');
    owner.dispose();
    await assert.rejects(lost, /link/);
    await peer.next('tool.cancel');
    assert.equal((await peer.next('session.lifecycle')).state, 'started');
    assert.equal((await peer.next('session.lifecycle')).state, 'shutdown.pending');
  });

  it('lets an owner lend tools of its own to one session, as an internal provider that is believed what only reads', async () => {
    const session = await owner.session('a');
    await owner.session('b');
    const { url, token } = await session.internalAccess();
    assert.equal(url, test.server.url);
    const tools = (name: string) => [{ name, annotations: { readOnlyHint: true } }];
    const editor = await test.authenticated(token);
    editor.say(hello({ name: 'editor', session: 'b', tools: tools('look') }));
    assert.equal((await editor.next('error')).code, 'INVALID_SESSION');
    editor.say(hello({ name: 'editor', session: 'all', tools: tools('look') }));
    assert.equal((await editor.next('hello.ack')).sessionId, 'a');
    const program = await test.authenticated();
    program.say(hello({ name: 'program', session: 'a', tools: [...tools('peek'), { name: 'odd', annotations: 'read only' }] }));
    await program.next('hello.ack');
    const offered = await owner.next('tools/changed', (params) => params.tools.some(({ name }) => name === 'odd'));
    assert.deepEqual(
      offered.tools.map(({ name, trust, readOnly }) => [name, trust, readOnly]),
      [
        ['look', 'internal', true],
        ['peek', 'project', undefined],
        ['odd', 'project', undefined],
      ],
    );
    await session.end(0);
    const late = await test.peer();
    late.say({ type: 'auth', token });
    assert.equal((await late.next('error')).code, 'AUTH_FAILED');
  });

  it('serves an owner everything else: hooks, transforms, streams, pushes, events, tokens, diagnostics', async () => {
    const session = await owner.session('a');
    const token = await session.issueToken();
    const peer = await test.authenticated(token);
    peer.say(
      hello({
        subscribe: ['user.message'],
        context: 'ctx',
        hooks: {
          onPreToolUse: [{ match: { tool: 'shell' }, action: 'gate', gateId: 'g' }],
          transforms: { s: { action: 'append', content: 'more' } },
        },
      }),
    );
    await peer.next('hello.ack');
    const decision = session.evaluateHooks('shell', { command: 'ls' });
    const { callId } = await peer.next('gate.check');
    peer.say({ type: 'gate.result', gateId: 'g', callId, decision: 'deny', reason: 'no' });
    assert.deepEqual(await decision, { decision: 'deny', reason: 'no', provider: 'provider', context: [] });
    const parts = await session.evaluateTransforms({ s: 'base' });
    assert.deepEqual([parts.sections[0]?.content, parts.context], ['base\nmore', [{ provider: 'provider', content: 'ctx' }]]);
    session.event('user.message', { content: 'hi' }, true);
    assert.deepEqual((await peer.next('session.event')).data, { content: 'hi' });
    peer.say({ type: 'push', level: 'inject', event: 'look' });
    assert.equal((await owner.next('push/inject')).text, 'look');
    assert.equal((await session.streams())[0]?.entries[0]?.event, 'look');
    const status = await owner.client.request('diagnostics', {});
    assert.equal(status.providers[0]?.name, 'provider');
    assert.ok(!JSON.stringify(status).includes(token));
    await session.update({ idle: false });
    await session.update({ idle: true });
    await peer.next('session.lifecycle');
    assert.equal((await peer.next('session.lifecycle')).state, 'idle');
    const ended = session.end();
    await peer.next('session.lifecycle');
    peer.say({ type: 'goodbye' });
    await ended;
    assert.equal(await peer.closed(), 1000);
  });

  it('tells a session’s model nothing of the sessions of others', async () => {
    await test.stop();
    test = new TestGateway();
    await test.start({ withTap: true });
    const [mine, other] = [await test.owner(), await test.owner()];
    const session = await mine.session('a');
    await other.session('secret-b');
    await test.bound({ name: 'secret-provider', session: 'secret-b', tools: [{ ...greet, name: 'secret_tool' }] });
    await test.bound({ name: 'ci', session: 'a', tools: [greet] });
    const told = JSON.stringify(await session.call('tap_gateway_status', {}));
    assert.match(told, /"ci"/);
    assert.doesNotMatch(told, /secret/);
    assert.match(JSON.stringify(await mine.client.request('diagnostics', {})), /secret-provider/, 'the user sees all of it');
  });

  it('keeps an owner to its own sessions and to well-formed requests', async () => {
    await owner.session('a');
    const other = await test.owner();
    const request = (method: string, params: object) => other.client.request(method as 'session/end', params);
    await assert.rejects(request('session/end', { sessionId: 'a' }), /no session "a"/);
    await assert.rejects(request('session/end', {}), /sessionId/);
    await assert.rejects(request('nonsense', {}), /no method/);
    await assert.rejects(request('toString', {}), /no method/);
    await assert.rejects(request('session/register', { sessionId: 'a', label: '' }), /already registered/);
  });

  it('pairs a web page by the code that the owner shows', async () => {
    await owner.session('a');
    const page = { headers: { Origin: 'http://page.example' } };
    const peer = await test.peer(page);
    peer.say({ type: 'auth', mode: 'pair' });
    await peer.next('auth.pairing');
    const { code, origin } = await owner.next('pairing/started');
    assert.equal(origin, 'http://page.example');
    peer.say({ type: 'auth.confirm', code });
    const { token } = await peer.next('sessions');
    const again = await test.peer(page);
    again.say({ type: 'auth', token });
    await again.next('sessions');
    const thief = await test.peer({ headers: { Origin: 'http://evil.example' } });
    thief.say({ type: 'auth', token });
    assert.equal((await thief.next('error')).code, 'AUTH_FAILED');
    await thief.closed();
  });
});
