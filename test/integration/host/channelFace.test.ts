/** Tapline's host as clients of AHP 1.0 see it, over real sockets: what they reduce is what a new client gets. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';
import type { AgentHostClient, AgentHostClientOptions } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import type { ChannelStates } from '../../../src/ahp/channels/channelReducers.ts';
import type { ToolCallState } from '../../../src/ahp/channels/shapes/toolCall.ts';
import type { ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import { activityOf, SessionStatus } from '../../../src/ahp/common/status.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type HostFrame, manglingTransport } from '../../fakes/manglingTransport.ts';
import { sharedDir } from '../../support/shared.ts';
import { wireOf, wireValidator } from '../../support/wireSchema.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { DemoConversation, DemoHost } from './demoHarness.ts';

const WAIT_MS = 30_000;
const shapes: Partial<Record<ResourceKind, string>> = {
  root: 'RootState',
  session: 'SessionState',
  chat: 'ChatState',
  terminal: 'TerminalState',
};

/** The first state in which `find` finds something. */
function until<K extends ResourceKind, T>(
  model: ResourceModel<K>,
  what: string,
  find: (state: ChannelStates[K]) => T | undefined | false | null,
): Promise<T> {
  const found = new Promise<T>((resolve) => {
    const look = () => {
      const result = model.state && find(model.state);
      if (result) resolve(result as T);
    };
    model.onDidChange(look);
    look();
  });
  return withTimeout(found, WAIT_MS, what).catch((error: unknown) => {
    throw new Error(`${String(error)}; the state: ${JSON.stringify(model.state, null, 1)?.slice(-3000)}`, { cause: error });
  });
}

function callIn({ activeTurn }: ChatState, status: ToolCallState['status']): ToolCallState | undefined {
  const parts = activeTurn?.responseParts ?? [];
  const calls = parts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));
  const last = calls.at(-1);
  return last?.status === status ? last : undefined;
}

