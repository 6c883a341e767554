import assert from 'node:assert/strict';
import { Time } from '../../tap/wire/limits.ts';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeGateway, hello, tool } from '../../../test/fakes/fakeGateway.ts';

describe('hooks', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const bound = (name: string, onPreToolUse: object[], fields: object = {}) =>
    fake.spawned('a').say(hello({ session: 'a', name, hooks: { onPreToolUse }, ...fields }));
  const evaluate = (use: { tool: string; args?: unknown }) =>
    fake.gateway.hooks.evaluate(fake.gateway.sessions.get('a')!, { args: {}, ...use });
  const gate = { match: { tool: 'shell', args: 'git push' }, action: 'gate', gateId: 'ci' };

  it('deny and add context without a question, by tool, arguments, provider and file', async () => {
    bound('p', [
      { match: { tool: 'shell', args: 'rm -rf' }, action: 'deny', reason: 'no' },
      { match: { tool: 'edit', file: '*.sql' }, action: 'context', content: 'a migration' },
      { match: { provider: 'browser' }, action: 'context', content: 'from a tab' },
    ]);
    fake.spawned('a').say(hello({ session: 'a', name: 'browser', tools: [tool('shot')] }));
    assert.deepEqual(await evaluate({ tool: 'shell', args: { command: 'rm -rf /' } }), {
      decision: 'deny',
      reason: 'no',
      provider: 'p',
      context: [],
    });
    assert.deepEqual(await evaluate({ tool: 'shell', args: { command: 'ls' } }), { decision: 'allow', context: [] });
    assert.deepEqual((await evaluate({ tool: 'edit', args: { path: '/x/db/one.sql' } })).context, [
      { provider: 'p', content: 'a migration' },
    ]);
    assert.deepEqual((await evaluate({ tool: 'edit', args: { path: '/x/one.ts' } })).context, []);
    assert.deepEqual((await evaluate({ tool: 'shot' })).context, [{ provider: 'p', content: 'from a tab' }]);
  });

  it('gate: allow, deny with the reason, context', async () => {
    const peer = bound('ci-watcher', [gate]);
    const args = { command: 'git push origin' };
    const ask = async (answer: object) => {
      const decision = evaluate({ tool: 'shell', args });
      const { callId, ...check } = peer.last('gate.check');
      assert.deepEqual(check, { type: 'gate.check', gateId: 'ci', sessionId: 'a', tool: 'shell', args });
      peer.say({ type: 'gate.result', gateId: 'ci', callId, ...answer });
      return decision;
    };
    assert.deepEqual(await ask({ decision: 'allow' }), { decision: 'allow', context: [] });
    assert.deepEqual(await ask({ decision: 'deny', reason: 'CI fails' }), {
      decision: 'deny',
      reason: 'CI fails',
      provider: 'ci-watcher',
      context: [],
    });
    assert.deepEqual(await ask({ decision: 'context', reason: 'careful' }), {
      decision: 'allow',
      context: [{ provider: 'ci-watcher', content: 'careful' }],
    });
  });

  it('gate: closed on silence and on disconnect, open only where the rule says so', async () => {
    const peer = bound('ci-watcher', [gate]);
    const silent = evaluate({ tool: 'shell', args: 'git push' });
    fake.clock.advance(Time.gateMs);
    assert.deepEqual(await silent, {
      decision: 'deny',
      reason: "Gate provider 'ci-watcher' did not respond in time.",
      provider: 'ci-watcher',
      context: [],
    });
    peer.say({ type: 'gate.result', gateId: 'ci', callId: peer.last('gate.check').callId, decision: 'allow' });
    assert.deepEqual(peer.errors, []);
    const gone = evaluate({ tool: 'shell', args: 'git push' });
    peer.connection.closed();
    assert.equal((await gone).decision, 'deny');
    bound('ci-watcher', [{ ...gate, failOpen: true }]);
    const open = evaluate({ tool: 'shell', args: 'git push' });
    fake.clock.advance(Time.gateMs);
    assert.equal((await open).decision, 'allow');
  });

  it('gate: all are asked at once, and a static deny before any', async () => {
    const one = bound('one', [gate]);
    const two = bound('two', [gate]);
    const pending = evaluate({ tool: 'shell', args: 'git push' });
    two.say({ type: 'gate.result', gateId: 'ci', callId: two.last('gate.check').callId, decision: 'deny', reason: 'two' });
    one.say({ type: 'gate.result', gateId: 'ci', callId: one.last('gate.check').callId, decision: 'deny', reason: 'one' });
    assert.equal((await pending).reason, 'one');
    bound('three', [{ match: { tool: 'shell' }, action: 'deny' }]);
    one.forget();
    assert.equal((await evaluate({ tool: 'shell', args: 'git push' })).provider, 'three');
    assert.deepEqual(one.heard, []);
  });

  it('can be changed; a pattern that does not compile is refused by name and changes nothing', async () => {
    const peer = bound('p', [{ match: { tool: 'x' }, action: 'deny' }]);
    peer.say({
      type: 'hooks.update',
      requestId: 'r',
      onPreToolUse: [
        { match: {}, action: 'deny' },
        { match: { args: '(?=x)' }, action: 'deny' },
      ],
    });
    assert.match(peer.last('error').message, /^onPreToolUse\[1\]\.match\.args: /);
    assert.equal(peer.last('error').requestId, 'r');
    assert.equal((await evaluate({ tool: 'y' })).decision, 'allow');
    peer.say({ type: 'hooks.update', onPreToolUse: [] });
    assert.equal((await evaluate({ tool: 'x' })).decision, 'allow');
  });

  it('are not stalled by a pattern that backtracks without end elsewhere', async () => {
    bound('p', [{ match: { args: '(a+)+$' }, action: 'deny' }]);
    const started = performance.now();
    await evaluate({ tool: 'x', args: { text: `${'a'.repeat(200_000)}!` } });
    assert.ok(performance.now() - started < 2000);
  });
});

