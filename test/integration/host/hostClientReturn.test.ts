/** A client that provides tools, leaves in the middle of a call, and comes back or not. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ResponsePart } from '../../../src/ahp/channels/chat/state.ts';
import type { Message } from '../../../src/ahp/channels/shapes/message.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import type { ToolCallResult } from '../../../src/ahp/v1/toolCall.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type RawClient, TestHost } from './hostHarness.ts';

const result: ToolCallResult = { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a tree' }] };

describe('a client that leaves in the middle of its call', () => {
  let host: TestHost;
  let watcher: RawClient;
  let client: RawClient;
  let session: string;
  let outcomes: unknown[];

  async function begin(clientReturnMs?: number, isConfirmed = true): Promise<void> {
    host = new TestHost();
    await host.start(clientReturnMs === undefined ? {} : { clientReturnMs });
    watcher = await host.connect('watcher');
    session = await host.session(watcher);
    client = await host.connect('window', [ROOT_URI, session]);
    outcomes = [];
    host.agent.onTurn = async (turn) => {
      const call = turn.toolCall({ toolCallId: 'c1', toolName: 'look', displayName: 'Look', toolClientId: 'window' });
      const ready = { invocationMessage: 'Looking', toolInput: '{}' };
      if (isConfirmed) call.run(ready, 'not-needed');
      else outcomes.push((await call.confirm({ ...ready, confirmationTitle: 'Look?' })).approved);
      outcomes.push(await call.waitForClient().catch((error: Error) => error.message));
    };
    const activeClient = { clientId: 'window', tools: [{ name: 'look' }] };
    await client.dispatch({ type: 'session/activeClientChanged', session, activeClient });
    await watcher.dispatch({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'look' } });
    await watcher.action('session/toolCallReady');
  }
  afterEach(() => host.stop());

  async function leaves(): Promise<void> {
    client.socket.terminate();
    await watcher.until('the client has left', () =>
      watcher.frames.some(({ params }) => JSON.stringify(params ?? {}).includes('"activeClient":null')),
    );
  }
  const complete = { type: 'session/toolCallComplete', turnId: 't1', toolCallId: 'c1', result };

  it('completes it when it has come back by reconnect', async () => {
    await begin();
    await leaves();
    const back = await host.open();
    await back.ask('reconnect', { clientId: 'window', lastSeenServerSeq: 0, subscriptions: [session] });
    back.clientId = 'window';
    // Its numbers go on after those of its earlier connection.
    await back.dispatch({ type: 'session/isReadChanged', session, isRead: true });
    const content = [{ type: 'text', text: 'half' }];
    const changed = { type: 'session/toolCallContentChanged', session, turnId: 't1', toolCallId: 'c1', content };
    assert.equal((await back.dispatch(changed)).rejectionReason, undefined);
    assert.equal((await back.dispatch({ ...complete, session })).rejectionReason, undefined);
    await watcher.action('session/turnComplete');
    assert.deepEqual(outcomes, [result]);
  });

  it('completes it when it has started over, as a window does that was loaded again', async () => {
    await begin();
    await leaves();
    const back = await host.connect('window', [ROOT_URI, session]);
    assert.equal((await back.dispatch({ ...complete, session })).rejectionReason, undefined);
    await watcher.action('session/turnComplete');
    assert.deepEqual(outcomes, [result]);
  });

  it('completes it also when its new connection comes before the old one has gone', async () => {
    await begin();
    const back = await host.connect('window', [ROOT_URI, session]);
    assert.equal((await client.until('the end of the old one', () => client.closed)).code, 4003);
    assert.equal((await back.dispatch({ ...complete, session })).rejectionReason, undefined);
    await watcher.action('session/turnComplete');
    assert.deepEqual(outcomes, [result]);
  });

  it('runs a call once it is back that was approved meanwhile', async () => {
    await begin(undefined, false);
    await leaves();
    const approved = {
      type: 'session/toolCallConfirmed',
      session,
      turnId: 't1',
      toolCallId: 'c1',
      approved: true,
      confirmed: 'user-action',
    };
    assert.equal((await watcher.dispatch(approved)).rejectionReason, undefined);
    const back = await host.connect('window', [ROOT_URI, session]);
    assert.equal((await back.dispatch({ ...complete, session })).rejectionReason, undefined);
    await watcher.action('session/turnComplete');
    assert.deepEqual(outcomes, [true, result]);
  });

  it('is the only one that may complete it', async () => {
    await begin();
    await leaves();
    const other = await host.connect('other', [ROOT_URI, session]);
    for (const who of [other, watcher])
      assert.match((await who.dispatch({ ...complete, session })).rejectionReason ?? '', /only the client that provides the tool/);
    assert.deepEqual(outcomes, []);
  });

  it('fails it when it does not come back in time', async () => {
    await begin(50);
    await leaves();
    await watcher.action('session/turnComplete');
    assert.deepEqual(outcomes, [
      'The client that provides this tool is not connected any more. Whether the tool had an effect is not known.',
    ]);
    const back = await host.connect('window', [ROOT_URI, session]);
    assert.match((await back.dispatch({ ...complete, session })).rejectionReason ?? '', /turn t1 is not in progress/);
  });
});

describe('a window that leaves in the middle of its call, over AHP 1.0', () => {
  const uri = 'scripted:/lent';
  const call = { turnId: 't1', toolCallId: 'c1' };
  let host: TestHost;
  let clients: AgentHostClient[];
  let watcher: AgentHostClient;
  let watched: { session: SessionModel; chat: ChatModel };
  let line: CuttingTransport;
  let window: AgentHostClient;
  let outcomes: unknown[];

  const connect = async (clientId: string, transport = connectNodeTransport()) => {
    const { url, token } = host.server;
    const client = await AgentHostClient.connect({ url, token, clientId, transport });
    clients.push(client);
    return client;
  };
  const read = async (client: AgentHostClient) => {
    const session = client.session(uri);
    const chat = client.chat((await whenLive(session)).defaultChat ?? '');
    await whenLive(chat);
    return { session, chat };
  };

  async function begin(clientReturnMs?: number, isConfirmed = true): Promise<void> {
    host = new TestHost();
    await host.start(clientReturnMs === undefined ? {} : { clientReturnMs });
    clients = [];
    outcomes = [];
    host.agent.onTurn = async (turn) => {
      const lent = turn.toolCall({ toolCallId: 'c1', toolName: 'look', displayName: 'Look', toolClientId: 'window' });
      const ready = { invocationMessage: 'Looking', toolInput: '{}' };
      if (isConfirmed) lent.run(ready, 'not-needed');
      else outcomes.push((await lent.confirm({ ...ready, confirmationTitle: 'Look?' })).approved);
      outcomes.push(await lent.waitForClient().catch((error: Error) => error.message));
    };
    watcher = await connect('watcher');
    assert.equal(watcher.dialect?.version, '1.0.0');
    await watcher.command('createSession', { channel: uri, provider: 'scripted', workingDirectories: [host.directoryUri] });
    watched = await read(watcher);
    line = new CuttingTransport(connectNodeTransport());
    window = await connect('window', line.open);
    const { session } = await read(window);
    assert.deepEqual(await session.lend({ tools: [{ name: 'look' }] }).settled, { kind: 'confirmed' });
    const message: Message = { text: 'look', origin: { kind: 'user' } };
    watched.chat.perform({ type: 'chat/turnStarted', turnId: 't1', startedAt: new Date().toISOString(), message });
    const status = isConfirmed ? 'running' : 'pending-confirmation';
    const isAt = (part: ResponsePart) => part.kind === 'toolCall' && 'toolCall' in part && part.toolCall.status === status;
    await eventually(() => watched.chat.confirmed?.activeTurn?.responseParts.some(isAt), 'the call');
  }
  afterEach(async () => {
    for (const client of clients) client.close();
    await host.stop();
  });

  const hasLeft = () => eventually(() => watched.session.confirmed?.activeClients.length === 0, 'the client has left');
  const lends = () => watched.session.confirmed?.activeClients.map(({ clientId }) => clientId);
  async function completes(client: AgentHostClient, expected: unknown[] = [result]): Promise<void> {
    const { chat } = await read(client);
    assert.deepEqual(await chat.report(call, [{ type: 'text', text: 'half' }]).settled, { kind: 'confirmed' });
    assert.deepEqual(await chat.complete(call, result).settled, { kind: 'confirmed' });
    await eventually(() => watched.chat.confirmed?.turns.length === 1, 'the end of the turn');
    assert.deepEqual(outcomes, expected);
  }

  it('completes it when it has come back by reconnect, and lends again', async () => {
    await begin();
    line.cut();
    await hasLeft();
    window.reconnectNow();
    await eventually(() => window.state.kind === 'connected', 'the next connection');
    await eventually(() => lends()?.[0] === 'window', 'its tools');
    await completes(window);
  });

  it('completes it when it was loaded again', async () => {
    await begin();
    window.close();
    await hasLeft();
    await completes(await connect('window'));
  });

  it('completes it also when its new connection comes before the old one has gone', async () => {
    await begin();
    const back = await connect('window');
    await eventually(() => window.state.kind === 'failed', 'the end of the old one');
    await completes(back);
  });

  it('runs a call once it is back that was approved meanwhile', async () => {
    await begin(undefined, false);
    window.close();
    await hasLeft();
    assert.deepEqual(await watched.chat.approve(call).settled, { kind: 'confirmed' });
    await completes(await connect('window'), [true, result]);
  });

  it('is the only one that may complete it', async () => {
    await begin();
    window.close();
    await hasLeft();
    for (const client of [await connect('other'), watcher]) {
      const settlement = await (await read(client)).chat.complete(call, result).settled;
      assert.match(settlement.kind === 'rejected' ? settlement.reason : '', /only the client that provides the tool/);
    }
    assert.deepEqual(outcomes, []);
  });

  it('fails it when it does not come back in time', async () => {
    await begin(50);
    window.close();
    await eventually(() => watched.chat.confirmed?.turns.length === 1, 'the end of the turn');
    assert.match(String(outcomes[0]), /^The client that provides this tool is not connected any more/);
    const { chat } = await read(await connect('window'));
    assert.equal((await chat.complete(call, result).settled).kind, 'rejected');
  });
});

describe('two clients with one id', () => {
  it('do not push each other out again and again: the newer one stays, the other says why it stops', async () => {
    const host = new TestHost();
    await host.start();
    const { url, token } = host.server;
    const open = () => AgentHostClient.connect({ url, token, clientId: 'same', transport: connectNodeTransport() });
    const first = await open();
    const second = await open();
    try {
      await eventually(() => first.state.kind === 'failed', 'the end of the first');
      assert.ok(first.state.kind === 'failed' && first.state.reason.kind === 'replaced');
      assert.match(first.state.reason.message, /as the same client/);
      await second.command('listSessions', {});
      assert.equal(second.state.kind, 'connected');
    } finally {
      first.close();
      second.close();
      await host.stop();
    }
  });
});
