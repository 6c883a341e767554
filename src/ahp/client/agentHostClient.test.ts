import { phrase } from '../../base/text/phrase.ts';
import { connectionFailure } from './connection/connectionState.ts';
import { inEnglish } from '../../../test/support/inEnglish.ts';
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { active, connected, disposeClients, loseLine, session, setUp, terminal, titled } from '../../../test/fakes/clientAndHost.ts';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeHost, sessionState, sessionSummary } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { gestureOf } from '../../../test/support/gestureOf.ts';
import { TimeoutError, UserError } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { StateAction } from '../v1/actions.ts';
import type { ProtocolNotification } from '../v1/notifications.ts';
import { ROOT_URI } from '../v1/root.ts';
import { AgentHostClient } from './agentHostClient.ts';
import type { SubscriptionChange } from './resources/subscription.ts';
import { TransportError } from './transport.ts';
import { whenLive } from './resources/whenLive.ts';

afterEach(disposeClients);

describe('AgentHostClient: connecting', () => {
  it('initializes with the root, lists the sessions, and says what it is connected to', async () => {
    const { host, client, states } = setUp();
    host.methods['initialize'] = ((initialize) => (params, connection) => ({
      ...(initialize?.(params, connection) as object),
      defaultDirectory: 'file:///home',
    }))(host.methods['initialize']);
    assert.deepEqual(client.state, { kind: 'connecting', attempt: 1 });
    await eventually(() => client.sessions.state === 'ready', 'the sessions');
    const versions = { protocolVersion: 1, channel: 'ahp-root://', protocolVersions: ['1.0.0', '0.10.0', '0.9.0'] };
    assert.deepEqual(host.paramsOf('initialize'), [{ ...versions, clientId: 'me', initialSubscriptions: [ROOT_URI, 'ahp-root://'] }]);
    assert.deepEqual(client.dialect, { name: 'v1', version: '1' });
    const [state] = states;
    assert.ok(state?.kind === 'connected');
    assert.deepEqual([state.serverSeq, state.defaultDirectory], [1, 'file:///home']);
    assert.deepEqual(
      client.sessions.summaries.map(({ title }) => title),
      ['first'],
    );
    assert.deepEqual(client.root().confirmed, { agents: [] });
  });

  it('reads what was subscribed before there was a connection, terminals by a request of their own', async () => {
    const { host, client } = setUp();
    const [one, two] = [client.session(session), client.model('terminal', terminal)];
    const gone = client.session('demo:/gone');
    await Promise.all([whenLive(one), whenLive(two), assert.rejects(whenLive(gone), /Session not found/)]);
    assert.deepEqual(host.paramsOf('initialize')[0].initialSubscriptions, [ROOT_URI, session, 'demo:/gone', 'ahp-root://']);
    assert.deepEqual(host.order, ['initialize', 'listSessions', 'subscribe demo:/gone', `subscribe ${terminal}`]);
    assert.equal(one.confirmed?.title, 'first');
  });

  it('tries again with growing pauses while nobody answers, and says so', async () => {
    let refusals = 6;
    const { client, clock, states, isConnected, memory } = setUp({}, () =>
      refusals-- > 0 ? new TransportError('unreachable', 'the connection was refused') : undefined,
    );
    const pauses: number[] = [];
    while (!isConnected()) {
      const count = states.length;
      await eventually(() => states.length > count || isConnected(), 'the next state');
      const { state } = client;
      if (state.kind !== 'reconnecting') break;
      assert.match(state.reason.message, /^host:1 cannot be reached: the connection was refused\. Start the agent host/);
      assert.equal(state.since, 1_000_000);
      pauses.push(state.nextAttemptAt - clock.now());
      clock.advance(state.nextAttemptAt - clock.now());
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    assert.equal(memory.urls.length, 7);
  });

  it('says what to do where the way to the host knows that, and tries again', async () => {
    let refusals = 1;
    const advice = 'Another computer uses the folder. End that one.';
    const { client, isConnected } = setUp({}, () => (refusals-- > 0 ? new UserError(advice) : undefined));
    await eventually(() => client.state.kind === 'reconnecting', 'the pause');
    assert.ok(client.state.kind === 'reconnecting');
    assert.deepEqual(client.state.reason, connectionFailure('unreachable', advice, phrase`cannot be reached`));
    client.reconnectNow();
    await eventually(isConnected, 'a connection');
  });

  it('does not wait when told so', async () => {
    let refusals = 1;
    const { client, isConnected } = setUp({}, () => (refusals-- > 0 ? new TransportError('unreachable', 'x') : undefined));
    await eventually(() => client.state.kind === 'reconnecting', 'the pause');
    client.reconnectNow();
    await eventually(isConnected, 'a connection');
  });

  for (const [name, options, refusal, kind, advice] of [
    [
      'a wrong token',
      {},
      new TransportError('token', 'the host answered 401'),
      'token',
      /refused the connection token.* Set the token that this host was started with\.$/,
    ],
    [
      'a token that is missing',
      { token: '', name: 'build-box' },
      new TransportError('token', 'the host answered 403'),
      'token',
      /^build-box wants a connection token \(the host answered 403\)\. Set the token that this host was started with\.$/,
    ],
    ['something that is no host', {}, new TransportError('notAgentHost', 'it answered 404'), 'notAgentHost', /Correct the address\.$/],
    ['an address that is none', { url: 'file:///x' }, undefined, 'address', /Correct the address\.$/],
  ] as const) {
    it(`stops at ${name}, and says which side to change`, async () => {
      const { client, clock, memory } = setUp({ token: 'secret', ...options }, () => refusal);
      await eventually(() => client.state.kind === 'failed', 'the failure');
      assert.ok(client.state.kind === 'failed');
      assert.equal(client.state.reason.kind, kind);
      assert.match(client.state.reason.message, advice);
      assert.doesNotMatch(JSON.stringify(client.state), /secret/);
      clock.advance(3_600_000);
      await atRest();
      assert.ok(memory.urls.length <= 1);
    });
  }

  it('stops at a host of another version, and says which side to change', async () => {
    for (const [answer, advice, only] of [
      [
        new RpcError(-32005, 'no', { supportedVersions: ['^1.2.0'] }),
        'build-box speaks a newer version of the protocol (1.2) than this Tapline. Update Tapline.',
      ],
      [
        new RpcError(-32005, 'no', { supportedVersions: ['^0.8.0', '~1.0.3', 'latest'] }),
        'build-box speaks a newer version of the protocol (1.0.3) than this Tapline. Update Tapline.',
      ],
      [
        new RpcError(-32005, 'no', { supportedVersions: ['^0.8.0'] }),
        'build-box speaks an older version of the protocol (0.8) than this Tapline. Update the agent host.',
      ],
      [
        new RpcError(-32005, 'too old'),
        'build-box speaks no version of the protocol that this Tapline knows ("too old"). Update whichever of the two is older.',
      ],
      [
        { protocolVersion: 0, serverSeq: 1, snapshots: [] },
        'build-box speaks an older version of the protocol (0) than this Tapline. Update the agent host.',
      ],
      [
        { protocolVersion: '1.1.0', serverSeq: 1, snapshots: [] },
        'build-box speaks a newer version of the protocol (1.1) than this Tapline. Update Tapline.',
      ],
      // It was not offered.
      [
        { protocolVersion: '0.9.0', serverSeq: 1, snapshots: [] },
        'build-box speaks a newer version of the protocol (0.9) than this Tapline. Update Tapline.',
        'v1',
      ],
    ] as const) {
      const { host, client } = setUp({ name: 'build-box', ...(only && { dialects: [only] }) });
      host.methods['initialize'] = () => {
        if (answer instanceof RpcError) throw answer;
        return answer;
      };
      await eventually(() => client.state.kind === 'failed', 'the failure');
      assert.ok(client.state.kind === 'failed');
      assert.equal(client.state.reason.kind, 'version');
      assert.equal(client.state.reason.message, advice);
    }
  });

  it('connect() rejects at the first failure instead of trying on', async () => {
    const { memory } = setUp();
    const refused = memoryTransport(new FakeHost(), () => new TransportError('unreachable', 'the connection was refused'));
    await assert.rejects(AgentHostClient.connect({ url: 'ws://h:1', transport: refused.transport }), { name: 'ConnectionError' });
    assert.equal(refused.urls.length, 1);
    const client = await AgentHostClient.connect({ url: 'ws://h:1', token: 'a b', transport: memory.transport });
    assert.equal(client.state.kind, 'connected');
    assert.equal(memory.urls.at(-1), 'ws://h:1/?tkn=a+b');
    client.close();
  });
});

describe('AgentHostClient: requests', () => {
  it('gives the result, the host’s error, and the lost connection, each as itself', async () => {
    const all = await connected();
    const { host, client } = all;
    host.methods['resourceList'] = () => ({ entries: [] });
    assert.deepEqual(await client.command('resourceList', { uri: 'file:///' }), { entries: [] });
    await assert.rejects(client.command('disposeSession', { channel: session }), { name: 'RpcError', code: -32603 });
    host.methods['createSession'] = () => new Promise(() => undefined);
    await assert.rejects(client.command('createSession', { channel: session, provider: 'demo' }, 5), {
      name: 'TimeoutError',
      what: 'createSession',
    });
    const open = client.command('createSession', { channel: session, provider: 'demo' });
    all.memory.line.drop(1001, 'going away');
    await assert.rejects(open, { name: 'ConnectionError', message: 'The connection to host:1 ended (code 1001: going away).' });
    await atRest();
    await assert.rejects(
      client.command('createSession', { channel: session, provider: 'demo' }),
      /no connection to host:1, so createSession was not sent/,
    );
  });

  it('refuses requests of the host, or lets the handler serve them', async () => {
    const plain = await connected();
    await assert.rejects(plain.host.connection.peer.request('resourceRead', { uri: 'x' }, 1_000), { code: -32601 });
    const serving = await connected({
      onHostRequest: (method, params) => {
        if (method === 'resourceRead') return { data: JSON.stringify(params), encoding: 'utf-8' };
        throw new RpcError(-32009, 'not that');
      },
    });
    const { peer } = serving.host.connection;
    assert.deepEqual(await peer.request('resourceRead', { uri: 'x' }, 1_000), { data: '{"uri":"x"}', encoding: 'utf-8' });
    await assert.rejects(peer.request('resourceDelete', { uri: 'x' }, 1_000), { code: -32009 });
  });

  it('rejects with what the host says, without its stack trace', async () => {
    const { host, client } = await connected();
    host.methods['resourceList'] = () => {
      throw new RpcError(-32603, 'Error: That is off.\nTurn it on.\n    at eh._require (file:///host.js:607:19175)\n    at run', { a: 1 });
    };
    const said = { code: -32603, message: 'Error: That is off.\nTurn it on.', data: { a: 1 } };
    await assert.rejects(client.command('resourceList', { uri: 'file:///' }), said);
  });

  it('hands every notification on', async () => {
    const { host, client } = await connected();
    const heard: string[] = [];
    client.onNotification(({ type }) => heard.push(type));
    host.notify({ type: 'notify/authRequired', resource: 'https://api.example' });
    host.notify({ type: 'notify/authRequired', resource: 7 } as never);
    host.connection.peer.notify('notification', { nonsense: 1 });
    host.connection.peer.notify('somethingNew', {});
    await atRest();
    assert.deepEqual(heard, ['notify/authRequired']);
    assert.equal(client.state.kind, 'connected');
  });

  it('asks again for what was refused for want of a token', async () => {
    const all = setUp();
    const { host, client } = all;
    let isKnown = false;
    for (const method of ['listSessions', 'subscribe']) {
      const original = host.methods[method];
      host.methods[method] = (params, connection) => {
        if (!isKnown) throw new RpcError(-32007, 'Authentication is required');
        return original?.(params, connection);
      };
    }
    host.methods['authenticate'] = () => {
      isKnown = true;
      return {};
    };
    await eventually(() => typeof client.sessions.state === 'object', 'the refusal');
    const subscription = client.session(session);
    await eventually(() => subscription.status.kind === 'failed', 'the other refusal');
    await client.command('authenticate', { resource: 'https://api.example', token: 't' });
    await whenLive(subscription);
    await eventually(() => client.sessions.state === 'ready', 'the list');
  });

  it('asks again when another client may have given the token, as new agents or models show', async () => {
    const { host, client } = setUp();
    const { listSessions } = host.methods;
    const refuse = () => {
      throw new RpcError(-32007, 'Authentication is required');
    };
    host.methods['listSessions'] = refuse;
    await eventually(() => typeof client.sessions.state === 'object', 'the refusal');
    host.emit(active(1));
    await atRest();
    assert.equal(host.paramsOf('listSessions').length, 1);
    host.emit({ type: 'root/agentsChanged', agents: [] });
    await eventually(() => host.paramsOf('listSessions').length === 2, 'the list again');
    await atRest();
    assert.equal(typeof client.sessions.state, 'object');
    if (listSessions) host.methods['listSessions'] = listSessions;
    host.emit({ type: 'root/agentsChanged', agents: [] });
    await eventually(() => client.sessions.state === 'ready', 'the list');
    host.emit({ type: 'root/agentsChanged', agents: [] });
    await atRest();
    assert.equal(host.paramsOf('listSessions').length, 3);
  });
});

describe('AgentHostClient: waits', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const never = () => new Promise<never>(() => undefined);
  /** It goes on until these seconds are over, and not longer. */
  const lasts = async (seconds: number, what: string, isOver: () => boolean) => {
    mock.timers.tick(seconds * 1_000 - 1);
    await atRest();
    assert.ok(!isOver(), `${what} is still waited for`);
    mock.timers.tick(1);
    await atRest();
    assert.ok(isOver(), `${what} is not waited for any more`);
  };

  it('for an open connection last 15 s', async () => {
    const { client } = setUp({ transport: never });
    await atRest();
    await lasts(15, 'the connection', () => client.state.kind === 'reconnecting');
  });

  it('for a handshake last 10 s', async () => {
    const { host, client } = setUp();
    host.methods['initialize'] = never;
    await eventually(() => host.paramsOf('initialize').length, 'the request');
    await lasts(10, 'the answer', () => client.state.kind === 'reconnecting');

    const known = await connected();
    known.host.methods['reconnect'] = never;
    known.memory.line.drop();
    await eventually(() => known.client.state.kind === 'reconnecting', 'the loss');
    known.client.reconnectNow();
    await eventually(() => known.host.paramsOf('reconnect').length, 'the request');
    await lasts(10, 'the answer', () => known.host.paramsOf('initialize').length === 2);
  });

  it('for each step of a restoration last 10 s', async () => {
    const { host, client, memory, isConnected } = await connected();
    await client.command('authenticate', { resource: 'https://api.example', token: 't' });
    for (const method of ['authenticate', 'listSessions']) host.methods[method] = never;
    host.methods['reconnect'] = () => {
      throw new RpcError(-32008, 'who are you');
    };
    client.model('terminal', terminal);
    await atRest();
    memory.line.drop();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    client.reconnectNow();
    await eventually(isConnected, 'the return');
    await lasts(10, 'the token', () => host.order.includes('listSessions'));
    await lasts(10, 'the list', () => host.order.includes(`subscribe ${terminal}`));
  });

  it('for answers to requests last 30 s, and 120 s for a new session', async () => {
    const { host, client } = await connected();
    for (const [method, params, seconds] of [
      ['resourceList', { uri: 'file:///' }, 30],
      ['createSession', { channel: session, provider: 'demo' }, 120],
    ] as const) {
      host.methods[method] = never;
      let error: unknown;
      client.command(method, params as never).catch((reason: unknown) => (error = reason));
      await atRest();
      await lasts(seconds, method, () => error instanceof TimeoutError);
    }
  });

  it('for what the host asks for last 60 s', async () => {
    const { host } = await connected({ onHostRequest: never });
    let error: unknown;
    host.connection.peer.request('resourceRead', { uri: 'x' }, 1_000_000).catch((reason: unknown) => (error = reason));
    await atRest();
    await lasts(60, 'the handler', () => error instanceof RpcError && /answering resourceRead/.test(error.message));
  });
});

