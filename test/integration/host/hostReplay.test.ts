/** Several clients, the order of what they hear, and coming back after a lost connection. */
import assert from 'node:assert/strict';
import type { ReconnectResult } from '../../../src/ahp/v1/commands.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import { TestHost, type RawClient } from './hostHarness.ts';

describe('clients of the embedded host', () => {
  let host: TestHost;
  let client: RawClient;
  let session: string;

  const begin = async (options: { replayLimit?: number } = {}) => {
    host = new TestHost();
    await host.start(options);
    client = await host.connect();
    session = await host.session(client);
  };
  afterEach(() => host.stop());

  const title = (text: string) => ({ type: 'session/titleChanged', session, title: text });
  const lastSeq = (who: RawClient) => who.envelopes().at(-1)?.serverSeq ?? 0;
  const reconnect = async (clientId: string, lastSeenServerSeq: number, subscriptions: string[]): Promise<[RawClient, ReconnectResult]> => {
    const again = await host.open();
    again.clientId = clientId;
    return [again, await again.request('reconnect', { clientId, lastSeenServerSeq, subscriptions })];
  };

  it('all hear the same envelopes in the same order, with the origin', async () => {
    await begin();
    const other = await host.connect('client-b', [session]);
    const from = lastSeq(client);
    await Promise.all([client.dispatch(title('a')), other.dispatch(title('b')), client.dispatch(title('c'))]);
    await client.dispatch({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'go' } });
    await client.action('session/turnComplete');
    await other.action('session/turnComplete');
    const ofSession = (who: RawClient) =>
      who.envelopes().filter(({ action, serverSeq }) => action.type.startsWith('session/') && serverSeq > from);
    assert.deepEqual(ofSession(client), ofSession(other));
    const numbers = client.envelopes().map(({ serverSeq }) => serverSeq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    assert.deepEqual(ofSession(client).find(({ action }) => action.type === 'session/turnStarted')?.origin, {
      clientId: 'client-a',
      clientSeq: 3,
    });
    assert.equal(ofSession(client).find(({ action }) => action.type === 'session/turnComplete')?.origin, undefined);
  });

  it('a refused action comes back to its sender only, with the reason, and changes nothing', async () => {
    await begin();
    const other = await host.connect('client-b', [session, ROOT_URI]);
    const before = await client.sessionState(session);
    for (const [action, reason] of [
      [{ type: 'session/ready', session }, /may not dispatch/],
      [{ type: 'root/agentsChanged', agents: [] }, /may not dispatch/],
      [{ type: 'session/noSuchThing', session }, /may not dispatch/],
      [{ type: 'session/titleChanged', session, title: 7 }, /title must be a string/],
      [{ type: 'session/turnStarted', session, turnId: 't', userMessage: {} }, /userMessage\.text is missing/],
      [{ type: 'session/titleChanged', title: 'no session' }, /session is missing/],
      [{ type: 'session/titleChanged', session: ROOT_URI, title: 'x' }, /does not belong/],
      [{ type: 'root/configChanged', config: {} }, /no configuration/],
    ] as const) {
      const echo = await client.dispatch(action);
      assert.match(echo.rejectionReason ?? '', reason, JSON.stringify(action));
      assert.deepEqual(echo.action, action);
    }
    assert.deepEqual(await client.sessionState(session), before);
    assert.equal((await client.dispatch(title('fine'))).rejectionReason, undefined);
    await other.action('session/titleChanged');
    assert.equal(other.envelopes().filter(({ rejectionReason }) => rejectionReason).length, 0);
  });

  it('an action for an unknown session is ignored', async () => {
    await begin();
    const seq = client.post({ type: 'session/titleChanged', session: 'scripted:/none', title: 'x' });
    await client.dispatch(title('after'));
    assert.equal(client.echo(seq), undefined);
  });

  it('an action without a subscription is echoed to its sender', async () => {
    await begin();
    const other = await host.connect('client-b', []);
    assert.equal((await other.dispatch({ type: 'session/isArchivedChanged', session, isArchived: true })).rejectionReason, undefined);
    await client.action('session/isArchivedChanged');
  });

  it('takes every clientSeq once', async () => {
    await begin();
    await client.dispatch(title('one'));
    client.notify('dispatchAction', { clientSeq: 1, action: title('one again') });
    const echo = await client.until('the refusal', () => client.envelopes().find(({ rejectionReason }) => rejectionReason));
    assert.match(echo.rejectionReason ?? '', /clientSeq 1 is not greater than 1/);
    assert.equal((await client.sessionState(session)).summary.title, 'one');
  });

  it('replays what was missed of the subscriptions, own rejections too, others not', async () => {
    await begin();
    const other = await host.connect('client-b', [session, ROOT_URI]);
    const unseen = await host.session(other);
    await client.settled();
    const since = (await client.snapshot(session)).fromSeq;
    client.socket.terminate();
    await other.dispatch(title('missed'));
    await other.dispatch({ ...title('refused'), title: 0 });
    await other.dispatch({ type: 'session/titleChanged', session: unseen, title: 'elsewhere' });
    const [again, result] = await reconnect('client-a', since, [session]);
    assert.ok(result.type === 'replay');
    assert.deepEqual(
      result.actions.map(({ action }) => [action.type, (action as { title?: unknown }).title]),
      [['session/titleChanged', 'missed']],
    );
    await other.dispatch(title('live'));
    assert.equal((await again.action('session/titleChanged')).title, 'live');
    const [, own] = await reconnect('client-b', since, [session]);
    assert.ok(own.type === 'replay');
    assert.equal(own.actions.filter(({ rejectionReason }) => rejectionReason).length, 1);
  });

  it('gives snapshots beyond the buffer, and a replay right at its edge', async () => {
    await begin({ replayLimit: 5 });
    const since = (await client.snapshot(session)).fromSeq;
    for (let i = 1; i <= 5; i++) await client.dispatch(title(`t${i}`));
    const [, atEdge] = await reconnect('client-a', since, [session]);
    assert.ok(atEdge.type === 'replay');
    assert.equal(atEdge.actions.length, 5);
    const [, beyond] = await reconnect('client-a', since - 1, [session]);
    assert.ok(beyond.type === 'snapshot');
    assert.equal((beyond.snapshots[0]?.state as SessionState).summary.title, 't5');
    assert.ok((beyond.snapshots[0]?.fromSeq ?? 0) >= since + 5);
  });

  it('gives snapshots to a client that claims to know the future', async () => {
    await begin();
    const [, result] = await reconnect('client-a', 1_000_000, [session, ROOT_URI]);
    assert.ok(result.type === 'snapshot');
    assert.deepEqual(
      result.snapshots.map(({ resource }) => resource),
      [session, ROOT_URI],
    );
  });

  it('gives snapshots when a subscription is gone or was made again under its name', async () => {
    await begin();
    const since = (await client.snapshot(session)).fromSeq;
    await client.request('disposeSession', { session });
    const [again, gone] = await reconnect('client-a', since, [session, ROOT_URI]);
    assert.ok(gone.type === 'snapshot');
    assert.deepEqual(
      gone.snapshots.map(({ resource }) => resource),
      [ROOT_URI],
    );
    await again.request('createSession', { session, workingDirectory: host.directoryUri });
    const [, fresh] = await reconnect('client-a', since, [session, ROOT_URI]);
    assert.ok(fresh.type === 'snapshot');
    assert.equal(fresh.snapshots.length, 2);
  });

  it('a session created again is not heard through an old subscription', async () => {
    await begin();
    const other = await host.connect('client-b', [session]);
    await client.request('disposeSession', { session });
    await client.request('createSession', { session, workingDirectory: host.directoryUri });
    await client.subscribed(session);
    await client.dispatch(title('new'));
    await other.settled();
    assert.deepEqual(other.actions('session/titleChanged'), []);
  });

  it('a client that reconnects before its loss was noticed stays the active client', async () => {
    await begin();
    const activeClient = { clientId: 'client-a', tools: [] };
    await client.dispatch({ type: 'session/activeClientChanged', session, activeClient });
    const since = (await client.snapshot(session)).fromSeq;
    const [again] = await reconnect('client-a', since, [session]);
    await client.whenClosed();
    assert.deepEqual((await again.sessionState(session)).activeClient, activeClient);
    const other = await host.connect('client-b', [session]);
    again.socket.terminate();
    assert.equal((await other.action('session/activeClientChanged')).activeClient, null);
  });
});
