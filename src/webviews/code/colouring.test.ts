import assert from 'node:assert/strict';
import { Colouring, type ColourWorker, DEADLINE_MS, MAX_CODE, MAX_FAILURES } from './colouring.ts';
import type { CodePart, ColourRequest } from './codeParts.ts';

/** Answers at once with the whole code as a comment, unless the code is `hang` or `fail`. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;
  isEnded = false;
  readonly seen: string[] = [];

  postMessage({ code }: ColourRequest): void {
    this.seen.push(code);
    if (code === 'fail') queueMicrotask(() => this.onerror?.());
    else if (code !== 'hang') queueMicrotask(() => this.onmessage?.({ data: code === 'wrong' ? [1, 1] : [code.length, 1] }));
  }
  terminate(): void {
    this.isEnded = true;
  }
}

describe('Colouring', () => {
  let workers: FakeWorker[];
  let colouring: Colouring;
  /** What runs out when the test says so. */
  let timers: Map<object, () => void>;
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

  beforeEach(() => {
    workers = [];
    timers = new Map();
    colouring = new Colouring(() => {
      const worker = new FakeWorker();
      workers.push(worker);
      return Promise.resolve(worker as unknown as ColourWorker);
    });
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      assert.equal(ms, DEADLINE_MS);
      const timer = {};
      timers.set(timer, run);
      return timer;
    }) as never;
    globalThis.clearTimeout = ((timer: object) => timers.delete(timer)) as never;
  });
  afterEach(() => void Object.assign(globalThis, real));

  const colour = (code: string, language = 'js') =>
    new Promise<readonly CodePart[] | undefined>((resolve) => void colouring.colour({ code, language }, resolve));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function miss(code: string): Promise<readonly CodePart[] | undefined> {
    const missed = colour(code);
    await turn();
    for (const run of timers.values()) run();
    timers.clear();
    return missed;
  }

  it('starts no worker before there is code of a language', async () => {
    assert.equal(await colour('text', ''), undefined);
    assert.equal(workers.length, 0);
    assert.deepEqual(await colour('a'), [{ text: 'a', kind: 'comment' }]);
    assert.equal(workers.length, 1);
    assert.equal(timers.size, 0, 'a deadline is left');
  });

  it('leaves a block plain that takes too long, and colours the next one in another worker', async () => {
    assert.equal(await miss('hang'), undefined);
    assert.deepEqual([workers.length, workers[0]?.isEnded], [1, true]);
    assert.deepEqual(await colour('b'), [{ text: 'b', kind: 'comment' }]);
    assert.equal(workers.length, 2);
  });

  it('does not try a block again that took too long', async () => {
    await miss('hang');
    assert.equal(await colour('hang'), undefined);
    assert.equal(workers.length, 1);
  });

  it('ends after several failures', async () => {
    for (let count = 0; count < MAX_FAILURES; count++) await colour('fail', `js${count}`);
    assert.equal(await colour('b'), undefined);
    assert.equal(workers.length, MAX_FAILURES);
  });

  it('gives no huge block to the worker', async () => {
    assert.equal(await colour('x'.repeat(MAX_CODE + 1)), undefined);
    assert.equal(workers.length, 0);
    assert.equal((await colour('x'.repeat(MAX_CODE)))?.length, 1);
  });

  it('leaves a block plain whose answer is not the code', async () => {
    assert.equal(await colour('wrong'), undefined);
  });

  it('keeps what it found', async () => {
    await colour('a');
    assert.deepEqual(colouring.known({ code: 'a', language: 'js' }), [{ text: 'a', kind: 'comment' }]);
    await colour('a');
    assert.deepEqual(workers[0]?.seen, ['a']);
  });

  it('does nothing for a block that is gone', async () => {
    const first = colour('a');
    colouring.colour({ code: 'gone', language: 'js' }, () => assert.fail('It was told'))();
    await first;
    await turn();
    assert.deepEqual(workers[0]?.seen, ['a']);
  });
});
