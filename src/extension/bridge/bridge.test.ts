import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeHostSession } from '../../../test/fakes/fakeHostSession.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { nullLogger } from '../../base/log.ts';
import { OwnerClient } from '../../tap/owner/ownerClient.ts';
import { Bridge, type BridgedHost } from './bridge.ts';
import { SessionBridge } from './session/sessionBridge.ts';

class FakeHost implements BridgedHost {
  readonly sessions = new Map<string, FakeHostSession>();
  readonly running = new Set<string>();
  openSession(uri: string): FakeHostSession {
    const session = new FakeHostSession();
    this.sessions.set(uri, session);
    return session;
  }
  isRunning(uri: string): boolean {
    return this.running.has(uri);
  }
}

describe('The sessions of the bridge', () => {
  let storage: MemoryStorage;
  let hosts: Map<string, FakeHost>;
  let looked: number;
  const bridges: Bridge[] = [];
  beforeEach(() => {
    storage = new MemoryStorage();
    hosts = new Map([['a', new FakeHost()]]);
    looked = 0;
  });
  afterEach(() => {
    for (const bridge of bridges.splice(0)) bridge.dispose();
  });
  const create = (isOn = true) => {
    const bridge = new Bridge({
      host: (id) => hosts.get(id),
      findGateway: () => {
        looked++;
        return new Promise(() => undefined);
      },
      ask: () => Promise.resolve({ action: 'decline' }),
      parts: { OwnerClient, SessionBridge },
      storage,
      logger: nullLogger,
    });
    bridges.push(bridge);
    bridge.setOn(isOn, '');
    return bridge;
  };
  const ref = (uri: string, hostId = 'a') => ({ hostId, uri });
  const bridged = (bridge: Bridge) => bridge.sessions.map(({ ref: { hostId, uri } }) => `${hostId} ${uri}`).join();
  const did = (uri: string) => hosts.get('a')?.sessions.get(uri)?.did.join();

  it('are those that the user has opened, on hosts that are there; the gateway is looked for with the first', () => {
    const bridge = create();
    assert.equal(looked, 0);
    bridge.open(ref('x:/1'));
    bridge.open(ref('x:/2', 'b'));
    bridge.open(ref('x:/1'));
    assert.deepEqual([bridged(bridge), looked], ['a x:/1', 1]);
    hosts.set('b', new FakeHost());
    bridge.hostsChanged();
    assert.equal(bridged(bridge), 'a x:/1,b x:/2');
  });

  it('are taken up at the new connection when a host is reached by another one', () => {
    const bridge = create();
    bridge.open(ref('x:/1'));
    const before = bridge.get(ref('x:/1'));
    const first = hosts.get('a')?.sessions.get('x:/1');
    hosts.set('a', new FakeHost());
    bridge.hostsChanged();
    assert.notEqual(bridge.get(ref('x:/1')), before);
    assert.deepEqual(first?.did, [], 'nothing can be said to the old one');
    hosts.clear();
    bridge.hostsChanged();
    assert.equal(bridged(bridge), '');
  });

  it('are not kept without end over the lives of a window', () => {
    for (let life = 0; life < 4; life++) {
      const bridge = create();
      for (let index = 0; index < 20; index++) bridge.open(ref(`x:/${life}/${index}`));
      bridge.dispose();
    }
    const kept = storage.get('tapline.bridgedSessions') as string[];
    assert.deepEqual([kept.length, kept.at(-1)], [30, 'a\nx:/3/19']);
  });

  it('go when there are too many, the one first that was opened longest ago', () => {
    const bridge = create();
    for (let index = 0; index < 30; index++) bridge.open(ref(`x:/${index}`));
    bridge.open(ref('x:/0'));
    bridge.open(ref('x:/new'));
    assert.equal(bridge.sessions.length, 30);
    assert.equal(bridge.get(ref('x:/1')), undefined);
    assert.ok(bridge.get(ref('x:/0')));
    assert.equal(did('x:/1'), 'withdraw');
  });

  it('are all withdrawn, and the connection ended, when it is switched off; and come back', () => {
    const bridge = create();
    bridge.open(ref('x:/1'));
    bridge.setOn(false, 'off');
    assert.deepEqual([bridged(bridge), bridge.owner, did('x:/1')], ['', undefined, 'withdraw']);
    bridge.open(ref('x:/2'));
    assert.equal(bridged(bridge), '');
    bridge.setOn(true, '');
    assert.equal(bridged(bridge), 'a x:/1,a x:/2');
  });

  it('are left as they are when the window goes', () => {
    const bridge = create();
    bridge.open(ref('x:/1'));
    bridge.dispose();
    assert.equal(did('x:/1'), '');
  });

  it('are taken up again after a reload where a turn runs or a call is remembered', async () => {
    const bridge = create();
    for (const uri of ['x:/1', 'x:/2', 'x:/3']) bridge.open(ref(uri));
    bridge.dispose();
    await storage.update('tapline.clientToolCalls', { [JSON.stringify(['a\nx:/3', 'turn', 'call'])]: { kind: 'sent' } });
    hosts.set('a', new FakeHost());
    const next = create();
    assert.equal(bridged(next), 'a x:/3');
    hosts.get('a')?.running.add('x:/2');
    next.hostsChanged();
    assert.equal(bridged(next), 'a x:/3,a x:/2');
  });

  it('say that what joins them to the gateway could not be loaded, and load it with the next session or when the user wants it', async () => {
    const failures: [message: string, tryAgain: () => void][] = [];
    let isThere = false;
    let loads = 0;
    const bridge = new Bridge({
      host: (id) => hosts.get(id),
      findGateway: () => new Promise(() => undefined),
      ask: () => Promise.resolve({ action: 'decline' }),
      loadParts: async () => {
        loads++;
        if (!isThere) throw new Error('the file has gone');
        return { OwnerClient, SessionBridge };
      },
      onLoadFailure: (error, tryAgain) => failures.push([(error as Error).message, tryAgain]),
      storage,
      logger: nullLogger,
    });
    bridges.push(bridge);
    bridge.setOn(true, '');
    bridge.open(ref('x:/1'));
    await atRest();
    bridge.open(ref('x:/2'));
    await atRest();
    assert.deepEqual([failures.map(([message]) => message), bridged(bridge)], [['the file has gone', 'the file has gone'], '']);
    isThere = true;
    failures[1]?.[1]();
    await atRest();
    assert.deepEqual([bridged(bridge), loads, failures.length], ['a x:/1,a x:/2', 3, 2]);
    bridge.dispose();
    failures[0]?.[1]();
    assert.equal(loads, 3);
  });
});
