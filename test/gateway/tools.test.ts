import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import { Limit, Time } from '../../src/tap/wire/limits.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const answer = (to: FakeProvider, fields: object = { data: 1 }, id = to.last('tool.call').id) =>
  to.say({ type: 'tool.result', id, ...fields });
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

describe('tool sets', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a', { agentTools: ['shell'] });
  });
  afterEach(() => fake.dispose());
  const bound = (fields: object) => fake.spawned('a').say(hello({ session: 'a', ...fields }));

  it('are refused as a whole when one tool is invalid, and the error names it', () => {
    for (const [bad, code] of [
      [tool('no spaces'), 'INVALID_JSON'],
      [tool('x'.repeat(65)), 'INVALID_JSON'],
      [tool('bad', { parameters: { type: 'nonsense' } }), 'INVALID_JSON'],
      [tool('bad', { parameters: { $ref: '#/nowhere' } }), 'INVALID_JSON'],
      [tool('bad', { parameters: object({ a: { type: 'string', pattern: '(' } }) }), 'INVALID_JSON'],
      [tool('shell'), 'TOOL_CONFLICT'],
      [tool('good'), 'TOOL_CONFLICT'],
    ] as const) {
      const peer = bound({ tools: [tool('good'), bad] });
      assert.deepEqual(peer.errors, [code], bad.name);
      assert.ok(peer.last('error').message.includes(bad.name), peer.last('error').message);
      assert.deepEqual(fake.tools('a'), []);
    }
  });

  it('of two providers must not have the same tools', () => {
    bound({ name: 'one', tools: [tool()] });
    const two = bound({ name: 'two', tools: [tool()] });
    assert.deepEqual(two.errors, ['TOOL_CONFLICT']);
    assert.match(two.last('error').message, /"greet".*"one"/);
    assert.equal(two.last('error').sessionId, 'a');
  });

  it('leave `list_` and the name of another provider to the gateway', () => {
    bound({ name: 'browser' });
    assert.deepEqual(bound({ name: 'two', tools: [tool('list_browser_tabs')] }).errors, ['TOOL_CONFLICT']);
    assert.deepEqual(bound({ name: 'two', tools: [tool('list_files')] }).errors, []);
  });

  it('are replaced as a whole, or changed by a delta with `remove`', () => {
    const peer = bound({ tools: [tool('one'), tool('two')] });
    peer.say({ type: 'tools.update', tools: [tool('two'), tool('three')] });
    assert.deepEqual(fake.tools('a'), ['two', 'three']);
    peer.say({ type: 'tools.update', tools: [tool('four')], remove: [] });
    assert.deepEqual(fake.tools('a'), ['two', 'three', 'four']);
    peer.say({ type: 'tools.update', remove: ['two', 'nothing'] });
    assert.deepEqual(fake.tools('a'), ['three', 'four']);
    peer.say({ type: 'tools.update', tools: [tool('shell')], remove: ['three'] });
    assert.deepEqual(fake.tools('a'), ['three', 'four']);
    assert.deepEqual(peer.errors, ['TOOL_CONFLICT']);
    const many = Array.from({ length: Limit.tools - 1 }, (_, at) => tool(`t${at}`));
    peer.say({ type: 'tools.update', tools: many, remove: [] });
    assert.deepEqual(peer.errors, ['TOOL_CONFLICT', 'PAYLOAD_TOO_LARGE']);
  });

  it('are acknowledged with a rising revision where a requestId was given; one update is in flight', () => {
    const peer = bound({ tools: [tool()] }).forget();
    peer.say({ type: 'tools.update', requestId: 'r1', tools: [] }).say({ type: 'tools.update', requestId: 'r2', tools: [tool('late')] });
    peer.say({ type: 'hooks.update', requestId: 'r3', onPreToolUse: [] });
    assert.deepEqual(
      peer.heard.map(({ type }) => type),
      ['error'],
    );
    assert.equal(peer.last('error').code, 'RATE_LIMITED');
    assert.equal(peer.last('error').requestId, 'r2');
    fake.settle();
    assert.deepEqual(peer.all('ack'), [
      { type: 'ack', requestId: 'r1', sessionId: 'a', revision: 1 },
      { type: 'ack', requestId: 'r3', sessionId: 'a', revision: 2 },
    ]);
    peer.say({ type: 'tools.update', requestId: 'r4', tools: [tool('late')] });
    fake.settle();
    assert.equal(peer.last('ack').revision, 3);
  });

  it('are silent and never limited without a requestId', () => {
    const peer = bound({}).forget();
    for (let at = 0; at < 5; at++) peer.say({ type: 'tools.update', tools: [tool(`t${at}`)] });
    fake.settle();
    assert.deepEqual(peer.heard, []);
    assert.deepEqual(fake.tools('a'), ['t4']);
  });

  it('of a provider for all are acknowledged session by session, and can be changed in one', () => {
    fake.session('b');
    const peer = fake
      .internal()
      .say(hello({ tools: [tool()] }))
      .forget();
    peer.say({ type: 'tools.update', requestId: 'r', tools: [tool('new')] });
    fake.settle();
    assert.deepEqual(
      peer.all('ack').map(({ sessionId }) => sessionId),
      ['a', 'b'],
    );
    peer.say({ type: 'tools.update', sessionId: 'b', remove: ['new'] });
    assert.deepEqual([fake.tools('a'), fake.tools('b')], [['new'], []]);
    fake.session('c');
    peer.say({ type: 'session.ready', sessionId: 'c' });
    assert.deepEqual(fake.tools('c'), ['new']);
    peer.say({ type: 'tools.update', sessionId: 'x', tools: [] });
    assert.deepEqual(peer.errors, ['INVALID_SESSION']);
  });

  it('reach the owner once for simultaneous changes, with a rising revision, and not when nothing changed', () => {
    bound({ name: 'one', tools: [tool('one')] });
    const two = bound({ name: 'two', tools: [tool('two', { description: 'ring \u0007 the bell' })] });
    fake.settle();
    assert.equal(fake.owner.all('tools/changed').length, 1);
    const { revision, tools } = fake.owner.last('tools/changed');
    assert.equal(revision, 1);
    assert.deepEqual(tools[1], {
      name: 'two',
      description: 'ring  the bell',
      parameters: {},
      provider: 'two',
      trust: 'project',
      spawned: true,
      timeoutMs: 60_000,
    });
    two.say({ type: 'tools.update', tools: [tool('two', { description: 'ring \u0007 the bell' })] });
    fake.settle();
    assert.equal(fake.owner.all('tools/changed').length, 1);
    two.connection.closed();
    fake.settle();
    assert.deepEqual(
      fake.owner.last('tools/changed').tools.map(({ name }) => name),
      ['one'],
    );
  });

  it('say which origin has paired, and whether a session has started the provider', () => {
    fake.external('https://page.example').say(hello({ session: 'a', name: 'page', tools: [tool('page')] }));
    fake.external().say(hello({ session: 'a', name: 'program', tools: [tool('program')] }));
    fake.spawned('a').say(hello({ name: 'spawned', tools: [tool('spawned')] }));
    fake.authenticated().say(hello({ session: 'a', name: 'local', tools: [tool('local')] }));
    fake.settle();
    assert.deepEqual(
      fake.owner.last('tools/changed').tools.map(({ name, trust, origin, spawned }) => [name, trust, origin, spawned]),
      [
        ['page', 'external', 'https://page.example', undefined],
        ['program', 'external', undefined, undefined],
        ['spawned', 'project', undefined, true],
        ['local', 'project', undefined, undefined],
      ],
    );
  });

  it('survive hostile schemas', async () => {
    const bomb: Record<string, unknown> = { b40: { type: 'string' } };
    for (let at = 0; at < 40; at++) bomb[`b${at}`] = { anyOf: [{ $ref: `#/$defs/b${at + 1}` }, { $ref: `#/$defs/b${at + 1}` }] };
    const peer = bound({
      tools: [
        tool('bomb', { parameters: { $ref: '#/$defs/b0', $defs: bomb } }),
        tool('regex', { parameters: object({ a: { type: 'string', pattern: '^(a+)+$' } }) }),
      ],
    });
    if (peer.errors.length) assert.match(peer.last('error').message, /bomb/);
    const started = performance.now();
    await fake.call('a', 'bomb', {}).code();
    await fake.call('a', 'regex', { a: `${'a'.repeat(100_000)}!` }).code();
    assert.ok(performance.now() - started < 5000);
  });
});

