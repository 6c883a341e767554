/** Several windows and other clients at one host and one gateway: who lends tools to a session, who does not, and what is said about it. */
import assert from 'node:assert/strict';
import { lendingLine } from '../../../src/extension/bridge/session/lending.ts';
import { eventually } from '../../fakes/eventually.ts';
import { until } from '../../support/until.ts';
import { announced, BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { callsOf, type DemoConversation } from '../host/demoHarness.ts';

const work = { name: 'work', description: 'Works', parameters: { type: 'object' } };

describe('the bridge, among other clients', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  beforeEach(async () => {
    test = new BridgeTest();
    await test.start();
    test.provider('worker', { tools: [work], session: 'all', onToolCall: () => 'worked' });
  });
  afterEach(() => test.stop());

  const lenderOf = (chat: DemoConversation) => chat.subscription.state?.activeClient?.clientId;

  it('says in a second window who lends, and takes over when the user asks for it', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    await untilAnnounced(chat, 'work');
    const second = await test.openWindow();
    second.look(chat.uri);
    await second.lending(chat.uri, 'otherClient');
    assert.match(lendingLine(second.session(chat.uri).lending), /^Another VS Code window lends its tools to this session, .*takes over/);
    assert.equal(lenderOf(chat), test.window.client.clientId);

    // The gateway has had no session of this window until now, and programs join it a moment later.
    assert.equal((await second.session(chat.uri).lendHere()).kind, 'lending');
    await test.window.lending(chat.uri, 'otherClient');
    await eventually(() => lenderOf(chat) === second.client.clientId, 'the second lends');
    await untilAnnounced(chat, 'work');
    const [call] = callsOf((await chat.say('client work')).responseParts);
    assert.ok(call?.status === 'completed' && call.success);
    assert.equal(call.toolClientId, second.client.clientId);
  });

  it('lends by itself once the other client has gone', async () => {
    const chat = await test.session();
    const second = await test.openWindow();
    second.look(chat.uri);
    await second.lending(chat.uri, 'otherClient');
    test.window.close();
    await second.lending(chat.uri, 'lending');
    await eventually(() => lenderOf(chat) === second.client.clientId, 'the second lends');
    await untilAnnounced(chat, 'work');
  });

  it('lets a window that is loaded again finish its call, also where another client lends by then', async () => {
    const calls: { end(value: string): void }[] = [];
    const slow = { name: 'slow', description: 'Takes its time', parameters: { type: 'object' } };
    test.provider('slow-worker', { tools: [slow], session: 'all', onToolCall: () => new Promise((end) => calls.push({ end })) });
    const chat = await test.session({ config: { approvals: 'auto' } });
    await untilAnnounced(chat, 'work', 'slow');
    const turn = await chat.send('client slow');
    await eventually(() => calls.length, 'the call', WAIT_MS);
    const { storage } = test.window;
    test.window.close();
    await chat.until('nobody lends', ({ activeClient }) => !activeClient);
    const activeClient = { clientId: chat.client.clientId, displayName: 'Some Editor', tools: [] };
    await chat.dispatch({ type: 'session/activeClientChanged', activeClient });
    test.window = await test.openWindow(storage);
    await eventually(() => test.window.bridge.sessions[0]?.bridge.registered, 'it has the session again', WAIT_MS);
    calls[0]?.end('at last');
    const [call] = callsOf((await chat.ended(turn)).responseParts);
    assert.ok(call?.status === 'completed' && call.success, JSON.stringify(call));
    assert.equal(calls.length, 1);
    await eventually(() => !test.window.bridge.sessions[0]?.bridge.owned, 'the session is left to the other client', WAIT_MS);
    assert.equal(lenderOf(chat), chat.client.clientId);
  });

  it('serves the sessions of both windows, and ends only those of the one that closes', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    const second = await test.openWindow();
    const theirs = await test.session({}, second);
    for (const session of [chat, theirs]) await untilAnnounced(session, 'work');
    const labels = async () => (await test.window.bridge.owner?.request('diagnostics', {}))?.sessions.length;
    assert.equal(await labels(), 2);
    second.close();
    let left = await labels();
    while (left === 2) left = await labels();
    assert.equal(left, 1);
    const [call] = callsOf((await chat.say('client work')).responseParts);
    assert.ok(call?.status === 'completed' && call.success);
  });

  it('leaves a session to a client that is no window of ours, names it, and never pushes it aside', async () => {
    const chat = await test.unbridged();
    const activeClient = { clientId: chat.client.clientId, displayName: 'Some Editor', tools: [{ name: 'theirs' }] };
    await chat.dispatch({ type: 'session/activeClientChanged', activeClient });
    test.window.look(chat.uri);
    await test.window.lending(chat.uri, 'otherClient');
    assert.match(lendingLine(test.window.session(chat.uri).lending), /^“Some Editor” lends its tools/);
    assert.deepEqual(announced(chat), ['theirs']);
    await chat.dispatch({ type: 'session/activeClientChanged', activeClient: null });
    await untilAnnounced(chat, 'work');
  });

  it('says what a host without client tools answers', async () => {
    const chat = await test.unbridged();
    await chat.say('subagent look around');
    const sub = test.window.client.sessions.summaries.find(({ resource }) => resource.includes('/subagent/'))?.resource ?? '';
    const found = sub || `${chat.uri}/subagent/${callsOf(chat.state.turns[0]?.responseParts)[0]?.toolCallId}`;
    test.window.look(found);
    await test.window.lending(found, 'refused');
    assert.match(lendingLine(test.window.session(found).lending), /did not take the tools of this window: .*belongs to a subagent/);
  });

  it('lends its tools again when the connection to the host was lost', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    await untilAnnounced(chat, 'work');
    const lost = new Promise<void>((resolve) => test.window.client.onDidChangeState(({ kind }) => kind === 'reconnecting' && resolve()));
    test.window.cutHost();
    await lost;
    await until('the next connection', test.window.client.onDidChangeState, () => test.window.client.state.kind === 'connected');
    await test.window.lending(chat.uri, 'lending');
    await eventually(() => lenderOf(chat) === test.window.client.clientId, 'it lends', WAIT_MS);
    await untilAnnounced(chat, 'work');
    const [call] = callsOf((await chat.say('client work')).responseParts);
    assert.ok(call?.status === 'completed' && call.success);
  });
});
