import assert from 'node:assert/strict';
import { Limit } from '../../tap/wire/limits.ts';
import { FakeGateway, type FakeProvider, hello } from '../../../test/fakes/fakeGateway.ts';

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

  it('tell the owner when some are dropped, at once and then every 10 s', () => {
    const flood = () => {
      for (let at = 0; at < 3 * Limit.pushesPerSecond; at++) push();
      return fake.owner.all('push/dropped');
    };
    for (let at = 0; at < Limit.pushesPerSecond; at++) push();
    assert.deepEqual(fake.owner.all('push/dropped'), []);
    assert.deepEqual(flood(), [{ sessionId: 'a', provider: 'ci' }]);
    fake.clock.advance(9_999);
    assert.equal(flood().length, 1);
    fake.clock.advance(1);
    assert.equal(flood().length, 2);
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
    const sameName = fake.external().say(hello({ session: 'a', name: 'ci' }));
    assert.deepEqual(history(['ci'], 10, sameName), { 'ci@ci': [] });
  });

  it('of a provider with the same name and another token are separate: not read, filtered or replaced', () => {
    const [first, second] = [fake.external(), fake.external()].map((page) => page.say(hello({ session: 'a', name: 'page' }))) as [
      FakeProvider,
      FakeProvider,
    ];
    push({ event: 'of the first' }, first);
    second.say({ type: 'filter.set', rules: [{ match: '.', outcome: 'drop' }] });
    assert.deepEqual(history(['page'], 10, second), { 'page@page': [] });
    const program = fake.authenticated().say(hello({ session: 'a', name: 'page' }));
    for (let at = 0; at < Limit.streamEntries; at++) {
      fake.clock.advance(200);
      push({ event: `${at}` }, program);
    }
    push({ event: 'once more' }, first);
    assert.deepEqual(
      history(['page'], 10, first)['page@page']?.map(({ event }) => event),
      ['once more', 'of the first'],
    );
    const internal = fake.internal().say(hello({ name: 'tap', session: 'a' }));
    assert.deepEqual(
      history(['page@page'], 2, internal)['page@page']?.map(({ event }) => event),
      ['once more', `${Limit.streamEntries - 1}`],
      'whoever may read them all has them in order',
    );
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

describe('limits of pushes and streams', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const session = () => fake.gateway.sessions.get('a')!;
  const turn = () => {
    fake.gateway.updateSession(session(), { idle: false });
    fake.gateway.updateSession(session(), { idle: true });
  };
  const say = (peer: FakeProvider, fields: object = {}) => peer.say({ type: 'push', level: 'keep', event: 'e', ...fields });
  const inject = (peer: FakeProvider, event: string) => {
    say(peer, { level: 'inject', event });
    turn();
    fake.clock.advance(1000);
  };
  const injected = () => fake.owner.all('push/inject').map(({ text }) => text);
  const named = (peer: FakeProvider, name: string) => peer.say(hello({ session: 'a', name }));
  /** A peer that takes a new name each time, on its connection or on another one with the same token. */
  const tokens: Record<string, () => string> = {
    'paired peer': () => fake.gateway.grants.issuePairedToken(undefined).token,
    'provider of a session': () => fake.gateway.grants.issueSpawnToken('a'),
    'program with the file token': () => fake.gateway.grants.fileToken,
  };
  const namesOf = (token: string, prefix = 'name') => {
    let peer = fake.authenticated(token);
    return (at: number) => {
      if (at % 2) peer = fake.authenticated(token);
      return named(peer, `${prefix}${at}`);
    };
  };

  for (const [who, token] of Object.entries(tokens)) {
    it(`pause the injects of a ${who}, whatever names it takes, and not those of another`, () => {
      const other = named(fake.spawned('a'), 'other');
      const rename = namesOf(token());
      for (let at = 0; at < 8; at++) inject(rename(at), `${at}`);
      assert.deepEqual(injected(), ['0', '1', '2']);
      assert.equal(fake.owner.last('push/surfaced').paused, true);
      inject(other, 'other');
      assert.deepEqual(injected(), ['0', '1', '2', 'other']);
      fake.gateway.sessionEvent(session(), 'user.message', {}, true);
      inject(rename(8), 'again');
      assert.equal(injected().at(-1), 'again');
    });
  }

  it('pause the injects of a project provider also when it has been started again', () => {
    const runs = Array.from({ length: 6 }, () => {
      const { token, dispose } = fake.gateway.grantTo(session(), 'ci');
      return { peer: () => named(fake.authenticated(token), 'ci'), dispose };
    });
    for (const [at, { peer, dispose }] of runs.entries()) {
      inject(peer(), `${at}`);
      dispose();
    }
    assert.deepEqual(injected(), ['0', '1', '2']);
  });

  it('pause the injects of all after ten without a word of the user', () => {
    for (let at = 0; at < 12; at++) inject(named(fake.spawned('a'), `p${at}`), `${at}`);
    assert.equal(injected().length, Limit.sessionInjectCycles);
    fake.gateway.sessionEvent(session(), 'user.message', {}, true);
    inject(named(fake.spawned('a'), 'last'), 'last');
    assert.equal(injected().at(-1), 'last');
  });

  it('leave the injects of others waiting when one has too many', () => {
    fake.gateway.updateSession(session(), { idle: false });
    const [honest, loud] = [named(fake.spawned('a'), 'honest'), named(fake.external(), 'loud')];
    say(honest, { level: 'inject', event: 'honest' });
    for (let at = 0; at < 30; at++) {
      fake.clock.advance(200);
      say(loud, { level: 'inject', event: `${at}` });
    }
    turn();
    assert.deepEqual(injected(), ['honest']);
    turn();
    assert.deepEqual(injected(), ['honest', `${30 - Limit.queuedInjects + 1}`]);
  });

  it("are limited to ten a second for a peer's own token, and for a shared one to ten for each name and fifty in all", () => {
    const limited = (peers: FakeProvider[]) => peers.flatMap(({ errors }) => errors).length;
    const push = (token: string, names: number) => {
      const peers = Array.from({ length: names }, (_, at) => named(fake.authenticated(token), `n${at}`));
      for (let at = 0; at < 20; at++) for (const peer of peers) say(peer);
      return peers.length * 20 - limited(peers);
    };
    assert.equal(push(fake.gateway.grants.issuePairedToken(undefined).token, 4), Limit.pushesPerSecond);
    fake.clock.advance(1000);
    assert.equal(push(fake.gateway.grants.fileToken, 3), 3 * Limit.pushesPerSecond);
    fake.clock.advance(1000);
    assert.equal(push(fake.gateway.grants.fileToken, 8), Limit.sessionPushesPerSecond);
    fake.clock.advance(1000);
    assert.equal(push(fake.gateway.grants.issueSpawnToken('a'), 1), Limit.pushesPerSecond);
  });

  it('give a peer with its own token twenty streams under all its names, and each program with a shared token twenty', () => {
    const opened = (token: string, names: number, prefix: string) => {
      const rename = namesOf(token, prefix);
      let errors = 0;
      for (let at = 0; at < names; at++) {
        const peer = rename(at).forget();
        for (let stream = 0; stream < 10; stream++) {
          fake.clock.advance(200);
          say(peer, { stream: `s${stream}` });
        }
        errors += peer.errors.length;
        assert.ok(peer.errors.every((code) => code === 'PAYLOAD_TOO_LARGE'));
      }
      return names * 10 - errors;
    };
    assert.equal(opened(fake.gateway.grants.issuePairedToken(undefined).token, 4, 'page'), Limit.streams);
    assert.equal(opened(fake.gateway.grants.issueSpawnToken('a'), 4, 'spawned'), Limit.streams);
    assert.equal(opened(fake.gateway.grants.fileToken, 5, 'program'), 50);
    assert.equal(opened(fake.gateway.grants.fileToken, 30, 'program'), Limit.sessionStreams - 2 * Limit.streams);
  });

  it('drop the oldest events of a peer with too many bytes, under all its names, and none of others', () => {
    const honest = named(fake.spawned('a'), 'honest');
    say(honest, { event: 'first' });
    const rename = namesOf(fake.gateway.grants.issuePairedToken(undefined).token);
    const bytes = () =>
      session()
        .streams.all()
        .reduce((sum, { items }) => sum + Buffer.byteLength(JSON.stringify(items)), 0);
    for (let name = 0; name < 10; name++) {
      const peer = rename(name);
      for (let at = 0; at < 100; at++) {
        fake.clock.advance(110);
        say(peer, { event: `${name} ${'x'.repeat(10_000)}`, stream: `s${name}` });
      }
      fake.clock.advance(60_000);
    }
    assert.ok(bytes() < Limit.streamBytes * 1.01 && bytes() > Limit.streamBytes * 0.9, `${bytes()}`);
    const events = (name: string) =>
      session()
        .streams.all()
        .find((stream) => stream.name === name)?.items ?? [];
    assert.deepEqual([events('s0').length, events('s9').length, events('honest').map(({ event }) => event)], [0, 100, ['first']]);
  });

  it('drop the oldest events of the largest peer when a session keeps too many bytes', () => {
    const honest = named(fake.spawned('a'), 'honest');
    say(honest, { event: 'first' });
    const { streams } = session();
    const item = { ts: '', event: 'x'.repeat(Limit.streamBytes / 8), level: 'keep' };
    for (let who = 0; who < 10; who++) {
      const account = `account${who}`;
      for (let at = 0; at < 7; at++) streams.append({ name: account, account, budgetKey: account }, 's', item);
    }
    const kept = streams.all().map(({ items }) => items.length);
    assert.ok(kept.reduce((sum, count) => sum + count, 0) * item.event.length <= Limit.sessionStreamBytes);
    assert.ok(kept.every((count) => count > 0) && Math.max(...kept) - Math.min(...kept.slice(1)) <= 4, `${kept}`);
    assert.equal(streams.all()[0]?.items[0]?.event, 'first');
  });

  it('refuse filters that are too large together, and accept a smaller one in place of another', () => {
    const rename = namesOf(fake.gateway.grants.issuePairedToken(undefined).token);
    const filter = (states: number) => ({
      type: 'filter.set',
      rules: Array.from({ length: states / 500 }, () => ({ match: 'x'.repeat(497), outcome: 'drop' })),
    });
    const codes = Array.from({ length: 4 }, (_, at) => {
      fake.clock.advance(60_000);
      return rename(at).forget().say(filter(10_000)).errors[0];
    });
    assert.deepEqual(codes, [undefined, undefined, undefined, 'PAYLOAD_TOO_LARGE']);
    const peer = rename(4).forget();
    assert.deepEqual(peer.say(filter(500)).errors, ['PAYLOAD_TOO_LARGE']);
    const first = rename(0).forget();
    fake.clock.advance(60_000);
    assert.deepEqual(first.say(filter(5_000)).errors, []);
    assert.deepEqual(rename(4).forget().say(filter(500)).errors, []);
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