describe('tool calls', function () {
  this.timeout(30_000); // thousands of calls, and garbage of all tests, on a machine that may be busy
  let fake: FakeGateway;
  let peer: FakeProvider;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    peer = bound({ tools: [tool(), tool('slow', { timeout: 90_000 })] });
  });
  afterEach(() => fake.dispose());
  const bound = (fields: object) => fake.spawned('a').say(hello({ session: 'a', ...fields }));

  it('are sent to the provider and answered', async () => {
    const call = fake.call('a', 'greet', { name: 'Alice' });
    const { id, ...sent } = peer.last('tool.call');
    assert.deepEqual(sent, { type: 'tool.call', sessionId: 'a', tool: 'greet', args: { name: 'Alice' } });
    assert.equal(await call.code(), undefined);
    peer.say({ type: 'tool.result', id, data: { user: 'alice' } });
    assert.deepEqual(await call.outcome(), { ok: true, data: { user: 'alice' } });
  });

  it('end with the first result; a second is ignored', async () => {
    const call = fake.call('a', 'greet');
    answer(peer, { data: 'first' });
    const other = fake.call('a', 'slow');
    const { id } = peer.all('tool.call')[0]!;
    answer(peer, { error: 'second', errorCode: 'INTERNAL' }, id);
    assert.deepEqual([await call.outcome(), await other.code(), peer.errors], [{ ok: true, data: 'first' }, undefined, []]);
  });

  it('are checked against the parameters, and the model is told what is wrong', async () => {
    peer.say({
      type: 'tools.update',
      tools: [
        tool('t', {
          parameters: object({ n: { type: 'number' }, e: { enum: ['x', 'y'] } }, { required: ['n'], additionalProperties: false }),
        }),
      ],
    });
    const calls = peer.all('tool.call').length;
    const error = async (args: unknown) => {
      const outcome = await fake.call('a', 't', args).outcome();
      assert.ok(outcome && !outcome.ok && outcome.errorCode === 'INVALID_ARGUMENTS');
      return outcome.error;
    };
    assert.match(await error({}), /must have required property 'n'/);
    assert.match(await error({ n: 'x' }), /n must be number/);
    assert.match(await error({ n: 1, e: 'z' }), /e must be equal to one of the allowed values: \["x","y"\]/);
    assert.match(await error({ n: 1, more: 1 }), /additional properties: "more"/);
    assert.match(await error([]), /must be an object/);
    assert.equal(peer.all('tool.call').length, calls);
    fake.call('a', 't', { n: 1 });
    assert.equal(peer.all('tool.call').length, calls + 1);
  });

  it('to a tool that is not there are NOT_FOUND', async () => {
    assert.equal(await fake.call('a', 'nothing').code(), 'NOT_FOUND');
    assert.equal(await fake.call('a', 'toString').code(), 'NOT_FOUND');
  });

  it('keep the error of the provider; a code that is not known becomes INTERNAL, the original stays', async () => {
    const call = fake.call('a', 'greet');
    answer(peer, { error: 'no\u0000pe', errorCode: 'NOT_FOUND' });
    assert.deepEqual(await call.outcome(), {
      ok: false,
      error: 'nope',
      errorCode: 'NOT_FOUND',
      details: { errorCode: 'NOT_FOUND', retryable: false },
    });
    const other = fake.call('a', 'greet');
    answer(peer, { error: 'odd', errorCode: 'E_ODD' });
    assert.deepEqual(await other.outcome(), {
      ok: false,
      error: 'odd',
      errorCode: 'INTERNAL',
      details: { errorCode: 'E_ODD', retryable: false },
    });
  });

  it('time out after 60 s, or the tool’s own time; the late CANCELLED harms no other call', async () => {
    const first = fake.call('a', 'greet');
    const firstId = peer.last('tool.call').id;
    fake.clock.advance(1);
    const second = fake.call('a', 'slow');
    fake.clock.advance(Time.toolTimeoutMs - 2);
    assert.equal(await first.code(), undefined);
    fake.clock.advance(1);
    assert.equal(await first.code(), 'TIMEOUT');
    assert.deepEqual(peer.last('tool.cancel'), { type: 'tool.cancel', id: firstId, sessionId: 'a', reason: 'timeout' });
    answer(peer, { error: 'Cancelled', errorCode: 'CANCELLED' }, firstId);
    answer(peer, { data: 'very late' }, firstId);
    assert.equal(await second.code(), undefined);
    assert.deepEqual(peer.errors, []);
    fake.clock.advance(30_001);
    assert.equal(await second.code(), 'TIMEOUT');
  });

  it('can be cancelled; what comes after is ignored', async () => {
    const call = fake.call('a', 'greet');
    call.cancel('the user stopped');
    assert.equal(await call.code(), 'CANCELLED');
    assert.equal(peer.last('tool.cancel').reason, 'the user stopped');
    answer(peer, { data: 'too late' });
    assert.equal(await call.code(), 'CANCELLED');
    assert.deepEqual(peer.errors, []);
  });

  it('ignore late results: after many later calls, on any connection, and also invalid ones', async () => {
    const cancelled = (from: FakeProvider) => {
      fake.call('a', 'greet').cancel('x');
      return from.last('tool.call').id;
    };
    const ids = Array.from({ length: 1200 }, () => cancelled(peer));
    const pending = fake.call('a', 'slow');
    for (const id of [ids[0], ids[600], ids[1199]]) answer(peer, { errorCode: 'CANCELLED' }, id);
    peer.say({ type: 'tool.result', id: ids[0] });
    assert.deepEqual([peer.errors, await pending.code()], [['INVALID_JSON'], undefined]);
    peer.connection.closed();
    const next = bound({ tools: [tool(), tool('slow')] });
    const another = fake.call('a', 'slow');
    answer(next, { data: 'of the connection before' }, ids[7]);
    assert.deepEqual([next.errors, await another.code()], [[], undefined]);
    answer(next, { data: 1 }, `${ids[7]}x`);
    assert.deepEqual(
      [next.errors, await another.code()],
      [['INVALID_JSON'], 'INVALID_JSON'],
      'one that was never issued is another matter',
    );
  });

  describe('and the limit of frames', () => {
    const large = (from: FakeProvider, id: string) =>
      from.connection.receiveFrame(JSON.stringify({ type: 'tool.result', id, data: 'large' }), Limit.toolResultBytes);
    const many = Limit.framesPerSecond * 4;
    const ask = (from: FakeProvider, name = 'greet') => {
      const call = fake.call('a', name);
      return { call, id: from.last('tool.call').id };
    };
    const isServed = async (from: FakeProvider) => {
      const { call, id } = ask(from);
      answer(from, { data: 'right' }, id);
      assert.deepEqual([from.errors, await call.code()], [[], 'ok']);
    };

    it('count no answers to cancels and no late results', async () => {
      for (let at = 0; at < many; at++) {
        const { call, id } = ask(peer);
        call.cancel('x');
        answer(peer, { errorCode: 'CANCELLED' }, id);
        answer(peer, { data: 'after all' }, id);
        peer.heard.length = 0;
      }
      await isServed(peer);
    });

    it('count no large results of an earlier connection', async () => {
      peer.connection.closed();
      const token = fake.gateway.grants.issueSpawnToken('a');
      const connect = () => fake.authenticated(token).say(hello({ tools: [tool()] }));
      const before = connect();
      const ids = Array.from({ length: 50 }, () => ask(before).id);
      before.connection.closed();
      const next = connect();
      for (const id of ids) large(next, id);
      await isServed(next);
    });

    it('let an answer through when the limit is used up, however large the answer is', async () => {
      const { call, id } = ask(peer);
      const progress = { type: 'tool.progress', id: 'none', message: 'x' };
      for (let at = 0; at < Limit.framesPerSecond * 2 - 10; at++) peer.say(progress);
      large(peer, id);
      assert.deepEqual([peer.errors, await call.code()], [[], 'ok']);
      for (let at = 0; at < 10; at++) peer.say(progress);
      assert.deepEqual(peer.errors, ['RATE_LIMITED']);
    });

    it('count a result that is repeated', () => {
      const { id } = ask(peer);
      for (let at = 0; at < many + 10; at++) answer(peer, { data: 1 }, id);
      assert.deepEqual([peer.errors, peer.closedWith?.code], [['RATE_LIMITED'], 4005]);
    });
  });

  it('that were cancelled are forgotten after a while, also when the provider never confirms it', async () => {
    const run = (end: (call: ReturnType<FakeGateway['call']>) => void) => {
      const args = { text: 'x'.repeat(1000) };
      end(fake.call('a', 'slow', args));
      return new WeakRef(args);
    };
    const isKept = async (args: WeakRef<object>) => {
      await new Promise((resolve) => setImmediate(resolve)); // a WeakRef keeps its target until the end of the turn
      collectGarbage();
      return args.deref() !== undefined;
    };
    const running = run(() => undefined);
    const ignored = Array.from({ length: 3 }, () => run((call) => call.cancel('x')));
    fake.clock.advance(Time.cancelAnswerMs);
    assert.deepEqual(await Promise.all(ignored.map(isKept)), [false, false, false]);
    assert.equal(await isKept(running), true, 'one that runs is kept');
    answer(peer, { data: 1 }, peer.all('tool.call').at(-1)?.id);
    assert.deepEqual(peer.errors, []);
  });

  it('report progress, cleaned', () => {
    const heard: string[] = [];
    fake.call('a', 'greet', {}, (message) => heard.push(message));
    const { id } = peer.last('tool.call');
    peer.say({ type: 'tool.progress', id, message: '60%\u001b[31m' }).say({ type: 'tool.progress', id: 'never', message: 'x' });
    assert.deepEqual(heard, ['60%[31m']);
  });

  it('end with DISCONNECTED when the provider goes', async () => {
    const calls = [fake.call('a', 'greet'), fake.call('a', 'slow')];
    peer.connection.closed();
    for (const call of calls) assert.equal(await call.code(), 'DISCONNECTED');
  });

  it('say that they may have had an effect, where they end without an answer after they were sent', async () => {
    const errorOf = async (call: ReturnType<typeof fake.call>) => {
      const outcome = await call.outcome();
      return outcome?.ok === false ? outcome.error : '';
    };
    const unknown = /Whether the call has had an effect is not known/;
    const timedOut = fake.call('a', 'greet');
    fake.clock.advance(Time.toolTimeoutMs);
    const cancelled = fake.call('a', 'greet');
    cancelled.cancel('the user stopped');
    const lost = fake.call('a', 'greet');
    peer.connection.closed();
    for (const call of [timedOut, cancelled, lost]) assert.match(await errorOf(call), unknown);
    const busy = fake.spawned('a').say(hello({ name: 'busy', session: 'a', tools: [tool('busy')], concurrency: { max: 1 } }));
    const [, waiting, dropped] = [fake.call('a', 'busy'), fake.call('a', 'busy'), fake.call('a', 'busy')];
    dropped.cancel('enough');
    busy.connection.closed();
    for (const call of [waiting, dropped]) assert.doesNotMatch(await errorOf(call), unknown, 'it was not sent');
    assert.doesNotMatch(await errorOf(fake.call('a', 'nothing')), unknown);
  });

  it('run on when their tool is removed', async () => {
    const call = fake.call('a', 'greet');
    peer.say({ type: 'tools.update', tools: [] });
    assert.equal(await fake.call('a', 'greet').code(), 'NOT_FOUND');
    answer(peer);
    assert.equal(await call.code(), 'ok');
  });

  describe('when an answer cannot be told', () => {
    for (const [what, frame, code] of [
      ['is not JSON', '{"type":"tool.result",', 'INVALID_JSON'],
      ['has an id that was never issued', JSON.stringify({ type: 'tool.result', id: 'never', data: 1 }), 'INVALID_JSON'],
      ['is too large', ' '.repeat(Limit.toolResultBytes) + '{}', 'PAYLOAD_TOO_LARGE'],
    ] as const) {
      it(`because it ${what}: one pending call fails with it`, async () => {
        const call = fake.call('a', 'greet');
        peer.say(frame);
        assert.deepEqual(peer.errors, [code]);
        assert.equal(await call.code(), code);
        assert.equal(peer.connection.state, 'Bound');
      });

      it(`because it ${what}: several pending calls end with the connection`, async () => {
        const calls = [fake.call('a', 'greet'), fake.call('a', 'slow')];
        peer.say(frame);
        for (const call of calls) assert.equal(await call.code(), 'DISCONNECTED');
        assert.ok(peer.closedWith);
      });

      it(`because it ${what}: without a pending call it is an error alone`, () => {
        assert.deepEqual(peer.say(frame).errors, [code]);
        assert.equal(peer.connection.state, 'Bound');
      });
    }

    it('because it has both data and an error: only its call fails, and the provider gets an error', async () => {
      for (const both of [
        { data: 1, error: 'x' },
        { data: 1, errorCode: 'CANCELLED' },
        { data: 1, file: { path: '/x', mimeType: 'text/plain', size: 1, ttl: 1 } },
      ]) {
        const first = fake.call('a', 'greet');
        const { id } = peer.last('tool.call');
        const second = fake.call('a', 'slow');
        const other = peer.last('tool.call').id;
        peer.forget().say({ type: 'tool.result', id, ...both });
        assert.deepEqual([peer.errors, await first.code(), await second.code()], [['INVALID_JSON'], 'INVALID_JSON', undefined]);
        assert.match(peer.last('error').message, /only one of data, file and error/);
        answer(peer, { data: null, error: 'x' }, other);
        assert.equal(await second.code(), 'INTERNAL');
      }
    });

    it('but its id can: only that call fails', async () => {
      const first = fake.call('a', 'greet');
      const { id } = peer.last('tool.call');
      const second = fake.call('a', 'slow');
      peer.say({ type: 'tool.result', id });
      assert.equal(await first.code(), 'INVALID_JSON');
      assert.equal(await second.code(), undefined);
      peer.say({ type: 'tool.result', id, data: 5, errorCode: 5 });
      assert.equal(await second.code(), undefined);
    });

    it('an unknown type leaves the pending calls alone', async () => {
      const call = fake.call('a', 'greet');
      peer.say({ type: 'nonsense' });
      assert.deepEqual(peer.errors, ['UNKNOWN_TYPE']);
      assert.equal(await call.code(), undefined);
    });
  });
});

