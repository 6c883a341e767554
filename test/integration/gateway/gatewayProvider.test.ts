/** The provider SDK against a real gateway. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { withTimeout } from '../../../src/base/errors.ts';
import { createProvider } from '../../../src/tap/provider/providerNode.ts';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import { FileResult, type ProviderHandle, type ProviderOptions } from '../../../src/tap/provider/providerApi.ts';
import { ToolError } from '../../../src/tap/provider/providerErrors.ts';
import { eventually } from '../../fakes/eventually.ts';
import { reached, TestGateway, type TestOwner } from './gatewayHarness.ts';

const greet = { name: 'greet', description: 'x', parameters: {} };
const more = { ...greet, name: 'more' };

describe('provider SDK', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let errors: Error[];
  const handles: ProviderHandle[] = [];
  const sockets: WebSocket[] = [];
  beforeEach(async () => {
    errors = [];
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  });
  afterEach(async () => {
    for (const handle of handles.splice(0)) handle.close();
    sockets.length = 0;
    await test.stop();
  });
  const create = ({ token, ...options }: Partial<ProviderOptions> & { token?: string } = {}) => {
    const connect = () => {
      const socket = new WebSocket(test.server.url);
      sockets.push(socket);
      return { socket, token: token ?? test.server.gateway.grants.fileToken };
    };
    const handle = connectProvider('sdk', { connect, onError: (error) => errors.push(error), ...options });
    handles.push(handle);
    return handle;
  };
  /** Replaces the gateway. */
  const restart = async () => {
    await test.stop();
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  };

  it('answers calls, reports progress, fails with codes, and waits for a session', async () => {
    const handle = create({
      tools: [greet],
      onToolCall: ({ args, progress }) => {
        progress('thinking');
        if (args.fail) throw new ToolError('NOT_FOUND', 'nobody of this name');
        return args.nothing ? undefined : `Hello, ${args.name}!`;
      },
    });
    await reached(handle, 'waiting for a session');
    const session = await owner.session('a');
    await owner.tools('a', ['greet']);
    assert.deepEqual(await session.call('greet', { name: 'Alice' }), { ok: true, data: 'Hello, Alice!' });
    assert.equal((await owner.next('tool/progress')).message, 'thinking');
    assert.deepEqual(await session.call('greet', { nothing: true }), { ok: true, data: null });
    const failed = await session.call('greet', { fail: true });
    assert.ok(!failed.ok && failed.errorCode === 'NOT_FOUND');
  });

  it('hands a cancel on as an AbortSignal', async () => {
    const session = await owner.session('a');
    let aborted: unknown;
    create({
      tools: [greet],
      onToolCall: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve((aborted = signal.reason)))),
    });
    await owner.tools('a', ['greet']);
    const controller = new AbortController();
    const outcome = session.call('greet', {}, controller.signal);
    await owner.client.request('diagnostics', {}); // the call was sent
    controller.abort('stop');
    const cancelled = await outcome;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
    await owner.client.request('diagnostics', {});
    await eventually(() => aborted, 'the abort');
    assert.match(String(aborted), /stop/);
  });

  it('updates tools, pushes, queries, gates and transforms', async () => {
    const session = await owner.session('a');
    const handle = create({
      token: await session.issueToken(),
      hooks: { onPreToolUse: [{ match: {}, action: 'gate', gateId: 'g' }], transforms: { s: { action: 'callback' } } },
      onGate: ({ tool }) => ({ decision: tool === 'bad' ? 'deny' : 'allow', reason: 'because' }),
      onTransform: ({ current }) => `${current}!`,
    });
    await reached(handle, 'bound');
    await handle.updateTools([greet]);
    await owner.tools('a', ['greet']);
    await handle.updateTools([{ name: 'more' }], []);
    await owner.tools('a', ['greet', 'more']);
    await assert.rejects(handle.updateTools([{ name: 'no good' }]), /INVALID_JSON/);
    handle.push({ level: 'surface', event: 'seen' });
    assert.equal((await owner.next('push/surfaced')).event, 'seen');
    assert.equal((await handle.queryStreams(['sdk']))['sdk@sdk']?.[0]?.event, 'seen');
    assert.equal((await session.evaluateHooks('bad', {})).decision, 'deny');
    assert.equal((await session.evaluateHooks('good', {})).decision, 'allow');
    assert.equal((await session.evaluateTransforms({ s: 'hi' })).sections[0]?.content, 'hi!');
  });

  it('reconnects after the gateway has ended, with everything as it was last', async () => {
    await owner.session('a');
    // The owner's secret allows hooks without consent.
    const connect = () => ({ socket: new WebSocket(test.server.url), token: test.server.gateway.grants.ownerSecret });
    const handle = create({ connect, onTransform: ({ current }) => `${current}!` });
    await reached(handle, 'bound');
    await handle.updateTools([greet, more]);
    await handle.updateTools([], ['greet']);
    await handle.updateHooks({
      onPreToolUse: [{ action: 'deny', reason: 'no' }],
      transforms: { s: { action: 'callback' }, t: { action: 'append', content: 't' } },
    });
    await handle.updateHooks({ transforms: { t: null } });
    await handle.updateContext('the weather is fine');
    await handle.setFilter([{ match: 'loud', outcome: 'surface' }]);
    await restart();
    const session = await owner.session('b');
    await owner.tools('b', ['more']);
    assert.equal((await session.evaluateHooks('any', {})).decision, 'deny');
    const { sections, context } = await session.evaluateTransforms({ s: 'hi', t: 'there' });
    assert.deepEqual(sections.map(({ content }) => content).sort(), ['hi!', 'there']);
    assert.equal(context[0]?.content, 'the weather is fine');
    handle.push({ level: 'keep', event: 'loud' });
    assert.equal((await owner.next('push/surfaced')).event, 'loud');
  });

  it('keeps what is changed while there is no gateway, or no session', async () => {
    const handle = create({ tools: [greet] });
    await reached(handle, 'waiting for a session');
    await handle.updateTools([more], []);
    await owner.session('a');
    await owner.tools('a', ['greet', 'more']);
    sockets[0]?.terminate();
    await reached(handle, 'disconnected');
    await handle.updateTools([more]);
    await owner.tools('a', ['more']);
    handle.close();
    await assert.rejects(handle.updateTools([]), /closed/);
  });

  it('is the same provider again after its connection was lost, where it has an instance', async () => {
    await owner.session('a');
    const handle = create({ tools: [greet], instance: 'one' });
    await reached(handle, 'bound');
    const { state } = handle;
    sockets[0]?.terminate();
    await reached(handle, 'disconnected');
    await reached(handle, 'bound');
    assert.ok(state.kind === 'bound' && handle.state.kind === 'bound');
    assert.equal(handle.state.providerId, state.providerId);
    assert.deepEqual(errors, []);
  });

  it('returns to its session, not to the first of the list', async () => {
    await owner.session('a');
    await owner.session('b');
    let wanted: string | undefined = 'b';
    const handle = create({ tools: [greet], session: (sessions) => sessions.find(({ id }) => id === wanted)?.id });
    await owner.tools('b', ['greet']);
    wanted = undefined;
    await owner.client.request('session/update', { sessionId: 'a', label: 'renamed' });
    // A paired program may serve one session only.
    const plain = pairing(async () => (await owner.next('pairing/started')).code, [], undefined, { tools: [more] });
    await owner.tools('a', ['more']);
    assert.deepEqual(errors, []);
    const { length: before } = sockets;
    owner.client.notify('session/update', { sessionId: 'b', foreground: true }); // from now on it is the first of the list
    sockets[1]?.terminate();
    await reached(plain, 'disconnected');
    owner.events.length = 0;
    await owner.tools('a', ['more']);
    assert.equal(sockets.length, before + 1);
    assert.equal(handle.state.kind, 'bound');
    assert.deepEqual(errors, []);
  });

  it('sends no answer of a gate on another connection', async () => {
    const session = await owner.session('a');
    let answer: (decision: { decision: 'allow' }) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      create({
        token: test.server.gateway.grants.ownerSecret,
        hooks: { onPreToolUse: [{ action: 'gate', gateId: 'g' }] },
        onGate: () => {
          resolve();
          return new Promise((decide) => (answer = decide));
        },
      });
    });
    await reached(handles[0] as ProviderHandle, 'bound');
    const decision = session.evaluateHooks('any', {});
    await withTimeout(asked, 5000, 'the gate');
    sockets[0]?.terminate();
    assert.equal((await decision).decision, 'deny');
    await reached(handles[0] as ProviderHandle, 'connecting');
    answer({ decision: 'allow' }); // while the next connection is opening
    await reached(handles[0] as ProviderHandle, 'bound');
    assert.deepEqual(errors, []);
  });

  it('cleans up at the end of its session and takes the next, also one that is there already', async () => {
    const session = await owner.session('a');
    const ended: string[] = [];
    create({ tools: [greet], session: ([first]) => first?.id, onShutdown: (id) => void ended.push(id) });
    await owner.tools('a', ['greet']);
    const second = await owner.session('b');
    await session.end();
    assert.deepEqual(ended, ['a']);
    await owner.tools('b', ['greet']);
    await second.end();
    await owner.session('c');
    await owner.tools('c', ['greet']);
    assert.deepEqual(errors, []);
  });

  it('joins all sessions that its token may use, and takes back nothing when one of them ends', async () => {
    await owner.session('a');
    const ended: string[] = [];
    const handle = create({ tools: [greet], onToolCall: ({ sessionId }) => sessionId, onShutdown: (id) => void ended.push(id) });
    await owner.tools('a', ['greet']);
    const late = await owner.session('b');
    await owner.tools('b', ['greet']);
    assert.deepEqual(await late.call('greet', {}), { ok: true, data: 'b' });
    handle.push({ level: 'surface', event: 'to both' });
    for (const id of ['a', 'b']) await owner.next('push/surfaced', ({ sessionId, event }) => sessionId === id && event === 'to both');
    await late.end();
    assert.deepEqual(ended, ['b']);
    handle.push({ level: 'surface', event: 'to the only one' });
    assert.equal((await owner.next('push/surfaced', ({ event }) => event === 'to the only one')).sessionId, 'a');
    assert.deepEqual(errors, []);
  });

  it('joins the one session of a token that was issued for it', async () => {
    const session = await owner.session('a');
    await owner.session('b');
    create({ tools: [greet], token: await session.issueToken() });
    await owner.tools('a', ['greet']);
    assert.deepEqual(owner.last('tools/changed').sessionId, 'a');
    assert.deepEqual(errors, []);
  });

  it('leaves later sessions alone which a token that was issued for one is not for', async () => {
    await owner.session('a');
    const news: string[] = [];
    const token = test.server.gateway.grants.issueSpawnToken('a');
    create({ token, tools: [greet], onNewSession: ({ id }) => void news.push(id) });
    await owner.tools('a', ['greet']);
    create({ tools: [more] });
    await owner.session('b');
    await owner.tools('b', ['more']);
    assert.deepEqual([news, errors, test.server.gateway.status().lastErrors], [[], [], []]);
  });

  it('joins one session where it turns out that its token is not for all, and says nothing of it', async () => {
    await owner.session('a');
    let token = '';
    const first = pairing(async () => (await owner.next('pairing/started')).code, [], undefined, { onToken: (one) => (token = one ?? '') });
    await reached(first, 'bound');
    first.close();
    const origin = { headers: { Origin: 'http://page.example' } };
    const again = create({ connect: () => ({ socket: new WebSocket(test.server.url, origin), token }), tools: [more] });
    await owner.tools('a', ['more']);
    assert.equal(again.state.kind === 'bound' && again.state.sessionId, 'a');
    assert.deepEqual(errors, []);
  });

  it('tells a program that asks for all sessions itself that its token is not for them', async () => {
    await owner.session('a');
    const handle = pairing(async () => (await owner.next('pairing/started')).code, [], undefined, { session: 'all' });
    await eventually(() => errors.length > 0, 'the refusal');
    assert.match(String(errors), /INVALID_SESSION/);
    assert.equal(handle.state.kind, 'waiting for a session');
  });

  it('is ready for a later session when it says so, and for one that comes back, where it is for all', async () => {
    const first = await owner.session('a');
    let prepared: () => void = () => undefined;
    const news: string[] = [];
    const handle = create({
      tools: [greet],
      session: 'all',
      onNewSession: ({ id }) => {
        news.push(id);
        return new Promise<void>((resolve) => (prepared = resolve));
      },
    });
    await owner.tools('a', ['greet']);
    const session = await owner.session('b');
    await eventually(() => news.length === 1, 'the news of b');
    const early = await session.call('greet', {});
    assert.ok(!early.ok && early.errorCode === 'NOT_FOUND');
    prepared();
    await owner.tools('b', ['greet']);
    // Updates go one after the other, though each is acknowledged once for each session.
    await Promise.all([handle.updateTools([greet, more]), handle.updateTools([more]), handle.updateTools([greet])]);
    handle.push({ level: 'surface', event: 'to b', sessionId: 'b' });
    assert.equal((await owner.next('push/surfaced')).sessionId, 'b');
    assert.equal((await handle.queryStreams(['sdk'], { sessionId: 'b' }))['sdk@sdk']?.length, 1);
    await first.end();
    owner.events.length = 0;
    await owner.session('a');
    await eventually(() => news.length === 2, 'the news of a');
    prepared();
    await owner.tools('a', ['greet']);
    assert.deepEqual(news, ['b', 'a']);
    assert.deepEqual(errors, []);
  });

  it('says hello again when the conflict is resolved', async () => {
    await owner.session('a');
    const other = await test.bound({ name: 'other', session: 'a', tools: [greet] });
    const renamed = create({ tools: [greet] });
    const patient = create({ tools: [greet, more] });
    await eventually(() => errors.length === 2, 'two refusals');
    assert.match(String(errors), /TOOL_CONFLICT/);
    await renamed.updateTools([{ ...greet, name: 'renamed' }]);
    await reached(renamed, 'bound');
    assert.equal(patient.state.kind, 'waiting for a session');
    other.dispose();
    await reached(patient, 'bound');
  });

  it('reports refusals, tries another token after a wrong one, and continues', async () => {
    await owner.session('a');
    const shown: (string | undefined)[] = [];
    const handle = create({
      connect: (refused) => {
        shown.push(refused);
        return { socket: new WebSocket(test.server.url), token: refused ? test.server.gateway.grants.fileToken : 'ptk-of-old' };
      },
    });
    await reached(handle, 'bound');
    assert.deepEqual(shown, [undefined, 'ptk-of-old']);
    assert.match(String(errors), /AUTH_FAILED/);
    await assert.rejects(handle.queryStreams(['x@somebody-else']), /UNAUTHORIZED/);
    await assert.rejects(handle.queryStreams(['sdk'], { sessionId: 'none' }), /INVALID_SESSION/);
  });

  it('reports errors of its program, and continues', async () => {
    const session = await owner.session('a');
    const fail = (what: string) => () => {
      throw new Error(`${what} has failed`);
    };
    let choices = 0;
    const handle = create({
      tools: [greet],
      session: (sessions) => (choices++ ? sessions[0]?.id : fail('session')()),
      onLifecycle: fail('onLifecycle'),
      onShutdown: fail('onShutdown'),
    });
    await eventually(() => errors.length === 1, 'the first error');
    await owner.session('b');
    await owner.tools('a', ['greet'], 3000);
    await session.end();
    await owner.tools('b', ['greet']);
    assert.equal(handle.state.kind, 'bound');
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['session has failed', 'onLifecycle has failed', 'onShutdown has failed', 'onLifecycle has failed'],
    );
  });

  it('sends nothing that is too large or not JSON: that call fails, and no other', async () => {
    const session = await owner.session('a');
    let finish: (value: string) => void = () => undefined;
    const handle = create({
      tools: [greet],
      onToolCall: ({ args }) => {
        if (args.size) return 'ä'.repeat(Number(args.size));
        if (args.cyclic) return 1n;
        return new Promise((resolve) => (finish = resolve));
      },
    });
    await owner.tools('a', ['greet']);
    const pending = session.call('greet', {});
    const alsoPending = session.call('greet', { cyclic: true });
    const large = await session.call('greet', { size: 3 * 1024 * 1024 });
    assert.ok(!large.ok && /PAYLOAD_TOO_LARGE/.test(large.error));
    assert.ok(!(await alsoPending).ok);
    finish('here');
    assert.deepEqual(await pending, { ok: true, data: 'here' });
    handle.push({ level: 'keep', event: 'x'.repeat(3 * 1024 * 1024) });
    assert.match(String(errors.at(-1)), /PAYLOAD_TOO_LARGE/);
    await assert.rejects(handle.updateContext('x'.repeat(3 * 1024 * 1024)), /PAYLOAD_TOO_LARGE/);
    assert.equal(handle.state.kind, 'bound');
  });

  it('answers with a file of its folder', async () => {
    const session = await owner.session('a');
    const handle = create({
      tools: [greet],
      onToolCall: () => {
        assert.ok(handle.state.kind === 'bound' && handle.state.persistDir);
        const path = join(handle.state.persistDir, 'large.txt');
        writeFileSync(path, 'content');
        return new FileResult({ path, mimeType: 'text/plain', size: 7, ttl: 60 });
      },
    });
    await owner.tools('a', ['greet']);
    const outcome = await session.call('greet', {});
    assert.ok(outcome.ok, JSON.stringify(outcome));
    assert.match(JSON.stringify(outcome), new RegExp(Buffer.from('content').toString('base64').replace(/=*$/, '')));
  });

  const pairing = (
    onPairing: NonNullable<ProviderOptions['onPairing']>,
    tokens: unknown[] = [],
    origin = 'http://page.example',
    options: Partial<ProviderOptions> = {},
  ) =>
    create({
      connect: () => {
        const socket = new WebSocket(test.server.url, { headers: { Origin: origin } });
        sockets.push(socket);
        return { socket };
      },
      tools: [greet],
      instance: 'tab',
      onPairing,
      onToken: (token) => tokens.push(token),
      ...options,
    });
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('pairs anew in Node when the token of an earlier pairing is refused', async () => {
    await owner.session('a');
    const before = process.env.COPILOT_HOME;
    process.env.COPILOT_HOME = join(test.home, 'without a token');
    try {
      const tokens: unknown[] = [];
      const options = { url: test.server.url, onPairing: async () => (await owner.next('pairing/started')).code };
      const sdk = createProvider('program', {
        ...options,
        token: 'ext-of-a-gateway-that-has-ended',
        tools: [greet],
        onToken: (token) => tokens.push(token),
        onError: () => undefined,
      });
      handles.push(sdk);
      await reached(sdk, 'bound');
      assert.deepEqual([tokens[0], tokens.length], [undefined, 2]);
      const again = createProvider('program again', {
        ...options,
        token: String(tokens[1]),
        onPairing: () => assert.fail('it has a token'),
      });
      handles.push(again);
      await reached(again, 'bound');
    } finally {
      if (before === undefined) delete process.env.COPILOT_HOME;
      else process.env.COPILOT_HOME = before;
    }
  });

  it('is paired all the same when its token cannot be kept', async () => {
    await owner.session('a');
    const handle = create({
      connect: () => ({ socket: new WebSocket(test.server.url, { headers: { Origin: 'http://page.example' } }) }),
      instance: 'tab',
      onPairing: async () => (await owner.next('pairing/started')).code,
      onToken: () => {
        throw new Error('the storage is full');
      },
    });
    await reached(handle, 'bound');
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['the storage is full'],
    );
  });

  it('pairs by the code that the user types, with another try after a wrong one', async () => {
    await owner.session('a');
    let asked = 0;
    const tokens: unknown[] = [];
    const handle = pairing(async () => {
      const { code } = await owner.next('pairing/started');
      return ++asked === 1 ? wrong(code) : code;
    }, tokens);
    await reached(handle, 'bound');
    assert.equal(asked, 2);
    assert.equal(owner.events.filter(({ event }) => event === 'pairing/started').length, 1, 'it was the same code');
    assert.match(String(tokens), /^ext-/);
    await owner.tools('a', ['greet']);
  });

  it('does not ask again when the user has denied, or no tries are left', async () => {
    await owner.session('a');
    let asked = 0;
    const clumsy = pairing(async () => {
      asked++;
      return wrong((await owner.next('pairing/started')).code);
    });
    await reached(clumsy, 'closed');
    assert.equal(asked, 3);
    const denied = pairing(async () => {
      asked++;
      return new Promise(() => undefined);
    });
    const { pairingId } = await owner.next(
      'pairing/started',
      ({ pairingId: id }) => id !== owner.events.map(({ params }) => (params as { pairingId?: string }).pairingId).find(Boolean),
    );
    assert.deepEqual(await owner.client.request('pairing/deny', { pairingId }), { denied: true });
    assert.deepEqual(await owner.client.request('pairing/deny', { pairingId }), { denied: false });
    await reached(denied, 'closed');
    assert.equal(asked, 4);
    const asksNobody = pairing(() => undefined, [], 'http://another.example');
    await reached(asksNobody, 'closed');
  });
});
