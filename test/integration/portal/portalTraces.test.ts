/** The spans of runs of a portal in the records of a real gateway, with those of their turns at the host, as the waterfall has them. */
import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/clock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { RunTraces } from '../../../src/portalProcess/runTraces.ts';
import { RUNS_SESSION } from '../../../src/tap/wire/traces/toldSpan.ts';
import { shownSpan, type ShownSpan } from '../../../src/views/traces/shownSpan.ts';
import { spanWords } from '../../../src/views/traces/spanWords.ts';
import { tracesOf } from '../../../src/views/traces/waterfall.ts';
import { eventually } from '../../fakes/eventually.ts';
import { GatewayHome, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';
import { TestPortal } from './portalHarness.ts';

const WAIT_MS = 15_000;
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: { quick: { model: { category: 'driving' }, prompt: ['help'], requireUserInput: false } },
  jobs: {
    twice: {
      work: {
        kind: 'Seq',
        works: [
          { kind: 'Ref', taskId: 'quick' },
          { kind: 'Ref', taskId: 'quick' },
        ],
      },
    },
  },
  grid: [],
};

describe('the traces of a portal', function () {
  this.timeout(60_000);
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  it('are a run, its steps, their sessions and the turns of these at the host, in one waterfall', async () => {
    const home = new GatewayHome();
    ends.push(() => home.remove());
    const gateway = await startGatewayProcess(home, ['--port', '0', '--traces']);
    ends.push(() => gateway.stop('SIGKILL'));
    const owner = await TestOwner.of(gateway);
    ends.push(() => owner.dispose());
    const traces = new RunTraces(systemClock, nullLogger, home.lockFile);
    ends.push(() => traces.dispose());
    const test = await TestPortal.start({ provider: 'demo', tellSpans: (spans) => traces.tell(spans) });
    ends.push(() => test.close());
    await test.install(entry);
    const { jobId } = await test.call('copilot/job/start/twice', test.folder);
    let spans: ShownSpan[] = [];
    const areThere = async () => {
      const { records } = await owner.client.request('records/query', { kind: 'trace', sessionId: RUNS_SESSION });
      spans = records.flatMap(({ data }) => shownSpan(data) ?? []);
      return spans.some(({ name }) => name === 'portal_run twice') && spans.filter(({ name }) => name === 'turn').length === 2;
    };
    await eventually(areThere, 'the spans', WAIT_MS);
    const [trace, ...others] = tracesOf(spans);
    assert.deepEqual(others, [], 'one trace');
    const step = [
      [2, 'Step quick'],
      [3, 'Session'],
      [4, 'turn (tapline-host)'],
    ];
    assert.deepEqual(
      trace?.rows.map(({ depth, span }) => [depth, spanWords(span).text]),
      [[1, 'Run of twice'], ...step, ...step],
    );
    assert.ok(trace?.rows.every(({ isOrphan }) => !isOrphan));
    assert.equal(trace?.failed, 0);
    assert.ok(jobId);
  });
});