describe('concurrency', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const bound = (fields: object) => fake.spawned('a').say(hello({ session: 'a', ...fields }));

  it('queues ten in order and refuses the next', async () => {
    const peer = bound({ tools: [tool()], concurrency: { max: 1 } });
    const calls = Array.from({ length: 1 + Limit.queuedCalls }, (_, n) => fake.call('a', 'greet', { n }));
    assert.equal(await fake.call('a', 'greet').code(), 'RATE_LIMITED');
    for (const [n, call] of calls.entries()) {
      assert.equal(peer.all('tool.call').length, n + 1);
      assert.deepEqual(peer.last('tool.call').args, { n });
      peer.say({ type: 'tool.result', id: peer.last('tool.call').id, data: n });
      assert.equal(await call.code(), 'ok');
    }
  });

  it('keeps the place of a cancelled call until the provider confirms, or five seconds', async () => {
    const peer = bound({ tools: [tool()], concurrency: { max: 1 } });
    const first = fake.call('a', 'greet');
    fake.call('a', 'greet');
    fake.call('a', 'greet').cancel('never started');
    fake.call('a', 'greet');
    first.cancel('x');
    assert.equal(peer.all('tool.call').length, 1);
    peer.say({ type: 'tool.result', id: peer.last('tool.call').id, errorCode: 'CANCELLED' });
    assert.equal(peer.all('tool.call').length, 2);
    fake.clock.advance(Time.toolTimeoutMs + Time.cancelAnswerMs);
    assert.equal(peer.all('tool.call').length, 3);
  });

  it('is unlimited by default', () => {
    const peer = bound({ tools: [tool()] });
    for (let at = 0; at < 50; at++) fake.call('a', 'greet');
    assert.equal(peer.all('tool.call').length, 50);
  });

  it('counts all instances together where asked, else each for itself', () => {
    for (const [name, scope, sent] of [
      ['together', 'provider', [1, 0]],
      ['apart', 'instance', [1, 1]],
    ] as const) {
      const peers = ['x', 'y'].map((instance) => bound({ name, instance, tools: [tool(name)], concurrency: { max: 1, scope } }));
      for (const target of ['x', 'y']) fake.call('a', name, { target });
      assert.deepEqual(
        peers.map((peer) => peer.all('tool.call').length),
        sent,
        name,
      );
      const [first, second] = peers as [FakeProvider, FakeProvider];
      answer(first);
      assert.equal(second.all('tool.call').length, 1);
    }
  });

  it('counts by tool where asked', () => {
    const peer = bound({ tools: [tool('one'), tool('two')], concurrency: { max: 1, scope: 'tool' } });
    for (const name of ['one', 'one', 'two']) fake.call('a', name);
    assert.deepEqual(
      peer.all('tool.call').map((call) => call.tool),
      ['one', 'two'],
    );
  });

  it('ends what waits when the provider goes', async () => {
    const peer = bound({ tools: [tool()], concurrency: { max: 1 } });
    const calls = [fake.call('a', 'greet'), fake.call('a', 'greet'), fake.call('a', 'greet')];
    peer.connection.closed();
    for (const call of calls) assert.equal(await call.code(), 'DISCONNECTED');
  });
});

