import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../base/event.ts';
import { hostSoon } from './hostSoon.ts';

describe('The host of a file that is opened', () => {
  const registryOf = (state?: string) => {
    const changed = new Emitter<void>();
    const host = { client: { state: { kind: state ?? 'connecting' } } };
    const hosts = {
      listed: state !== undefined,
      isListing: false,
      onDidChange: changed.event,
      get: () => (hosts.listed ? host : undefined),
    };
    return { hosts, host, changed, clock: new FakeClock() };
  };
  /** Undefined as long as it is waited for. */
  const settled = async <T>(soon: Promise<T>) =>
    Promise.race([soon.then((host) => ({ host })), new Promise<undefined>((done) => setImmediate(done, undefined))]);

  it('is there at once when it is connected, or cannot be reached', async () => {
    for (const state of ['connected', 'reconnecting', 'failed']) {
      const { hosts, host, clock } = registryOf(state);
      assert.deepEqual(await settled(hostSoon(hosts, 'h', clock)), { host });
    }
  });

  it('is none at once when the hosts of the window are listed without it', async () => {
    const { hosts, clock } = registryOf();
    assert.deepEqual(await settled(hostSoon(hosts, 'h', clock)), { host: undefined });
    assert.equal(clock.pending, 0);
  });

  it('is waited for while the hosts are being listed, and until it is connected', async () => {
    const { hosts, host, changed, clock } = registryOf();
    hosts.isListing = true;
    const soon = hostSoon(hosts, 'h', clock);
    assert.equal(await settled(soon), undefined);
    [hosts.isListing, hosts.listed] = [false, true];
    changed.fire();
    assert.equal(await settled(soon), undefined);
    host.client.state.kind = 'connected';
    changed.fire();
    assert.deepEqual(await settled(soon), { host });
    assert.equal(clock.pending, 0);
  });

  it('is waited for no longer once the hosts are listed without it', async () => {
    const { hosts, changed, clock } = registryOf();
    hosts.isListing = true;
    const soon = hostSoon(hosts, 'h', clock);
    assert.equal(await settled(soon), undefined);
    hosts.isListing = false;
    changed.fire();
    assert.deepEqual(await settled(soon), { host: undefined });
  });

  it('is waited for ten seconds at most', async () => {
    const { hosts, host, clock } = registryOf('connecting');
    const soon = hostSoon(hosts, 'h', clock);
    clock.advance(9_999);
    assert.equal(await settled(soon), undefined);
    clock.advance(1);
    assert.deepEqual(await settled(soon), { host });
  });
});
