import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connected, disposeClients, loseLine, session, terminal, titled } from '../../../../test/fakes/clientAndHost.ts';
import { atRest, eventually } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../../base/log.ts';
import { sessionState } from '../../../../test/fakes/fakeHost.ts';
import { AgentHostClient } from '../agentHostClient.ts';
import { hostsOf, parseRecording } from './recording.ts';
import { ReplayedHost } from './replayedHost.ts';
import { timelineOf } from './recordingTimeline.ts';
import { whenLive } from '../resources/whenLive.ts';
import { WireLogWriter } from './wireLogWriter.ts';

const replays: { dispose(): void }[] = [];
afterEach(() => {
  for (const replay of replays.splice(0).reverse()) replay.dispose();
  disposeClients();
});

/** A client on a host that is only in `text`. `pauses`: how long it would have waited. */
function replay(text: string, host?: string) {
  const pauses: number[] = [];
  const replayed = new ReplayedHost({
    timeline: timelineOf(parseRecording(text), host),
    pause: async (ms) => void pauses.push(ms),
    logger: nullLogger,
  });
  const clock = new FakeClock();
  const client = AgentHostClient.create({ url: 'ws://replay', transport: replayed.transport, clock });
  replays.push(replayed, client);
  return { client, clock, pauses };
}

/** A client that records from now on, and its log. */
async function recording() {
  const all = await connected();
  const lines: string[] = [];
  const writer = new WireLogWriter((line) => lines.push(line), { clock: all.clock });
  return { ...all, writer, text: () => lines.join('') };
}

const turn = [
  { type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'go' } },
  { type: 'session/responsePart', session, turnId: 't1', part: { kind: 'markdown', id: 'p', content: 'One' } },
  { type: 'session/delta', session, turnId: 't1', partId: 'p', content: ' two' },
  { type: 'session/turnComplete', session, turnId: 't1' },
] as const;