describe('transforms', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const bound = (name: string, transforms: object, fields: object = {}) =>
    fake.spawned('a').say(hello({ session: 'a', name, hooks: { transforms }, ...fields }));
  const transform = (sections: Record<string, string> = {}) => fake.gateway.hooks.transform(fake.gateway.sessions.get('a')!, sections);

  it('apply in the order of registration, protected sections last', async () => {
    bound('one', { rules: { action: 'append', content: 'one' }, safety: { action: 'append', content: 'extra' } });
    bound('two', { rules: { action: 'prepend', content: 'two' } });
    const { sections } = await transform({ safety: 'be safe', rules: 'base', untouched: 'same' });
    assert.deepEqual(
      sections.map(({ section, content }) => [section, content]),
      [
        ['rules', 'two\nbase\none'],
        ['untouched', 'same'],
        ['safety', 'be safe\nextra'],
      ],
    );
    assert.deepEqual(sections[0]?.parts, [
      { provider: 'one', action: 'append', content: 'one' },
      { provider: 'two', action: 'prepend', content: 'two' },
    ]);
    bound('three', { rules: { action: 'replace', content: 'new' } });
    assert.equal((await transform({ rules: 'base' })).sections.find(({ section }) => section === 'rules')?.content, 'new');
  });

  it('call back with the current text; a timeout or disconnect leaves it unchanged', async () => {
    const peer = bound('p', { rules: { action: 'callback' } });
    const asked = transform({ rules: 'base' });
    const { callId, ...request } = peer.last('transform.request');
    assert.deepEqual(request, { type: 'transform.request', sessionId: 'a', section: 'rules', current: 'base' });
    peer.say({ type: 'transform.result', callId, content: 'base and more' });
    assert.equal((await asked).sections[0]?.content, 'base and more');
    const silent = transform({ rules: 'base' });
    fake.clock.advance(Time.transformMs);
    assert.deepEqual((await silent).sections, [{ section: 'rules', content: 'base', parts: [] }]);
    const gone = transform({ rules: 'base' });
    peer.connection.closed();
    assert.equal((await gone).sections[0]?.content, 'base');
  });

  it('are removed with null; context is separate', async () => {
    const peer = bound('p', { rules: { action: 'append', content: 'x' } }, { context: 'CI passes', startup_context: 'hello' });
    assert.deepEqual(await transform(), {
      sections: [{ section: 'rules', content: 'x', parts: [{ provider: 'p', action: 'append', content: 'x' }] }],
      context: [{ provider: 'p', content: 'CI passes' }],
      startup: [{ provider: 'p', content: 'hello' }],
    });
    peer.say({ type: 'hooks.update', transforms: { rules: null } }).say({ type: 'context.update', context: 'CI fails' });
    await atRest();
    assert.deepEqual(await transform(), {
      sections: [],
      context: [{ provider: 'p', content: 'CI fails' }],
      startup: [{ provider: 'p', content: 'hello' }],
    });
  });
});
