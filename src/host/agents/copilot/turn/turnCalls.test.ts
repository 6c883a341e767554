import assert from 'node:assert/strict';
import type { AgentToolCall, AgentTurn } from '../../agent.ts';
import { TurnCall } from './turnCalls.ts';

describe('TurnCall', () => {
  it('is carried out once, also for who asks again after it was', async () => {
    const call = new TurnCall('bash', {} as AgentTurn, {} as AgentToolCall, '/', undefined);
    let count = 0;
    const work = async () => ++count;
    assert.deepEqual([await call.once(work), await call.once(work)], [1, 1]);
    const failing = new TurnCall('bash', {} as AgentTurn, {} as AgentToolCall, '/', undefined);
    await assert.rejects(failing.once(() => Promise.reject(new Error('no'))));
    await assert.rejects(failing.once(work), /no/);
    assert.equal(count, 1);
  });
});
