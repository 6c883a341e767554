/** What recordings of hosts of AHP 1.0 have otherwise. `replayedHost.test.ts` has what is the same. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../../../test/fakes/fakeChannelHost.ts';
import { atRest, eventually } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../../test/fakes/memoryTransport.ts';
import { nullLogger } from '../../../base/log.ts';
import { AgentHostClient } from '../agentHostClient.ts';
import { whenLive } from '../resources/whenLive.ts';
import { parseRecording } from './recording.ts';
import { ReplayedHost } from './replayedHost.ts';
import { timelineOf } from './recordingTimeline.ts';
import { WireLogWriter } from './wireLogWriter.ts';

const session = 'copilotcli:/1';
const chat = 'ahp-chat://default/1';
const opened: { dispose(): void }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.dispose()));

/** A client that is recorded from its first frame on. */
async function recorded(version: string, host = new FakeChannelHost(version)) {
  host.put(session, channelSession(chat, 'first'));
  host.put(chat, channelChat(chat));
  host.summaries = [channelSummary(session, 'first')] as never;
  const clock = new FakeClock();
  const memory = memoryTransport(host);
  const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport: memory.transport, clock, random: () => 0 });
  opened.push(client);
  const lines: string[] = [];
  const record = () => client.recordTo({ writer: new WireLogWriter((line) => lines.push(line), { clock }), host: 'today' });
  record();
  await eventually(() => client.state.kind === 'connected', 'a connection');
  await atRest();
  return { host, client, clock, memory, record, text: () => lines.join('') };
}

function replay(text: string) {
  const replayed = new ReplayedHost({ timeline: timelineOf(parseRecording(text)), pause: () => Promise.resolve(), logger: nullLogger });
  const client = AgentHostClient.create({ url: 'ws://replay', transport: replayed.transport, clock: new FakeClock() });
  opened.push(client, replayed);
  return client;
}

