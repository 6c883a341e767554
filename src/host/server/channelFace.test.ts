import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { manyTurns } from '../../../test/support/longSession.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { Snapshot } from '../../ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { nullLogger } from '../../base/log.ts';
import { Host } from '../host.ts';
import { type Client, Clients, RETURN_MS } from '../state/clients.ts';
import { StateStore } from '../state/stateStore.ts';
import { ChannelFace } from './channelFace.ts';

const chat = 'ahp-chat:/1';

/** Everything else is tested over real sockets. */
describe('the host as clients of AHP 1.0 see it', () => {
  it('still sends a client that was away for long the older turns that it had loaded', async () => {
    const host = new Host({ agents: [], logger: nullLogger });
    const clock = new FakeClock();
    const store = new StateStore({ replayLimit: 5 });
    const clients = new Clients(store, { clock });
    Object.assign(host, { store, clients });
    const face = new ChannelFace({ host, logger: nullLogger });
    try {
      store.add({ channel: chat, kind: 'chat', state: { resource: chat, title: '', status: 1, modifiedAt: '', turns: manyTurns(120) } });
      const makeClient = (clientId: string): Client => ({
        ...{ clientId, channels: new Set<string>(), notify: () => undefined, replaced: () => undefined },
        request: () => Promise.reject(new Error('none')),
      });
      let client = makeClient('a');
      const hello = { channel: ROOT_CHANNEL, clientId: 'a', protocolVersions: ['1.0.0'], initialSubscriptions: [chat] };
      const turnsIn = ([snapshot]: readonly Snapshot[]) => (snapshot?.state as ChatState).turns.length;
      assert.equal(turnsIn(face.initialize(hello, () => client).snapshots), 50);
      const seen = store.serverSeq;
      await face.run('fetchTurns', { channel: chat }, client);
      face.leave(client);
      clients.leave(client);
      clock.advance(RETURN_MS + 1);
      for (let count = 0; count < 9; count++) store.dispatch(chat, { type: 'chat/activityChanged', activity: `${count}` });
      const back = { channel: ROOT_CHANNEL, clientId: 'a', lastSeenServerSeq: seen, subscriptions: [chat] };
      const result = face.reconnect(back, () => (client = makeClient('a'))) as { type: string; snapshots: Snapshot[] };
      assert.deepEqual([result.type, turnsIn(result.snapshots)], ['snapshot', 100]);
      assert.equal(turnsIn(face.initialize(hello, () => makeClient('a')).snapshots), 50, 'one that begins anew has none of them');
    } finally {
      face.dispose();
      host.dispose();
    }
  });
});
