import { inEnglish } from '../../../test/support/inEnglish.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeHost, sessionState } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { AUTOMATIONS_CHANNEL } from '../channels/automations.ts';
import type { ChatState } from '../channels/chat/state.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { nullLogger } from '../../base/log.ts';
import { ErrorCode } from '../common/errors.ts';
import { SessionStatus } from '../common/status.ts';
import { AgentHostClient, type AgentHostClientOptions } from './agentHostClient.ts';
import type { Dispatched } from './resources/subscription.ts';
import type { TransportFactory } from './transport.ts';

const session = 'copilotcli:/1';
const chat = 'ahp-chat://default/1';
const clients: AgentHostClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.dispose()));

async function connected(options: Partial<AgentHostClientOptions> = {}, host = new FakeChannelHost(), talk: Partial<ChatState> = {}) {
  host.put(session, channelSession(chat, 'first'));
  host.put(chat, { ...channelChat(chat), ...talk });
  host.summaries = [channelSummary(session, 'first')] as never;
  const clock = new FakeClock();
  const memory = memoryTransport(host);
  const client = AgentHostClient.create({
    url: 'ws://h:1',
    clientId: 'me',
    transport: memory.transport,
    clock,
    random: () => 0,
    ...options,
  });
  clients.push(client);
  await eventually(() => client.state.kind === 'connected', 'a connection');
  await atRest();
  return { host, clock, memory, client };
}

async function opened(talk: Partial<ChatState> = {}, options: Partial<AgentHostClientOptions> = {}) {
  const all = await connected(options, undefined, talk);
  const models = { session: all.client.session(session), chat: all.client.chat(chat) };
  await eventually(() => models.chat.status.kind === 'live' && models.session.status.kind === 'live', 'the states');
  return { ...all, ...models };
}

async function loseLine({ client, memory, clock }: Awaited<ReturnType<typeof connected>>) {
  memory.line.drop();
  await eventually(() => client.state.kind === 'reconnecting', 'the loss');
  clock.advance(1_000);
  await eventually(() => client.state.kind === 'connected', 'the return');
  await atRest();
}

const running = {
  id: 't',
  message: { text: 'go', origin: { kind: 'user' as const } },
  responseParts: [],
  startedAt: '2026-01-01T00:00:00Z',
};
const call = { toolCallId: 'c', toolName: 't', displayName: 'T', invocationMessage: 'Runs', toolInput: 'ls' };

