import assert from 'node:assert/strict';
import { eventually } from '../../../../test/fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../../../test/fakes/fakeChannelHost.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../../test/fakes/memoryTransport.ts';
import { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { type Reading, type SearchedHost, SessionSearch } from './sessionSearch.ts';

const clients: AgentHostClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.dispose()));
const running = () => new AbortController().signal;

const turn = (id: string, text: string, answer: string) => ({
  ...{ id, state: 'complete' as const, message: { text, origin: { kind: 'user' as const } } },
  responseParts: [{ kind: 'markdown' as const, id: `${id}-answer`, content: answer }],
});

function put(host: FakeChannelHost, id: string, chat: Partial<ChatState>, day: number) {
  const uri = `demo:/${id}`;
  host.put(uri, channelSession(`chat:/${id}`, `Title ${id}`));
  host.put(`chat:/${id}`, { ...channelChat(`chat:/${id}`), ...chat });
  host.summaries.push({ ...channelSummary(uri, `Title ${id}`), modifiedAt: `2026-01-0${day}T00:00:00Z` } as never);
}

async function listed(id: string, kind: SearchedHost['kind'], fill: (host: FakeChannelHost) => void) {
  const fake = new FakeChannelHost();
  fill(fake);
  const transport = memoryTransport(fake).transport;
  const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport, clock: new FakeClock(), random: () => 0 });
  clients.push(client);
  await eventually(() => client.sessions.state === 'ready', 'the list');
  const host: SearchedHost = { id, label: id, kind, connection: { connected: true }, client };
  return { fake, host };
}

const reads = ({ received }: FakeChannelHost) =>
  received.filter(({ method }) => method === 'subscribe').map(({ params }) => params.channel);

