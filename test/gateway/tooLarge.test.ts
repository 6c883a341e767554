import assert from 'node:assert/strict';
import { FakeGateway, hello, tool } from '../fakes/fakeGateway.ts';
import { Limit } from '../../src/tap/wire/limits.ts';

describe('what is too large for a provider', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const bound = (fields: object) =>
    fake
      .spawned('a')
      .say(hello({ session: 'a', ...fields }))
      .forget();
  const session = () => fake.gateway.sessions.get('a')!;
  /** More bytes than a message may have, in fewer characters, because each takes three bytes. */
  const large = '€'.repeat(Limit.messageBytes / 3);

  it('is not sent as a call: the call fails at once and frees its place', async () => {
    const peer = bound({ tools: [tool()], concurrency: { max: 1 } });
    assert.equal(await fake.call('a', 'greet', { large }).code(), 'PAYLOAD_TOO_LARGE');
    assert.deepEqual(peer.heard, []);
    const call = fake.call('a', 'greet', { large: large.slice(1000) });
    peer.say({ type: 'tool.result', id: peer.last('tool.call').id, data: 'just right' });
    assert.equal(await call.code(), 'ok');
  });

  it('counts as a missing answer of a gate: denied, unless the rule fails open', async () => {
    const evaluate = () => fake.gateway.hooks.evaluate(session(), { tool: 'edit', args: { large } });
    const rule = { match: { tool: 'edit' }, action: 'gate', gateId: 'g' };
    const open = bound({ name: 'open', hooks: { onPreToolUse: [{ ...rule, failOpen: true }] } });
    assert.equal((await evaluate()).decision, 'allow');
    const closed = bound({ name: 'closed', hooks: { onPreToolUse: [rule] } });
    const { decision, provider, reason } = await evaluate();
    assert.deepEqual([decision, provider], ['deny', 'closed']);
    assert.match(reason ?? '', /too large/);
    assert.deepEqual([open.heard, closed.heard], [[], []]);
  });

  it('is left unchanged by a transform', async () => {
    const peer = bound({ hooks: { transforms: { rules: { action: 'callback' } } } });
    assert.deepEqual((await fake.gateway.hooks.transform(session(), { rules: large })).sections, [
      { section: 'rules', content: large, parts: [] },
    ]);
    assert.deepEqual(peer.heard, []);
  });

  it('is left out of session events', () => {
    const peer = bound({ subscribe: ['user.message'] });
    for (const content of [large, 'hi']) fake.gateway.sessionEvent(session(), 'user.message', { content }, true);
    assert.deepEqual(
      peer.all('session.event').map(({ data }) => data),
      [{ content: 'hi' }],
    );
  });

  it('is refused for a query, which may ask for less', () => {
    const peer = bound({});
    for (let at = 0; at < Limit.queryLast; at++) {
      peer.say({ type: 'push', level: 'keep', event: '€'.repeat(15_000) });
      if (at % Limit.pushesPerSecond === 0) fake.clock.advance(1000);
    }
    peer.forget().say({ type: 'stream.query', queryId: 'q', streams: ['provider'], last: Limit.queryLast });
    assert.deepEqual(peer.errors, ['PAYLOAD_TOO_LARGE']);
    assert.equal(peer.last('error').replyTo, 'stream.query');
    peer.say({ type: 'stream.query', queryId: 'q', streams: ['provider'], last: 10 });
    assert.equal(peer.last('stream.history').streams['provider@provider']?.length, 10);
  });
});
