/** The client over real sockets, against small hosts with one fault each. */
import type { Words } from '../../../src/base/text/phrase.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  AgentHostClient,
  type AgentHostClientOptions,
  connectNodeTransport,
  RpcError,
  type SubscriptionChange,
  whenLive,
} from '../../../src/ahp/index.ts';
import type { StateAction } from '../../../src/ahp/v1/actions.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeHost, sessionState, sessionSummary, terminalState } from '../../fakes/fakeHost.ts';
import { type FakeHostServer, serveFakeHost } from '../../fakes/fakeHostServer.ts';

const session = 'demo:/1';
const terminal = 'agenthost-terminal:/1';
const titled = (title: string): StateAction => ({ type: 'session/titleChanged', session, title });
const printed = (data: string): StateAction => ({ type: 'terminal/data', terminal, data });

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

async function serve(
  fault: (host: FakeHost) => void = () => undefined,
  token?: string,
): Promise<{ host: FakeHost; server: FakeHostServer }> {
  const host = new FakeHost();
  host.states.set(session, sessionState(session, 'first'));
  host.states.set(terminal, terminalState());
  host.summaries = [sessionSummary(session, 'first')];
  fault(host);
  const server = await serveFakeHost(host, { token });
  cleanUp.push(() => server.close());
  return { host, server };
}

async function connect(url: string, options: Partial<AgentHostClientOptions> = {}): Promise<AgentHostClient> {
  const client = await AgentHostClient.connect({ dialects: ['v1'], url, ...options });
  cleanUp.push(() => client.close());
  return client;
}

/** Ends the connection, does something meanwhile, and waits for the next connection without the back-off. */
async function comeBack(client: AgentHostClient, server: FakeHostServer, meanwhile: () => void): Promise<void> {
  server.dropAll();
  await eventually(() => client.state.kind === 'reconnecting', 'the loss');
  meanwhile();
  client.reconnectNow();
  await eventually(() => client.state.kind === 'connected', 'the next connection');
}

/** The kind and the message of the failure of `connect`. */
async function failureOf(options: AgentHostClientOptions): Promise<{ kind: string; message: string }> {
  try {
    cleanUp.push((await AgentHostClient.connect({ ...options, dialects: ['v1'] })).close);
  } catch (error) {
    return (error as { failure: { kind: string; message: string } }).failure;
  }
  throw new Error('it connected');
}

