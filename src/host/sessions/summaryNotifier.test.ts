import assert from 'node:assert/strict';
import type { SessionSummaryChangedNotification } from '../../ahp/v1/notifications.ts';
import type { Clock } from '../../base/clock.ts';
import { StateStore } from '../state/stateStore.ts';
import { SummaryNotifier } from './summaryNotifier.ts';

describe('notifications of summaries', () => {
  const session = 't:/1';
  let store: StateStore;
  let notifier: SummaryNotifier;
  let told: SessionSummaryChangedNotification[];
  let timers: { callback: () => void; delayMs: number }[];

  beforeEach(() => {
    told = [];
    timers = [];
    const clock: Clock = {
      now: () => 0,
      setTimer(callback, delayMs) {
        const timer = { callback, delayMs };
        timers.push(timer);
        return { dispose: () => void timers.splice(timers.indexOf(timer), 1) };
      },
    };
    store = new StateStore({ now: () => 7 });
    notifier = new SummaryNotifier(store, (notification) => told.push(notification), clock);
    const summary = { resource: session, provider: 't', title: '', status: 1, createdAt: 0, modifiedAt: 0 };
    store.add(session, { summary, lifecycle: 'ready', turns: [] });
    notifier.add(session, summary);
  });
  const elapse = () => {
    for (const { callback } of timers.splice(0)) callback();
  };

  it('are gathered for at most 100 ms and name only what changed', () => {
    store.dispatch({ type: 'session/titleChanged', session, title: 'a' });
    store.dispatch({ type: 'session/titleChanged', session, title: 'b' });
    assert.deepEqual(
      timers.map(({ delayMs }) => delayMs),
      [100],
    );
    assert.deepEqual(told, []);
    elapse();
    assert.deepEqual(told, [{ type: 'notify/sessionSummaryChanged', session, changes: { title: 'b', modifiedAt: 7 } }]);
    store.dispatch({ type: 'session/activityChanged', session, activity: 'reading' });
    elapse();
    store.dispatch({ type: 'session/activityChanged', session });
    elapse();
    assert.deepEqual(
      told.slice(1).map(({ changes }) => changes),
      [{ activity: 'reading' }, { activity: '' }],
    );
  });

  it('leave out what came back to what it was, and what is no part of the summary', () => {
    store.dispatch({ type: 'session/isReadChanged', session, isRead: true });
    store.dispatch({ type: 'session/isReadChanged', session, isRead: false });
    store.dispatch({ type: 'session/metaChanged', session, _meta: { a: 1 } });
    elapse();
    assert.deepEqual(told, []);
  });

  it('come at once for a session that is forgotten for now', () => {
    store.dispatch({ type: 'session/titleChanged', session, title: 'a' });
    notifier.release(session);
    assert.deepEqual(
      told.map(({ changes }) => changes.title),
      ['a'],
    );
    elapse();
    store.dispatch({ type: 'session/titleChanged', session, title: 'b' });
    assert.deepEqual([told.length, timers], [1, []]);
  });

  it('end with the session', () => {
    store.dispatch({ type: 'session/titleChanged', session, title: 'a' });
    notifier.delete(session);
    elapse();
    assert.deepEqual(told, []);
    store.dispatch({ type: 'session/titleChanged', session, title: 'b' });
    assert.deepEqual(timers, []);
  });
});