describe('The client of a host of AHP 1.0', () => {
  it('speaks the version that the host chose, and names the root as it does', async () => {
    const { client, host } = await connected({ clientInfo: { name: 'Tapline', version: '1' }, locale: 'de' });
    assert.deepEqual(client.dialect, { name: 'channels', version: '0.9.0' });
    assert.deepEqual(client.root().state, { agents: [] });
    const { clientInfo, locale } = host.paramsOf('initialize')[0];
    assert.deepEqual({ clientInfo, locale }, { clientInfo: { name: 'Tapline', version: '1' }, locale: 'de' });
    host.act('ahp-root://', { type: 'root/activeSessionsChanged', activeSessions: 3 });
    await eventually(() => client.root().state?.activeSessions === 3, 'the change');
  });

  it('has the root under both of its names', async () => {
    const { client, host } = await connected();
    const root = client.model('root', 'ahp-root://');
    await eventually(() => root.status.kind === 'live', 'the root');
    assert.deepEqual(root.state, client.root().state);
    assert.deepEqual(host.paramsOf('subscribe'), [], 'it is subscribed already');
    root.dispose();
  });

  it('reads a state as what it is, whoever has asked for it first as something else', async () => {
    const { client, host } = await connected();
    const asked = [client.session(chat), client.model('canvas', chat)] as const;
    // No state of a session, and yet it might be a canvas, of which nothing is known for sure.
    await eventually(() => asked[1].status.kind === 'live', 'the state');
    const right = client.chat(chat);
    const start = (id: string) =>
      host.act(chat, { type: 'chat/turnStarted', turnId: id, startedAt: running.startedAt, message: running.message });
    start('t');
    await eventually(() => right.state?.activeTurn?.id === 't', 'the change');
    assert.equal(asked[0].state, undefined);
    for (const one of asked) one.dispose();
    assert.equal(right.status.kind, 'live');
  });

  it('reads a state that was refused as something else', async () => {
    const { client, host } = await connected();
    const wrong = client.session(chat);
    await eventually(() => wrong.status.kind === 'failed', 'the refusal');
    const right = client.chat(chat);
    await eventually(() => right.status.kind === 'live', 'the state');
    host.act(chat, { type: 'chat/turnStarted', turnId: 't', startedAt: running.startedAt, message: running.message });
    await eventually(() => right.state?.activeTurn?.id === 't', 'the change');
    assert.equal(wrong.state, undefined);
  });

  it('follows a session and its chats, each a resource of its own', async () => {
    const { host, client, session: model, chat: talk } = await opened();
    assert.equal(model.state?.title, 'first');
    host.act(session, { type: 'session/titleChanged', title: 'second' });
    host.act(chat, { type: 'chat/turnStarted', turnId: 't', startedAt: running.startedAt, message: running.message });
    await eventually(() => model.state?.title === 'second' && talk.state?.activeTurn?.id === 't', 'the changes');
    assert.deepEqual(talk.confirmed, host.stateOf(chat));
    assert.equal(client.session(session).state, model.state, 'readers share the state');
  });

  it('gives states, summaries and answers that fit their types, and reduces on what the host sent', async () => {
    const host = new FakeChannelHost();
    const odd = { turns: [{ id: 't' }, 7], title: 7, draft: 'x' } as unknown as Partial<ChatState>;
    const { client } = await connected({}, host, odd);
    const model = client.chat(chat);
    await eventually(() => model.status.kind === 'live', 'the state');
    const [turn] = model.state?.turns ?? [];
    assert.deepEqual([model.state?.title, model.state?.draft, turn?.responseParts], ['', undefined, []]);
    const { confirmed, state } = model;
    assert.equal(model.confirmed, confirmed);
    assert.equal(model.state, state);
    host.act(chat, { type: 'chat/activityChanged', activity: 'Thinks' });
    await eventually(() => model.confirmed?.activity === 'Thinks', 'the change');
    assert.equal(model.confirmed?.turns, confirmed?.turns);
    const raw = model.mirrored.confirmed as ChatState;
    assert.deepEqual([raw.title, raw.turns, raw.activity], [7, odd.turns, 'Thinks']);

    host.tell('root/sessionAdded', { summary: { resource: 'copilotcli:/odd', title: 7, workingDirectories: 'x' } });
    await eventually(() => client.sessions.summary('copilotcli:/odd') !== undefined, 'the summary');
    const fitting = { resource: 'copilotcli:/odd', provider: '', title: '', status: 0, createdAt: '', modifiedAt: '' };
    assert.deepEqual(client.sessions.summary('copilotcli:/odd'), fitting);
    assert.ok(client.sessions.summaries.includes(client.sessions.summary('copilotcli:/odd')!));
    host.methods['resourceList'] = () => ({ entries: [{ name: 'a', type: 'file' }, { name: 7 }, null] });
    assert.deepEqual(await client.command('resourceList', { uri: 'file:///w' }), { entries: [{ name: 'a', type: 'file' }] });
  });

  it('lists all pages, and follows the notifications', async () => {
    const host = new FakeChannelHost();
    const pages = [{ items: [channelSummary('a:/1', 'one')], nextCursor: 'more' }, { items: [channelSummary('a:/2', 'two')] }];
    host.methods['listSessions'] = ({ cursor }) => pages[cursor === 'more' ? 1 : 0];
    const { client } = await connected({}, host);
    await eventually(() => client.sessions.state === 'ready', 'the list');
    const titles = () => client.sessions.summaries.map(({ title }) => title);
    assert.deepEqual(titles(), ['one', 'two']);
    host.tell('root/sessionAdded', { summary: channelSummary('a:/3', 'three') });
    host.tell('root/sessionSummaryChanged', { session: 'a:/1', changes: { title: 'uno' } });
    host.tell('root/sessionRemoved', { session: 'a:/2' });
    host.tell('root/sessionRemoved', {});
    host.tell('otlp/exportLogs', { payload: {} });
    await eventually(() => titles().join() === 'uno,three', 'the notifications');
  });

  it('does not take a part of a list for the whole', async () => {
    const host = new FakeChannelHost();
    host.methods['listSessions'] = ({ cursor }) => {
      if (cursor) throw new RpcError(-32603, 'lost');
      return { items: [channelSummary('a:/1')], nextCursor: 'more' };
    };
    const { client } = await connected({}, host);
    await eventually(() => client.sessions.state !== 'loading', 'the outcome');
    assert.deepEqual(client.sessions.state, { error: { code: -32603, message: 'lost' } });
    host.methods['listSessions'] = () => ({ nonsense: true });
    await client.sessions.refresh();
    assert.deepEqual(client.sessions.state, { error: { message: 'the host’s list of sessions cannot be read' } });
  });

  it('lists again when a page has lost its place, and not for ever', async () => {
    const host = new FakeChannelHost();
    let asked = 0;
    let lost = 1;
    host.methods['listSessions'] = ({ cursor }) => {
      asked++;
      if (!cursor) return { items: [channelSummary(`a:/${asked}`)], nextCursor: 'more' };
      if (lost-- > 0) throw new RpcError(ErrorCode.InvalidParams, 'cursor');
      return { items: [channelSummary('a:/last')] };
    };
    const { client } = await connected({}, host);
    await eventually(() => client.sessions.state === 'ready', 'the list');
    assert.deepEqual(
      client.sessions.summaries.map(({ resource }) => resource),
      ['a:/3', 'a:/last'],
    );
    asked = 0;
    lost = Infinity;
    await client.sessions.refresh();
    assert.deepEqual(client.sessions.state, { error: { code: ErrorCode.InvalidParams, message: 'cursor' } });
    assert.equal(asked, 8);
  });

  describe('What is written while the host is away', () => {
    const queued = (id: string) => ({ id, message: { text: id, origin: { kind: 'user' as const } } });
    const sent = (host: FakeChannelHost) =>
      host.paramsOf('dispatchAction').map(({ action }) => [action.type, action.message?.text, action.kind ?? action.turnId]);

    it('behind a turn that has ended by then is run, and what follows waits behind it', async () => {
      const all = await opened({ activeTurn: running });
      all.memory.line.drop();
      await eventually(() => all.client.state.kind === 'reconnecting', 'the loss');
      const written = ['one', 'two'].map((text) => all.chat.queue(text, text));
      all.host.put(chat, channelChat(chat));
      all.clock.advance(1_000);
      await eventually(() => all.client.state.kind === 'connected', 'the return');
      assert.deepEqual(await Promise.all(written.map(({ settled }) => settled)), [{ kind: 'confirmed' }, { kind: 'confirmed' }]);
      assert.deepEqual(sent(all.host), [
        ['chat/turnStarted', 'one', 'one'],
        ['chat/pendingMessageSet', 'two', 'queued'],
      ]);
      assert.deepEqual(all.chat.pending, []);
      assert.equal(all.chat.state?.activeTurn?.message.text, 'one');
    });

    it('waits where the turn still runs, or where other messages wait', async () => {
      for (const after of [{ activeTurn: running }, { queuedMessages: [queued('earlier')] }]) {
        const all = await opened({ activeTurn: running });
        all.memory.line.drop();
        await eventually(() => all.client.state.kind === 'reconnecting', 'the loss');
        all.chat.send('one');
        all.host.put(chat, { ...channelChat(chat), ...after });
        all.clock.advance(1_000);
        await eventually(() => all.client.state.kind === 'connected', 'the return');
        await atRest();
        assert.deepEqual(sent(all.host), [['chat/pendingMessageSet', 'one', 'queued']]);
      }
    });
  });

  describe('A list of sessions without end', () => {
    const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => channelSummary(`a:/${from + at}`));
    async function listing(page: (number: number, clock: FakeClock) => unknown[]) {
      const host = new FakeChannelHost();
      const { client, clock } = await connected({}, host);
      let asked = 0;
      host.methods['listSessions'] = () => ({ items: page(asked++, clock), nextCursor: `after ${asked}` });
      await client.sessions.refresh();
      const { state, isCut, summaries } = client.sessions;
      return { state, isCut, count: summaries.length, asked, client, host };
    }

    it('is cut after so many sessions, and says so', async () => {
      const { state, isCut, count, client, host } = await listing((page) => many(page * 60_000, 60_000));
      assert.deepEqual([state, isCut, count], ['ready', true, 100_000]);
      host.methods['listSessions'] = () => ({ items: many(0, 1) });
      await client.sessions.refresh();
      assert.deepEqual([client.sessions.isCut, client.sessions.summaries.length], [false, 1]);
    }).timeout(20_000);

    it('is cut after so long, however slowly its pages come', async () => {
      const { state, isCut, asked } = await listing((page, clock) => (clock.advance(9_900), many(page, 1)));
      assert.deepEqual([state, isCut, asked], ['ready', true, 4]);
    });

    it('is none when nothing is in it', async () => {
      const { state, asked } = await listing(() => []);
      assert.deepEqual([state, asked], [{ error: { message: 'the host’s list of sessions does not end' } }, 1_000]);
    });
  });

  it('says of notifications that it does not know only so often, and not all of their names', async () => {
    const lines: string[] = [];
    const { host, client } = await connected({ logger: { ...nullLogger, warn: (line) => void lines.push(line) } });
    for (let count = 0; count < 99; count++) host.tell(`x\n${'y'.repeat(10_000)}`, {});
    host.tell('root/sessionAdded', { summary: channelSummary('a:/3', 'three') });
    await eventually(() => client.sessions.summary('a:/3'), 'the last one');
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /^h:1 sent an unknown notification "x\\ny{50,200}"( \(10 times so far\))?$/);
  });

  it('says nothing of what the MCP servers of sessions tell', async () => {
    const lines: string[] = [];
    const { host, client } = await connected({ logger: { ...nullLogger, warn: (line) => void lines.push(line) } });
    host.tell('notifications/tools/list_changed', { channel: 'mcp://x' });
    host.tell('root/sessionAdded', { summary: channelSummary('a:/3', 'three') });
    await eventually(() => client.sessions.summary('a:/3'), 'the last one');
    assert.deepEqual(lines, []);
  });

  it('says how long a token lasts, and what is left of that when it gives it again', async () => {
    const { host, client, clock, memory } = await connected({}, new FakeChannelHost('1.0.0'));
    const given = () =>
      (host.paramsOf('authenticate') as { token: string; expiresIn?: number }[]).map(({ token, expiresIn }) => [token, expiresIn]);
    await client.command('authenticate', { resource: 'https://a', token: 'long', expiresIn: 3_600 });
    await client.command('authenticate', { resource: 'https://b', token: 'short', expiresIn: 60 });
    await client.command('authenticate', { resource: 'https://c', token: 'unknown' });
    host.methods['reconnect'] = () => {
      throw new RpcError(-32008, 'who are you');
    };
    memory.line.drop();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    clock.advance(60_000);
    await eventually(() => given().length === 5, 'the tokens again');
    assert.deepEqual(given(), [
      ...[
        ['long', 3_600],
        ['short', 60],
        ['unknown', undefined],
      ],
      ...[
        ['long', 3_540],
        ['unknown', undefined],
      ],
    ]);
    const older = await connected();
    await older.client.command('authenticate', { resource: 'https://a', token: 'long', expiresIn: 3_600 });
    assert.equal((older.host.paramsOf('authenticate')[0] as { expiresIn?: number }).expiresIn, undefined);
  });

  it('hears how far the host is with what it has asked for', async () => {
    const { host, client } = await connected();
    const heard: unknown[] = [];
    client.onNotification((notification) => heard.push(notification));
    host.tell('root/progress', { channel: 'ahp-root://', progressToken: 't', progress: 1, total: 4, message: 'Cloning' });
    host.tell('root/progress', { channel: 'ahp-root://', progressToken: 't', progress: 'much' });
    host.tell('root/progress', { channel: 'ahp-root://', progressToken: 't', progress: 2, total: null, message: 7 });
    await eventually(() => heard.length === 2, 'the notifications');
    assert.deepEqual(heard, [
      { type: 'notify/progress', progressToken: 't', progress: 1, total: 4, message: 'Cloning' },
      { type: 'notify/progress', progressToken: 't', progress: 2 },
    ]);
  });

  it('hears that a token is wanted, and of which resource', async () => {
    const { host, client } = await connected();
    const heard: unknown[] = [];
    client.onNotification((notification) => heard.push(notification));
    host.tell('auth/required', { resource: { resource: 'https://api.github.com' }, reason: 'expired' });
    host.tell('auth/required', { resource: 'https://api.github.com' });
    host.tell('auth/required', { resource: { resource: 7 } });
    host.tell('auth/required', { resource: { resource: 'https://x', resource_name: 7 }, reason: 7 });
    await eventually(() => heard.length === 2, 'the notifications');
    assert.deepEqual(heard, [
      {
        type: 'notify/authRequired',
        resource: 'https://api.github.com',
        reason: 'expired',
        metadata: { resource: 'https://api.github.com' },
      },
      { type: 'notify/authRequired', resource: 'https://x', metadata: { resource: 'https://x' } },
    ]);
  });

  it('removes a session with its chats', async () => {
    const { host, session: model, chat: talk } = await opened();
    host.tell('root/sessionRemoved', { session });
    await eventually(() => talk.status.kind === 'removed', 'the removal');
    assert.equal(model.status.kind, 'removed');
    assert.equal((await talk.send('hello').settled).kind, 'rejected');
  });

  it('knows that a chat was removed, and sends nothing to it until it is there again', async () => {
    const { host, session: model, chat: talk } = await opened();
    host.act(session, { type: 'session/chatRemoved', chat });
    await eventually(() => talk.status.kind === 'removed', 'the end of the chat');
    assert.deepEqual([model.status.kind, talk.state?.turns], ['live', []], 'what was known of it stays');
    assert.deepEqual(inEnglish(await talk.send('hello').settled), { kind: 'rejected', reason: 'Not sent. The host has removed it.' });
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
    host.act(session, { type: 'session/chatAdded', summary: { ...model.state!.chats[0], resource: chat } as never });
    await eventually(() => talk.status.kind === 'live', 'the chat again');
    assert.deepEqual(await talk.send('hello').settled, { kind: 'confirmed' });
  });

  it('knows that a chat was removed while there was no connection', async () => {
    const all = await opened();
    all.memory.line.drop();
    await eventually(() => all.client.state.kind === 'reconnecting', 'the loss');
    const held = all.chat.send('hello');
    all.host.act(session, { type: 'session/chatRemoved', chat });
    all.clock.advance(1_000);
    await eventually(() => all.client.state.kind === 'connected', 'the return');
    await atRest();
    assert.deepEqual([all.session.status.kind, all.chat.status.kind], ['live', 'removed']);
    assert.deepEqual(inEnglish(await held.settled), { kind: 'rejected', reason: 'Not sent. The host has removed it.' });
  });

  it('shows at once what is sent, and knows its own words in what is pending', async () => {
    const { host, chat: talk } = await opened();
    const sent = talk.send({ text: 'hello', model: { id: 'm' } });
    assert.equal(talk.state?.activeTurn?.message.text, 'hello');
    assert.equal(talk.confirmed && 'activeTurn' in talk.confirmed, false);
    assert.deepEqual(
      talk.pending.map(({ action }) => action.type),
      ['chat/turnStarted'],
    );
    assert.deepEqual(await sent.settled, { kind: 'confirmed' });
    assert.deepEqual([talk.pending, talk.confirmed?.activeTurn?.message.model], [[], { id: 'm' }]);
    const [{ channel, action }] = host.paramsOf('dispatchAction');
    assert.deepEqual([channel, action.type], [chat, 'chat/turnStarted']);
    assert.equal((await talk.send('and this').settled).kind, 'confirmed');
    assert.equal(talk.state?.queuedMessages?.[0]?.message.text, 'and this', 'a turn is running');
  });

  it('answers a call, and tells who decided', async () => {
    const toolCall = { ...call, status: 'pending-confirmation' as const };
    const { client, chat: talk } = await opened({ activeTurn: { ...running, responseParts: [{ kind: 'toolCall', toolCall }] } });
    const decided: unknown[] = [];
    client.onDidDecide(({ uri, decisions }) =>
      decided.push(...decisions.map(({ callId, approved, origin }) => [uri, callId, approved, origin?.clientId])),
    );
    assert.deepEqual(await talk.deny({ turnId: 't', toolCallId: 'c' }, { reason: 'no' }).settled, { kind: 'confirmed' });
    const [part] = talk.state?.activeTurn?.responseParts ?? [];
    assert.equal(part?.kind === 'toolCall' && part.toolCall.status, 'cancelled');
    assert.deepEqual(decided, [[chat, 'c', false, 'me']]);
  });

  it('sends nothing that only the host, or another version, may', async () => {
    const { host, chat: talk } = await opened();
    assert.equal(talk.can('chat/isReadChanged'), false);
    assert.equal(talk.can('chat/turnStarted'), true);
    assert.equal((await talk.perform({ type: 'chat/isReadChanged', isRead: true }).settled).kind, 'rejected');
    const refused = await talk.perform({ type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' } as never).settled;
    assert.deepEqual(inEnglish(refused), { kind: 'rejected', reason: 'Not sent. Only the host may dispatch chat/delta.' });
    const elsewhere = await talk.perform({ type: 'session/titleChanged', title: 'x' } as never).settled;
    assert.deepEqual(inEnglish(elsewhere), { kind: 'rejected', reason: 'Not sent. session/titleChanged does not belong to a chat.' });
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
  });

  it('resumes, sends what was held, and lends its tools again', async () => {
    const all = await opened();
    const { host, client, memory, session: model, chat: talk } = all;
    await model.lend({ displayName: 'Tapline', tools: [] }).settled;
    memory.line.drop();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    const held = talk.send('while away');
    assert.deepEqual(
      talk.pending.map(({ held: isHeld }) => isHeld),
      [true],
    );
    // As real hosts, it forgets the clients that left.
    host.act(session, { type: 'session/activeClientRemoved', clientId: 'me' });
    all.clock.advance(1_000);
    await eventually(() => talk.status.kind === 'live' && talk.pending.length === 0, 'the return');
    await atRest();
    assert.deepEqual(await held.settled, { kind: 'confirmed' });
    assert.deepEqual(host.paramsOf('reconnect')[0], {
      ...{ channel: 'ahp-root://', clientId: 'me', lastSeenServerSeq: 2, subscriptions: ['ahp-root://', session, chat] },
    });
    assert.deepEqual(
      model.confirmed?.activeClients.map(({ clientId }) => clientId),
      ['me'],
    );
    assert.deepEqual([model.confirmed, talk.confirmed], [host.stateOf(session), host.stateOf(chat)]);
  });

  it('reads on where the host misses some of what was subscribed', async () => {
    const all = await opened();
    const { host, session: model, chat: talk } = all;
    const replay = host.methods['reconnect'];
    host.methods['reconnect'] = (params, connection) => ({ ...(replay?.(params, connection) as object), missing: [chat] });
    host.states.delete(chat);
    await loseLine(all);
    await eventually(() => talk.status.kind === 'failed', 'the refusal');
    assert.equal(model.status.kind, 'live');
    assert.equal(host.paramsOf('initialize').length, 1, 'everything else was resumed');
  });

  it('begins anew with a host that does not know it, and asks about a prompt of unknown outcome', async () => {
    const all = await opened();
    const { host, chat: talk } = all;
    host.methods['reconnect'] = () => {
      throw new RpcError(-32008, 'Reconnect client not found: me');
    };
    host.methods['dispatchAction'] = () => undefined;
    const lost = talk.send('lost');
    await atRest();
    await loseLine(all);
    await eventually(() => talk.pending[0]?.outcome === 'unknown', 'the doubt');
    assert.equal((await lost.settled).kind, 'unknown');
    const again = all.client.resolveUnknown(chat, talk.pending[0]?.clientSeq ?? 0, 'sendAgain');
    assert.ok(again);
    await atRest();
    const [first, second] = host.paramsOf('dispatchAction').map(({ action }) => action);
    assert.deepEqual([first.message, second.type], [second.message, 'chat/turnStarted']);
    assert.notEqual(first.turnId, second.turnId);
    assert.equal(talk.pending.length, 1);
  });

  it('forgets states and actions of a host that speaks another dialect after an update', async () => {
    const [before, after] = [new FakeChannelHost(), new FakeHost()];
    before.put(session, channelSession(chat));
    before.put(chat, channelChat(chat));
    after.states.set(session, sessionState(session, 'of AHP v1'));
    const lines = [memoryTransport(before), memoryTransport(after)] as const;
    let running: 0 | 1 = 0;
    const clock = new FakeClock();
    const transport: TransportFactory = (...args) => lines[running].transport(...args);
    const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport, clock, random: () => 0 });
    clients.push(client);
    const [model, talk] = [client.session(session), client.chat(chat)];
    await eventually(() => talk.status.kind === 'live', 'the chat');
    lines[0].line.drop();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    const held = talk.send('hello');
    running = 1;
    clock.advance(1_000);
    await eventually(() => model.status.kind === 'live', 'the session');
    assert.deepEqual(inEnglish(await held.settled), {
      kind: 'rejected',
      reason: 'Not sent. The host speaks another version of the protocol now.',
    });
    assert.equal(client.dialect?.name, 'v1');
    assert.equal(model.state?.title, 'of AHP v1');
    assert.equal(talk.status.kind, 'failed', 'that host has no such chat');
  });

  it('queues a prompt that is sent again while another one is on its way', async () => {
    const { host, client, chat: model } = await opened();
    for (const text of ['one', 'two'])
      void model.restore({
        type: 'chat/turnStarted',
        turnId: text,
        startedAt: '2026-11-24T00:00:00Z',
        message: { text, origin: { kind: 'user' as const } },
      });
    await atRest();
    for (const { clientSeq } of [...model.pending]) client.resolveUnknown(chat, clientSeq, 'sendAgain');
    await atRest();
    const { activeTurn, queuedMessages } = host.stateOf(chat) as ChatState;
    assert.deepEqual([activeTurn?.message.text, queuedMessages?.map(({ message }) => message.text)], ['one', ['two']]);
  });

  for (const [given, outcome] of [
    ['mine', 'confirmed'],
    ['another', 'unknown'],
  ] as const)
    it(`knows its answers to a question, which may be those of another client: ${outcome}`, async () => {
      const request = { id: 'q', questions: [{ kind: 'text' as const, id: 'name', message: 'Which?' }] };
      const asking = (part: object) =>
        ({ ...channelChat(chat), activeTurn: { ...running, responseParts: [{ kind: 'inputRequest', request, ...part }] } }) as ChatState;
      const answers = (value: string) => ({ name: { state: 'submitted' as const, value: { kind: 'text' as const, value } } });
      const all = await opened(asking({}));
      const { host } = all;
      host.methods['reconnect'] = () => {
        throw new RpcError(-32008, 'Reconnect client not found: me');
      };
      host.methods['dispatchAction'] = () => undefined;
      const { settled } = all.chat.answer('q', answers('mine'));
      await atRest();
      host.put(chat, asking({ request: { ...request, answers: answers(given) }, response: 'accept' }));
      await loseLine(all);
      assert.equal((await settled).kind, outcome);
    });

  for (const [now, outcome] of [
    ['all', 'confirmed'],
    ['default', 'unknown'],
  ] as const)
    it(`asks before it sets a setting again, over “${now}” that another client may have set: ${outcome}`, async () => {
      const all = await opened();
      const { host } = all;
      const config = (autoApprove: string) => ({
        config: { schema: { type: 'object' as const, properties: {} }, values: { autoApprove } },
      });
      host.methods['reconnect'] = () => {
        throw new RpcError(-32008, 'Reconnect client not found: me');
      };
      host.methods['dispatchAction'] = () => undefined;
      const { settled } = all.session.perform({ type: 'session/configChanged', config: { autoApprove: 'all' } });
      await atRest();
      host.put(session, { ...channelSession(chat, 'first'), ...config(now) });
      await loseLine(all);
      assert.equal((await settled).kind, outcome);
      assert.equal(host.paramsOf('dispatchAction').length, 1);
    });

  it('takes what the host does of automations for its answer to a request, which it need not echo', async () => {
    const resource = 'ahp-automation:/1';
    const run = 'ahp-automation-run:/1';
    const createdAt = '2026-11-24T00:00:00Z';
    const lifecycle = { status: 'running' as const, createdAt, startedAt: createdAt };
    const definition = { title: 'Triage', message: { text: 'Go', origin: { kind: 'automation' as const } }, session: {}, enabled: false };
    const automation = {
      ...{ resource, runs: [], operations: [], createdAt, modifiedAt: createdAt },
      definition: { ...definition, triggers: [] },
    };
    const host = new FakeChannelHost();
    host.put(AUTOMATIONS_CHANNEL, { entries: [automation] });
    host.put(run, { resource: run, automation: resource, origin: { kind: 'manual' }, lifecycle, sessions: [] });
    host.methods['dispatchAction'] = () => undefined;
    const { client } = await connected({}, host);
    const [automations, running] = [client.model('automations', AUTOMATIONS_CHANNEL), client.model('automationRun', run)];
    await eventually(() => automations.status.kind === 'live' && running.status.kind === 'live', 'the states');
    const settled: string[] = [];
    const perform = (name: string, { settled: outcome }: Dispatched) => void outcome.then(({ kind }) => settled.push(`${name} ${kind}`));
    perform('on', automations.perform({ type: 'automation/updateRequested', resource, changes: { enabled: true } }));
    perform('title', automations.perform({ type: 'automation/updateRequested', resource, changes: { title: 'Later' } }));
    perform('other', automations.perform({ type: 'automation/removed', resource: 'ahp-automation:/2' }));
    perform('stop', running.perform({ type: 'automationRun/cancelRequested' }));
    await atRest();
    host.act(AUTOMATIONS_CHANNEL, { type: 'automation/set', automation });
    host.act(run, { type: 'automationRun/sessionSet', session });
    await atRest();
    assert.deepEqual(settled, [], 'none of it is what was requested');
    host.act(AUTOMATIONS_CHANNEL, {
      type: 'automation/set',
      automation: { ...automation, definition: { ...automation.definition, enabled: true } },
    });
    host.act(run, { type: 'automationRun/lifecycleChanged', lifecycle: { ...lifecycle, status: 'cancelled', completedAt: createdAt } });
    await atRest();
    assert.deepEqual(settled.sort(), ['on confirmed', 'stop confirmed']);
  });
});

