import assert from 'node:assert/strict';
import type { EmitterStatus } from '../../views/emitters/emitterRequest.ts';
import { answerEmitters, type SessionEmitters, startEmitter } from './sessionEmitters.ts';

describe('what a page asks about emitters', () => {
  let calls: unknown[];
  const emitters = new Proxy({} as SessionEmitters, {
    get:
      (_, method: string) =>
      async (...args: unknown[]) => {
        calls.push([method, ...args]);
        return method === 'list' ? [{ name: 'npm-test', state: 'ended' } as EmitterStatus] : undefined;
      },
  });
  beforeEach(() => (calls = []));

  it('starts under a name of its own, also beside those that are over', async () => {
    await startEmitter(emitters, { command: 'npm test', runInterval: '5m' });
    assert.deepEqual(calls, [['list'], ['start', { name: 'npm-test-2', command: 'npm test', runInterval: '5m' }]]);
  });

  it('reaches the one that is meant, and is answered with nothing where nothing is asked', async () => {
    const rules = [{ match: 'x', outcome: 'drop' as const }];
    for (const request of [
      { deed: 'stop', name: 'a' },
      { deed: 'run', name: 'a' },
      { deed: 'filter', name: 'a', eventFilter: rules },
      { deed: 'injector', name: 'a', enabled: false },
      { deed: 'keep', name: 'a' },
    ] as const)
      assert.equal(await answerEmitters(emitters, request), null, request.deed);
    assert.deepEqual(calls, [
      ['stop', 'a'],
      ['run', 'a'],
      ['setFilter', 'a', rules],
      ['setInjector', 'a', false],
      ['keep', 'a'],
    ]);
  });
});
