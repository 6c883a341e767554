import assert from 'node:assert/strict';
import { eventually } from '../../../test/fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { readChat, readChats } from './readChats.ts';

const uri = 'demo:/1';
const chat = 'chat:/1';
const clients: AgentHostClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.dispose()));
const signal = new AbortController().signal;
const turn = (id: string) => ({
  id,
  state: 'complete' as const,
  message: { text: id, origin: { kind: 'user' as const } },
  responseParts: [],
});

async function connected(host = new FakeChannelHost()) {
  host.put(uri, channelSession(chat));
  host.put(chat, { ...channelChat(chat), turns: [turn('3')], turnsNextCursor: 'before 3' });
  const { transport } = memoryTransport(host);
  const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport, clock: new FakeClock(), random: () => 0 });
  clients.push(client);
  await eventually(() => client.state.kind === 'connected', 'a connection');
  return { host, client };
}
const ids = ({ chats }: Awaited<ReturnType<typeof readChats>>) => chats.map(({ chat }) => chat.turns.map(({ id }) => id).join(''));

describe('readChats', () => {
  it('loads the older turns where it is asked to, and says how many there are', async () => {
    const { host, client } = await connected();
    const older: Record<string, [string, string | undefined]> = { 'before 3': ['2', 'before 2'], 'before 2': ['1', undefined] };
    host.methods.fetchTurns = ({ cursor }) => {
      const [id, next] = older[cursor as string] as [string, string | undefined];
      host.act(chat, { type: 'chat/turnsLoaded', turns: [turn(id)], ...(next && { turnsNextCursor: next }) } as never);
      return {};
    };
    assert.deepEqual(ids(await readChats(client, uri, { signal })), ['3']);
    const counts: number[] = [];
    const read = await readChats(client, uri, { signal, onTurns: (turns) => counts.push(turns) });
    assert.deepEqual(ids(read), ['123']);
    assert.deepEqual(counts, [1, 2, 3]);
    assert.equal(read.chats[0]?.isPart, false);
  });

  it('ends with what is there when it is stopped while the host says nothing', async () => {
    const { host, client } = await connected();
    let asked = () => undefined as void;
    const waits = new Promise<void>((resolve) => (asked = resolve));
    host.methods.fetchTurns = () => {
      asked();
      return new Promise(() => undefined);
    };
    const left = new AbortController();
    const reading = readChat(client, chat, { signal: left.signal, onTurns: () => undefined });
    await waits;
    left.abort();
    const { turns, turnsNextCursor } = await reading;
    assert.deepEqual([turns.map(({ id }) => id), turnsNextCursor], [['3'], 'before 3']);
  });

  it('says that turns are missing where the host gives no more, or the same again', async () => {
    const { host, client } = await connected();
    host.methods.fetchTurns = () => {
      throw new Error('no');
    };
    const refused = await readChats(client, uri, { signal, onTurns: () => undefined });
    assert.deepEqual([ids(refused), refused.chats[0]?.isPart], [['3'], true]);
    let asked = 0;
    host.methods.fetchTurns = () => {
      host.act(chat, { type: 'chat/turnsLoaded', turns: [], turnsNextCursor: `again ${++asked}` } as never);
      return {};
    };
    const endless = await readChats(client, uri, { signal, onTurns: () => undefined });
    assert.deepEqual([asked, endless.chats[0]?.isPart], [1, true]);
  });

  it('names the chats that the host does not give, and leaves those of subagents out', async () => {
    const { host, client } = await connected();
    const [main] = channelSession(chat).chats;
    const others = [
      { ...main, resource: 'chat:/gone', title: 'Gone' },
      { ...main, resource: 'chat:/sub', title: 'Sub', origin: { kind: 'tool', chat, toolCallId: 'c' } },
    ];
    host.put(uri, { ...channelSession(chat), chats: [main, ...others] as never });
    const read = await readChats(client, uri, { signal });
    assert.deepEqual([ids(read), read.missing], [['3'], ['Gone']]);
  });

  it('does not wait for a request that runs when it is cancelled', async () => {
    const { host, client } = await connected();
    const left = new AbortController();
    host.methods.fetchTurns = () => {
      left.abort();
      return new Promise(() => undefined);
    };
    await assert.rejects(readChats(client, uri, { signal: left.signal, onTurns: () => undefined }), { name: 'AbortError' });
  });

  it('rejects when it is cancelled, and for a session that is not there', async () => {
    const { client } = await connected();
    await assert.rejects(readChats(client, uri, { signal: AbortSignal.abort() }));
    await assert.rejects(readChats(client, 'demo:/none', { signal }), /not found/);
  });
});
