/** The client and the host as a process, over real sockets, in version 1.1 of the protocol: lines that are cut, and a number for each channel. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { Transport, TransportFactory } from '../../../src/ahp/client/transport.ts';
import type { ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type HostProcess, startHostProcess } from '../../support/hostProcess.ts';
import { assertSameAsFresh, promptsIn } from './faultHarness.ts';

interface Frame {
  method?: string;
  params?: { channel?: string; subscriptions?: { channel: string; lastSeenServerSeq: number }[] };
  result?: { channels?: { kind: string; channel: string }[] };
}

describe('the client and a host of version 1.1.0, with a lost connection', function () {
  this.timeout(60_000);
  let folder: string;
  let host: HostProcess;
  const clients: AgentHostClient[] = [];

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-11-')));
    host = await startHostProcess(['--ahp-1.1']);
  });
  afterEach(() => clients.splice(0).forEach((client) => client.close()));
  after(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  const connect = async (transport: TransportFactory = connectNodeTransport(), speaks11 = true) => {
    const client = await AgentHostClient.connect({ url: host.url, token: host.token, transport, speaks11 });
    clients.push(client);
    return client;
  };
  let made = 0;
  const converse = async (client: AgentHostClient): Promise<{ uri: string; chat: ChatModel }> => {
    const uri = `demo:/of-11-${++made}`;
    const workingDirectories = [pathToFileURL(folder).href];
    await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories, config: {} });
    const session = client.session(uri);
    await eventually(() => session.confirmed?.lifecycle === 'ready', 'the session');
    const chat = client.chat(session.confirmed?.defaultChat ?? '');
    await whenLive(chat);
    return { uri, chat };
  };
  const asFresh = (client: AgentHostClient, ...models: ResourceModel<ResourceKind>[]) =>
    assertSameAsFresh(
      [client.root(), ...models],
      () => connect(),
      (fresh, of) => fresh.model(models.find(({ uri }) => uri === of)?.kind ?? 'root', of),
    );
  const isDone = (chat: ChatModel) => chat.status.kind === 'live' && !chat.confirmed?.activeTurn && chat.confirmed?.turns.length === 1;

  it('speaks 1.1 where both sides were told to, and what both know otherwise', async () => {
    assert.deepEqual((await connect()).dialect, { name: 'channels', version: '1.1.0' });
    assert.notEqual((await connect(undefined, false)).dialect?.version, '1.1.0');
    const plain = await startHostProcess();
    try {
      const client = await AgentHostClient.connect({
        url: plain.url,
        token: plain.token,
        transport: connectNodeTransport(),
        dialects: ['channels'],
        speaks11: true,
      });
      clients.push(client);
      assert.deepEqual(client.dialect, { name: 'channels', version: '1.0.0' });
    } finally {
      await plain.stop();
    }
  });

  it('at frames all over a turn, ends with what a client that has just come sees', async () => {
    const play = async (cutBefore: number) => {
      const line = new CuttingTransport(connectNodeTransport(), cutBefore);
      const client = await connect(line.open);
      client.onDidChangeState(({ kind }) => kind === 'reconnecting' && setImmediate(() => client.reconnectNow()));
      const { uri, chat } = await converse(client);
      const before = line.passed.length;
      const session = client.session(uri);
      chat.send({ text: 'stream 1', model: { id: 'demo-fast' } });
      await eventually(() => {
        for (const { clientSeq, outcome } of chat.pending) if (outcome) client.resolveUnknown(chat.uri, clientSeq, 'sendAgain');
        return isDone(chat) && chat.pending.length === 0;
      }, 'the end of the turn');
      await asFresh(client, session, chat);
      assert.deepEqual(promptsIn(chat.confirmed), ['stream 1']);
      return { before, frames: line.passed.length, isCut: line.isCut };
    };
    const { before, frames } = await play(Infinity);
    const [step, last] = [Math.ceil((frames - before) / 6), frames - 3];
    for (let cutBefore = before; cutBefore < last; cutBefore += step) assert.ok((await play(cutBefore)).isCut, `before ${cutBefore}`);
  });

  it('gets what a slow channel has not got, beside a fast one that was far ahead', async () => {
    const sent: Frame[] = [];
    const got: Frame[] = [];
    let slow = '';
    let holds = false;
    // As a host may: it holds back what is said in one channel.
    const holding: TransportFactory = async (url, signal) => {
      const inner = await line.open(url, signal);
      const onMessage: Transport['onMessage'] = (listener) =>
        inner.onMessage((text) => {
          const frame = JSON.parse(text) as Frame;
          if (holds && frame.method === 'action' && frame.params?.channel === slow) return;
          got.push(frame);
          listener(text);
        });
      return { ...inner, onMessage, send: (text) => (sent.push(JSON.parse(text) as Frame), inner.send(text)), close: () => inner.close() };
    };
    const line = new CuttingTransport(connectNodeTransport());
    const client = await connect(holding);
    const { uri, chat } = await converse(client);
    const other = await converse(await connect());
    slow = other.uri;
    const session = client.session(slow, { maxLatencyMs: 60_000 });
    const { title } = await whenLive(session);
    holds = true;
    await clients.at(-1)?.session(slow).rename('Held back').settled;
    chat.send({ text: 'stream 1', model: { id: 'demo-fast' } });
    await eventually(() => isDone(chat), 'the end of the turn');
    assert.equal(session.confirmed?.title, title, 'it was held back');
    holds = false;
    line.cut();
    await eventually(() => client.state.kind !== 'connected', 'the loss');
    client.reconnectNow();
    await eventually(() => client.state.kind === 'connected' && session.status.kind === 'live', 'the return');
    assert.equal(session.confirmed?.title, 'Held back');
    await asFresh(client, session, client.session(uri), chat);
    const asked = sent.find(({ method }) => method === 'reconnect');
    const numbers = new Map(asked?.params?.subscriptions?.map(({ channel, lastSeenServerSeq }) => [channel, lastSeenServerSeq]));
    assert.ok((numbers.get(slow) ?? Infinity) < (numbers.get(chat.uri) ?? 0), JSON.stringify([...numbers]));
    const outcomes = got.find(({ result }) => result?.channels)?.result?.channels ?? [];
    assert.deepEqual(outcomes.map(({ channel }) => channel).sort(), [...numbers.keys()].sort());
    // The chat may come as a snapshot: its first message has given it a title, which the host sets while nobody reads the chat.
    assert.equal(outcomes.find(({ channel }) => channel === slow)?.kind, 'replay');
    assert.ok(outcomes.every(({ kind, channel }) => kind === 'replay' || (kind === 'snapshot' && channel === chat.uri)));
  });
});