describe('instances of one provider', () => {
  let fake: FakeGateway;
  let tabs: FakeProvider[];
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    tabs = ['x', 'y'].map((instance) =>
      fake.spawned('a').say(
        hello({
          session: 'a',
          name: 'browser',
          instance,
          metadata: { title: `Tab ${instance}` },
          tools: [tool('shot', { parameters: object({ n: { type: 'number' } }) })],
        }),
      ),
    );
    fake.settle();
  });
  afterEach(() => fake.dispose());
  const [x, y] = [0, 1];

  it('share one tool with a target, and get a tool that lists them', async () => {
    const [shot, list] = fake.owner.last('tools/changed').tools;
    assert.equal(shot?.name, 'shot');
    assert.deepEqual(shot?.parameters, object({ n: { type: 'number' } }), 'what the provider has sent');
    assert.deepEqual(shot?.instances, [
      { name: 'x', title: 'Tab x' },
      { name: 'y', title: 'Tab y' },
    ]);
    assert.equal(list?.name, 'list_browser_instances');
    assert.deepEqual(await fake.call('a', 'list_browser_instances').outcome(), {
      ok: true,
      data: [
        { instance: 'x', metadata: { title: 'Tab x' } },
        { instance: 'y', metadata: { title: 'Tab y' } },
      ],
    });
    tabs[x]?.connection.closed();
    fake.settle();
    assert.deepEqual(fake.tools('a'), ['shot']);
    assert.deepEqual(
      fake.owner.last('tools/changed').tools.map(({ instances }) => instances),
      [undefined],
    );
  });

  it('keep a property `target` of their own: it is passed on, and nobody can choose among them', () => {
    const own = object({ target: { type: 'string', description: 'Instance ID; whatever the page says' } });
    for (const tab of tabs) tab.say({ type: 'tools.update', tools: [tool('shot', { parameters: own })] });
    fake.settle();
    const [shot] = fake.owner.last('tools/changed').tools;
    assert.deepEqual([shot?.parameters, shot?.instances], [own, undefined]);
    fake.call('a', 'shot', { target: 'x' });
    assert.deepEqual(
      tabs.map((tab) => tab.all('tool.call').map(({ args }) => args)),
      [[], [{ target: 'x' }]],
      'the most recent one is called',
    );
  });

  it('are chosen by target, which is not passed on, or by the most recent activity', async () => {
    fake.call('a', 'shot', { target: 'x', n: 1 });
    assert.deepEqual(tabs[x]?.last('tool.call').args, { n: 1 });
    fake.call('a', 'shot');
    assert.equal(tabs[y]?.all('tool.call').length, 1);
    tabs[x]?.say({ type: 'push', level: 'keep', event: 'used' });
    fake.call('a', 'shot');
    assert.equal(tabs[x]?.all('tool.call').length, 2);
    const outcome = await fake.call('a', 'shot', { target: 'z' }).outcome();
    assert.ok(outcome && !outcome.ok);
    assert.match(outcome.error, /no instance "z". Available: x, y/);
  });

  it('replace each other after a retryable failure, unless a target was named', async () => {
    const call = fake.call('a', 'shot', { n: 1 });
    const fail = (tab: FakeProvider, retryable: boolean) =>
      tab.say({ type: 'tool.result', id: tab.last('tool.call').id, error: 'busy', errorCode: 'INTERNAL', retryable });
    fail(tabs[y]!, true);
    assert.equal(await call.code(), undefined);
    assert.deepEqual(tabs[x]?.last('tool.call').args, { n: 1 });
    fail(tabs[x]!, true);
    assert.equal(await call.code(), 'INTERNAL');
    const named = fake.call('a', 'shot', { target: 'x' });
    fail(tabs[x]!, true);
    assert.equal(await named.code(), 'INTERNAL');
    const final = fake.call('a', 'shot');
    fail(tabs[x]!, false);
    assert.equal(await final.code(), 'INTERNAL');
  });

  it('are never mixed across levels of trust', async () => {
    const stranger = fake.external().say(hello({ session: 'a', name: 'browser', instance: 'z', tools: [tool('shot')] }));
    assert.deepEqual(stranger.errors, ['TOOL_CONFLICT']);
  });

  it('are never mixed across origins of paired pages', () => {
    const page = (origin: string, instance: string) =>
      fake.external(origin).say(hello({ session: 'a', name: 'page', instance, tools: [tool('look')] }));
    assert.deepEqual(page('https://one.example', 'x').errors, []);
    assert.deepEqual(page('https://one.example', 'y').errors, []);
    assert.deepEqual(page('https://two.example', 'z').errors, ['TOOL_CONFLICT']);
  });
});
