import assert from 'node:assert/strict';
import { FakeGateway, hello, tool } from '../../../test/fakes/fakeGateway.ts';
import { TapProvider } from './tapProvider.ts';
import type { SessionStatus } from '../sessions/sessionStatus.ts';

describe('the provider tap', () => {
  let fake: FakeGateway;
  let tap: TapProvider;
  beforeEach(() => {
    fake = new FakeGateway();
    tap = new TapProvider(fake.gateway);
    fake.clock.advance(1000);
  });
  afterEach(() => {
    tap.dispose();
    fake.dispose();
  });
  const names = ['tap_list_streams', 'tap_query_stream', 'tap_post_event', 'tap_gateway_status'];
  const data = async (tool: string, args: object = {}, sessionId = 'a') => {
    const outcome = await fake.call(sessionId, tool, args).outcome();
    assert.ok(outcome?.ok && 'data' in outcome, JSON.stringify(outcome));
    return outcome.data;
  };

  it('joins the first session and those that come later', () => {
    fake.session('a');
    fake.clock.advance(1000);
    fake.session('b');
    assert.deepEqual([fake.tools('a'), fake.tools('b')], [names, names]);
  });

  it('binds again after all sessions have ended', async () => {
    await fake.gateway.sessions.end(fake.session('a'));
    fake.session('b');
    assert.deepEqual(fake.tools('b'), names);
  });

  it('lists, reads and posts to streams of the session that asks', async () => {
    fake.session('a');
    fake.session('b');
    fake.clock.advance(1000);
    fake
      .spawned('a')
      .say(hello({ session: 'a', name: 'ci' }))
      .say({ type: 'push', stream: 'runs', level: 'keep', event: 'failed' });
    const ts = new Date(fake.clock.now()).toISOString();
    assert.deepEqual(await data('tap_list_streams'), [{ provider: 'ci', stream: 'runs', events: 1, newest: ts }]);
    assert.deepEqual(await data('tap_query_stream', { provider: 'ci', stream: 'runs' }), [{ ts, event: 'failed', level: 'keep' }]);
    assert.equal(await data('tap_post_event', { event: 'noted', stream: 'notes', level: 'surface' }), 'posted');
    assert.equal(fake.owner.last('push/surfaced').event, 'noted');
    const nameless = await fake.call('a', 'tap_post_event', { event: 'lost', stream: '--' }).outcome();
    assert.ok(nameless && !nameless.ok && nameless.error.startsWith('stream: must hold a letter'), 'it does not say that it was posted');
    assert.deepEqual(await data('tap_list_streams', {}, 'b'), []);
    const missing = await fake.call('a', 'tap_query_stream', { provider: 'nobody' }).outcome();
    assert.ok(missing && !missing.ok && missing.error.includes('nobody'));
  });

  it('tells a session’s model how the gateway serves that session, and nothing of others', async () => {
    fake.session('a', { label: 'mine' });
    fake.session('secret-b', { label: 'label of another' });
    fake.clock.advance(1000);
    const ci = fake.spawned('a').say(hello({ session: 'a', name: 'ci', tools: [tool('build')], metadata: { run: 1 } }));
    ci.say({ type: 'push', level: 'keep' });
    const all = fake.authenticated().say(hello({ name: 'everywhere', session: 'all', tools: [tool('greet')], context: 'x' }));
    all.say({ type: 'tools.update', sessionId: 'secret-b', tools: [tool('secret_tool')] });
    all.say({ type: 'push', level: 'keep', event: 'x', sessionId: 'secret-c' });
    const other = fake.spawned('secret-b').say(hello({ session: 'secret-b', name: 'secret-provider', tools: [tool('secret_other')] }));
    other.say({ type: 'push', level: 'keep', event: 'x', sessionId: 'a' });
    fake.spawned('secret-b').say(hello({ session: 'a', name: 'secret-stranger' }));

    const status = (await data('tap_gateway_status')) as SessionStatus;
    assert.doesNotMatch(JSON.stringify(status), /secret|another/);
    assert.deepEqual([status.session?.id, status.session?.label, status.session?.queuedInjects], ['a', 'mine', 0]);
    assert.deepEqual(
      status.providers.map(({ name, trust, tools, awaitsConsent }) => ({ name, trust, tools, awaitsConsent })),
      [
        { name: 'tap', trust: 'internal', tools: names, awaitsConsent: false },
        { name: 'ci', trust: 'project', tools: ['build'], awaitsConsent: false },
        { name: 'everywhere', trust: 'project', tools: ['greet'], awaitsConsent: true },
      ],
    );
    assert.deepEqual(status.providers[1]?.metadata, { run: 1 });
    assert.deepEqual(
      status.lastErrors.map(({ code, provider }) => [code, provider]),
      [['INVALID_JSON', 'ci']],
    );
    const ofB = JSON.stringify(await data('tap_gateway_status', {}, 'secret-b'));
    assert.match(ofB, /secret_tool.*secret_other/);
    assert.doesNotMatch(ofB, /mine|build/);
    assert.equal(fake.gateway.status().sessions.length, 2, 'an owner sees them all');
  });
});
