/** A client that provides tools, leaves in the middle of a call, and comes back or not. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import type { ToolCallResult } from '../../../src/ahp/v1/toolCall.ts';
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

describe('two clients with one id', () => {
  it('do not push each other out again and again: the newer one stays, the other says why it stops', async () => {
    const host = new TestHost();
    await host.start();
    const { url, token } = host.server;
    const open = () => AgentHostClient.connect({ dialects: ['v1'], url, token, clientId: 'same', transport: connectNodeTransport() });
    const first = await open();
    const second = await open();
    try {
      await eventually(() => first.state.kind === 'failed', 'the end of the first');
      assert.ok(first.state.kind === 'failed' && first.state.reason.kind === 'replaced');
      assert.match(first.state.reason.message, /as the same client/);
      await second.request('listSessions', {});
      assert.equal(second.state.kind, 'connected');
    } finally {
      first.close();
      second.close();
      await host.stop();
    }
  });
});