describe('The client over sockets: what works', () => {
  it('connects with a token, reads, dispatches, lists and closes', async () => {
    const { host, server } = await serve(undefined, 's3cret/+&');
    const client = await connect(server.url, { token: 's3cret/+&' });
    const subscription = client.session(session);
    assert.equal((await whenLive(subscription)).title, 'first');
    assert.deepEqual(await subscription.rename('second').settled, { kind: 'confirmed' });
    const { summary, ...talk } = subscription.mirrored.confirmed as SessionState;
    assert.equal(summary.title, 'second');
    assert.deepEqual({ ...talk, summary }, { ...(host.states.get(session) as SessionState), summary });
    assert.deepEqual(
      (await client.listSessions()).map(({ resource }) => resource),
      [session],
    );
    client.close();
    assert.equal(client.state.kind, 'closed');
  });

  it('takes a snapshot that comes late, with gaps in the numbers around it', async () => {
    const { host, server } = await serve();
    const client = await connect(server.url);
    let answer: () => void = () => undefined;
    host.methods['subscribe'] = ({ resource }, connection) => {
      const snapshot = host.subscribe(resource, connection);
      return new Promise((resolve) => (answer = () => resolve({ snapshot })));
    };
    const subscription = client.model('terminal', terminal);
    await eventually(() => host.paramsOf('subscribe').length, 'the request');
    host.emit(printed('a'));
    host.serverSeq += 100;
    host.emit(printed('b'));
    answer();
    host.emit(printed('c'));
    await whenLive(subscription);
    await eventually(() => JSON.stringify(subscription.mirrored.confirmed) === JSON.stringify(host.states.get(terminal)), 'the same state');
    assert.deepEqual(subscription.confirmed?.content, [{ type: 'unclassified', value: 'abc' }]);
  });

  it('says why the host refused an action', async () => {
    const { server } = await serve((host) => {
      host.methods['dispatchAction'] = ({ clientSeq, action }, { clientId }) =>
        void host.emit(action, { clientId, clientSeq }, 'the session is archived');
    });
    const client = await connect(server.url);
    const subscription = client.session(session);
    await whenLive(subscription);
    const { settled } = subscription.rename('mine');
    assert.equal(subscription.state?.title, 'mine');
    assert.deepEqual(await settled, { kind: 'rejected', reason: 'the session is archived' });
    assert.equal(subscription.state?.title, 'first');
  });

  it('gives up a request that is never answered, and nothing else', async () => {
    const { server } = await serve((host) => {
      host.methods['resourceRead'] = () => new Promise(() => undefined);
      host.methods['resourceList'] = () => ({ entries: [] });
    });
    const client = await connect(server.url);
    const open = client.command('resourceRead', { uri: 'file:///' }, 20);
    await assert.rejects(open, { name: 'TimeoutError', message: /resourceRead did not finish/ });
    assert.deepEqual(await client.command('resourceList', { uri: 'file:///' }), { entries: [] });
  });

  it('answers requests of the host, whose ids are the same as its own', async () => {
    const { host, server } = await serve((fake) => {
      fake.methods['resourceRead'] = async ({ uri }, connection) => {
        // Asks back before it answers; both sides count from 1.
        const [served, refused] = await Promise.allSettled([
          connection.peer.request('resourceRead', { uri }, 5_000),
          connection.peer.request('somethingElse', {}, 5_000),
        ]);
        return { served, refused: refused.status === 'rejected' && refused.reason.code };
      };
    });
    const client = await connect(server.url, {
      onHostRequest: (method, params) => {
        if (method !== 'resourceRead') throw new RpcError(-32601, 'no');
        return { data: (params as { uri: string }).uri, encoding: 'utf-8' };
      },
    });
    const answers = await Promise.all(['a', 'b', 'c'].map((uri) => client.command('resourceRead', { uri })));
    assert.deepEqual(
      answers as unknown[],
      ['a', 'b', 'c'].map((data) => ({ served: { status: 'fulfilled', value: { data, encoding: 'utf-8' } }, refused: -32601 })),
    );
    assert.equal(host.connections.length, 1);
  });
});