describe('AgentHostClient: what was asked before the host took a token', () => {
  /** A host whose answers to these methods wait until `release`, and then say what `answers` gives for each in turn, or the real thing. */
  function holding(host: FakeHost, methods: string[], answers: (Error | undefined)[]) {
    const held: (() => void)[] = [];
    for (const method of methods) {
      const original = host.methods[method];
      const left = [...answers];
      host.methods[method] = (params, connection) => {
        if (left.length === 0) return original?.(params, connection);
        const error = left.shift();
        return new Promise((resolve, reject) => held.push(() => (error ? reject(error) : resolve(original?.(params, connection)))));
      };
    }
    return { held, release: () => held.splice(0).forEach((answer) => answer()) };
  }
  const required = () => new RpcError(-32007, 'Authentication is required');
  const token = { resource: 'https://api.example', token: 't' };

  for (const [what, refusal] of [
    ['for want of it', required()],
    ['because the host took it in the middle', new RpcError(-32603, 'authentication changed while it was starting')],
  ] as const) {
    it(`and fails ${what} is asked again: the list, and subscriptions`, async () => {
      const { host, client } = setUp();
      const { held, release } = holding(host, ['listSessions', 'subscribe'], [refusal]);
      await eventually(() => held.length === 1, 'the list');
      const subscription = client.session(session);
      await eventually(() => held.length === 2, 'both questions');
      await client.command('authenticate', token);
      release();
      await whenLive(subscription);
      await eventually(() => client.sessions.state !== 'loading', 'the list');
      assert.equal(client.sessions.state, 'ready');
      assert.deepEqual(
        client.sessions.summaries.map(({ title }) => title),
        ['first'],
      );
    });
  }

  it('and fails while the host looks at one waits for that, and is not shown as refused', async () => {
    const { host, client } = setUp();
    const list = holding(host, ['listSessions'], [required()]);
    const tokens = holding(host, ['authenticate'], [undefined]);
    await eventually(() => list.held.length === 1, 'the list');
    const taken = client.command('authenticate', token);
    await atRest();
    list.release();
    await atRest();
    assert.equal(client.sessions.state, 'loading');
    tokens.release();
    await taken;
    await eventually(() => client.sessions.state !== 'loading', 'the list');
    assert.equal(client.sessions.state, 'ready');
  });

  it('and fails for want of it is done again, whatever it was', async () => {
    const { host, client } = await connected();
    host.methods['createSession'] = () => null;
    const { held, release } = holding(host, ['createSession'], [required()]);
    const created = client.command('createSession', { channel: 'demo:/new', provider: 'demo' });
    await eventually(() => held.length === 1, 'the question');
    await client.command('authenticate', token);
    release();
    assert.equal(await created, null);
  });

  it('and fails for another reason is not done again', async () => {
    const { host, client } = await connected();
    host.methods['createSession'] = () => null;
    const { held, release } = holding(host, ['createSession'], [new RpcError(-32002, 'no such model')]);
    const created = assert.rejects(client.command('createSession', { channel: 'demo:/new', provider: 'demo' }), { code: -32002 });
    await eventually(() => held.length === 1, 'the question');
    await client.command('authenticate', token);
    release();
    await created;
    assert.equal(host.paramsOf('createSession').length, 1);
  });

  it('is asked once more for each token, and not without end', async () => {
    const { host, client } = setUp();
    const { held, release } = holding(host, ['listSessions'], [required(), required()]);
    await eventually(() => held.length === 1, 'the list');
    await client.command('authenticate', token);
    release();
    await eventually(() => held.length === 1, 'the list again');
    release();
    await eventually(() => client.sessions.state !== 'loading', 'the refusal');
    assert.deepEqual(client.sessions.state, { error: { code: -32007, message: 'Authentication is required' } });
    assert.equal(host.paramsOf('listSessions').length, 2);
    await client.command('authenticate', token);
    await eventually(() => client.sessions.state === 'ready', 'the list');
  });
});