describe('SessionSearch', () => {
  it('lists titles first, then what was said, each the newest first', async () => {
    const { host } = await listed('own', 'embedded', (fake) => {
      put(fake, 'a', { turns: [turn('1', 'Where is the zebra?', 'In the zoo.')] }, 1);
      put(fake, 'b', { turns: [turn('1', 'x', 'y'), turn('2', 'And now', 'A ZEBRA was seen')] }, 2);
      put(fake, 'zebra', { turns: [] }, 1);
    });
    const search = new SessionSearch({ all: [host] });
    const progress: Reading[] = [];
    await search.read(running(), (reading) => progress.push(reading));
    assert.deepEqual(
      progress.map(({ done, of }) => `${done}/${of}`),
      ['0/3', '1/3', '2/3', '3/3'],
    );
    const { sessions } = await search.find('zebra', running());
    assert.deepEqual(
      sessions.map(({ title, said }) => [title, said?.line, said?.saying.turnId]),
      [
        ['Title zebra', undefined, undefined],
        ['Title b', 'A ZEBRA was seen', '2'],
        ['Title a', 'Where is the zebra?', '1'],
      ],
    );
    assert.equal((await search.find('', running())).sessions.length, 3, 'without words all sessions');
    assert.deepEqual((await search.find('lion', running())).sessions, []);
  });

  it('finds what was said in turns that our own host sends on demand, and asks no other host for those', async () => {
    const fill = (fake: FakeChannelHost) => {
      put(fake, 'a', { turns: [turn('2', 'now', 'x')], turnsNextCursor: 'before 2' }, 1);
      fake.methods['fetchTurns'] = () => {
        fake.act('chat:/a', { type: 'chat/turnsLoaded', turns: [turn('1', 'Where is the zebra?', 'y')] } as never);
        return {};
      };
    };
    const own = await listed('own', 'embedded', fill);
    const other = await listed('other', 'configured', fill);
    const search = new SessionSearch({ all: [own.host, other.host] });
    search.noteOpened([{ hostId: 'other', uri: 'demo:/a' }]);
    await search.read(running(), () => undefined);
    const found = await search.find('zebra', running());
    assert.deepEqual(
      found.sessions.map(({ ref, said }) => [ref.hostId, said?.saying.turnId]),
      [['own', '1']],
    );
  });

  it('loads no more of a session than the index keeps, and says what its host does not give', async () => {
    const { host, fake } = await listed('own', 'embedded', (fake) => {
      put(fake, 'long', { turns: [turn('2', 'x'.repeat(500_000), 'y')], turnsNextCursor: 'before 2' }, 1);
      put(fake, 'kept', { turns: [turn('2', 'now', 'x')], turnsNextCursor: 'before 2' }, 2);
    });
    let last: Reading | undefined;
    await new SessionSearch({ all: [host] }).read(running(), (reading) => (last = reading));
    const asked = fake.received.filter(({ method }) => method === 'fetchTurns').map(({ params }) => params.channel);
    assert.deepEqual(asked, ['chat:/kept']);
    assert.deepEqual([last?.done, last?.failed], [2, 1]);
  });

  it('reads a session again only when it has changed, and leaves no subscription behind', async () => {
    const { host, fake } = await listed('own', 'embedded', (fake) => put(fake, 'a', { turns: [turn('1', 'one', 'two')] }, 1));
    const search = new SessionSearch({ all: [host] });
    await search.read(running(), () => undefined);
    const before = reads(fake).length;
    assert.ok(before > 0);
    await search.read(running(), () => undefined);
    assert.equal(reads(fake).length, before);
    fake.put('chat:/a', { ...channelChat('chat:/a'), turns: [turn('1', 'one', 'three')] });
    fake.tell('root/sessionSummaryChanged', { session: 'demo:/a', changes: { modifiedAt: '2026-02-01T00:00:00Z' } });
    await eventually(() => host.client.sessions.summary('demo:/a')?.modifiedAt.startsWith('2026-02'), 'the change');
    await search.read(running(), () => undefined);
    assert.equal((await search.find('three', running())).sessions.length, 1);
    const left = () => fake.received.filter(({ method }) => method === 'unsubscribe').length;
    await eventually(() => left() >= 4, 'the end of all subscriptions');
  });

  it('asks a host of somebody else only for sessions that were opened here, and says that it leaves others out', async () => {
    const { host, fake } = await listed('other', 'configured', (fake) => {
      put(fake, 'a', { turns: [turn('1', 'secret a', 'x')] }, 1);
      put(fake, 'b', { turns: [turn('1', 'secret b', 'x')] }, 2);
    });
    const search = new SessionSearch({ all: [host] });
    await search.read(running(), () => undefined);
    assert.deepEqual(
      reads(fake).filter((uri) => uri.startsWith('demo:')),
      [],
    );
    assert.ok(search.leavesOut);
    search.noteOpened([{ hostId: 'other', uri: 'demo:/b' }]);
    await search.read(running(), () => undefined);
    const found = await search.find('secret', running());
    assert.deepEqual(
      found.sessions.map(({ title }) => title),
      ['Title b'],
    );
  });

  it('counts what a host does not give, and goes on with the others', async () => {
    const { host, fake } = await listed('own', 'embedded', (fake) => {
      put(fake, 'gone', {}, 2);
      put(fake, 'a', { turns: [turn('1', 'here', 'x')] }, 1);
    });
    fake.states.delete('demo:/gone');
    const search = new SessionSearch({ all: [host] });
    let last: Reading | undefined;
    await search.read(running(), (reading) => (last = reading));
    assert.deepEqual(last, { done: 2, of: 2, failed: 1, isCut: false });
    assert.equal((await search.find('here', running())).sessions.length, 1);
  });

  it('counts a session of which a chat is missing, and reads it again', async () => {
    const { host, fake } = await listed('own', 'embedded', (fake) => put(fake, 'a', { turns: [turn('1', 'here', 'x')] }, 1));
    const chat = fake.stateOf('chat:/a');
    fake.states.delete('chat:/a');
    const search = new SessionSearch({ all: [host] });
    let last: Reading | undefined;
    await search.read(running(), (reading) => (last = reading));
    assert.deepEqual(last, { done: 1, of: 1, failed: 1, isCut: false });
    fake.put('chat:/a', chat);
    await search.read(running(), (reading) => (last = reading));
    assert.deepEqual(last, { done: 1, of: 1, failed: 0, isCut: false });
    assert.equal((await search.find('here', running())).sessions.length, 1);
  });

  it('takes whatever a host sends', async () => {
    const { host } = await listed('own', 'embedded', (fake) => {
      put(fake, 'a', { turns: [null, { id: 3 }, turn('1', 'fine', 'x'), { ...turn('2', '', ''), responseParts: 'no' }] as never }, 1);
    });
    const search = new SessionSearch({ all: [host] });
    await search.read(running(), () => undefined);
    assert.equal((await search.find('fine', running())).sessions.length, 1);
  });

  it('stops when it is left', async () => {
    const { host, fake } = await listed('own', 'embedded', (fake) => {
      for (const id of ['a', 'b', 'c']) put(fake, id, { turns: [turn('1', 'said', 'x')] }, 1);
    });
    const search = new SessionSearch({ all: [host] });
    const left = new AbortController();
    await search.read(left.signal, ({ done }) => done === 1 && left.abort());
    assert.equal(reads(fake).filter((uri) => uri.startsWith('chat:')).length, 1);
    assert.deepEqual((await search.find('said', left.signal)).sessions, []);
  });
});