describe('A wire log of a host of AHP 1.0', () => {
  for (const version of ['0.9.0', '0.10.0', '1.0.0'])
    it(`is replayed in the version of the host, ${version}`, async () => {
      const { host, client, text } = await recorded(version);
      const models = [client.root(), client.session(session), client.chat(chat)] as const;
      for (const model of models) await whenLive(model as (typeof models)[1]);
      host.act('ahp-root://', { type: 'root/activeSessionsChanged', activeSessions: 3 });
      host.act(session, { type: 'session/titleChanged', title: 'second' });
      const message = { text: 'go', origin: { kind: 'user' as const } };
      host.act(chat, { type: 'chat/turnStarted', turnId: 't', startedAt: '2026-01-01T00:00:00Z', message });
      await eventually(() => models[2].confirmed?.activeTurn !== undefined, 'the turn');
      const again = replay(text());
      for (const model of models) {
        const seen = again.model(model.kind, model.uri);
        await eventually(() => JSON.stringify(seen.confirmed) === JSON.stringify(model.confirmed), model.uri);
      }
      assert.deepEqual(again.dialect, { name: 'channels', version });
      assert.equal(again.session(session).can('chat/isArchivedChanged' as never), version !== '0.9.0');
    });

  it('tells its protocol by the actions where it says no version', async () => {
    const { host, client, record, text } = await recorded('1.0.0');
    await whenLive(client.session(session));
    record();
    host.act(session, { type: 'session/titleChanged', title: 'second' });
    await atRest();
    const older = text().replaceAll('"version":"1.0.0",', '').split('\n');
    const late = older.slice(older.findLastIndex((line) => line.includes('"begin"'))).join('\n');
    assert.doesNotMatch(late, /protocolVersion|"version"/);
    const again = replay(late);
    await eventually(() => again.session(session).confirmed?.title === 'second', 'the action');
  });

  it('has all pages of the list', async () => {
    const host = new FakeChannelHost();
    const pages = [{ items: [channelSummary('a:/1', 'one')], nextCursor: 'more' }, { items: [channelSummary('a:/2', 'two')] }];
    host.methods['listSessions'] = ({ cursor }) => pages[cursor === 'more' ? 1 : 0];
    const { client, text } = await recorded('0.9.0', host);
    await eventually(() => client.sessions.state === 'ready', 'the list');
    host.tell('root/sessionAdded', { summary: channelSummary('a:/3', 'three') });
    host.tell('root/sessionSummaryChanged', { session: 'a:/1', changes: { title: 'uno' } });
    host.tell('root/sessionRemoved', { session: 'a:/2' });
    await atRest();
    const again = replay(text());
    await eventually(() => again.sessions.state === 'ready', 'the list again');
    assert.deepEqual(
      again.sessions.summaries.map(({ title }) => title),
      ['uno', 'three'],
    );
  });

  it('has the older turns that were asked for', async () => {
    const { host, client, text } = await recorded('1.0.0');
    host.put(chat, { ...channelChat(chat), turnsNextCursor: 'older' });
    const model = client.chat(chat);
    await whenLive(model);
    const message = { text: 'old', origin: { kind: 'user' as const } };
    host.methods['fetchTurns'] = () => {
      host.act(chat, { type: 'chat/turnsLoaded', turns: [{ id: 'o', message, responseParts: [], state: 'complete' }] });
      return {};
    };
    await client.command('fetchTurns', { channel: chat, cursor: 'older' } as never);
    await eventually(() => model.confirmed?.turns.length === 1, 'the turn');
    const again = replay(text());
    await eventually(() => again.chat(chat).confirmed?.turns[0]?.id === 'o', 'the turn again');
    assert.deepEqual(await again.command('fetchTurns', { channel: chat, cursor: 'older' } as never), {});
    await assert.rejects(again.command('fetchTurns', { channel: chat, cursor: 'other' } as never), /no answer to this fetchTurns/);
  });

  for (const isKnown of [false, true])
    it(`has what was told before the state that it follows, of a chat that was ${isKnown ? '' : 'not '}known`, async () => {
      const { host, client, record, text } = await recorded('1.0.0');
      const model = client.chat(chat);
      if (isKnown) {
        await whenLive(model);
        record();
      }
      const answer = { jsonrpc: '2.0', id: 'late', result: await client.command('subscribe', { channel: chat } as never) };
      const message = { text: 'go', origin: { kind: 'user' as const } };
      host.act(chat, { type: 'chat/turnStarted', turnId: 't', startedAt: '2026-01-01T00:00:00Z', message });
      host.act(chat, { type: 'chat/turnComplete', turnId: 't', duration: 1 });
      await eventually(() => model.confirmed?.turns[0], 'the turn');
      // As from a host that answers late: the state of before the turn comes after it.
      const lines = text().trim().split('\n');
      const begin = lines.findLastIndex((line) => line.includes('"begin"'));
      const { t, conn } = JSON.parse(lines.at(-1) ?? '') as { t: number; conn: number };
      const isSnapshot = (line: string) => line.includes('\\"snapshot\\"') && line.includes(chat);
      const late = [
        ...lines.slice(begin).filter((line) => !isSnapshot(line)),
        JSON.stringify({ t, conn, dir: 's2c', raw: JSON.stringify(answer) }),
      ];
      const again = replay(late.join('\n'));
      await eventually(() => again.chat(chat).confirmed?.turns[0]?.id === 't', 'the turn again');
    });

  it('refuses all that acts, also what the recorded host did', async () => {
    const { host, client, text } = await recorded('1.0.0');
    await whenLive(client.chat(chat));
    host.methods['disposeSession'] = () => null;
    await client.command('disposeSession', { channel: session });
    const again = replay(text());
    await whenLive(again.chat(chat));
    await assert.rejects(again.command('disposeSession', { channel: session }), /This is a recording/);
    const settlement = await again.chat(chat).send('go').settled;
    assert.ok(settlement.kind === 'rejected' && /This is a recording/.test(settlement.reason), JSON.stringify(settlement));
    assert.equal(again.chat(chat).state?.activeTurn, undefined);
    await assert.rejects(whenLive(again.session('copilotcli:/other')), /does not hold/);
  });

  it('breaks where the host started again, and goes on with its new state', async () => {
    const { host, client, clock, memory, text } = await recorded('0.9.0');
    const model = client.session(session);
    await whenLive(model);
    memory.line.drop();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    host.serverSeq = 0;
    host.log = [];
    host.put(session, channelSession(chat, 'restored'));
    clock.advance(1_000);
    await eventually(() => model.confirmed?.title === 'restored', 'the new run');
    const again = replay(text());
    const seen = again.session(session);
    await eventually(() => again.state.kind === 'reconnecting', 'the same break');
    again.reconnectNow();
    await eventually(() => seen.confirmed?.title === 'restored', 'the new run, again');
  });

  it('is not taken for another where it says what no host says', async () => {
    const { client, text } = await recorded('1.0.0');
    await whenLive(client.session(session));
    const foreign = replay(text().replaceAll('1.0.0', '7.0.0'));
    await eventually(() => foreign.state.kind === 'failed', 'the refusal');
    const deep = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`;
    const odd = [deep, '{}', 'null', '[]'].map((value) =>
      JSON.stringify({
        ...{ t: 1, conn: 1, dir: 's2c' },
        raw: `{"id":9,"result":{"protocolVersion":${value},"snapshot":{"resource":"a:/1","state":${value},"fromSeq":${value}}}}`,
      }),
    );
    const again = replay([...odd, text(), ...odd].join('\n'));
    assert.equal((await whenLive(again.session(session)))?.title, 'first');
  });
});
