/** Sessions of thousands of turns at a real host: clients get the newest ones, and older ones on demand. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import type { SessionState } from '../../../src/ahp/channels/session/state.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import { readChats } from '../../../src/extension/sessions/readChats.ts';
import { type LongSession, manyTurns, writeLongSession } from '../../support/longSession.ts';
import { RawChannelClient } from './channelHarness.ts';
import { TestHost } from './hostHarness.ts';

const TURNS = 5_000;

describe('a session of 5,000 turns', function () {
  this.timeout(60_000);
  let folder: string;
  /** Where the session works. */
  let work: string;
  let host: TestHost;
  let session: LongSession;
  let clients: AgentHostClient[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-long-'));
    work = mkdtempSync(join(tmpdir(), 'tapline-work-'));
    host = new TestHost();
    session = writeLongSession(folder, 'scripted', 'long', manyTurns(TURNS), work);
    clients = [];
    await host.start({ sessionsFolder: folder });
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await host.stop();
    for (const path of [folder, work]) rmSync(path, { recursive: true, maxRetries: 5 });
  });

  const connect = async () => {
    const { url, token } = host.server;
    const client = await AgentHostClient.connect({ url, token, dialects: ['channels'] });
    clients.push(client);
    return client;
  };
  const ids = ({ turns }: ChatState) => turns.map(({ id }) => id);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `t${from + index}`);

  it('is opened with the newest page, and older pages come one by one', async () => {
    const client = await connect();
    const chat = client.chat(session.chat);
    const state = await whenLive(chat);
    assert.deepEqual(ids(state), range(TURNS - 50, TURNS));
    for (const begin of [TURNS - 100, TURNS - 150]) {
      const { turnsNextCursor } = chat.confirmed as ChatState;
      assert.deepEqual(await client.command('fetchTurns', { channel: session.chat, cursor: turnsNextCursor as string }), {});
      assert.deepEqual(ids(chat.confirmed as ChatState), range(begin, TURNS));
    }
    const fresh = (await connect()).chat(session.chat);
    assert.equal((await whenLive(fresh)).turns.length, 50);
  });

  it('is read whole, page by page, where all is wanted', async () => {
    const counts: number[] = [];
    const { chats } = await readChats(await connect(), session.uri, {
      signal: new AbortController().signal,
      onTurns: (turns) => counts.push(turns),
    });
    assert.deepEqual([chats.length, chats[0]?.isPart, chats[0] && ids(chats[0].chat)], [1, false, range(0, TURNS)]);
    assert.deepEqual([counts.length, counts[0], counts.at(-1)], [100, 50, TURNS]);
  });

  it('leads all clients to the same after it was cut far back', async () => {
    const near = await connect();
    const far = await connect();
    const chats = [near.chat(session.chat), far.chat(session.chat)];
    for (const chat of chats) await whenLive(chat);
    await far.command('fetchTurns', { channel: session.chat });
    const raw = await RawChannelClient.connect(host, 'raw');
    await raw.subscribe(session.chat);
    raw.dispatch(session.chat, { type: 'chat/truncated', turnId: 't999' });
    await raw.action('chat/turnsLoaded');
    raw.say(session.chat, 'more');
    await raw.action('chat/turnComplete');
    // Whatever was sent before its answer has come.
    for (const client of [near, far]) await client.command('ping', {});
    for (const chat of chats) {
      assert.deepEqual(ids(chat.confirmed as ChatState), [...range(950, 1_000), 'more']);
      assert.equal(chat.confirmed?.turnsNextCursor, '950:t949');
    }
    const fresh = await whenLive((await connect()).chat(session.chat));
    assert.deepEqual(ids(fresh), [...range(951, 1_000), 'more']);
    raw.close();
  });

  it('is forked at a turn that no client has', async () => {
    const raw = await RawChannelClient.connect(host, 'raw');
    await raw.subscribe(session.chat);
    const forked = 'ahp-chat://client/forked';
    await raw.result('createChat', {
      channel: session.uri,
      chat: forked,
      source: { kind: 'fork', chat: session.chat, turnId: 't9' },
    });
    assert.equal((await raw.subscribe(forked)).turns.length, 10);
    raw.close();
  });

  it('gives as many turns as a client wishes, and says what is wrong with a request for older ones', async () => {
    const raw = await RawChannelClient.connect(host, 'raw');
    const notRead = await raw.refusal('fetchTurns', { channel: session.chat });
    assert.deepEqual(notRead, [-32602, 'channel: subscribe to the chat first']);
    const { snapshot } = await raw.result<{ snapshot: { state: ChatState } }>('subscribe', { channel: session.chat, view: { turns: 3 } });
    assert.deepEqual(ids(snapshot.state), range(TURNS - 3, TURNS));
    assert.equal((await raw.refusal('fetchTurns', { channel: session.chat, cursor: 'none' }))[0], -32602);
    await raw.result('fetchTurns', { channel: session.chat });
    assert.deepEqual(
      (await raw.action('chat/turnsLoaded')).turns.map(({ id }) => id),
      range(TURNS - 53, TURNS - 3),
    );
    raw.close();
  });

  it('brings a client back to what it has loaded when it was away', async () => {
    const first = await RawChannelClient.connect(host, 'same');
    await first.subscribe(session.chat);
    await first.result('fetchTurns', { channel: session.chat });
    const { serverSeq } = first.envelopes.at(-1) as { serverSeq: number };
    first.close();
    const again = await RawChannelClient.open(host, 'same');
    const back = { channel: 'ahp-root://', clientId: 'same', lastSeenServerSeq: serverSeq, subscriptions: [session.chat] };
    assert.deepEqual(await again.result('reconnect', back), { type: 'replay', actions: [], missing: [] });
    assert.deepEqual(ids(await again.subscribe(session.chat)), range(TURNS - 100, TURNS));
    again.dispatch(session.chat, { type: 'chat/truncated', turnId: 't10' });
    await again.action('chat/turnsLoaded');
    again.close();
    const late = await RawChannelClient.open(host, 'same');
    const { type, snapshots } = await late.result<{ type: string; snapshots: { state: ChatState }[] }>('reconnect', back);
    assert.equal(type, 'snapshot');
    assert.deepEqual(snapshots[0] && ids(snapshots[0].state), range(0, 11));
    late.close();
  });

  it('is looked at without its log while it sleeps, and everything goes on from there', async () => {
    // The next run knows what is seen first.
    await host.stop();
    host = new TestHost();
    await host.start({ sessionsFolder: folder });
    const [sub] = readdirSync(folder);
    const log = join(folder, String(sub), 'log.jsonl');
    renameSync(log, `${log}.away`);
    // Of the same size, and nothing can be read in it.
    writeFileSync(log, Buffer.alloc(statSync(`${log}.away`).size, 'x'));
    const raw = await RawChannelClient.connect(host, 'raw');
    const seen = { session: await raw.subscribe<SessionState>(session.uri), chat: await raw.subscribe(session.chat) };
    assert.deepEqual([seen.session.title, seen.session.activeClients, ids(seen.chat)], ['long', [], range(TURNS - 50, TURNS)]);
    renameSync(`${log}.away`, log);
    await raw.result('fetchTurns', { channel: session.chat });
    assert.deepEqual(
      (await raw.action('chat/turnsLoaded')).turns.map(({ id }) => id),
      range(TURNS - 100, TURNS - 50),
    );
    raw.say(session.chat, 'more');
    await raw.action('chat/turnComplete');
    const other = await RawChannelClient.connect(host, 'other');
    const { turns, title } = await other.subscribe(session.chat);
    assert.deepEqual([turns.at(-1)?.id, turns.length, title], ['more', 50, seen.chat.title]);
    raw.dispatch(session.chat, { type: 'chat/truncated', turnId: 't9' });
    assert.equal((await raw.action('chat/turnsLoaded', 2)).turns.length, 10);
    raw.close();
    other.close();
  });

  it('is read from its log when that has changed since', async () => {
    await host.stop();
    const [sub] = readdirSync(folder);
    const opening = join(folder, String(sub), 'opening.json');
    const before = readFileSync(opening);
    host = new TestHost();
    await host.start({ sessionsFolder: folder });
    const raw = await RawChannelClient.connect(host, 'raw');
    await raw.subscribe(session.chat);
    raw.say(session.chat, 'more');
    await raw.action('chat/turnComplete');
    raw.close();
    await host.stop();
    writeFileSync(opening, before);
    host = new TestHost();
    await host.start({ sessionsFolder: folder });
    const again = await RawChannelClient.connect(host, 'raw');
    assert.equal((await again.subscribe(session.chat)).turns.at(-1)?.id, 'more');
    again.close();
  });
});
