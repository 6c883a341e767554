/** An owner whose connection is lost in the middle of a call, and who comes back. */
import assert from 'node:assert/strict';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { Limit } from '../../../src/tap/wire/limits.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type RawProvider, TestGateway, type TestOwner } from './gatewayHarness.ts';

const work = { name: 'work', description: 'x', parameters: {} };
const KEY = 'k'.repeat(43);
const OTHER_KEY = 'o'.repeat(43);

describe('a session owner that comes back', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let session: OwnedSession;
  let peer: RawProvider;

  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    await begin();
  });
  afterEach(() => test.stop());

  async function begin(): Promise<void> {
    owner = await test.owner(KEY);
    session = await owner.session('a');
    peer = await test.bound({ session: 'a', tools: [work] });
    await owner.tools('a', ['work']);
  }
  /** The call runs at the provider. Nobody waits for its outcome here. */
  async function called(keptAs?: string): Promise<string> {
    session.call('work', {}, undefined, undefined, undefined, keptAs).catch(() => undefined);
    return (await peer.next('tool.call')).id;
  }
  async function gone(): Promise<void> {
    const count = test.server.ownerCount;
    owner.dispose();
    await eventually(() => test.server.ownerCount < count, 'the loss');
  }
  async function back(key = KEY, needed?: string[]): Promise<void> {
    owner = await test.owner(key);
    session = await owner.session('a', needed && (() => needed));
  }
  const states = () => peer.heard.flatMap((message) => (message.type === 'session.lifecycle' ? [message.state] : []));

  it('gets the result of a call that ends after it is back, with the progress until then', async () => {
    const id = await called('c1');
    peer.say({ type: 'tool.progress', id, message: 'half' });
    await owner.next('tool/progress');
    await gone();
    await back();
    const heard: string[] = [];
    const outcome = session.resume('c1', undefined, (message) => heard.push(message));
    await owner.next('tool/progress', ({ message }) => message === 'half');
    peer.say({ type: 'tool.progress', id, message: 'nearly' }).say({ type: 'tool.result', id, data: 'done' });
    assert.deepEqual(await outcome, { ok: true, data: 'done' });
    assert.deepEqual(heard, ['half', 'nearly']);
    assert.deepEqual(
      [peer.heard.filter(({ type }) => type === 'tool.call' || type === 'tool.cancel'), states().includes('shutdown.pending')],
      [[], false],
    );
  });

  it('gets the result of a call that ended while it was away, until it has made use of it', async () => {
    const id = await called('c1');
    await gone();
    peer.say({ type: 'tool.result', id, data: 'done' });
    await eventually(() => test.server.gateway.dispatcher.calls.length === 0, 'the end of the call');
    await back();
    assert.deepEqual(await session.resume('c1'), { ok: true, data: 'done' });
    await gone();
    await back();
    assert.deepEqual(await session.resume('c1'), { ok: true, data: 'done' });
    owner.client.notify('tool/settled', { sessionId: 'a', callId: 'c1' });
    assert.equal(await session.resume('c1'), undefined);
  });

  it('gets it also when the answer was sent and not read', async () => {
    const outcome = session.call('work', {}, undefined, undefined, undefined, 'c1');
    peer.say({ type: 'tool.result', id: (await peer.next('tool.call')).id, data: 'done' });
    await outcome;
    await gone();
    await back();
    assert.deepEqual(await session.resume('c1'), { ok: true, data: 'done' });
  });

  it('does not make a call again', async () => {
    await called('c1');
    await gone();
    await back();
    await assert.rejects(session.call('work', {}, undefined, undefined, undefined, 'c1'), /was made already/);
    assert.equal(
      peer.heard.some(({ type }) => type === 'tool.call'),
      false,
    );
  });

  it('may cancel the call', async () => {
    await called('c1');
    await gone();
    await back();
    const outcome = await session.resume('c1', AbortSignal.abort('enough'));
    assert.ok(outcome && !outcome.ok && outcome.errorCode === 'CANCELLED');
    assert.equal((await peer.next('tool.cancel')).reason, 'enough');
  });

  it('ends a call that it does not need any more', async () => {
    await called('c1');
    await gone();
    await back();
    owner.client.notify('tool/settled', { sessionId: 'a', callId: 'c1' });
    assert.match((await peer.next('tool.cancel')).reason ?? '', /does not need/);
    assert.equal(await session.resume('c1'), undefined);
  });

  it('keeps only the calls that it names when it comes back', async () => {
    const ids = new Map<string, string>();
    for (const keptAs of ['c1', 'c2', 'c3']) ids.set(keptAs, await called(keptAs));
    peer.say({ type: 'tool.result', id: ids.get('c3'), data: 'done' });
    await eventually(() => test.server.gateway.dispatcher.calls.length === 2, 'the end of a call');
    await gone();
    await back(KEY, ['c2', 'c4']);
    const cancelled = await peer.next('tool.cancel');
    assert.equal(cancelled.id, ids.get('c1'));
    assert.match(cancelled.reason ?? '', /does not need/);
    assert.equal(await session.resume('c3'), undefined);
    peer.say({ type: 'tool.result', id: ids.get('c2'), data: 'done' });
    assert.deepEqual(await session.resume('c2'), { ok: true, data: 'done' });
    assert.equal(
      peer.heard.some(({ type }) => type === 'tool.cancel'),
      false,
    );
  });

  it('takes up the session that it has left and not lost', async () => {
    const id = await called('c1');
    await Promise.all([session.end(0, true), owner.client.request('diagnostics', {})]);
    session = owner.client.addSession({ sessionId: 'a', label: 'again' });
    await eventually(() => test.server.gateway.sessions.active[0]?.label === 'again', 'the registration');
    const outcome = session.resume('c1');
    peer.say({ type: 'tool.result', id, data: 'done' });
    assert.deepEqual(await outcome, { ok: true, data: 'done' });
  });

  it('replaces the connection that it still has, which does not push it out again', async () => {
    const id = await called('c1');
    const before = owner;
    await back();
    peer.say({ type: 'tool.result', id, data: 'done' });
    assert.deepEqual(await session.resume('c1'), { ok: true, data: 'done' });
    await before.connected();
    await session.update({ label: 'still here' });
    assert.equal(owner.client.state.kind, 'connected');
  });

  it('waits with what a provider injects until it is back', async () => {
    await called('c1');
    await gone();
    peer.say({ type: 'push', sessionId: 'a', stream: 's', event: 'news', level: 'inject', requestId: 'r' });
    await eventually(() => test.server.gateway.sessions.get('a')?.inbox.queued, 'the inject');
    await back();
    await owner.next('push/inject');
  });

  it('is the only one: neither another owner nor one without a key gets the session or the call', async () => {
    const id = await called('c1');
    await gone();
    for (const key of [OTHER_KEY, undefined]) {
      const other = await test.owner(key);
      const theirs = other.client.addSession({ sessionId: 'a', label: 'theirs' });
      await other.client.request('diagnostics', {}); // the refusal has come
      assert.deepEqual(other.events, []);
      assert.equal(await theirs.resume('c1'), undefined);
      other.client.notify('tool/cancel', { sessionId: 'a', callId: 'c1' });
      other.client.notify('tool/settled', { sessionId: 'a', callId: 'c1' });
      await other.client.request('diagnostics', {});
      other.dispose();
    }
    await back();
    peer.say({ type: 'tool.result', id, data: 'done' });
    assert.deepEqual(await session.resume('c1'), { ok: true, data: 'done' });
  });

  it('finds nothing of calls that were not to be kept, or of a session that it has ended', async () => {
    await called();
    await gone();
    assert.match((await peer.next('tool.cancel')).reason ?? '', /disconnected/);
    await eventually(() => states().includes('shutdown.pending'), 'the end of the session');
    await back();
    peer = await test.bound({ session: 'a', tools: [work] });
    await owner.tools('a', ['work']);
    await called('c2');
    await Promise.all([session.end(0), peer.next('tool.cancel')]);
    session = await owner.session('a');
    assert.equal(await session.resume('c2'), undefined);
  });

  it('finds nothing without a key', async () => {
    const keyless = await test.owner();
    session = await keyless.session('b');
    peer = await test.bound({ session: 'b', tools: [work] });
    await keyless.tools('b', ['work']);
    await called('c1');
    keyless.dispose();
    assert.match((await peer.next('tool.cancel')).reason ?? '', /session has ended|disconnected/);
  });

  it('finds the newest outcomes, as many as are held', async () => {
    for (let n = 0; n <= Limit.keptOutcomes; n++) {
      const outcome = session.call('work', {}, undefined, undefined, undefined, `c${n}`);
      peer.say({ type: 'tool.result', id: (await peer.next('tool.call')).id, data: n });
      await outcome;
    }
    await gone();
    await back();
    assert.equal(await session.resume('c0'), undefined);
    assert.deepEqual(await session.resume('c1'), { ok: true, data: 1 });
  });

  it('ends the call where it does not come back in time', async () => {
    await test.stop();
    test = new TestGateway();
    await test.start({ ownerGraceMs: 50 });
    await begin();
    await called('c1');
    await gone();
    assert.match((await peer.next('tool.cancel')).reason ?? '', /did not come back/);
    await eventually(() => states().includes('shutdown.pending'), 'the end of the session');
    await back();
    assert.equal(await session.resume('c1'), undefined);
  });
});