describe('A wire log that is replayed', () => {
  it('shows what the recorded client saw, also when the log began in the middle of a turn', async () => {
    for (const begin of [0, 2, 4]) {
      const { host, client, clock, writer, text } = await recording();
      const own = client.chat(session);
      await whenLive(own);
      for (const [index, action] of turn.entries()) {
        if (index === begin) client.recordTo({ writer, host: 'build-box' });
        clock.advance(2_000);
        host.emit(action);
        await atRest();
      }
      if (begin === turn.length) client.recordTo({ writer, host: 'build-box' });
      host.emit(titled('later'));
      await atRest();
      client.recordTo(undefined);
      host.emit(titled('not recorded'));
      await atRest();

      const again = replay(text());
      const [seen, named] = [again.client.chat(session), again.client.session(session)];
      await whenLive(seen);
      await eventually(() => named.confirmed?.title === 'later', 'the end of the recording');
      assert.deepEqual(seen.confirmed?.turns, own.confirmed?.turns);
      assert.equal(seen.confirmed?.turns[0]?.responseParts.length, 1);
      assert.deepEqual(
        again.client.sessions.summaries.map(({ resource }) => resource),
        [session],
      );
      assert.ok(
        again.pauses.every((ms) => ms <= 500),
        'nobody waits as long as the agent did',
      );
    }
  });

  it('takes everything from the answers when it was recorded from the first frame on', async () => {
    const { host, client, writer, text, ...rest } = await recording();
    client.recordTo({ writer, host: 'build-box' });
    const own = client.session(session);
    await whenLive(own);
    await loseLine({ host, client, ...rest }, () => {
      host.emit(turn[0]);
    });
    const pty = client.model('terminal', terminal);
    await whenLive(pty);
    host.emit({ type: 'terminal/data', terminal, data: 'output' });
    await atRest();
    const again = replay(text());
    const [seen, screen] = [again.client.chat(session), again.client.model('terminal', terminal)];
    await Promise.all([whenLive(seen), whenLive(screen)]);
    await eventually(() => seen.confirmed?.activeTurn?.id === 't1', 'what was missed');
    await eventually(() => screen.confirmed?.content.length === 1, 'the output');
    assert.deepEqual(screen.confirmed, pty.confirmed);
  });

  it('follows a host that started again', async () => {
    const { host, client, writer, text, ...rest } = await recording();
    client.recordTo({ writer, host: 'build-box' });
    const own = client.session(session);
    await whenLive(own);
    await loseLine({ host, client, ...rest }, () => {
      host.serverSeq = 0;
      host.log = [];
      host.states.set(session, sessionState(session, 'restored'));
    });
    await eventually(() => own.confirmed?.title === 'restored', 'the new run');
    const again = replay(text());
    const seen = again.client.session(session);
    await eventually(() => again.client.state.kind === 'reconnecting', 'the same break');
    again.client.reconnectNow();
    await eventually(() => seen.confirmed?.title === 'restored', 'the new run, again');
  });

  it('can be read only', async () => {
    const { client, writer, text } = await recording();
    await whenLive(client.session(session));
    client.recordTo({ writer, host: 'build-box' });
    const again = replay(text());
    const seen = again.client.session(session);
    await whenLive(seen);
    const settlement = await seen.rename('mine').settled;
    assert.ok(settlement.kind === 'rejected');
    assert.match(settlement.reason, /recording/);
    assert.equal(seen.state?.title, 'first');
    await assert.rejects(again.client.command('createSession', { channel: 'demo:/2', provider: 'demo' }), /recording/);
    await assert.rejects(whenLive(again.client.session('demo:/other')), /does not hold/);
  });

  it('answers what the recorded host answered', async () => {
    const { host, client, writer, text } = await recording();
    client.recordTo({ writer, host: 'build-box' });
    host.methods['resourceList'] = ({ uri }) => ({ entries: [{ name: uri, type: 'file' }] });
    await client.command('resourceList', { uri: 'file:///a' });
    const again = replay(text());
    await eventually(() => again.client.state.kind === 'connected', 'the replay');
    assert.deepEqual(await again.client.command('resourceList', { uri: 'file:///a' }), { entries: [{ name: 'file:///a', type: 'file' }] });
    await assert.rejects(again.client.command('resourceList', { uri: 'file:///b' }), /no answer to this resourceList/);
  });

  it('keeps the hosts in one log apart', async () => {
    const { clock, client, writer, text } = await recording();
    const other = await connected({ clock });
    other.host.states.set(session, sessionState(session, 'of the other'));
    for (const [name, one] of [
      ['one', client],
      ['two', other.client],
    ] as const) {
      await whenLive(one.session(session));
      one.recordTo({ writer, host: name });
    }
    const parsed = parseRecording(text());
    assert.deepEqual(hostsOf(parsed), ['one', 'two']);
    for (const [name, title] of [
      ['one', 'first'],
      ['two', 'of the other'],
    ] as const) {
      const seen = replay(text(), name).client.session(session);
      assert.equal((await whenLive(seen)).title, title);
    }
  });

  it('says in the log what it could not answer because of a fault of its own', async () => {
    const { client, writer, text } = await recording();
    client.recordTo({ writer, host: 'build-box' });
    await whenLive(client.session(session));
    const timeline = timelineOf(parseRecording(text()));
    const logged: string[] = [];
    const broken = {
      ...timeline,
      get sessions(): never {
        throw new Error('broken');
      },
    };
    const logger = { ...nullLogger, error: (message: string | Error) => void logged.push(String(message)) };
    const replayed = new ReplayedHost({ timeline: broken, pause: () => Promise.resolve(), logger });
    replays.push(replayed);
    const { send, onMessage } = await replayed.transport('ws://replay', new AbortController().signal);
    const answered = new Promise<string>((resolve) => onMessage(resolve));
    send('{"jsonrpc":"2.0","id":1,"method":"listSessions","params":{}}');
    assert.match(await answered, /-32603/);
    assert.deepEqual(logged, ['the recording could not answer listSessions: broken']);
  });

  it('uses what can be read of a damaged log, and refuses a file that is none', async () => {
    const { client, writer, text } = await recording();
    await whenLive(client.session(session));
    client.recordTo({ writer, host: 'build-box' });
    const damaged = `${text()}\nnot json\n{"t":1}\n{"t":1,"conn":1,"dir":"s2c","raw":"{"}\n{"t":2,"conn":0,"dir":"event","event":"truncated","maxBytes":9}`;
    const parsed = parseRecording(damaged);
    assert.deepEqual([parsed.unreadable, parsed.isTruncated], [3, true]);
    assert.equal((await whenLive(replay(damaged).client.session(session))).title, 'first');
    assert.throws(() => parseRecording('{"name":"a package"}\n'), /contains no message/);
  });
});
