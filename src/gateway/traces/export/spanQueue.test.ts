import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { eventually } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { SpanQueue } from './spanQueue.ts';

const DELAY_MS = 500;
const MAX_WAITING = 2_000;
const MAX_BATCH = 200;
const SEND_TIMEOUT_MS = 10_000;

describe('spans on their way', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const problems: string[] = [];
    const batches: { spans: readonly ReadableSpan[]; settle: (error?: Error) => void }[] = [];
    let isClosed = false;
    const queue = new SpanQueue(
      {
        name: 'there',
        send: (spans) =>
          new Promise<void>((resolve, reject) => batches.push({ spans, settle: (error) => (error ? reject(error) : resolve()) })),
        close: async () => void (isClosed = true),
      },
      { clock, onProblem: (name, problem) => problems.push(`${name}: ${problem}`) },
    );
    let made = 0;
    const end = (count: number) => {
      for (let left = count; left > 0; left--) queue.onEnd({ name: `${++made}` } as ReadableSpan);
    };
    const sizes = () => batches.map(({ spans }) => spans.length);
    return { clock, problems, batches, queue, end, sizes, isClosed: () => isClosed };
  };

  it('leave in batches, one at a time', async () => {
    const { clock, batches, queue, end, sizes } = setUp();
    end(MAX_BATCH + 1);
    assert.deepEqual(sizes(), []);
    clock.advance(DELAY_MS);
    assert.deepEqual(sizes(), [MAX_BATCH]);
    assert.deepEqual(queue.status, { name: 'there', sent: 0, waiting: MAX_BATCH + 1, dropped: 0 });
    end(2);
    clock.advance(DELAY_MS * 10);
    assert.deepEqual(sizes(), [MAX_BATCH], 'the first is on its way');
    batches[0]?.settle();
    await eventually(() => batches.length === 2, 'the rest');
    assert.deepEqual(sizes(), [MAX_BATCH, 3]);
    batches[1]?.settle();
    await eventually(() => queue.status.waiting === 0, 'all sent');
    assert.equal(queue.status.sent, MAX_BATCH + 3);
    end(1);
    await new Promise(setImmediate);
    clock.advance(DELAY_MS);
    assert.deepEqual(sizes(), [MAX_BATCH, 3, 1]);
  });

  it('are dropped and counted where their place cannot be reached, which is said once', async () => {
    const { clock, batches, problems, queue, end } = setUp();
    for (const at of [0, 1]) {
      end(3);
      clock.advance(DELAY_MS);
      await eventually(() => batches.length === at + 1, 'a batch');
      batches[at]?.settle(new Error('no route'));
      await eventually(() => queue.status.dropped === 3 * (at + 1), 'dropped');
      await new Promise(setImmediate);
    }
    assert.deepEqual(problems, ['there: no route']);
    assert.deepEqual(queue.status, { name: 'there', sent: 0, waiting: 0, dropped: 6, problem: 'no route' });
  });

  it('wait behind a batch that was given up and is still on its way', async () => {
    const { clock, batches, problems, queue, end } = setUp();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      end(1);
      clock.advance(DELAY_MS);
      mock.timers.tick(SEND_TIMEOUT_MS);
      mock.timers.reset();
      await eventually(() => queue.status.dropped === 1, 'that it is given up');
      assert.equal(problems.length, 1);
      end(1);
      clock.advance(DELAY_MS * 10);
      await new Promise(setImmediate);
      assert.equal(batches.length, 1);
      batches[0]?.settle(new Error('late'));
      await new Promise(setImmediate);
      clock.advance(DELAY_MS);
      await eventually(() => batches.length === 2, 'the next one');
    } finally {
      mock.timers.reset();
    }
  });

  it('take a bounded room', () => {
    const { queue, end } = setUp();
    end(MAX_WAITING + 5);
    assert.deepEqual([queue.status.waiting, queue.status.dropped], [MAX_WAITING, 5]);
  });

  it('leave at the end, without their delay', async () => {
    const { batches, queue, end, isClosed } = setUp();
    end(3);
    const closed = queue.shutdown();
    batches[0]?.settle();
    await closed;
    assert.deepEqual([queue.status.sent, isClosed()], [3, true]);
    end(1);
    assert.equal(queue.status.dropped, 1, 'too late');
  });

  it('hold no end up for longer than two seconds', async () => {
    const { queue, end, problems } = setUp();
    end(MAX_BATCH + 4);
    const begun = performance.now();
    await queue.shutdown();
    assert.ok(performance.now() - begun < 4_000);
    assert.match(problems.join(), /last spans/);
    assert.equal(queue.status.dropped, 4);
  });
});
