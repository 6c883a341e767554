/** What the host, the window and the gateway have seen of a turn, in one trace of the gateway's records. */
import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/tap/wire/records/record.ts';
import { shownSpan, type ShownSpan } from '../../../src/views/traces/shownSpan.ts';
import { tracesOf } from '../../../src/views/traces/waterfall.ts';
import { eventually } from '../../fakes/eventually.ts';
import { reached } from '../gateway/gatewayHarness.ts';
import { BridgeTest, WAIT_MS } from './bridgeHarness.ts';

describe('traces over the bridge', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  beforeEach(async () => {
    test = new BridgeTest();
    await test.start({ dialects: ['channels'] });
  });
  afterEach(() => test.stop());

  it('are one, with the spans of the host, from what has begun the turn', async () => {
    const { window } = test;
    window.hasTraces = true;
    const { uri } = await test.unbridged();
    window.look(uri);
    await window.lending(uri, 'lending');
    const owner = window.bridge.owner!;
    assert.equal((await owner.request('traces/configure', { enabled: true })).isOn, true);
    const provider = test.provider('ci', {});
    await reached(provider, 'bound');
    provider.push({ event: 'build failed', level: 'inject' });
    let spans: ShownSpan[] = [];
    const sessionId = window.session(uri).sessionId;
    const areThere = async () => {
      const { records } = await owner.request('records/query', { kind: 'trace', sessionId });
      spans = records.flatMap(({ data }: KeptRecord) => shownSpan(data) ?? []);
      return spans.filter(({ name }) => name === 'turn').length === 2;
    };
    await eventually(areThere, 'the turn, as both have seen it', WAIT_MS);
    const [trace, ...others] = tracesOf(spans).filter(({ rows }) => rows.some(({ span }) => span.name === 'turn'));
    assert.deepEqual(others, [], 'one trace');
    assert.deepEqual(
      trace?.rows.map(({ depth, span, isOrphan }) => [depth, span.name, span.service, isOrphan]),
      [
        [1, 'inject', undefined, false],
        [2, 'turn', undefined, false],
        [3, 'turn', 'tapline-host', false],
      ],
    );
    assert.equal(trace?.turns, 1, 'the host’s is the same turn');
  });
});
