import assert from 'node:assert/strict';
import { eventually } from '../../../../test/fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../../../test/fakes/fakeChannelHost.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../../test/fakes/memoryTransport.ts';
import { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import { trailOf } from './showTrail.ts';

describe('what was allowed in a session', () => {
  const ref = { hostId: 'september', uri: 'demo:/1' };
  const chat = 'chat:/1';
  const decisions = { own: { of: () => [] }, recorded: async () => [] };
  let host: FakeChannelHost;
  let client: AgentHostClient;
  beforeEach(async () => {
    host = new FakeChannelHost();
    host.put(ref.uri, channelSession(chat, 'Deploy'));
    const turn = { id: 't', state: 'complete' as const, message: { text: 'Go', origin: { kind: 'user' as const } }, responseParts: [] };
    host.put(chat, { ...channelChat(chat), turns: [turn], turnsNextCursor: 'older' });
    const { transport } = memoryTransport(host);
    client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport, clock: new FakeClock(), random: () => 0 });
    await eventually(() => client.state.kind === 'connected', 'a connection');
  });
  afterEach(() => client.dispose());

  it('is a text with the title of the session', async () => {
    host.methods.fetchTurns = () => {
      throw new Error('no');
    };
    const { title } = await trailOf({ client }, ref, decisions, new AbortController().signal);
    assert.equal(title, 'What was allowed in Deploy');
  });

  it('is not waited for any longer when the user has left, while the host says nothing', async () => {
    const left = new AbortController();
    host.methods.fetchTurns = () => {
      left.abort();
      return new Promise(() => undefined);
    };
    await assert.rejects(trailOf({ client }, ref, decisions, left.signal), { name: 'AbortError' });
  });
});