describe('AgentHostClient: subscriptions', () => {
  it('share one resource, and leave it with the last reader', async () => {
    const { host, client } = await connected();
    const [one, two] = [client.session(session), client.session(session)];
    await whenLive(one);
    assert.equal(one.state, two.state);
    one.dispose();
    one.dispose();
    host.emit(titled('renamed'));
    await atRest();
    assert.equal(two.state?.title, 'renamed');
    assert.deepEqual(host.paramsOf('unsubscribe'), []);
    two.dispose();
    await atRest();
    assert.deepEqual(host.paramsOf('unsubscribe'), [{ resource: session }]);
    const again = client.session(session);
    assert.equal(again.status.kind, 'loading');
    await whenLive(again);
    assert.equal(host.paramsOf('subscribe').length, 2);
    host.emit(titled('renamed again'));
    await atRest();
    assert.equal(again.state?.title, 'renamed again');
  });

  it('keep envelopes that overtake their snapshot', async () => {
    const { host, client } = await connected();
    let answer: () => void = () => undefined;
    host.methods['subscribe'] = ({ resource }, connection) => {
      const snapshot = host.subscribe(resource, connection);
      return new Promise((resolve) => (answer = () => resolve({ snapshot })));
    };
    const subscription = client.session(session);
    await atRest();
    host.emit(titled('early'));
    await atRest();
    assert.equal(subscription.status.kind, 'loading');
    answer();
    const state = await whenLive(subscription);
    assert.equal(state.title, 'early');
  });

  it('the answer for a reader that has gone does not disturb the next one', async () => {
    const { host, client } = await connected();
    const answers: (() => void)[] = [];
    host.methods['subscribe'] = ({ resource }, connection) => {
      const snapshot = { ...host.subscribe(resource, connection), state: sessionState(session, `answer ${answers.length}`) };
      return new Promise((resolve) => answers.push(() => resolve({ snapshot })));
    };
    client.session(session).dispose();
    const subscription = client.session(session);
    await eventually(() => answers.length === 2, 'both requests');
    answers[0]?.();
    await atRest();
    assert.equal(subscription.status.kind, 'loading');
    answers[1]?.();
    assert.equal((await whenLive(subscription)).title, 'answer 1');
  });

  it('fail with the host’s reason, and try again for a new reader', async () => {
    const { host, client } = await connected();
    const uri = 'demo:/later';
    const first = client.session(uri);
    await eventually(() => first.status.kind === 'failed', 'the refusal');
    assert.deepEqual(first.status, { kind: 'failed', error: { code: -32001, message: `Session not found: ${uri}` } });
    host.states.set(uri, sessionState(uri));
    const second = client.session(uri);
    await whenLive(second);
    assert.equal(first.status.kind, 'live');
  });

  it('fail when the answer is no snapshot of that resource', async () => {
    for (const snapshot of [
      undefined,
      { resource: 'demo:/2', state: sessionState('demo:/2'), fromSeq: 1 },
      { resource: session, state: {}, fromSeq: 1 },
    ]) {
      const { host, client } = await connected();
      host.methods['subscribe'] = () => ({ snapshot });
      const subscription = client.session(session);
      await eventually(() => subscription.status.kind === 'failed', 'the failure');
    }
  });

  it('tell one change a tick, and what is read in between is told first', async () => {
    const { host, client } = await connected();
    const subscription = client.session(session);
    await whenLive(subscription);
    await atRest();
    const events: SubscriptionChange[] = [];
    subscription.onDidChange((change) => events.push(change));
    for (const title of ['a', 'b', 'c']) host.emit(titled(title));
    await atRest();
    assert.equal(events.length, 1);
    assert.deepEqual(events[0]?.kind === 'actions' && events[0].actions.length, 3);
    assert.deepEqual(subscription.confirmed?.title, 'c');
  });

  it('survive envelopes that nobody can read', async () => {
    const { host, client } = await connected();
    const root = client.root();
    for (const params of [null, [], { action: {} }, { serverSeq: 5 }, { action: { type: 7 }, serverSeq: 5 }])
      host.connection.peer.notify('action', params);
    host.connection.sendEnvelope({ action: { type: 'later/thing' } as unknown as StateAction, serverSeq: ++host.serverSeq });
    host.emit(active(3));
    await atRest();
    assert.equal(root.confirmed?.activeSessions, 3);
  });
});

