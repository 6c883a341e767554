import assert from 'node:assert/strict';
import { eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeHost } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { probeHost } from './probe.ts';
import { TransportError } from './transport.ts';

describe('trying a host', () => {
  function setUp(refuse?: () => Error | undefined) {
    const host = new FakeHost();
    const memory = memoryTransport(host, refuse);
    const clock = new FakeClock();
    const stopping = new AbortController();
    const probed = probeHost({ url: 'ws://host:1', name: 'box', transport: memory.transport, clock }, stopping.signal);
    return { host, clock, stopping, probed };
  }

  it('finds what the host says of itself and its agents', async () => {
    const { host, probed } = setUp();
    const { initialize } = host.methods;
    host.methods['initialize'] = (params, connection) => ({
      ...(initialize?.(params, connection) as object),
      serverInfo: { name: 'Box', version: '3' },
    });
    assert.deepEqual(await probed, { kind: 'found', serverInfo: { name: 'Box', version: '3' }, version: '1', root: { agents: [] } });
  });

  it('is another client than the one that is connected, and is gone afterwards', async () => {
    const { host, probed } = setUp();
    await probed;
    assert.notEqual(host.paramsOf('initialize')[0].clientId, 'me');
    assert.equal(host.paramsOf('initialize').length, 1);
  });

  it('says why it failed, and does not try again', async () => {
    let attempts = 0;
    const { probed, clock } = setUp(() => {
      attempts++;
      return new TransportError('unreachable', 'the connection was refused');
    });
    const result = await probed;
    assert.ok(result.kind === 'failed' && result.failure.kind === 'unreachable');
    assert.match(result.failure.message, /box/);
    clock.advance(60_000);
    assert.equal(attempts, 1);
  });

  it('ends when the user stops it, also before the host has answered', async () => {
    const { host, stopping, probed } = setUp();
    host.methods['initialize'] = () => new Promise(() => undefined) as never;
    stopping.abort();
    assert.deepEqual(await probed, { kind: 'stopped' });
  });

  it('does not wait forever for a host that accepts the connection and is silent', async () => {
    const { host, clock, probed } = setUp();
    host.methods['initialize'] = () => new Promise(() => undefined) as never;
    await eventually(() => host.paramsOf('initialize').length === 1, 'the request');
    clock.advance(60_000);
    const result = await probed;
    assert.ok(result.kind === 'failed');
    assert.match(result.failure.message, /did not answer/);
  });
});
