import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sessionSummary } from '../../../test/fakes/fakeHost.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { HostNotification } from '../dialects/dialect.ts';
import { v1Dialect } from '../dialects/v1/v1Dialect.ts';
import { SessionList } from './sessionList.ts';

/** A list whose listings the test answers, and whose ticks it makes. */
function setUp() {
  const asked: { answer(items: readonly unknown[]): void; refuse(error: Error): void }[] = [];
  const ticks: (() => void)[] = [];
  const list = new SessionList(
    () => new Promise((resolve, refuse) => asked.push({ answer: (items) => resolve({ items, isCut: false }), refuse })),
    (callback) => ticks.push(callback),
    () => [],
    () => v1Dialect,
  );
  let changes = 0;
  list.onDidChange(() => changes++);
  return { list, asked, tick: () => ticks.splice(0).forEach((run) => run()), changes: () => changes };
}
const added = (uri: string, title?: string): HostNotification => ({ type: 'notify/sessionAdded', summary: sessionSummary(uri, title) });
const removed = (session: string): HostNotification => ({ type: 'notify/sessionRemoved', session });
const renamed = (session: string, title: string): HostNotification => ({
  type: 'notify/sessionSummaryChanged',
  session,
  changes: { title },
});
const titles = (list: SessionList) => list.summaries.map(({ title }) => title);

describe('SessionList', () => {
  it('lists, and follows the three notifications with one entry a session', async () => {
    const { list, asked, tick, changes } = setUp();
    assert.equal(list.state, 'loading');
    const refreshed = list.refresh();
    asked[0]?.answer([sessionSummary('a:/1', 'one'), sessionSummary('a:/1', 'one again'), { broken: true }]);
    await refreshed;
    assert.equal(list.state, 'ready');
    assert.deepEqual(titles(list), ['one again']);
    list.receive(added('a:/1', 'announced again'));
    list.receive(added('a:/2', 'two'));
    list.receive(renamed('a:/2', 'zwei'));
    list.receive(renamed('a:/unknown', 'x'));
    assert.deepEqual(titles(list), ['announced again', 'zwei']);
    list.receive(removed('a:/1'));
    assert.equal(list.summary('a:/1'), undefined);
    tick();
    assert.equal(changes(), 1);
  });

  it('a change cannot give a session another identity', async () => {
    const { list } = setUp();
    list.receive(added('a:/1'));
    list.receive({ type: 'notify/sessionSummaryChanged', session: 'a:/1', changes: { resource: 'evil:/1', title: 'new' } });
    assert.deepEqual(list.summary('a:/1')?.resource, 'a:/1');
    assert.deepEqual(titles(list), ['new']);
  });

  it('keeps what it hears while a listing is under way', async () => {
    const { list, asked } = setUp();
    const refreshed = list.refresh();
    list.receive(added('a:/new', 'new'));
    list.receive(added('a:/1', 'announced'));
    list.receive(renamed('a:/2', 'renamed'));
    list.receive(removed('a:/3'));
    asked[0]?.answer([sessionSummary('a:/1', 'listed'), sessionSummary('a:/2', 'two'), sessionSummary('a:/3')]);
    await refreshed;
    assert.deepEqual(titles(list).sort(), ['listed', 'new', 'renamed']);
  });

  it('asks again instead of keeping without end what it hears meanwhile', async () => {
    const { list, asked } = setUp();
    const first = list.refresh();
    for (let heard = 0; heard < 10_000; heard++) list.receive(renamed('a:/1', `${heard}`));
    assert.equal(asked.length, 1);
    list.receive(renamed('a:/1', 'last'));
    assert.equal(asked.length, 2);
    asked[0]?.answer([]);
    asked[1]?.answer([sessionSummary('a:/1', 'listed')]);
    await first;
    await new Promise(setImmediate);
    assert.deepEqual(titles(list), ['last']);
  });

  it('keeps what was announced over listings that leave it out, until it is removed or was listed', async () => {
    const { list, asked } = setUp();
    const listing = async (...items: unknown[]) => {
      const refreshed = list.refresh();
      asked.at(-1)?.answer(items);
      await refreshed;
      return titles(list).sort();
    };
    await listing(sessionSummary('a:/listed', 'listed'));
    list.receive(added('a:/new', 'new'));
    list.receive(added('a:/gone', 'gone'));
    assert.deepEqual(await listing(sessionSummary('a:/listed', 'listed')), ['gone', 'listed', 'new']);
    list.receive(renamed('a:/new', 'named'));
    list.receive(removed('a:/gone'));
    assert.deepEqual(await listing(), ['named']);
    assert.deepEqual(await listing(sessionSummary('a:/new', 'listed by now')), ['listed by now']);
    assert.deepEqual(await listing(), []);
  });

  it('takes the newest of two listings', async () => {
    const { list, asked } = setUp();
    const both = [list.refresh(), list.refresh()];
    asked[1]?.answer([sessionSummary('a:/1', 'second')]);
    asked[0]?.answer([sessionSummary('a:/1', 'first')]);
    await Promise.all(both);
    assert.deepEqual(titles(list), ['second']);
  });

  it('says why there is no list, and keeps the last one', async () => {
    const { list, asked } = setUp();
    list.receive(added('a:/1', 'one'));
    const refreshed = list.refresh();
    asked[0]?.refuse(new RpcError(-32007, 'Authentication is required\n    at a stack'));
    await refreshed;
    assert.deepEqual(list.state, { error: { code: -32007, message: 'Authentication is required' } });
    assert.deepEqual(titles(list), ['one']);
    const again = list.refresh();
    assert.equal(list.state, 'loading');
    asked[1]?.refuse(new Error('the host’s list of sessions cannot be read'));
    await again;
    assert.ok(typeof list.state === 'object');
  });

  it('gives the same array until something changes', () => {
    const { list } = setUp();
    list.receive(added('a:/1'));
    const { summaries } = list;
    list.receive({ type: 'notify/authRequired', resource: 'r' });
    assert.equal(list.summaries, summaries);
    list.receive(renamed('a:/1', 'x'));
    assert.notEqual(list.summaries, summaries);
  });
});
