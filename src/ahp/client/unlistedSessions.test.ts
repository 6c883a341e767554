/** Sessions that a host has and does not list, as VS Code 1.117 does before the first turn: one entry as long as the host has them. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connected, disposeClients, loseLine, session } from '../../../test/fakes/clientAndHost.ts';
import { atRest } from '../../../test/fakes/eventually.ts';
import { sessionState, sessionSummary } from '../../../test/fakes/fakeHost.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { whenLive } from './resources/whenLive.ts';

afterEach(disposeClients);

const unlisted = 'demo:/unlisted';

/** A host that lists `session` only, and whether the list showed `unlisted` at each of its changes. */
async function setUp() {
  const all = await connected();
  const { host, client } = all;
  const shown: boolean[] = [];
  client.sessions.onDidChange(() => shown.push(client.sessions.summary(unlisted) !== undefined));
  const create = async () => {
    host.states.set(unlisted, sessionState(unlisted, 'new'));
    host.notify({ type: 'notify/sessionAdded', summary: sessionSummary(unlisted, 'new') });
    await atRest();
  };
  const restart = () => {
    host.states.delete(unlisted);
    host.serverSeq = 1;
    host.log = [];
  };
  const uris = () => client.sessions.summaries.map(({ resource }) => resource).sort();
  return { ...all, shown, create, restart, uris };
}

describe('sessions that the host does not list', () => {
  it('stay when the list is read again, and go when the host removes them', async () => {
    const { host, client, create, shown, uris } = await setUp();
    await create();
    await client.listSessions();
    await atRest();
    assert.deepEqual(uris(), [session, unlisted]);
    assert.ok(!shown.includes(false));
    host.notify({ type: 'notify/sessionRemoved', session: unlisted });
    await client.listSessions();
    assert.deepEqual(uris(), [session]);
  });

  it('stay over a lost connection without a flicker while somebody reads them', async () => {
    const all = await setUp();
    await all.create();
    const own = all.client.session(unlisted);
    await whenLive(own);
    await loseLine(all);
    assert.deepEqual(all.uris(), [session, unlisted]);
    // The host gave its state on this connection, so it has it, whoever reads it.
    own.dispose();
    await all.client.listSessions();
    await atRest();
    assert.deepEqual(all.uris(), [session, unlisted]);
    assert.ok(!all.shown.includes(false), 'it flickered');
  });

  it('go with a lost connection when nobody reads them', async () => {
    const all = await setUp();
    await all.create();
    await loseLine(all);
    assert.deepEqual(all.uris(), [session]);
  });

  it('go with a host that has started again and does not have them, and not before that is known', async () => {
    const all = await setUp();
    await all.create();
    const own = all.client.session(unlisted);
    await whenLive(own);
    let answer = () => undefined as void;
    const { subscribe } = all.host.methods;
    await loseLine(all, () => {
      all.restart();
      all.host.methods['subscribe'] = async (params, connection) => {
        if (all.host.order.includes('listSessions')) await new Promise<void>((resolve) => (answer = resolve));
        return subscribe?.(params, connection);
      };
    });
    assert.equal(own.status.kind, 'stale');
    assert.deepEqual(all.uris(), [session, unlisted]);
    answer();
    await atRest();
    assert.equal(own.status.kind, 'failed');
    assert.deepEqual(all.uris(), [session]);
  });

  it('stay as last known while the new connection gives no list', async () => {
    const all = await setUp();
    await all.create();
    const own = all.client.session(unlisted);
    await whenLive(own);
    await loseLine(all, () => {
      all.restart();
      all.host.methods['listSessions'] = () => {
        throw new RpcError(-32007, 'authentication required');
      };
    });
    assert.equal(own.status.kind, 'failed');
    assert.deepEqual(all.uris(), [session, unlisted]);
    all.host.methods['listSessions'] = () => ({ items: all.host.summaries });
    await all.client.listSessions();
    assert.deepEqual(all.uris(), [session]);
  });

  it('are shown when the host gives their state, without having announced them here', async () => {
    const { host, client, uris } = await setUp();
    host.states.set(unlisted, sessionState(unlisted, 'of before'));
    const own = client.session(unlisted);
    await whenLive(own);
    await atRest();
    assert.deepEqual(uris(), [session, unlisted]);
    assert.equal(client.sessions.summary(unlisted)?.title, 'of before');
    const missing = client.session('demo:/missing');
    await atRest();
    assert.equal(missing.status.kind, 'failed');
    assert.deepEqual(uris(), [session, unlisted]);
  });
});