describe('AgentHostClient: a session that the host removes', () => {
  const removed = { type: 'notify/sessionRemoved', session } as const;
  const prompt = (turnId: string): StateAction => ({ type: 'session/turnStarted', session, turnId, userMessage: { text: 'go on' } });

  async function removedWhile(working = true) {
    const all = await connected();
    if (working) all.host.emit(prompt('t1'));
    const subscription = all.client.session(session);
    await whenLive(subscription);
    const events: SubscriptionChange[] = [];
    subscription.onDidChange((change) => events.push(change));
    return { ...all, subscription, events, remove: () => all.host.notify(removed) };
  }

  it('ends its subscription: what was known stays, and nothing more is applied', async () => {
    const { host, client, subscription, events, remove } = await removedWhile();
    host.emit(titled('last words'));
    remove();
    await atRest();
    assert.deepEqual(subscription.status, { kind: 'removed' });
    assert.deepEqual(events.at(-1), { kind: 'status' });
    host.emit(titled('of nobody'));
    await atRest();
    assert.equal(subscription.state?.title, 'last words');
    assert.equal(client.sessions.summary(session), undefined);
  });

  it('leaves the others, and takes its subagents’ along', async () => {
    const { host, client, remove } = await removedWhile();
    const [other, subagent] = ['demo:/10', `${session}/subagent/call`];
    for (const uri of [other, subagent]) host.states.set(uri, sessionState(uri));
    const subscriptions = [other, subagent].map((uri) => client.session(uri));
    await Promise.all(subscriptions.map((subscription) => whenLive(subscription)));
    remove();
    await atRest();
    assert.deepEqual(
      subscriptions.map(({ status }) => status.kind),
      ['live', 'removed'],
    );
  });

  it('takes no more prompts, and does not say that one was done that nobody saw begin', async () => {
    const { host, client, subscription, remove } = await removedWhile(false);
    host.methods['dispatchAction'] = () => undefined;
    const sent = subscription.perform(gestureOf(prompt('t2')));
    remove();
    await atRest();
    // As some hosts do.
    host.emit(prompt('t2'), { clientId: 'me', clientSeq: sent.clientSeq });
    assert.equal((await sent.settled).kind, 'unknown');
    const left = subscription.pending.map(({ clientSeq, outcome }) => [clientSeq, outcome]);
    assert.deepEqual(left, [[sent.clientSeq, 'unknown']]);
    const late = await subscription.perform(gestureOf(prompt('t3'))).settled;
    assert.deepEqual(inEnglish(late), { kind: 'rejected', reason: 'Not sent. The host has removed it.' });
    assert.equal(client.resolveUnknown(session, sent.clientSeq, 'sendAgain'), undefined);
    assert.equal(subscription.pending.length, 1, 'the words are kept');
    await assert.rejects(whenLive(subscription), /has removed demo/);
  });

  it('stays removed over a lost connection, and is not brought back by that', async () => {
    const all = await removedWhile();
    all.remove();
    await atRest();
    await loseLine(all);
    assert.deepEqual(all.subscription.status, { kind: 'removed' });
    assert.deepEqual(all.host.paramsOf('reconnect')[0].subscriptions, [ROOT_URI]);
    assert.deepEqual(
      all.host.paramsOf('subscribe').map(({ resource }) => resource),
      [session, ROOT_URI],
    );
  });

  it('can be opened again where the host brings it back, and says so where it does not', async () => {
    const { host, client, subscription, remove } = await removedWhile();
    remove();
    await atRest();
    host.states.set(session, sessionState(session, 'back'));
    client.retry(session);
    assert.equal(subscription.status.kind, 'stale');
    await whenLive(subscription);
    assert.equal(subscription.state?.title, 'back');
    host.emit(titled('alive'));
    await atRest();
    assert.equal(subscription.state?.title, 'alive');

    remove();
    await atRest();
    host.states.delete(session);
    client.retry(session);
    await eventually(() => subscription.status.kind === 'failed', 'the refusal');
    assert.equal(subscription.state?.title, 'alive', 'what was known stays');
  });

  it('is opened again when there is a connection, where it was asked for without one', async () => {
    const all = await removedWhile();
    all.remove();
    await atRest();
    await loseLine(all, () => all.client.retry(session));
    assert.equal(all.subscription.status.kind, 'live');
  });

  it('is read again when the host announces it again', async () => {
    const { host, subscription, remove } = await removedWhile();
    remove();
    await atRest();
    host.states.set(session, sessionState(session, 'again'));
    for (const summary of [{}, null, 7, sessionSummary(session, 'again')])
      host.notify({ type: 'notify/sessionAdded', summary } as ProtocolNotification);
    await eventually(() => subscription.status.kind === 'live', 'its state');
    assert.equal(subscription.state?.title, 'again');
  });
});

