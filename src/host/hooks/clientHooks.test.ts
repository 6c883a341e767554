import assert from 'node:assert/strict';
import type { ChatOrigin } from '../../ahp/channels/shapes/summaries.ts';
import { nullLogger } from '../../base/log.ts';
import { type Client, Clients } from '../state/clients.ts';
import { StateStore } from '../state/stateStore.ts';
import { ClientHooks } from './clientHooks.ts';

const uri = 'demo:/1';
const [first, second, helper, deeper] = ['ahp-chat://1', 'ahp-chat://2', 'ahp-chat://helper', 'ahp-chat://deeper'];

/** How calls of several chats are asked about; what clients answer is tested over real sockets. */
describe('rules of clients about calls', () => {
  let store: StateStore;
  let clients: Clients;
  let hooks: ClientHooks;
  let asked: [clientId: string, turnId: string, wasGuarded: boolean][];
  let answer: (clientId: string) => Promise<unknown>;
  let connected: Map<string, Client>;

  beforeEach(() => {
    store = new StateStore();
    clients = new Clients(store);
    hooks = new ClientHooks({ store, clients, logger: nullLogger, decisionMs: 20 });
    asked = [];
    answer = () => Promise.resolve({ decision: 'allow' });
    connected = new Map();
    const origins = new Map<string, ChatOrigin>([
      [helper, { kind: 'tool', chat: first, toolCallId: 'c' }],
      [deeper, { kind: 'tool', chat: helper, toolCallId: 'd' }],
    ]);
    const chats = [first, second, helper, deeper].map((resource) => {
      const origin = origins.get(resource);
      return { resource, title: '', status: 1, modifiedAt: '', ...(origin && { origin }) };
    });
    const state = { provider: 'demo', title: '', status: 1, lifecycle: 'ready' as const, activeClients: [], chats, defaultChat: first };
    store.add({ channel: uri, kind: 'session', state }, uri);
    for (const chat of chats) store.add({ channel: chat.resource, kind: 'chat', state: { ...chat, turns: [] } }, uri);
  });
  afterEach(() => {
    hooks.dispose();
    clients.dispose();
  });

  const come = (clientId: string, answersHooks = true) => {
    const client: Client = {
      clientId,
      channels: new Set(),
      notify: () => undefined,
      request: (_method, params) => {
        const { turnId, wasGuarded } = params as { turnId: string; wasGuarded?: boolean };
        asked.push([clientId, turnId, wasGuarded === true]);
        return answer(clientId);
      },
      replaced: () => undefined,
    };
    connected.set(clientId, client);
    clients.join(client, { dialect: 'channels', answersHooks });
    store.dispatch(uri, { type: 'session/activeClientSet', activeClient: { clientId, tools: [] } });
  };
  const go = (clientId: string) => {
    const client = connected.get(clientId);
    assert.ok(client);
    clients.leave(client);
    store.dispatch(uri, { type: 'session/activeClientRemoved', clientId });
  };
  const start = (chat: string, turnId: string) =>
    store.dispatch(chat, { type: 'chat/turnStarted', turnId, startedAt: '', message: { text: '', origin: { kind: 'user' } } });
  const end = (chat: string, turnId: string) => store.dispatch(chat, { type: 'chat/turnComplete', turnId, duration: 0 });
  const evaluate = (chat: string, turnId: string) => hooks.evaluate({ chat, turnId, toolCallId: 'c', toolName: 'x', input: undefined });
  const isAllowed = async (chat: string, turnId: string) => (await evaluate(chat, turnId)).allowed;

  it('are asked of every client that lends tools, and of none that has no rules', async () => {
    start(first, 't');
    assert.equal(await isAllowed(first, 't'), true);
    come('a');
    come('b', false);
    come('c');
    answer = (clientId) => Promise.resolve(clientId === 'c' ? { decision: 'deny', reason: 'not now' } : { decision: 'allow' });
    assert.deepEqual(await evaluate(first, 't'), { allowed: false, message: 'not now' });
    assert.deepEqual(asked, [
      ['a', 't', false],
      ['c', 't', false],
    ]);
  });

  it('deny what cannot be decided: no answer, nonsense, or a session that is gone', async () => {
    start(first, 't');
    come('a');
    answer = () => new Promise(() => undefined);
    assert.equal(await isAllowed(first, 't'), false);
    for (const nonsense of [null, {}, { decision: 'perhaps' }]) {
      answer = () => Promise.resolve(nonsense);
      assert.equal(await isAllowed(first, 't'), false, JSON.stringify(nonsense));
    }
    assert.equal(await isAllowed('ahp-chat://gone', 't'), false);
  });

  it('hold for the turn after their client has gone, and not for the next', async () => {
    come('a');
    start(first, 't');
    assert.equal(await isAllowed(first, 't'), true);
    go('a');
    assert.equal(await isAllowed(first, 't'), false);
    end(first, 't');
    start(first, 'u');
    assert.equal(await isAllowed(first, 'u'), true);
  });

  it('are asked of the client that takes the place of one that has gone', async () => {
    come('a');
    start(first, 't');
    assert.equal(await isAllowed(first, 't'), true);
    go('a');
    const asking = isAllowed(first, 't');
    come('b');
    assert.equal(await asking, true);
    assert.deepEqual(asked, [
      ['a', 't', false],
      ['b', 't', true],
    ]);
  });

  it('hold for the calls of subagents, at any depth, as long as the turn that started them', async () => {
    come('a');
    start(first, 't');
    start(helper, 'h');
    start(deeper, 'd');
    assert.equal(await isAllowed(deeper, 'd'), true);
    assert.deepEqual(asked, [['a', 'd', false]]);
    go('a');
    for (const [chat, turnId] of [
      [first, 't'],
      [helper, 'h'],
      [deeper, 'd'],
    ] as const)
      assert.equal(await isAllowed(chat, turnId), false, chat);
    end(deeper, 'd');
    assert.equal(await isAllowed(helper, 'h'), false);
  });

  it('hold for each turn in which a client was asked, when several chats work at once', async () => {
    come('a');
    start(first, 't');
    start(second, 'u');
    assert.deepEqual([await isAllowed(first, 't'), await isAllowed(second, 'u')], [true, true]);
    go('a');
    end(second, 'u');
    assert.equal(await isAllowed(first, 't'), false, 'its turn goes on');
    start(second, 'v');
    assert.equal(await isAllowed(second, 'v'), true, 'nobody was asked in this turn');
    come('b');
    assert.equal(await isAllowed(first, 't'), true);
    assert.deepEqual(asked.at(-1), ['b', 't', true]);
    go('b');
    assert.equal(await isAllowed(first, 't'), false, 'who stands in is waited for too');
  });

  it('tell turns of several chats apart that have the same id', async () => {
    come('a');
    start(first, 't');
    assert.equal(await isAllowed(first, 't'), true);
    go('a');
    start(second, 't');
    end(first, 't');
    assert.equal(await isAllowed(second, 't'), true);
  });
});
