import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { LIVE_WAIT_MS } from './liveCursor.ts';
import { liveQueueLimits, type LiveQueueLimits } from './liveQueue.ts';
import { CLOSED_KEPT_MS, LiveQueues, MAX_CLOSED_QUEUES } from './liveQueues.ts';
import { LiveTokens, MAX_TOKENS, TOKEN_IDLE_MS } from './liveTokens.ts';

const names = { notFound: 'JobNotFound', closed: 'JobsClosed' };
const timeout = { error: 'HttpRequestTimeout' };
const parallel = { error: 'ParallelCallNotSupported' };
const closed = { error: 'JobsClosed' };
const notFound = { error: 'JobNotFound' };

function harness(limits: LiveQueueLimits = liveQueueLimits) {
  const clock = new FakeClock();
  const tokens = new LiveTokens(clock);
  const queues = new LiveQueues<unknown>({ clock, names, tokens, limits });
  queues.open('q');
  return { clock, tokens, queues, push: (...events: unknown[]) => events.forEach((event) => queues.push('q', event)) };
}

describe('the reserved cursor of a live queue', () => {
  it('gives one event a call, in order, whichever comes first', async () => {
    const { queues, push, clock } = harness();
    push(1, 2);
    assert.equal(await queues.next('q'), 1);
    assert.equal(await queues.next('q'), 2);
    const waiting = queues.next('q');
    await atRest();
    push(3, 4);
    assert.equal(await waiting, 3);
    assert.equal(await queues.next('q'), 4);
    assert.equal(clock.pending, 0);
  });

  it('waits five seconds, and an error hides nothing', async () => {
    const { queues, push, clock } = harness();
    const waiting = queues.next('q');
    let answered = false;
    void waiting.then(() => (answered = true));
    clock.advance(LIVE_WAIT_MS - 1);
    await atRest();
    assert.ok(!answered);
    clock.advance(1);
    assert.deepEqual(await waiting, timeout);
    assert.equal(LIVE_WAIT_MS, 5000);
    push({ jobError: 'x' }, 2);
    assert.deepEqual(await queues.next('q'), { jobError: 'x' });
    assert.equal(await queues.next('q'), 2);
  });

  it('refuses a second call at the same time, which takes nothing', async () => {
    const { queues, push } = harness();
    const first = queues.next('q');
    assert.deepEqual(await queues.next('q'), parallel);
    push(1, 2);
    assert.equal(await first, 1);
    assert.equal(await queues.next('q'), 2);
  });

  it('gives the rest after the end, then that it is closed, once, then that it is not found', async () => {
    const { queues, push } = harness();
    push(1, 2);
    queues.close('q');
    push(3);
    assert.equal(await queues.next('q'), 1);
    assert.equal(await queues.next('q'), 2);
    assert.deepEqual(await queues.next('q'), closed);
    assert.deepEqual(await queues.next('q'), notFound);
    assert.deepEqual(await queues.next('other'), notFound);
    assert.deepEqual((await queues.unread('other', 'x')).responses, [notFound]);
  });

  it('is woken by the end at once', async () => {
    const { queues, clock } = harness();
    const waiting = queues.next('q');
    queues.close('q');
    assert.deepEqual(await waiting, closed);
    assert.deepEqual(await queues.next('q'), notFound);
    clock.advance(CLOSED_KEPT_MS);
    assert.equal(clock.pending, 0);
  });

  it('takes nothing for a client that has gone', async () => {
    const { queues, push, clock } = harness();
    const gone = new AbortController();
    const waiting = queues.next('q', gone.signal);
    gone.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
    assert.equal(clock.pending, 0);
    push(1);
    await assert.rejects(queues.next('q', gone.signal), /gone/);
    assert.equal(await queues.next('q'), 1);
  });
});

