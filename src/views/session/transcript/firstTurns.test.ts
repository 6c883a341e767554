import assert from 'node:assert/strict';
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import { withContext } from '../../../base/text/contextBlock.ts';
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
    assert.deepEqual(counts, [10, 4, 2]);
  });

  it('are as many as fill the window with what is drawn of them', () => {
    const count = (one: Turn, height = 600) => firstTurns({ turns: Array.from({ length: 50 }, () => one) }, { ...room, height }, 50);
    const saying = (text: string): Turn => ({ ...turn('a', ''), message: { text, origin: { kind: 'user' } } });
    const plain = count(saying('Hi'));
    const added = withContext([{ kind: 'context', provider: 'ci', content: 'word '.repeat(20_000) }], 'Hi');
    assert.equal(count(saying(added)), plain, 'what providers added is folded');
    assert.equal(count(saying('x\n'.repeat(500))), count(saying('x\n'.repeat(12))));
    assert.equal(count(saying('x'.repeat(90_000))), count(saying('x'.repeat(1_500))));
    assert.equal(count(turn('a', 'word '.repeat(20_000)), 2_000), count(turn('a', 'word '.repeat(800)), 2_000), 'the end of a long answer');
    const code = (lines: number) => turn('a', `Look:\n\n\`\`\`ts\n${'x\n'.repeat(lines)}\`\`\`\n`);
    assert.equal(count(code(1_000), 2_000), count(code(22), 2_000), 'code scrolls');
    assert.ok(count(code(22), 2_000) < count(code(2), 2_000));
    const calls = (length: number) => ({ ...turn('a', ''), responseParts: Array.from({ length }, () => ({ kind: 'toolCall' })) }) as Turn;
    assert.equal(count(calls(100)), count(calls(1)), 'they may be one row');
  });

  it('are no more than there are, or may be', () => {
    assert.equal(firstTurns({ turns: many('').slice(0, 3) }, room, 10), 3);
    assert.equal(firstTurns({ turns: [] }, room, 10), 1);
    assert.equal(firstTurns({ turns: many('') }, { ...room, height: 6000 }, 10), 10);
  });

  it('are counted with the one that is running', () => {
    const activeTurn = turn('active', 'word '.repeat(20_000)) as ActiveTurn;
    assert.equal(firstTurns({ turns: many(''), activeTurn }, { ...room, height: 400 }, 10), 1);
    assert.equal(firstTurns({ turns: many(''), activeTurn: turn('active', '') as ActiveTurn }, { ...room, height: 100 }, 10), 2);
  });

  it('are all that may be in a window that is not on screen', () => {
    assert.equal(firstTurns({ turns: many('word '.repeat(20_000)) }, { width: 0, height: 0 }, 10), 10);
  });
});