describe('The client over sockets: no connection', () => {
  it('says that the token is wrong, and never says the token', async () => {
    const { server } = await serve(undefined, 'right');
    const failure = await failureOf({ url: server.url, token: 'wrong-secret' });
    assert.equal(failure.kind, 'token');
    assert.match(failure.message, /refused the connection token.*Set the token/);
    assert.doesNotMatch(failure.message, /wrong-secret/);
  });

  it('says that the versions do not fit', async () => {
    const { server } = await serve((host) => {
      host.methods['initialize'] = () => {
        throw new RpcError(-32005, 'Unsupported protocol version', { supportedVersions: ['^1.2.0'] });
      };
    });
    const failure = await failureOf({ url: server.url });
    assert.equal(failure.kind, 'version');
    assert.match(failure.message, /speaks a newer version of the protocol \(1\.2\) than this Tapline\. Update Tapline\.$/);
  });

  it('tells an address without a listener from one with another program', async () => {
    const { server } = await serve();
    await server.close();
    const nobody = await failureOf({ url: server.url, token: 'hidden' });
    assert.equal(nobody.kind, 'unreachable');
    assert.match(nobody.message, /the connection was refused/);
    assert.doesNotMatch(nobody.message, /hidden/);

    for (const [status, kind] of [
      [404, 'notAgentHost'],
      [403, 'token'],
      [503, 'unreachable'],
    ] as const) {
      const web = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
      await once(web, 'listening');
      cleanUp.push(() => new Promise((resolve) => web.close(resolve)));
      const failure = await failureOf({ url: `ws://127.0.0.1:${(web.address() as AddressInfo).port}/?tkn=hidden` });
      assert.equal(failure.kind, kind);
      assert.doesNotMatch(failure.message, /hidden/);
    }
  });

  it('an attempt that is given up ends at once', async () => {
    const silent = createTcpServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanUp.push(() => new Promise((resolve) => silent.close(resolve)));
    const attempt = new AbortController();
    const opening = connectNodeTransport()(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`, attempt.signal);
    setImmediate(() => attempt.abort());
    await assert.rejects(opening, { name: 'TransportError', kind: 'unreachable' });
    await assert.rejects(connectNodeTransport()('ws://127.0.0.1:1', attempt.signal), { name: 'TransportError' });
  });

  it('says whose message was too large for whom', async () => {
    const { host, server } = await serve();
    for (const [end, said] of [
      [
        () => host.notify({ type: 'notify/authRequired', resource: 'x'.repeat(20_000) }),
        /it sent a message that is larger than this client/,
      ],
      [() => host.connection.close(1009), /A message was larger than 127\.0\.0\.1:\d+ accepts/],
    ] as const) {
      const client = await connect(server.url, { transport: connectNodeTransport(10_000) });
      end();
      await eventually(() => client.state.kind === 'reconnecting', 'the end of the line');
      assert.ok(client.state.kind === 'reconnecting');
      assert.match(client.state.reason.message, said);
    }
  });
});

describe('A socket of the client', () => {
  let server: WebSocketServer;
  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await once(server, 'listening');
    cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  });

  /** Both ends, and what came to ours. */
  const open = async () => {
    const accepted = once(server, 'connection');
    const line = await connectNodeTransport()(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, new AbortController().signal);
    const [host] = (await accepted) as [WebSocket];
    cleanUp.push(() => host.terminate());
    const sizes: number[] = [];
    let end: { code: number; reason: Words } | undefined;
    line.onMessage((text) => sizes.push(text.length));
    line.onClose((closed) => (end = closed));
    return { line, host, sizes, end: () => end };
  };

  it('takes messages of up to 64 MB, and ends at a larger one', async () => {
    const limit = 64 * 1024 * 1024;
    const { host, sizes, end } = await open();
    host.send(Buffer.alloc(limit, 'x'));
    await eventually(() => sizes.length > 0, 'the message');
    host.send(Buffer.alloc(limit + 1, 'x'));
    await eventually(end, 'the end');
    assert.deepEqual(sizes, [limit]);
  });

  it('lets the host wait while it is paused', async () => {
    const [paused, other] = [await open(), await open()];
    paused.line.pause?.();
    const count = 64;
    for (const { host } of [paused, other]) for (let sent = 0; sent < count; sent++) host.send(Buffer.alloc(1024 * 1024, 'x'));
    await eventually(() => other.sizes.length === count, 'all that another one gets');
    assert.deepEqual(paused.sizes, []);
    assert.ok(paused.host.bufferedAmount > 0, 'most of it is still with the host');
    paused.line.resume?.();
    await eventually(() => paused.sizes.length === count, 'all of it');
  });
});

describe('The client over sockets: a lost connection', () => {
  it('is resumed with a replay', async () => {
    const { host, server } = await serve();
    const client = await connect(server.url);
    const subscription = client.model('terminal', terminal);
    await whenLive(subscription);
    const seen: SubscriptionChange[] = [];
    subscription.onDidChange((change) => seen.push(change));
    await comeBack(client, server, () => host.emit(printed('missed')));
    await eventually(() => subscription.status.kind === 'live', 'the replay');
    assert.deepEqual(subscription.mirrored.confirmed, host.states.get(terminal));
    assert.equal(host.paramsOf('initialize').length, 1);
    await eventually(() => seen.length >= 3, 'the events');
    assert.deepEqual(
      seen.map(({ kind }) => kind),
      ['status', 'actions', 'status'],
    );
  });

  it('is resumed with snapshots, terminals apart', async () => {
    const { host, server } = await serve((fake) => {
      fake.methods['reconnect'] = ({ subscriptions }, connection) => ({
        type: 'snapshot',
        snapshots: (subscriptions as string[]).filter((uri) => uri !== terminal).map((uri) => fake.subscribe(uri, connection)),
      });
    });
    const client = await connect(server.url);
    const [own, pty] = [client.session(session), client.model('terminal', terminal)];
    await Promise.all([whenLive(own), whenLive(pty)]);
    await comeBack(client, server, () => {
      host.emit(titled('fresh'));
      host.emit(printed('missed'));
    });
    await Promise.all([whenLive(own), whenLive(pty)]);
    assert.equal(own.confirmed?.title, 'fresh');
    assert.deepEqual(pty.mirrored.confirmed, host.states.get(terminal));
    host.emit(printed('!'));
    await eventually(() => JSON.stringify(pty.mirrored.confirmed) === JSON.stringify(host.states.get(terminal)), 'what comes after');
  });

  it('starts over when the host does not know this client', async () => {
    const { host, server } = await serve((fake) => {
      fake.methods['reconnect'] = () => {
        throw new RpcError(-32008, 'Reconnect client not found');
      };
    });
    const client = await connect(server.url);
    const subscription = client.session(session);
    await whenLive(subscription);
    await comeBack(client, server, () => {
      host.serverSeq = 1;
      host.states.set(session, sessionState(session, 'restored'));
      host.summaries = [sessionSummary('demo:/2', 'another')];
    });
    await whenLive(subscription);
    assert.equal(subscription.confirmed?.title, 'restored');
    assert.deepEqual(
      client.sessions.summaries.map(({ title }) => title),
      ['another', 'restored'],
      'also what the host gives and does not list',
    );
    assert.deepEqual(host.order, ['initialize', 'listSessions', `subscribe ${session}`]);
  });

  it('is waited out while the host is away', async () => {
    const first = await serve();
    const client = await connect(first.server.url);
    const port = Number(new URL(first.server.url).port);
    await first.server.close();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    client.reconnectNow();
    await eventually(() => client.state.kind === 'reconnecting' && client.state.reason.kind === 'unreachable', 'an attempt in vain');
    const again = await serveFakeHost(first.host, { port });
    cleanUp.push(() => again.close());
    client.reconnectNow();
    await eventually(() => client.state.kind === 'connected', 'the return');
  });
});

describe('The client over sockets: a flood', () => {
  it('of 100,000 actions is taken in order, in few events, without standing still', async () => {
    const { host, server } = await serve();
    const client = await connect(server.url);
    const subscription = client.model('terminal', terminal);
    await whenLive(subscription);
    let events = 0;
    let actions = 0;
    subscription.onDidChange((change) => {
      events++;
      if (change.kind === 'actions') actions += change.actions.length;
    });
    const count = 100_000;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (let sent = 0; sent < count;) {
      for (const end = sent + 1_000; sent < end; sent++) {
        host.connection.sendEnvelope({ action: printed(`${sent};`), serverSeq: ++host.serverSeq });
      }
      await new Promise(setImmediate);
    }
    await eventually(() => actions === count, 'all of them', 15_000);
    delay.disable();
    const expected = Array.from({ length: count }, (_, index) => `${index};`).join('');
    assert.deepEqual(subscription.confirmed?.content, [{ type: 'unclassified', value: expected }]);
    assert.ok(events < count / 10, `${events} events`);
    assert.ok(delay.max < 1e9, `stood still for ${delay.max / 1e6} ms`);
    assert.equal(client.state.kind, 'connected');
  });

  it('does not keep the root from being read', async () => {
    const { host, server } = await serve();
    const client = await connect(server.url);
    const [root, pty] = [client.root(), client.model('terminal', terminal)];
    await whenLive(pty);
    for (let sent = 0; sent < 10_000; sent++) host.connection.sendEnvelope({ action: printed('x'), serverSeq: ++host.serverSeq });
    host.emit({ type: 'root/activeSessionsChanged', activeSessions: 7 });
    await eventually(() => root.confirmed?.activeSessions === 7, 'the root');
    assert.equal(root.uri, ROOT_URI);
    await eventually(() => (pty.confirmed?.content[0] as { value: string }).value.length === 10_000, 'the terminal');
  });
});