describe('a token', () => {
  it('gives a reader a place of its own in each queue, from the beginning, and all at once', async () => {
    const { queues, push, tokens } = harness();
    const [one, two] = [tokens.issue(), tokens.issue()];
    push(1, 2);
    assert.deepEqual(await queues.unread('q', one), { responses: [1, 2] });
    const waiting = queues.unread('q', one);
    push(3);
    assert.deepEqual(await waiting, { responses: [3] });
    assert.equal(await queues.next('q'), 1);
    queues.open('r');
    queues.push('r', 'a');
    assert.deepEqual(await queues.unread('r', one), { responses: ['a'] });
    queues.close('q');
    assert.deepEqual(await queues.unread('q', two), { responses: [1, 2, 3] });
    for (const token of [one, two]) {
      assert.deepEqual(await queues.unread('q', token), { responses: [closed] });
      assert.deepEqual(await queues.unread('q', token), { responses: [notFound] });
    }
  });

  it('has the same rules about time and parallel calls', async () => {
    const { queues, push, tokens, clock } = harness();
    const [one, two] = [tokens.issue(), tokens.issue()];
    const first = queues.unread('q', one);
    assert.deepEqual(await queues.unread('q', one), { responses: [parallel] });
    const others = [queues.unread('q', two), queues.next('q')];
    clock.advance(LIVE_WAIT_MS);
    assert.deepEqual(await Promise.all([first, ...others]), [{ responses: [timeout] }, { responses: [timeout] }, timeout]);
    push(1);
    assert.deepEqual(await queues.unread('q', one), { responses: [1] });
  });

  it('cannot be guessed, and one that is not known reads nothing', async () => {
    const { queues, push, tokens } = harness();
    push(1);
    const issued = new Set(Array.from({ length: 100 }, () => tokens.issue()));
    assert.equal(issued.size, 100);
    for (const token of issued) assert.match(token, /^[0-9a-f-]{36}$/);
    for (const token of ['', 'x', '__proto__', 'constructor'])
      assert.deepEqual(await queues.unread('q', token), { responses: [{ error: 'TokenNotFound' }] });
  });

  it('is forgotten when nobody has used it for a while', async () => {
    const { queues, push, tokens, clock } = harness();
    const token = tokens.issue();
    push(1);
    clock.advance(TOKEN_IDLE_MS - 1);
    await queues.unread('q', token);
    clock.advance(TOKEN_IDLE_MS - 1);
    assert.equal(tokens.size, 1);
    clock.advance(1);
    assert.equal(tokens.size, 0);
    // Its reader is told, and does not get everything a second time.
    assert.deepEqual(await queues.unread('q', token), { responses: [{ error: 'TokenNotFound' }] });
    assert.equal(clock.pending, 0);
  });

  it('is forgotten when there are too many, the one that was not used for longest first', async () => {
    const { queues, push, tokens, clock } = harness();
    push(1);
    const [first, second] = [tokens.issue(), tokens.issue()];
    await queues.unread('q', first);
    for (let count = 2; count < MAX_TOKENS + 1; count++) tokens.issue();
    assert.equal(tokens.size, MAX_TOKENS);
    assert.deepEqual(await queues.unread('q', second), { responses: [{ error: 'TokenNotFound' }] });
    push(2);
    assert.deepEqual(await queues.unread('q', first), { responses: [2] });
    tokens.dispose();
    assert.equal(clock.pending, 0);
  });
});

