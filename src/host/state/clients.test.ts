import assert from 'node:assert/strict';
import type { Clock } from '../../base/clock.ts';
import { type Client, Clients, type Introduction } from './clients.ts';
import { StateStore } from './stateStore.ts';

describe('clients', () => {
  const newer: Introduction = { dialect: 'channels', answersHooks: true };
  const older: Introduction = { dialect: 'v1', answersHooks: false };
  let store: StateStore;
  let clients: Clients;
  let timers: { callback: () => void; delayMs: number }[];
  let heard: string[];

  beforeEach(() => {
    timers = [];
    heard = [];
    const clock: Clock = {
      now: () => 0,
      setTimer(callback, delayMs) {
        const timer = { callback, delayMs };
        timers.push(timer);
        return { dispose: () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1)) };
      },
    };
    store = new StateStore();
    clients = new Clients(store, { clock });
    clients.onDidLeave((id) => heard.push(`left ${id}`));
    clients.onDidGiveUp((id) => heard.push(`gone ${id}`));
    clients.onDidChangeCount(() => heard.push(`count ${clients.count}`));
  });
  afterEach(() => clients.dispose());

  const client = (clientId: string, name = clientId): Client => ({
    clientId,
    channels: new Set(),
    notify: () => undefined,
    request: () => Promise.resolve(undefined),
    replaced: () => heard.push(`replaced ${name}`),
  });
  const elapse = () => {
    for (const { callback } of timers.splice(0)) callback();
  };

  it('read channels until those are gone', () => {
    const [one, two] = [client('a'), client('b')];
    clients.join(one, newer);
    clients.join(two, newer);
    store.add({
      channel: 's:/1',
      kind: 'session',
      state: { provider: '', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] },
    });
    one.channels.add('s:/1');
    assert.deepEqual([clients.isRead('s:/1'), clients.isRead('s:/2')], [true, false]);
    store.delete('s:/1');
    assert.deepEqual([clients.isRead('s:/1'), one.channels.size], [false, 0]);
  });

  it('that leave are waited for, and are gone when they do not come back', () => {
    const one = client('a');
    clients.join(one, newer);
    clients.leave(one);
    clients.leave(one);
    assert.deepEqual([clients.isConnected('a'), clients.isExpected('a'), clients.withHooks('a')], [false, true, undefined]);
    assert.deepEqual(
      timers.map(({ delayMs }) => delayMs),
      [30_000],
    );
    const again = client('a', 'again');
    clients.rejoin(again);
    assert.deepEqual([timers, clients.connected('a') === again, clients.withHooks('a') === again], [[], true, true]);
    clients.leave(again);
    elapse();
    assert.deepEqual([clients.isExpected('a'), clients.dialectOf('a')], [false, 'channels']);
    assert.deepEqual(heard, ['count 1', 'left a', 'count 0', 'count 1', 'left a', 'count 0', 'gone a']);
  });

  it('that come back before their loss is noticed have not left', () => {
    const [lost, again] = [client('a', 'lost'), client('a', 'again')];
    clients.join(lost, newer);
    heard.length = 0;
    clients.rejoin(again);
    clients.leave(lost);
    assert.deepEqual([heard, clients.isConnected('a')], [['count 1', 'replaced lost'], true]);
  });

  it('that start over drop what they had, and may speak another dialect', () => {
    clients.join(client('a', 'first'), newer);
    clients.takeClientSeq('a', 7);
    heard.length = 0;
    clients.join(client('a', 'second'), older);
    assert.deepEqual(heard, ['left a', 'count 0', 'replaced first', 'count 1']);
    assert.deepEqual([clients.dialectOf('a'), clients.withHooks('a'), clients.takeClientSeq('a', 0)], ['v1', undefined, undefined]);
  });

  it('have each number accepted once: ever in AHP v1, and in one connection of AHP 1.0', () => {
    for (const [id, introduction] of [['old', older] as const, ['new', newer] as const]) {
      clients.join(client(id), introduction);
      assert.equal(clients.takeClientSeq(id, 3), undefined);
      assert.match(clients.takeClientSeq(id, 3) ?? '', /clientSeq 3 is not greater than 3/);
      assert.match(clients.takeClientSeq(id, 1) ?? '', /not greater/);
      clients.rejoin(client(id));
    }
    assert.match(clients.takeClientSeq('old', 1) ?? '', /not greater than 3/);
    assert.equal(clients.takeClientSeq('new', 1), undefined);
    assert.equal(clients.takeClientSeq('nobody', 1), undefined);
  });

  it('are remembered, but not more than a thousand that have left', () => {
    const stays = client('stays');
    const forgotten: string[] = [];
    clients.onDidForget((id) => forgotten.push(id));
    clients.join(stays, newer);
    for (let count = 0; count < 1000; count++) {
      const one = client(`c${count}`);
      clients.join(one, older);
      clients.leave(one);
    }
    assert.deepEqual([clients.dialectOf('c0'), clients.dialectOf('c1'), clients.dialectOf('stays')], [undefined, 'v1', 'channels']);
    assert.throws(() => clients.rejoin(client('c0')), /not known/);
    assert.deepEqual(forgotten, ['c0']);
  });
});
