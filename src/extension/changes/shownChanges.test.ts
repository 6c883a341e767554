import assert from 'node:assert/strict';
import { eventually } from '../../../test/fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { Emitter } from '../../base/event.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { ShownChanges } from './shownChanges.ts';

const uri = 'demo:/1';
const MAIN = 'ahp-chat://main/1';
const SIDE = 'ahp-chat://side/1';

describe('The changes of the session that is shown', () => {
  it('are those of the last turn of the chat that is shown, also where the session has no default chat', async () => {
    const host = new FakeChannelHost('1.0.0');
    const { defaultChat: _, ...session } = channelSession(MAIN);
    const [main] = session.chats;
    assert.ok(main);
    const changesets = [{ label: 'This turn', uriTemplate: 'x:/{turnId}', changeKind: 'turn' }];
    host.put(uri, { ...session, chats: [main, { ...main, resource: SIDE }], changesets });
    const turn = (id: string) => ({
      id,
      message: { text: 'Go', origin: { kind: 'user' as const } },
      responseParts: [],
      state: 'complete' as const,
    });
    host.put(MAIN, { ...channelChat(MAIN), turns: [turn('m')] });
    host.put(SIDE, { ...channelChat(SIDE), turns: [turn('s')] });
    const client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    const registered = { client } as RegisteredHost;
    const change = new Emitter<void>();
    let shown: URI | undefined;
    const sessions = { activeRef: { hostId: 'h', uri }, chatOf: () => shown, onDidChange: change.event };
    const changes = new ShownChanges(sessions, { get: () => registered, onDidChange: new Emitter<void>().event });
    const listed = () => changes.listed.map((one) => one.uri);
    try {
      changes.setVisible(true);
      await eventually(() => listed().includes('x:/m'), 'the turn of the first chat');
      let told = 0;
      changes.onDidChange(() => told++);
      shown = SIDE;
      change.fire();
      await eventually(() => listed().includes('x:/s'), 'the turn of the other chat');
      assert.ok(told > 0);
      told = 0;
      change.fire();
      assert.equal(told, 0, 'nothing has changed');
    } finally {
      changes.dispose();
      client.dispose();
    }
  });
});