describe('a live queue', () => {
  it('is bounded by its events, and says how many a slow reader has missed', async () => {
    const { queues, push, tokens } = harness({ events: 8, characters: 1e6 });
    const token = tokens.issue();
    push(0);
    assert.equal(await queues.next('q'), 0);
    push(1, 2, 3, 4, 5, 6, 7, 8);
    // Of nine, six are left.
    assert.deepEqual(await queues.next('q'), { error: 'EventsDropped', dropped: 2 });
    for (const event of [3, 4, 5, 6, 7, 8]) assert.equal(await queues.next('q'), event);
    assert.deepEqual(await queues.unread('q', token), { responses: [{ error: 'EventsDropped', dropped: 3 }, 3, 4, 5, 6, 7, 8] });
    push(9);
    assert.deepEqual(await queues.unread('q', token), { responses: [9] });
  });

  it('is bounded by their size, but keeps the newest one', async () => {
    const { queues, push, tokens } = harness({ events: 1000, characters: 100 });
    const read = async () => (await queues.unread('q', tokens.issue())).responses;
    push('x'.repeat(50), 'y'.repeat(60));
    assert.deepEqual(await read(), [{ error: 'EventsDropped', dropped: 1 }, 'y'.repeat(60)]);
    push('z'.repeat(500));
    assert.deepEqual(await read(), [{ error: 'EventsDropped', dropped: 2 }, 'z'.repeat(500)]);
    push('a');
    assert.deepEqual(await read(), [{ error: 'EventsDropped', dropped: 3 }, 'a']);
  });

  it('gives each of many readers each event once, while it grows and is cut', async () => {
    const { queues, tokens } = harness({ events: 50, characters: 1e6 });
    const readers = Array.from({ length: 20 }, () => ({ token: tokens.issue(), got: [] as unknown[], missed: 0 }));
    const follow = readers.map(async (reader, at) => {
      for (;;) {
        const { responses } = await queues.unread('q', reader.token);
        for (const response of responses as (number | { error: string; dropped?: number })[]) {
          if (typeof response === 'number') reader.got.push(response);
          else if (response.error === 'EventsDropped') reader.missed += response.dropped ?? 0;
          else return;
        }
        if (at % 2 === 0) await atRest();
      }
    });
    for (let event = 0; event < 2000; event++) {
      queues.push('q', event);
      if (event % 7 === 0) await atRest();
    }
    queues.close('q');
    await Promise.all(follow);
    for (const { got, missed } of readers) {
      assert.equal(got.length + missed, 2000);
      assert.deepEqual(
        got,
        [...new Set(got as number[])].sort((a, b) => a - b),
      );
    }
  });

  it('is kept for a while after the end, from the last read on', async () => {
    const { queues, push, tokens, clock } = harness();
    push(1);
    queues.close('q');
    clock.advance(CLOSED_KEPT_MS - 1);
    assert.deepEqual(await queues.unread('q', tokens.issue()), { responses: [1] });
    clock.advance(CLOSED_KEPT_MS - 1);
    assert.equal(queues.size, 1);
    clock.advance(1);
    assert.equal(queues.size, 0);
    assert.deepEqual(await queues.unread('q', tokens.issue()), { responses: [notFound] });
  });

  it('goes when too many have ended after it, by number and by size', () => {
    const { queues, clock } = harness();
    queues.close('q');
    for (let count = 0; count < MAX_CLOSED_QUEUES; count++) {
      queues.open(`q${count}`);
      queues.close(`q${count}`);
    }
    assert.equal(queues.size, MAX_CLOSED_QUEUES);
    for (let count = 0; count < 10; count++) {
      queues.open(`large${count}`);
      queues.push(`large${count}`, 'x'.repeat(7_900_000));
      queues.close(`large${count}`);
    }
    assert.equal(queues.size, 8);
    queues.dispose();
    assert.equal(queues.size, 0);
    assert.equal(clock.pending, 0);
  });

  it('is opened again after it was closed, empty, and by no other way', async () => {
    const { queues, push, tokens, clock } = harness();
    const token = tokens.issue();
    assert.throws(() => queues.open('q'), /is open already/);
    push(1);
    queues.close('q');
    assert.deepEqual(await queues.unread('q', token), { responses: [1] });
    queues.open('q');
    push(2);
    clock.advance(CLOSED_KEPT_MS);
    assert.equal(queues.size, 1);
    assert.equal(await queues.next('q'), 2);
    const again = tokens.issue();
    assert.deepEqual(await queues.unread('q', again), { responses: [2] });
  });

  it('wakes who waits when the portal ends', async () => {
    const { queues, clock } = harness();
    const waiting = queues.next('q');
    queues.dispose();
    assert.deepEqual(await waiting, closed);
    assert.equal(clock.pending, 0);
  });
});