describe('What is not on screen', () => {
  const deliveries = (host: FakeChannelHost) =>
    host.paramsOf('subscribe').map(({ delivery }) => delivery as { maxLatencyMs?: number } | undefined);

  it('may come later, and at once as soon as somebody looks, also after a lost line', async () => {
    const all = await connected();
    const background = all.client.chat(chat, { maxLatencyMs: 250 });
    await eventually(() => background.status.kind === 'live', 'the state');
    const shown = all.client.chat(chat);
    await atRest();
    assert.deepEqual(deliveries(all.host), [{ maxLatencyMs: 250 }, { maxLatencyMs: 0 }]);
    assert.equal(shown.status.kind, 'live');
    await loseLine(all);
    assert.ok(
      !deliveries(all.host)
        .slice(2)
        .some((delivery) => (delivery?.maxLatencyMs ?? 0) > 0),
    );
  });

  it('is not held back where it is on screen first', async () => {
    const { host, client, chat: shown } = await opened();
    client.chat(chat, { maxLatencyMs: 250 });
    await atRest();
    assert.ok(deliveries(host).every((delivery) => delivery === undefined));
    assert.equal(shown.status.kind, 'live');
  });
});

describe('The client of a host of AHP v1, in the words of the channels', () => {
  async function older() {
    const host = new FakeHost();
    host.states.set('demo:/1', { ...sessionState('demo:/1', 'first'), turns: [] });
    const memory = memoryTransport(host);
    const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport: memory.transport, clock: new FakeClock() });
    clients.push(client);
    const models = { session: client.session('demo:/1'), chat: client.chat('demo:/1') };
    await eventually(() => models.chat.status.kind === 'live', 'the state');
    return { host, client, ...models };
  }

  it('shows a session and its one chat, of one resource', async () => {
    const { host, session: model, chat: talk } = await older();
    assert.deepEqual([model.state?.defaultChat, talk.state?.turns], ['demo:/1', []]);
    assert.equal(model.state, model.state);
    assert.equal(host.paramsOf('subscribe').length, 0, 'it came with the handshake');
    host.emit({ type: 'session/turnStarted', session: 'demo:/1', turnId: 't', userMessage: { text: 'go' } });
    await eventually(() => talk.state?.activeTurn?.message.text === 'go', 'the turn');
    assert.ok((model.state?.status ?? 0) & SessionStatus.InProgress);
  });

  it('does what is asked for with its own actions, and says where it cannot', async () => {
    const { host, chat: talk, session: model } = await older();
    assert.equal((await talk.send({ text: 'hello', model: { id: 'm' } }).settled).kind, 'confirmed');
    assert.deepEqual(
      host.paramsOf('dispatchAction').map(({ action }) => action.type),
      ['session/modelChanged', 'session/turnStarted'],
    );
    const waiting = talk.queue('later');
    assert.deepEqual(
      talk.pending.map(({ action }) => action.type),
      ['chat/pendingMessageSet'],
    );
    await waiting.settled;
    assert.equal(talk.state?.queuedMessages?.[0]?.message.text, 'later');
    await model.lend({ displayName: 'Tapline', tools: [] }).settled;
    assert.equal(model.state?.activeClients[0]?.clientId, 'me');
    await model.withdraw().settled;
    assert.deepEqual(model.state?.activeClients, []);
    await talk.stop().settled;
    assert.deepEqual(inEnglish(await talk.stop().settled), { kind: 'rejected', reason: 'Not sent. No turn is running.' });
    assert.equal(talk.can('chat/turnResume'), false);
    const resumed = await talk.perform({ type: 'chat/turnResume', turnId: 't' }).settled;
    assert.deepEqual(inEnglish(resumed), { kind: 'rejected', reason: 'Not sent. The protocol of this host cannot do it.' });
    const withPicture = {
      text: 'look',
      attachments: [{ type: 'embeddedResource' as const, label: 'x', data: '', contentType: 'image/png' }],
    };
    assert.equal((await talk.send(withPicture).settled).kind, 'rejected', 'nothing is left out in silence');
  });

  it('knows its requests by other names', async () => {
    const { host, client } = await older();
    host.methods['createSession'] = () => null;
    await client.command('createSession', { channel: 'demo:/2', provider: 'demo', workingDirectories: ['file:///w'] });
    assert.deepEqual(host.paramsOf('createSession'), [{ session: 'demo:/2', provider: 'demo', workingDirectory: 'file:///w' }]);
    await assert.rejects(client.command('createChat', { channel: 'demo:/1', chat: 'ahp-chat://x/' }), /cannot do this createChat/);
  });
});
