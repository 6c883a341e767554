import assert from 'node:assert/strict';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { asking } from './approvals.ts';
import { quietSession } from './quietSession.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://default/1';

describe('quietSession', () => {
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let clock: FakeClock;
  beforeEach(async () => {
    host = new FakeChannelHost();
    clock = new FakeClock();
    client = AgentHostClient.create({ url: 'ws://h:1', transport: memoryTransport(host).transport, clock, random: () => 0 });
    await eventually(() => client.state.kind === 'connected', 'a connection');
  });
  afterEach(() => client.dispose());

  const appear = () => {
    const message = { text: 'go', origin: { kind: 'user' as const } };
    host.put(SESSION, channelSession(CHAT));
    host.put(CHAT, { ...channelChat(CHAT), turns: [{ id: 't', message, responseParts: [], state: 'complete' }] });
  };
  const dispatched = () => host.paramsOf('dispatchAction').map(({ action }) => action as object);
  const takesBack = { type: 'session/configChanged', config: { ...asking } };

  it('takes back what was approved', async () => {
    appear();
    assert.equal(await quietSession(client, SESSION, true), true);
    assert.deepEqual(dispatched(), [takesBack]);
  });

  it('does so too for a session that the host was still making when it was asked for', async () => {
    const quiet = quietSession(client, SESSION, true, clock);
    await eventually(() => host.paramsOf('subscribe').some(({ channel }) => channel === SESSION), 'the first look');
    await atRest();
    appear();
    clock.advance(500);
    assert.equal(await quiet, true);
    assert.deepEqual(dispatched(), [takesBack]);
  });

  it('deletes a session in which nobody has said anything, unless a user has another chat there', async () => {
    host.methods['disposeSession'] = () => null;
    for (const other of [false, true]) {
      const session = channelSession(CHAT);
      const second = { ...session.chats[0], resource: 'ahp-chat://other/1', title: 'Mine', status: 1, modifiedAt: '' };
      host.put(SESSION, other ? { ...session, chats: [...session.chats, second] } : session);
      host.put(CHAT, channelChat(CHAT));
      assert.equal(await quietSession(client, SESSION, true), true);
      assert.equal(host.paramsOf('disposeSession').length, 1, String(other));
      host.states.delete(SESSION);
      await atRest();
    }
    assert.deepEqual(dispatched(), [takesBack]);
  });

  it('waits for no session that was there before and is gone', async () => {
    assert.equal(await quietSession(client, SESSION, true), true);
    assert.deepEqual(dispatched(), []);
  });
});