describe('the host, for clients of AHP 1.0', function () {
  this.timeout(60_000);
  let host: DemoHost;
  let older: V1Client;
  let client: AgentHostClient;
  let session: SessionModel;
  let chat: ChatModel;
  const dir = sharedDir();
  const wire = dir === undefined ? undefined : wireOf(dir);
  const problem = wire ? wireValidator(wire) : () => undefined;
  const heard: HostFrame['message'][] = [];
  const channels: Pick<AgentHostClientOptions, 'dialects' | 'transport'> = {
    dialects: ['channels'],
    transport: manglingTransport(connectNodeTransport(), (frame, deliver) => {
      heard.push(frame.message);
      deliver(frame);
    }),
  };

  beforeEach(async () => {
    host = new DemoHost();
    older = await host.start({ clientReturnMs: 30_000 });
    client = await host.client({ clientId: 'me', ...channels });
    const uri = 'demo:/of-channels';
    const workingDirectories = [pathToFileURL(host.directory).href];
    await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories, config: {} });
    session = client.session(uri);
    await until(session, 'the session', ({ lifecycle }) => lifecycle === 'ready');
    chat = client.chat((await whenLive(session)).defaultChat ?? '');
    await whenLive(chat);
  });
  afterEach(() => host.stop());
  afterEach('what was told is as the protocol has it', () => {
    for (const { method, params } of heard.splice(0)) {
      const [shape, value] = method === 'action' ? [`action ${params?.action?.type}`, params?.action] : [`notification ${method}`, params];
      const isKnown = method === 'action' || (method !== undefined && wire && method in wire.notifications);
      if (isKnown) assert.equal(problem(shape, value), undefined, `${shape} ${JSON.stringify(value)}`);
    }
  });

  const plain = (state: unknown) =>
    JSON.parse(JSON.stringify(state, (key, value: unknown) => (key === 'modifiedAt' ? undefined : value))) as unknown;

  /** A new client has the same states, and they are as the protocol has them. */
  async function agrees(...more: ResourceModel<ResourceKind>[]): Promise<void> {
    const fresh = await host.client(channels);
    for (const model of [client.root(), session, chat, ...more] as ResourceModel<ResourceKind>[]) {
      const other = fresh.model(model.kind, model.uri);
      await whenLive(other);
      // What was told before the snapshot was taken has arrived before its answer.
      await client.command('ping', {});
      assert.deepEqual(plain(model.confirmed), plain(other.confirmed), model.kind);
      const shape = shapes[model.kind];
      assert.equal(shape && problem(shape, other.confirmed), undefined, `${model.kind} ${JSON.stringify(other.confirmed)}`);
    }
    fresh.close();
  }

  async function ended(text: string): Promise<ChatState['turns'][number]> {
    const turn = await until(chat, `the end of "${text}"`, ({ turns, activeTurn }) => !activeTurn && turns.at(-1));
    assert.equal(turn.message.text, text);
    return turn;
  }
  const waits = () =>
    until(chat, 'a call that waits', (state) => {
      const call = callIn(state, 'pending-confirmation');
      return call && state.activeTurn && { turnId: state.activeTurn.id, toolCallId: call.toolCallId, call };
    });
  const confirmed = { kind: 'confirmed' };

  it('takes the settings of VS Code, and leaves out what means nothing to the agent', async () => {
    const create = (id: string, config: Record<string, unknown>) =>
      client.command('createSession', {
        channel: `demo:/${id}`,
        provider: 'demo',
        workingDirectories: [pathToFileURL(host.directory).href],
        config,
      });
    await create('of-vscode', { isolation: 'folder', autoApprove: 'default', mode: 'interactive', approvals: 'auto', notesFile: 1 });
    const made = await whenLive(client.session('demo:/of-vscode'));
    assert.deepEqual(made.config?.values, { approvals: 'auto', notesFile: 'notes.md' });
    await assert.rejects(create('in-a-worktree', { isolation: 'worktree' }), /there can be no worktree/);
  });

  it('speaks the newest version that both know, and AHP v1 to those that offer it', async () => {
    assert.deepEqual(client.dialect, { name: 'channels', version: '1.0.0' });
    assert.equal(client.root().state?.agents[0]?.provider, 'demo');
    await assert.rejects(client.command('moveChat', { channel: chat.uri, destination: { kind: 'newSession' } }), /cannot do this moveChat/);
    await assert.rejects(whenLive(client.session('demo:/none')), /there is no demo:\/none/);
    await agrees();
  });

  it('streams a turn, with its times, to all clients alike', async () => {
    const late = await host.client(channels);
    const other = late.chat(chat.uri);
    await whenLive(other);
    assert.deepEqual(await chat.send({ text: 'stream 2', model: { id: 'demo-fast' } }).settled, confirmed);
    const turn = await ended('stream 2');
    assert.deepEqual(
      turn.responseParts.map(({ kind }) => kind),
      ['reasoning', 'markdown'],
    );
    assert.ok(turn.startedAt !== undefined && turn.duration !== undefined && turn.duration >= 0);
    assert.deepEqual(turn.message.model, { id: 'demo-fast' });
    await until(other, 'the same turn', ({ turns }) => turns.length === 1);
    assert.deepEqual(plain(other.confirmed), plain(chat.confirmed));
    await until(session, 'the title', ({ title }) => title === 'stream 2');
    await agrees();
  });

  it('asks before a command runs, and says so without a subscription to the chat', async () => {
    assert.deepEqual(await chat.send('run echo hello').settled, confirmed);
    const { turnId, toolCallId, call } = await waits();
    assert.ok(call.status === 'pending-confirmation' && call.toolInput === 'echo hello');
    const [needed] = await until(session, 'what is needed', ({ inputNeeded }) => inputNeeded);
    assert.ok(needed?.kind === 'toolConfirmation' && needed.chat === chat.uri && needed.toolCall.toolCallId === toolCallId);
    assert.equal(activityOf(session.state?.status ?? 0), SessionStatus.InputNeeded);
    await agrees();
    const optionId = call.options?.find(({ kind }) => kind === 'approve')?.id;
    assert.deepEqual(
      await chat.approve({ turnId, toolCallId }, { editedInput: 'echo changed', ...(optionId && { optionId }) }).settled,
      confirmed,
    );
    const running = await until(chat, 'its terminal', (state) =>
      [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])]
        .flatMap(({ responseParts }) => responseParts)
        .flatMap((part) => (part.kind === 'toolCall' && 'content' in part.toolCall ? (part.toolCall.content ?? []) : []))
        .find((content) => content.type === 'terminal'),
    );
    assert.ok(running.type === 'terminal');
    const turn = await ended('run echo hello');
    assert.match(JSON.stringify(turn.responseParts), /changed/);
    assert.equal(session.state?.inputNeeded, undefined);
    await agrees();
  });

  it('takes a denial, and refuses a second answer', async () => {
    await chat.send('run echo never').settled;
    const { turnId, toolCallId } = await waits();
    assert.deepEqual(await chat.deny({ turnId, toolCallId }, { reason: 'not now' }).settled, confirmed);
    const second = await chat.approve({ turnId, toolCallId }).settled;
    assert.equal(second.kind, 'rejected');
    await ended('run echo never');
    await agrees();
  });

  it('calls a tool that the client lends', async () => {
    const tools = [{ name: 'look_up', description: 'Looks up', inputSchema: { type: 'object' as const, properties: {} } }];
    assert.deepEqual(await session.lend({ displayName: 'Tests', tools }).settled, confirmed);
    await agrees();
    await chat.send('client look_up {"q":1}').settled;
    const { turnId, toolCallId, call } = await waits();
    assert.deepEqual(call.contributor, { kind: 'client', clientId: 'me' });
    await chat.approve({ turnId, toolCallId }).settled;
    await until(chat, 'the running call', (state) => callIn(state, 'running'));
    await until(session, 'the request', ({ inputNeeded }) => inputNeeded?.some(({ kind }) => kind === 'toolClientExecution'));
    const result = { success: true, pastTenseMessage: 'Looked up', content: [{ type: 'text' as const, text: 'forty-two' }] };
    assert.deepEqual(await chat.complete({ turnId, toolCallId }, result).settled, confirmed);
    assert.match(JSON.stringify((await ended('client look_up {"q":1}')).responseParts), /forty-two/);
    assert.deepEqual(await session.withdraw().settled, confirmed);
    await agrees();
  });

  for (const how of ['leaves', 'is replaced'] as const) {
    it(`lets a client that ${how} in the middle of its call complete it when it is back, and nobody else`, async () => {
      const tools = [{ name: 'look_up', description: 'Looks up', inputSchema: { type: 'object' as const, properties: {} } }];
      const window = await host.client({ clientId: 'window', ...channels });
      await whenLive(window.session(session.uri));
      assert.deepEqual(await window.session(session.uri).lend({ displayName: 'Window', tools }).settled, confirmed);
      await chat.send('client look_up {"q":1}').settled;
      const { turnId, toolCallId } = await waits();
      await chat.approve({ turnId, toolCallId }).settled;
      await until(chat, 'the running call', (state) => callIn(state, 'running'));
      const result = { success: true, pastTenseMessage: 'Looked up', content: [{ type: 'text' as const, text: 'forty-two' }] };
      if (how === 'leaves') {
        window.close();
        await until(session, 'that it has left', ({ activeClients }) => activeClients.every(({ clientId }) => clientId !== 'window'));
      }
      assert.match(JSON.stringify(await chat.complete({ turnId, toolCallId }, result).settled), /only the client that provides the tool/);
      const back = await host.client({ clientId: 'window', ...channels });
      const same = back.chat(chat.uri);
      await whenLive(same);
      assert.deepEqual(await same.complete({ turnId, toolCallId }, result).settled, confirmed);
      assert.match(JSON.stringify((await ended('client look_up {"q":1}')).responseParts), /forty-two/);
      await agrees();
    });
  }

  it('asks questions, and keeps the answers where they were asked', async () => {
    await chat.send('ask').settled;
    const asked = await until(chat, 'the questions', ({ activeTurn }) =>
      activeTurn?.responseParts.find((part) => part.kind === 'inputRequest' && part.response === undefined),
    );
    assert.ok(asked.kind === 'inputRequest');
    await until(session, 'the request', ({ inputNeeded }) => inputNeeded?.some(({ kind }) => kind === 'chatInput'));
    const { id } = asked.request;
    const answer = { state: 'draft' as const, value: { kind: 'text' as const, value: 'Tapline' } };
    assert.deepEqual(await chat.perform({ type: 'chat/inputAnswerChanged', requestId: id, questionId: 'name', answer }).settled, confirmed);
    await agrees();
    assert.deepEqual(await chat.decline(id).settled, confirmed);
    const turn = await ended('ask');
    const part = turn.responseParts.find(({ kind }) => kind === 'inputRequest');
    assert.ok(part?.kind === 'inputRequest' && part.response === 'decline' && part.request.answers?.['name']);
    await agrees();
  });

  it('queues, steers, stops and truncates', async () => {
    host.time.holdWords = true;
    await chat.send('stream 3').settled;
    await host.time.tick();
    assert.deepEqual(await chat.queue('help', 'q1').settled, confirmed);
    assert.deepEqual(await chat.queue('context', 'q2').settled, confirmed);
    assert.deepEqual(await chat.perform({ type: 'chat/queuedMessagesReordered', order: ['q2', 'q1'] }).settled, confirmed);
    assert.deepEqual(await chat.steer('faster', 's1').settled, confirmed);
    assert.deepEqual(await chat.unsend('q1').settled, confirmed);
    await agrees();
    host.time.holdWords = false;
    assert.deepEqual(await chat.stop().settled, confirmed);
    await until(chat, 'the rest', ({ activeTurn, turns }) => !activeTurn && turns[0]?.state === 'cancelled');
    await agrees();
    assert.deepEqual(await chat.truncate().settled, confirmed);
    assert.deepEqual(chat.state?.turns, []);
    await agrees();
  });

  it('shows a subagent as a chat of the session', async () => {
    await chat.send('subagent look around').settled;
    const { resource } = await until(session, 'its chat', ({ chats }) => chats.find(({ origin }) => origin?.kind === 'tool'));
    const of = client.chat(resource);
    await whenLive(of);
    const turn = await ended('subagent look around');
    assert.ok(JSON.stringify(turn.responseParts).includes(resource), 'its call names it');
    await until(of, 'its turn', ({ turns }) => turns.length === 1);
    assert.equal(of.state?.interactivity, 'read-only');
    assert.equal((await of.send('hello').settled).kind, 'rejected');
    await agrees(of);
    assert.equal(client.sessions.summaries.filter(({ resource: listed }) => listed.startsWith('demo:')).length, 1);
  });

  it('keeps title, flags and settings, and says what changed to all', async () => {
    for (const done of [session.rename('Mine'), session.setRead(true), session.setArchived(true), session.setArchived(false)])
      assert.deepEqual(await done.settled, confirmed);
    const property = Object.entries(session.state?.config?.schema.properties ?? {}).find(([, { sessionMutable }]) => sessionMutable);
    assert.ok(property);
    const value = property[1].enum?.at(-1) ?? 'auto';
    assert.deepEqual(await session.configure({ [property[0]]: value }).settled, confirmed);
    assert.equal(session.state?.config?.values[property[0]], value);
    await until(session, 'the title', ({ title }) => title === 'Mine');
    assert.equal((await chat.perform({ type: 'chat/turnResume', turnId: 'x' }).settled).kind, 'rejected');
    await agrees();
  });

  it('lists its sessions in pages', async () => {
    for (const id of ['b', 'c']) await client.command('createSession', { channel: `demo:/${id}`, provider: 'demo', config: {} });
    const first = await client.command('listSessions', { limit: 2 });
    const second = await client.command('listSessions', { limit: 2, cursor: first.nextCursor ?? '' });
    const listed = [...first.items, ...second.items].map(({ resource }) => resource);
    assert.deepEqual([listed, second.nextCursor], [[session.uri, 'demo:/b', 'demo:/c'], undefined]);
    await assert.rejects(client.command('listSessions', { cursor: 'demo:/gone' }), /there is no session demo:\/gone; list again/);
  });

  it('is gone for all when it is disposed of, and another one under the same name begins anew', async () => {
    await session.rename('first').settled;
    await client.command('disposeSession', { channel: session.uri });
    await eventually(() => session.status.kind === 'removed', 'the removal');
    assert.deepEqual([session.status.kind, chat.status.kind], ['removed', 'removed']);
    await client.command('createSession', { channel: session.uri, provider: 'demo', config: {} });
    const again = await host.client(channels);
    const other = again.session(session.uri);
    await until(other, 'the new session', ({ lifecycle, title }) => lifecycle === 'ready' && title !== 'first');
  });

  it('is the same session for a client of AHP v1', async () => {
    const seen = new DemoConversation(older, session.uri);
    await seen.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    await chat.send('run echo both').settled;
    await waits();
    await seen.confirm({ approved: true });
    const turn = await ended('run echo both');
    const same = await seen.until('the turn', ({ turns }) => turns.find(({ id }) => id === turn.id));
    assert.equal(same.userMessage.text, 'run echo both');
    await seen.say('help');
    await until(chat, 'the turn of the other', ({ turns }) => turns.length === 2);
    await agrees();
  });

  for (const uri of ['agenthost-terminal:/mine', 'ahp-terminal:/0c7f'])
    it(`gives it a terminal of its own, ${uri}`, async () => {
      await client.command('createTerminal', { channel: uri, claim: { kind: 'client', clientId: 'me' }, cols: 80, rows: 24 });
      const terminal = client.model('terminal', uri);
      await whenLive(terminal);
      await until(client.root(), 'its name in the list', ({ terminals }) => terminals?.some(({ resource }) => resource === uri));
      const root = await whenLive(older.subscribeRoot());
      assert.ok(root.terminals?.every(({ resource }) => resource.startsWith('agenthost-terminal:')));
      assert.deepEqual(await terminal.perform({ type: 'terminal/resized', cols: 100, rows: 30 }).settled, confirmed);
      await terminal.perform({ type: 'terminal/input', data: 'exit 3\r' }).settled;
      await until(terminal, 'the end', ({ lifecycle }) => lifecycle.status === 'exited' && lifecycle.exitCode === 3);
      await agrees(terminal);
      await client.command('disposeTerminal', { channel: uri });
      await until(client.root(), 'its removal', ({ terminals = [] }) => terminals.every(({ resource }) => resource !== uri));
    });

  it('brings a client up to date that comes back in the middle of a turn', async () => {
    host.time.holdWords = true;
    await chat.send('stream 3').settled;
    for (let word = 0; word < 5; word++) await host.time.tick();
    // Another connection of the same client takes its place, and it comes back.
    const again = await host.client({ clientId: 'me', ...channels });
    const same = again.chat(chat.uri);
    await whenLive(same);
    host.time.holdWords = false;
    await host.time.tick();
    await until(same, 'the end', ({ activeTurn, turns }) => !activeTurn && turns.length === 1);
    const fresh = await host.client(channels);
    assert.deepEqual(plain(same.confirmed), plain(await whenLive(fresh.chat(chat.uri))));
  });

  it('answers reconnect with what was missed, or with snapshots, and a stranger with an error', async () => {
    const talk = await rawConnection(host);
    const hello = { channel: 'ahp-root://', clientId: 'raw', protocolVersions: ['0.9.0', '7.0.0'], initialSubscriptions: ['ahp-root://'] };
    const { result } = await talk.ask('initialize', hello);
    assert.equal(result?.['protocolVersion'], '0.9.0');
    assert.equal((result?.['snapshots'] as unknown[]).length, 1);
    talk.close();
    const back = await rawConnection(host);
    const subscriptions = ['ahp-root://', session.uri, chat.uri, 'demo:/gone'];
    const answer = await back.ask('reconnect', { channel: 'ahp-root://', clientId: 'raw', lastSeenServerSeq: 1, subscriptions });
    assert.equal(answer.result?.['type'], 'snapshot');
    assert.deepEqual(
      (answer.result?.['snapshots'] as { resource: string }[]).map(({ resource }) => resource),
      subscriptions.slice(0, 3),
    );
    const since = (answer.result?.['snapshots'] as { fromSeq: number }[])[0]?.fromSeq;
    back.close();
    await session.rename('Missed').settled;
    const again = await rawConnection(host);
    const replayed = await again.ask('reconnect', { channel: 'ahp-root://', clientId: 'raw', lastSeenServerSeq: since, subscriptions });
    const { type, actions, missing } = replayed.result as { type: string; actions: { action: { type: string } }[]; missing: string[] };
    assert.deepEqual([type, missing], ['replay', ['demo:/gone']]);
    assert.deepEqual(
      actions.map(({ action }) => action.type),
      ['session/titleChanged', 'session/chatUpdated'],
    );
    again.close();
    const stranger = await rawConnection(host);
    const refused = await stranger.ask('reconnect', {
      channel: 'ahp-root://',
      clientId: 'nobody',
      lastSeenServerSeq: 1,
      subscriptions: [],
    });
    assert.equal(refused.error?.code, -32008);
    stranger.close();
    const later = await rawConnection(host);
    const none = await later.ask('initialize', { ...hello, protocolVersions: ['7.0.0'] });
    assert.deepEqual([none.error?.code, none.error?.data], [-32005, { supportedVersions: ['1.0.0', '0.10.0', '0.9.0'] }]);
    await later.closed;
  });
});

interface Answer {
  result?: Record<string, unknown>;
  error?: { code: number; data?: unknown };
}

/** A connection without a client of ours. */
async function rawConnection(host: DemoHost) {
  const socket = new WebSocket(host.address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let id = 0;
  return {
    ask: (method: string, params: object) => {
      const own = ++id;
      const answer = new Promise<Answer>((resolve) => {
        const read = (data: Buffer) => {
          const message = JSON.parse(data.toString()) as Answer & { id?: number };
          if (message.id !== own) return;
          socket.off('message', read);
          resolve(message);
        };
        socket.on('message', read);
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }));
      return withTimeout(answer, WAIT_MS, method);
    },
    /** Resolves when the host has closed it. */
    closed: new Promise((resolve) => socket.once('close', resolve)),
    close: () => socket.terminate(),
  };
}
