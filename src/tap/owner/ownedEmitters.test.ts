import assert from 'node:assert/strict';
import { OwnedEmitters } from './ownedEmitters.ts';

describe('The emitters of a session, at its owner', () => {
  it('that are withdrawn or stopped before the gateway has answered are not started by the next one', async () => {
    const asked: { method: string; name?: string; isOff?: boolean }[] = [];
    const answers: (() => void)[] = [];
    const emitters = new OwnedEmitters('a', (method, params) => {
      const { emitter, name = emitter?.name, isOff } = params as { emitter?: { name: string }; name?: string; isOff?: boolean };
      asked.push({ method, ...(name !== undefined && { name }), ...(isOff && { isOff }) });
      if (method !== 'emitters/start') return Promise.resolve({ emitters: [] } as never);
      return new Promise((resolve) => answers.push(() => resolve({ name } as never)));
    });
    const starting = ['e', 'f', 'g'].map((name) => emitters.start({ name, command: 'x', lifespan: 'persistent' }));
    await emitters.withdrawOthers(new Set(['f', 'g']));
    await emitters.stop('f');
    for (const answer of answers) answer();
    await Promise.all(starting);
    asked.length = 0;
    emitters.startPersistent(() => undefined);
    assert.deepEqual(asked, [
      { method: 'emitters/start', name: 'f', isOff: true },
      { method: 'emitters/start', name: 'g' },
    ]);
  });
});
