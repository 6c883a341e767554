import assert from 'node:assert/strict';
import { FakeGateway, hello } from '../../test/fakes/fakeGateway.ts';
import { TapProvider } from './tapProvider.ts';

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

  it('comes again when all sessions have ended', async () => {
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
    assert.deepEqual(await data('tap_list_streams', {}, 'b'), []);
    const missing = await fake.call('a', 'tap_query_stream', { provider: 'nobody' }).outcome();
    assert.ok(missing && !missing.ok && missing.error.includes('nobody'));
  });

  it('tells how the gateway is', async () => {
    fake.session('a');
    fake.clock.advance(1000);
    const status = (await data('tap_gateway_status')) as { sessions: { id: string }[] };
    assert.deepEqual(
      status.sessions.map(({ id }) => id),
      ['a'],
    );
  });
});
