import assert from 'node:assert/strict';
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import { firstTurns } from './firstTurns.ts';

const turn = (id: string, answer: string) =>
  ({
    id,
    message: { text: 'Hi', origin: { kind: 'user' } },
    responseParts: [{ kind: 'markdown', id: 'm', content: answer }],
    state: 'complete',
  }) as Turn;
const many = (answer: string) => Array.from({ length: 50 }, (_, index) => turn(String(index), answer));
const room = { width: 800, height: 600 };

describe('the turns of the first picture', () => {
  it('are fewer where they are longer, and at least one', () => {
    const counts = ['', 'word '.repeat(200), 'word '.repeat(20_000)].map((answer) => firstTurns({ turns: many(answer) }, room, 10));
    assert.deepEqual(counts, [10, 4, 1]);
  });

  it('are no more than there are, or may be', () => {
    assert.equal(firstTurns({ turns: many('').slice(0, 3) }, room, 10), 3);
    assert.equal(firstTurns({ turns: [] }, room, 10), 1);
    assert.equal(firstTurns({ turns: many('') }, { ...room, height: 6000 }, 10), 10);
  });

  it('are counted with the one that is running', () => {
    const activeTurn = turn('active', 'word '.repeat(20_000)) as ActiveTurn;
    assert.equal(firstTurns({ turns: many(''), activeTurn }, room, 10), 1);
    assert.equal(firstTurns({ turns: many(''), activeTurn: turn('active', '') as ActiveTurn }, { ...room, height: 100 }, 10), 2);
  });

  it('are all that may be in a window that is not on screen', () => {
    assert.equal(firstTurns({ turns: many('word '.repeat(20_000)) }, { width: 0, height: 0 }, 10), 10);
  });
});
