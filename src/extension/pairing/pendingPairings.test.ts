import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../base/event.ts';
import type { OwnerEvent, OwnerState } from '../../tap/owner/ownerClient.ts';
import { type PairingLink, PendingPairings } from './pendingPairings.ts';

describe('The pairing codes that are pending', () => {
  let clock: FakeClock;
  let pending: PendingPairings;
  let changes: number;
  let event: Emitter<OwnerEvent>;
  let state: Emitter<OwnerState>;
  let link: PairingLink & { state: OwnerState };
  beforeEach(() => {
    clock = new FakeClock();
    pending = new PendingPairings(clock);
    changes = 0;
    pending.onDidChange(() => changes++);
    event = new Emitter();
    state = new Emitter();
    link = {
      state: { kind: 'connected', version: '1' } as OwnerState,
      onEvent: event.event,
      onDidChangeState: state.event,
      request: async () => ({ denied: false }) as never,
    };
    pending.follow(link);
  });
  const start = (pairingId: string, expiresInMs = 120_000) =>
    event.fire({ event: 'pairing/started', params: { pairingId, code: '123456', origin: 'https://page.example', expiresInMs } });
  const end = (pairingId: string, outcome: 'paired' | 'denied' = 'paired') =>
    event.fire({ event: 'pairing/ended', params: { pairingId, outcome } });
  const ids = () => pending.all.map(({ id }) => id).join();

  it('come and go as the gateway says', () => {
    start('a');
    start('b');
    assert.deepEqual([ids(), changes], ['a,b', 2]);
    start('b'); // told again
    assert.equal(ids(), 'a,b');
    end('a');
    assert.equal(ids(), 'b');
    end('b', 'denied');
    end('unknown');
    assert.deepEqual([ids(), clock.pending], ['', 0]);
  });

  it('tell each second that they count down, and go when they expire', () => {
    let ticks = 0;
    pending.onDidCountDown(() => ticks++);
    start('a');
    start('late', 500_000);
    clock.advance(10_000);
    assert.deepEqual([ticks, changes], [10, 2]);
    clock.advance(110_000);
    assert.deepEqual([ids(), changes], ['late', 3]);
    clock.sleep(10_000_000);
    assert.deepEqual([ids(), clock.pending], ['', 0]);
  });

  it('go with the connection, and with the link', () => {
    start('a');
    link.state = { kind: 'waiting', error: 'gone' };
    state.fire(link.state);
    assert.equal(ids(), '');
    start('a');
    pending.follow(undefined);
    assert.deepEqual([ids(), clock.pending], ['', 0]);
    start('a');
    assert.equal(ids(), '');
  });

  it('say whether a denial came in time', async () => {
    assert.equal(await pending.deny('a'), false);
    link.request = async (...[method, params]) => {
      assert.deepEqual([method, params], ['pairing/deny', { pairingId: 'a' }]);
      return { denied: true } as never;
    };
    assert.equal(await pending.deny('a'), true);
  });
});