describe('AgentHostClient: dispatch', () => {
  it('sends nothing that only the host may say, or that nobody says', async () => {
    const { host, client } = await connected();
    const own = client.session(session);
    const outcomes = await Promise.all([
      client.root().perform({ type: 'root/agentsChanged', agents: [] } as never).settled,
      own.perform({ type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' } as never).settled,
      own.perform({ type: 'session/unheardOf' } as never).settled,
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
  });

  it('archives as hosts of early 2026 do', async () => {
    const { host, client } = await connected();
    const own = client.session(session);
    await whenLive(own);
    assert.deepEqual(await own.setDone(true).settled, { kind: 'confirmed' });
    assert.deepEqual(
      host.paramsOf('dispatchAction').map(({ action }) => action),
      [{ type: 'session/isDoneChanged', session, isDone: true }],
    );
  });

  it('numbers actions, and settles them', async () => {
    const { host, client } = await connected();
    const subscription = client.session(session);
    await whenLive(subscription);
    const first = subscription.perform(gestureOf(titled('one')));
    assert.equal(subscription.state?.title, 'one');
    assert.deepEqual(await first.settled, { kind: 'confirmed' });
    assert.equal(subscription.confirmed?.title, 'one');
    host.methods['dispatchAction'] = ({ clientSeq, action }) => void host.emit(action, { clientId: 'me', clientSeq }, 'read only');
    const second = subscription.perform(gestureOf(titled('two')));
    assert.ok(second.clientSeq > first.clientSeq);
    assert.deepEqual(await second.settled, { kind: 'rejected', reason: 'read only' });
    assert.equal(subscription.state?.title, 'one');
    subscription.dispose();
    assert.equal((await subscription.perform(gestureOf(titled('unseen'))).settled).kind, 'unknown');
  });
});
