import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { whenIdle } from './whenIdle.ts';

describe('what a page does while it has nothing else to do', () => {
  const all = globalThis as Record<string, unknown>;
  afterEach(() => {
    delete all['requestIdleCallback'];
    delete all['cancelIdleCallback'];
  });

  it('is done soon where the browser does not say when that is, and can be taken back', async () => {
    assert.equal(all['requestIdleCallback'], undefined);
    const done: string[] = [];
    whenIdle(() => done.push('taken back'))();
    await new Promise<void>((resolve) => whenIdle(resolve));
    assert.deepEqual(done, []);
  });

  it('waits for the browser where it says that, but not for ever', () => {
    const asked: unknown[] = [];
    all['requestIdleCallback'] = (...how: unknown[]) => asked.push(how[1]);
    all['cancelIdleCallback'] = (idle: number) => asked.push(`taken back ${idle}`);
    whenIdle(() => assert.fail('too early'))();
    assert.deepEqual(asked, [{ timeout: 200 }, 'taken back 1']);
  });
});
