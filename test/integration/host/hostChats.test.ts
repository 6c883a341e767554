/** Several chats in a session of Tapline's own host, with the demo agent, over real sockets. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chatNamesMeta, hasChatNames } from '../../../src/ahp/chatNames.ts';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ChangesetState } from '../../../src/ahp/channels/changeset.ts';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import { changesUri } from '../../../src/host/state/chatUris.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { eventually } from '../../fakes/eventually.ts';
import { DemoHost } from './demoHarness.ts';

const WAIT_MS = 30_000;
const uri = 'demo:/of-chats';
const other = 'ahp-chat:/other';

describe('several chats in a session of the host', function () {
  this.timeout(60_000);
  let host: DemoHost;
  let folder: string;
  let client: AgentHostClient;
  let session: SessionModel;
  let first: ChatModel;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-chats-'));
    host = new DemoHost();
    await host.start({ sessionsFolder: folder });
    client = await host.client({ clientId: 'me' });
    const workingDirectories = [pathToFileURL(host.directory).href];
    await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories, config: {} });
    session = client.session(uri);
    await whenLive(session);
    await eventually(() => session.state?.lifecycle === 'ready', 'the session');
    first = client.chat(session.state?.defaultChat ?? '');
    await whenLive(first);
  });
  afterEach(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  /** Sends, and waits for the end of the turn. */
  async function say(chat: ChatModel, text: string): Promise<void> {
    const before = chat.state?.turns.length ?? 0;
    await chat.send(text).settled;
    await eventually(() => chat.state?.turns.length === before + 1 && !chat.state.activeTurn, `the end of “${text}”`);
  }
  const texts = ({ state }: ChatModel) => state?.turns.map(({ message }) => message.text);
  async function open(params: object = {}, chat = other): Promise<ChatModel> {
    await client.command('createChat', { channel: uri, chat, ...params });
    const model = client.chat(chat);
    await withTimeout(whenLive(model), WAIT_MS, 'the chat');
    return model;
  }
  const refusal = (params: object) =>
    client.command('createChat', { channel: uri, chat: other, ...params }).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );

  it('say that they can be opened and forked', () => {
    const demo = client.root().state?.agents.find(({ provider }) => provider === 'demo');
    assert.deepEqual(demo?.capabilities, { multipleChats: { fork: true, sideChat: true } });
  });

  it('have turns, queues and models of their own, at the same time', async () => {
    const second = await open();
    assert.deepEqual(
      session.state?.chats.map(({ resource }) => resource),
      [first.uri, other],
    );
    await first.send('wait 600').settled;
    await eventually(() => first.state?.activeTurn !== undefined, 'the turn of the first');
    await say(second, 'help');
    assert.notEqual(first.state?.activeTurn, undefined, 'it goes on');
    assert.deepEqual([texts(first), texts(second)], [[], ['help']]);
    await first.stop().settled;
    await eventually(() => first.state?.activeTurn === undefined, 'its end');
    const title = session.state?.chats.find(({ resource }) => resource === other)?.title;
    assert.deepEqual([title, session.state?.title], ['help', 'wait 600']);
  });

  it('ask in the list of their session, each for itself', async () => {
    const second = await open();
    await second.send('run echo two').settled;
    await eventually(() => session.state?.inputNeeded?.length === 1, 'the question');
    const [needed] = session.state?.inputNeeded ?? [];
    assert.equal(needed?.chat, other);
    await client.command('disposeChat', { channel: other });
    await eventually(() => session.state?.inputNeeded === undefined, 'its end with the chat');
    assert.deepEqual(
      session.state?.chats.map(({ resource }) => resource),
      [first.uri],
    );
    assert.equal((await host.client()).chat(other).state, undefined);
    await assert.rejects(client.command('disposeChat', { channel: first.uri }), /goes with its session/);
    await assert.rejects(client.command('disposeChat', { channel: other }), /there is no/);
  });

  it('go on from a turn of another, and leave that as it is', async () => {
    await say(first, 'one');
    await say(first, 'two');
    const [turn] = first.state?.turns ?? [];
    const fork = await open({ source: { kind: 'fork', chat: first.uri, turnId: turn?.id } });
    assert.deepEqual(texts(fork), ['one']);
    assert.deepEqual(fork.state?.origin, { kind: 'fork', chat: first.uri, turnId: turn?.id });
    await say(fork, 'three');
    assert.deepEqual(
      [texts(fork), texts(first)],
      [
        ['one', 'three'],
        ['one', 'two'],
      ],
    );
    assert.equal(session.state?.chats.at(-1)?.title, 'one (fork)');
    assert.match(
      await refusal({ chat: 'ahp-chat:/x', source: { kind: 'fork', chat: first.uri, turnId: 'none' } }),
      /no finished turn none/,
    );
    assert.match(await refusal({ chat: 'ahp-chat:/x', source: { kind: 'fork', chat: 'ahp-chat:/none', turnId: 'x' } }), /has no chat/);
    assert.match(await refusal({}), /exists already/);
    assert.match(await refusal({ chat: 'ahp-chat:/x', source: { kind: 'copy', chat: first.uri } }), /forks and side chats/);
    assert.match(await refusal({ chat: first.uri }), /exists already/);
  });

  it('ask beside a turn of another, which they know and leave as it is', async () => {
    await say(first, 'one');
    await say(first, 'two');
    const turnId = first.state?.turns[1]?.id ?? '';
    const source = { kind: 'sideChat', chat: first.uri, turnId, selection: { text: 'x'.repeat(20_000) } };
    const side = await open({ source });
    assert.deepEqual(texts(side), []);
    const { origin } = side.state ?? {};
    assert.deepEqual(origin, { ...source, selection: { text: 'x'.repeat(10_000) } });
    await say(side, 'help');
    assert.match(JSON.stringify(side.state?.turns), /I know 2 turns of it, and that you ask about “x{100}”/);
    assert.deepEqual(texts(first), ['one', 'two']);
    const listed = session.state?.chats.at(-1);
    assert.deepEqual([listed?.title, listed?.origin], ['help', origin]);
    const unknown = { kind: 'sideChat', chat: first.uri, turnId: 'none' };
    assert.match(await refusal({ chat: 'ahp-chat:/x', source: unknown }), /no finished turn none/);
    await host.restart({ sessionsFolder: folder });
    const again = (await host.client()).chat(other);
    await withTimeout(whenLive(again), WAIT_MS, 'the chat');
    assert.deepEqual([texts(again), again.state?.origin], [['help'], origin]);
  });

  it('get another name from a client whose host can do it', async () => {
    const named = await host.client({ clientId: 'namer', meta: chatNamesMeta });
    assert.deepEqual([hasChatNames(named.hostMeta), hasChatNames(client.hostMeta)], [true, false]);
    await open();
    const titles = () => session.state?.chats.map(({ title }) => title);
    await named.requestOwn('tapline/renameChat', { chat: other, title: ' Ideas ' });
    await named.requestOwn('tapline/renameChat', { chat: first.uri, title: 'Plan' });
    await eventually(() => titles()?.[0] === 'Plan', 'the names');
    assert.deepEqual([titles(), session.state?.title], [['Plan', 'Ideas'], 'Plan']);
    await say(named.chat(other), 'help');
    assert.equal(titles()?.[1], 'Ideas', 'its first message does not name it');
    const refused = (chat: string, title: string) =>
      named.requestOwn('tapline/renameChat', { chat, title }).then(
        () => 'no',
        (error: unknown) => (error as Error).message,
      );
    assert.match(await refused('ahp-chat:/none', 'x'), /there is no ahp-chat:\/none/);
    for (const title of [' ', 'x'.repeat(201)]) assert.match(await refused(other, title), /title/);
    await say(first, 'subagent');
    const sub = session.state?.chats.find(({ origin }) => origin?.kind === 'tool');
    assert.match(await refused(sub?.resource ?? '', 'x'), /subagent/);
    await host.restart({ sessionsFolder: folder });
    const again = (await host.client()).session(uri);
    await withTimeout(whenLive(again), WAIT_MS, 'the session');
    assert.deepEqual(
      again.state?.chats.slice(0, 2).map(({ title }) => title),
      ['Plan', 'Ideas'],
    );
  });

  it('begin with a message', async () => {
    const second = await open({ initialMessage: { text: 'help', origin: { kind: 'user' } } });
    await eventually(() => texts(second)?.length === 1, 'the first turn');
    assert.deepEqual(texts(second), ['help']);
    const model = { id: 'none' };
    assert.match(
      await refusal({ chat: 'ahp-chat:/x', initialMessage: { text: 'x', origin: { kind: 'user' }, model } }),
      /model none is not offered any more/,
    );
  });

  it('outlive the host, and those that were deleted do not', async () => {
    await say(first, 'one');
    const second = await open();
    await say(second, 'two');
    await open({}, 'ahp-chat:/gone');
    await client.command('disposeChat', { channel: 'ahp-chat:/gone' });
    const before = JSON.stringify(second.state?.turns);
    await host.restart({ sessionsFolder: folder });
    const again = await host.client();
    // Whichever of its channels is asked for first, the session is read.
    const { files } = (await withTimeout(whenLive(again.model('changeset', changesUri(uri))), WAIT_MS, 'its changes')) as ChangesetState;
    assert.deepEqual(files, []);
    const state = (await withTimeout(whenLive(again.chat(other)), WAIT_MS, 'the chat')) as ChatState;
    assert.equal(JSON.stringify(state.turns), before);
    const same = again.session(uri);
    await whenLive(same);
    assert.deepEqual(
      same.state?.chats.map(({ resource, title }) => [resource, title]),
      [
        [first.uri, 'one'],
        [other, 'two'],
      ],
    );
    await say(again.chat(other), 'three');
    assert.deepEqual(texts(again.chat(other)), ['two', 'three']);
  });

  it('are whole, or not there, after a kill while one is opened', async () => {
    await say(first, 'one');
    await open();
    await host.restart({ sessionsFolder: mkdtempSync(join(folder, 'elsewhere-')) });
    // The line that names the chat was not written any more.
    const [name = ''] = readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'log.jsonl')));
    const log = join(folder, name, 'log.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(
      log,
      lines
        .slice(
          0,
          lines.findIndex((line) => line.includes('session/chatAdded')),
        )
        .join('\n') + '\n',
    );
    rmSync(join(folder, name, 'summary.json'));
    await host.restart({ sessionsFolder: folder });
    client = await host.client();
    session = client.session(uri);
    await withTimeout(whenLive(session), WAIT_MS, 'the session');
    assert.equal(session.state?.chats.length, 1);
    await say(await open(), 'two');
  });

  it('go on with a turn that failed for a moment, or ended with the host, as clients of AHP v1 see it too', async () => {
    await say(first, 'fail once');
    const older = await host.client({ dialects: ['v1'] });
    const seen = older.session(uri);
    await withTimeout(whenLive(seen), WAIT_MS, 'the session of AHP v1');
    const [failed] = first.state?.turns ?? [];
    assert.deepEqual((await first.resume().settled).kind, 'confirmed');
    await eventually(() => first.state?.turns[0]?.state === 'complete', 'the end of the turn');
    const [turn] = first.state?.turns ?? [];
    assert.deepEqual([turn?.id, first.state?.turns.length], [failed?.id, 1]);
    assert.match(JSON.stringify(turn?.responseParts), /I will fail now.*PassingFailure.*I go on.*This time I do not fail/);
    const chat = older.chat(seen.state?.defaultChat ?? '');
    await eventually(() => chat.state?.turns[0]?.state === 'complete', 'the same in AHP v1');
    assert.match(JSON.stringify(chat.state?.turns), /^(?!.*"turns").*I will fail now.*This time I do not fail/);
    assert.equal(chat.state?.turns.length, 1);
    assert.equal((await first.resume().settled).kind, 'rejected', 'it is over');

    await first.send('wait 600').settled;
    await eventually(() => first.state?.activeTurn !== undefined, 'a turn');
    await host.restart({ sessionsFolder: folder });
    const again = await host.client();
    const same = again.chat(first.uri);
    await withTimeout(whenLive(same), WAIT_MS, 'the chat');
    assert.deepEqual((await same.resume().settled).kind, 'confirmed');
    await eventually(() => JSON.stringify(same.state?.activeTurn?.responseParts ?? []).includes('I go on'), 'the turn that goes on');
    await same.stop().settled;
  });

  it('name the commands that go on after their turn, and subagents that work', async () => {
    const work = ({ state }: ChatModel) =>
      state?.backgroundWork?.map((one) => [one.kind, one.label, 'command' in one && one.command]) ?? [];
    const run = async (chat: ChatModel, line: string) => {
      await chat.send(`run ${line}`).settled;
      await eventually(() => session.state?.inputNeeded?.length === 1, 'the question');
      const [needed] = session.state?.inputNeeded ?? [];
      assert(needed?.kind === 'toolConfirmation' && 'toolCall' in needed);
      const { turnId, toolCall } = needed;
      const approved = { approved: true as const, confirmed: 'user-action' as const };
      await chat.perform({ type: 'chat/toolCallConfirmed', turnId, toolCallId: toolCall.toolCallId, ...approved }).settled;
      await eventually(() => chat.state?.activeTurn === undefined, 'the end of the turn');
    };
    await run(first, 'sleep 600 &');
    await eventually(() => work(first).length === 1, 'its command');
    assert.deepEqual(work(first), [['shell', 'sleep 600', 'sleep 600']]);
    const [one] = first.state?.backgroundWork ?? [];
    assert.ok(one && 'terminal' in one && !Number.isNaN(Date.parse(one.startedAt)));
    await client.command('disposeTerminal', { channel: one.terminal ?? '' });
    await eventually(() => work(first).length === 0, 'its end');

    host.time.holdWords = true;
    await first.send('subagent look').settled;
    while (work(first).length === 0) {
      await host.time.tick();
      // What the words have brought about is here before the answer.
      await client.command('ping', {});
    }
    assert.deepEqual(work(first), [['subagent', 'Subagent: look', false]]);
    host.time.holdWords = false;
    await host.time.tick();
    await eventually(() => first.state?.activeTurn === undefined && work(first).length === 0, 'the end of the subagent');

    const second = await open();
    await run(second, 'sleep 600 &');
    await eventually(() => work(second).length === 1, 'its command');
    await host.restart({ sessionsFolder: folder });
    const again = (await host.client()).chat(other);
    await withTimeout(whenLive(again), WAIT_MS, 'the chat');
    assert.deepEqual(work(again), [], 'nothing outlives the host');
  });

  it('are not seen by clients of AHP v1', async () => {
    await say(first, 'one');
    const older = await host.client({ dialects: ['v1'] });
    await open();
    const { items } = await older.command('listSessions', {});
    assert.deepEqual(
      items.map(({ resource }) => resource),
      [uri],
    );
  });
});
