import assert from 'node:assert/strict';
import { FakeGateway, hello, tool } from '../../../test/fakes/fakeGateway.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { TapProvider } from './tapProvider.ts';
import type { SessionStatus } from '../sessions/sessionStatus.ts';
import { tapTools } from '../../../test/support/tapTools.ts';

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
  const data = async (tool: string, args: object = {}, sessionId = 'a') => {
    const outcome = await fake.call(sessionId, tool, args).outcome();
    assert.ok(outcome?.ok && 'data' in outcome, JSON.stringify(outcome));
    return outcome.data;
  };

  it('joins the first session and those that come later', () => {
    fake.session('a');
    fake.clock.advance(1000);
    fake.session('b');
    assert.deepEqual([fake.tools('a'), fake.tools('b')], [tapTools, tapTools]);
  });

  it('binds again after all sessions have ended', async () => {
    await fake.gateway.sessions.end(fake.session('a'));
    fake.session('b');
    assert.deepEqual(fake.tools('b'), tapTools);
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
    assert.deepEqual(await data('tap_stream_history', { provider: 'ci', stream: 'runs' }), [{ ts, event: 'failed', level: 'keep' }]);
    assert.equal(await data('tap_post', { event: 'noted', stream: 'notes', level: 'surface' }), 'posted');
    assert.equal(fake.owner.last('push/surfaced').event, 'noted');
    const nameless = await fake.call('a', 'tap_post', { event: 'lost', stream: '--' }).outcome();
    assert.ok(nameless && !nameless.ok && nameless.error.startsWith('stream: must hold a letter'), 'it does not say that it was posted');
    assert.deepEqual(await data('tap_list_streams', {}, 'b'), []);
    const missing = await fake.call('a', 'tap_stream_history', { stream: 'runs', provider: 'nobody' }).outcome();
    assert.ok(
      missing && !missing.ok && missing.error === 'there is no stream "runs@nobody": see tap_list_streams',
      JSON.stringify(missing),
    );
  });

  it('does not say that it has posted what was refused', async () => {
    fake.session('a');
    fake.clock.advance(1000);
    for (let at = 0; at < Limit.pushesPerSecond; at++) await data('tap_post', { event: `${at}` });
    const refused = await fake.call('a', 'tap_post', { event: 'too many' }).outcome();
    assert.ok(refused && !refused.ok && refused.error.startsWith('more than 10 pushes a second'), JSON.stringify(refused));
    fake.clock.advance(1000);
    assert.equal(await data('tap_post', { event: 'later' }), 'posted');
  });

  it('finds a stream by its name, and asks whose it is where that is not clear', async () => {
    fake.session('a');
    fake.clock.advance(1000);
    const push = { type: 'push', stream: 'runs', level: 'keep' };
    const [ci, deploy] = ['ci', 'deploy'].map((name) => fake.spawned('a').say(hello({ session: 'a', name })));
    ci?.say({ ...push, event: 'of ci' });
    const events = async (args: object) => ((await data('tap_stream_history', args)) as { event: string }[]).map(({ event }) => event);
    assert.deepEqual(await events({ stream: 'runs' }), ['of ci']);
    deploy?.say({ ...push, event: 'of deploy' });
    const unclear = await fake.call('a', 'tap_stream_history', { stream: 'runs' }).outcome();
    assert.ok(unclear && !unclear.ok && unclear.error.endsWith('name one as provider, of "ci", "deploy"'), JSON.stringify(unclear));
    await data('tap_post', { stream: 'runs', event: 'of tap' });
    assert.deepEqual([await events({ stream: 'runs' }), await events({ stream: 'runs', provider: 'ci' })], [['of tap'], ['of ci']]);
    for (let at = 0; at < 3; at++) await data('tap_post', { event: `${at}` });
    assert.deepEqual(await events({ stream: 'tap', last: 2 }), ['2', '1']);
  });

  it('refuses arguments that do not fit, and says which', async () => {
    fake.session('a');
    fake.clock.advance(1000);
    const refused = async (tool: string, args: object) => {
      const outcome = await fake.call('a', tool, args).outcome();
      assert.ok(outcome && !outcome.ok, `${tool} ${JSON.stringify(args)}`);
      return `${outcome.errorCode} ${outcome.error}`;
    };
    assert.match(await refused('tap_stream_history', {}), /^INVALID_ARGUMENTS .*stream/);
    assert.match(await refused('tap_stream_history', { stream: 'x', last: 101 }), /^INVALID_ARGUMENTS .*last/);
    assert.match(await refused('tap_post', { event: '' }), /^INVALID_ARGUMENTS .*event/);
    assert.match(await refused('tap_post', { event: 'x', level: 'inject' }), /^INVALID_ARGUMENTS .*level/);
    assert.match(await refused('tap_list_streams', { all: true }), /^INVALID_ARGUMENTS .*all/);
    assert.match(await refused('tap_post', { event: ' ' }), /^INTERNAL event: must not be blank/);
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
        { name: 'tap', trust: 'internal', tools: tapTools, awaitsConsent: false },
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
