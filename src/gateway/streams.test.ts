import assert from 'node:assert/strict';
import { FakeGateway, type FakeProvider, hello } from '../../test/fakes/fakeGateway.ts';
import { Limit } from '../tap/limits.ts';

describe('pushes and streams', () => {
  let fake: FakeGateway;
  let peer: FakeProvider;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    peer = fake.spawned('a').say(hello({ session: 'a', name: 'ci' }));
  });
  afterEach(() => fake.dispose());
  const push = (fields: object = {}, from = peer) => from.say({ type: 'push', level: 'keep', event: 'e', ...fields });
  const history = (streams = ['ci'], last?: number, of = peer) => {
    of.say({ type: 'stream.query', queryId: 'q', streams, last });
    return of.last('stream.history').streams;
  };
  const idle = (value: boolean) => fake.gateway.updateSession(fake.gateway.sessions.get('a')!, { idle: value });
  const turn = () => (idle(false), idle(true));
  const injected = () => fake.owner.all('push/inject').map(({ text }) => text);

  it('keep stores, surface also shows, inject also begins a turn', () => {
    push({ event: 'kept', metadata: { run: 1 } });
    assert.deepEqual(fake.owner.events, []);
    push({ event: 'seen\u0000', level: 'surface', stream: 'other' });
    assert.equal(fake.owner.last('push/surfaced').event, 'seen');
    push({ event: 'act', level: 'inject' });
    assert.equal(fake.owner.last('push/surfaced').level, 'inject');
    assert.deepEqual(fake.owner.last('push/inject'), { sessionId: 'a', provider: 'ci', stream: 'ci', text: 'act', isPrompt: false });
    const ts = new Date(fake.clock.now()).toISOString();
    assert.deepEqual(history(['ci', 'other@ci']), {
      'ci@ci': [
        { ts, event: 'act' },
        { ts, event: 'kept', metadata: { run: 1 } },
      ],
      'other@ci': [{ ts, event: 'seen' }],
    });
  });

  it('are ten a second, each provider for itself', () => {
    const other = fake.spawned('a').say(hello({ session: 'a', name: 'other' }));
    for (let at = 0; at < Limit.pushesPerSecond; at++) push();
    assert.deepEqual(peer.errors, []);
    assert.deepEqual(push().errors, ['RATE_LIMITED']);
    assert.deepEqual(push({}, other).errors, []);
    fake.clock.advance(1000);
    assert.deepEqual(push().errors, ['RATE_LIMITED']);
  });

  it('keep the newest 200 of a stream, and twenty streams', () => {
    for (let at = 0; at < Limit.streamEntries + 5; at++) {
      fake.clock.advance(200);
      push({ event: `${at}` });
    }
    const all = fake.gateway.sessions.get('a')!.streams.all()[0]!.items;
    assert.deepEqual([all.length, all[0]?.event], [Limit.streamEntries, '5']);
    assert.equal(history(['ci'], 100)['ci@ci']?.length, 100);
    for (let at = 0; at < Limit.streams; at++) {
      fake.clock.advance(200);
      push({ stream: `s${at}` });
    }
    assert.deepEqual(peer.errors, ['PAYLOAD_TOO_LARGE']);
  });

  it('of others can be read by internal providers alone', () => {
    push({ event: 'secret' });
    const internal = fake.internal().say(hello({ name: 'tap', session: 'a' }));
    assert.equal(history(['ci@ci'], 10, internal)['ci@ci']?.[0]?.event, 'secret');
    const other = fake.spawned('a').say(hello({ session: 'a', name: 'other' }));
    other.say({ type: 'stream.query', queryId: 'q', streams: ['ci@ci'] });
    assert.deepEqual(other.errors, ['UNAUTHORIZED']);
    const namesake = fake.external().say(hello({ session: 'a', name: 'ci' }));
    assert.deepEqual(history(['ci'], 10, namesake), { 'ci@ci': [] });
  });

  it('go by the provider’s own filter, first match first, else by level', () => {
    peer.say({
      type: 'filter.set',
      requestId: 'r',
      stream: 'git',
      rules: [
        { match: 'behind=0', outcome: 'drop' },
        { match: 'conflicts=[1-9]', outcome: 'inject' },
        { match: '^keep', outcome: 'keep' },
      ],
    });
    fake.settle();
    assert.equal(peer.last('ack').revision, 1);
    for (const event of ['behind=0 conflicts=1', 'conflicts=2', 'keep this', 'no rule']) push({ stream: 'git', level: 'surface', event });
    assert.deepEqual(
      history(['git'])['git@ci']?.map(({ event }) => event),
      ['no rule', 'keep this', 'conflicts=2'],
    );
    assert.deepEqual(
      fake.owner.all('push/surfaced').map(({ event }) => event),
      ['conflicts=2', 'no rule'],
    );
    peer.say({ type: 'filter.set', stream: 'git', rules: [{ match: '(', outcome: 'drop' }] });
    assert.match(peer.last('error').message, /^rules\[0\]\.match: /);
    peer.say({ type: 'filter.set', stream: 'git', rules: [] });
    push({ stream: 'git', event: 'behind=0' });
    assert.equal(history(['git'])['git@ci']?.[0]?.event, 'behind=0');
  });

  it('of a provider for several sessions must say which, or broadcast', () => {
    fake.session('b');
    const all = fake.internal().say(hello({ name: 'all' }));
    assert.deepEqual(push({}, all).errors, ['INVALID_SESSION']);
    push({ sessionId: 'b', event: 'one' }, all);
    push({ broadcast: true, event: 'both' }, all);
    const events = (id: string) =>
      fake.gateway.sessions
        .get(id)!
        .streams.all()
        .flatMap(({ items }) => items.map(({ event }) => event));
    assert.deepEqual([events('a'), events('b')], [['both'], ['one', 'both']]);
  });

  it('inject waits for an idle session and comes one at a time; too many drop the oldest', () => {
    idle(false);
    for (let at = 0; at < Limit.queuedInjects + 2; at++) {
      fake.clock.advance(200);
      push({ level: 'inject', event: `${at}` });
    }
    assert.deepEqual(injected(), []);
    assert.equal(fake.owner.all('push/surfaced').length, Limit.queuedInjects + 2);
    idle(true);
    assert.deepEqual(injected(), ['2']);
    turn();
    assert.deepEqual(injected(), ['2', '3']);
    const [{ droppedInjects, queuedInjects } = {}] = fake.gateway.status().sessions;
    assert.deepEqual([droppedInjects, queuedInjects], [2, Limit.queuedInjects - 2]);
  });

  it('inject pauses a provider after three cycles until the user speaks', () => {
    for (let at = 0; at < 5; at++) {
      push({ level: 'inject', event: `${at}` });
      turn();
    }
    assert.deepEqual(injected(), ['0', '1', '2']);
    assert.equal(fake.owner.last('push/surfaced').paused, true);
    const other = fake.spawned('a').say(hello({ session: 'a', name: 'other' }));
    push({ level: 'inject', event: 'other' }, other);
    turn();
    const session = fake.gateway.sessions.get('a')!;
    fake.gateway.sessionEvent(session, 'user.message', { content: 'an inject' }, false);
    push({ level: 'inject', event: 'still paused' });
    fake.gateway.sessionEvent(session, 'user.message', { content: 'hello' }, true);
    push({ level: 'inject', event: 'again' });
    assert.deepEqual(injected(), ['0', '1', '2', 'other', 'again']);
  });

  it('prompt is a turn of its own text', () => {
    push({ level: 'inject', prompt: 'Look at CI', event: undefined });
    assert.deepEqual(fake.owner.last('push/inject'), { sessionId: 'a', provider: 'ci', stream: 'ci', text: 'Look at CI', isPrompt: true });
  });
});

describe('session events', () => {
  it('reach those who subscribed; idle reaches all', () => {
    const fake = new FakeGateway();
    const session = fake.session('a');
    const subscriber = fake
      .spawned('a')
      .say(hello({ session: 'a', name: 'one', subscribe: ['user.message'] }))
      .forget();
    const other = fake
      .spawned('a')
      .say(hello({ session: 'a', name: 'two' }))
      .forget();
    fake.gateway.sessionEvent(session, 'user.message', { content: 'hi' }, true);
    fake.gateway.sessionEvent(session, 'assistant.message', { content: 'no' }, false);
    fake.gateway.updateSession(session, { idle: false });
    fake.gateway.updateSession(session, { idle: true });
    fake.gateway.updateSession(session, { idle: true });
    const idle = { type: 'session.lifecycle', sessionId: 'a', state: 'idle' };
    assert.deepEqual(subscriber.heard, [{ type: 'session.event', sessionId: 'a', event: 'user.message', data: { content: 'hi' } }, idle]);
    assert.deepEqual(other.heard, [idle]);
    fake.dispose();
  });
});
