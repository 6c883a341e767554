import assert from 'node:assert/strict';
import type { CopilotTurn } from './copilotTurn.ts';
import { Steering } from './steering.ts';

describe('Steering', () => {
  it('counts a message as lost only when it was not heard, whatever became of the answer to it', async () => {
    const waiting = ['first', 'second'];
    const heard: string[] = [];
    const lost: unknown[] = [];
    // Of the turn only what it is asked for here.
    const turn = {
      calls: { isRunning: () => true },
      turn: {
        takeSteeringMessage: () => {
          const text = waiting.shift();
          return text === undefined ? undefined : { message: { text }, heard: () => void heard.push(text) };
        },
      },
      expectMessage: () => undefined,
      messageLost: (why: unknown) => void lost.push(why),
    } as unknown as CopilotTurn;
    const sent: { resolve: () => void; reject: (why: Error) => void }[] = [];
    const send = () => new Promise<void>((resolve, reject) => sent.push({ resolve, reject }));
    const steering = new Steering(turn, send);
    steering.pass();
    steering.pass();
    await Promise.resolve();
    // The model has the first; that the engine took it was not answered before the connection broke.
    steering.heard();
    sent[0]?.reject(new Error('closed'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(lost, []);
    sent[1]?.resolve();
    steering.heard();
    assert.deepEqual(heard, ['first', 'second']);
  });
});
