import assert from 'node:assert/strict';
import { PacedWrites, type Screen } from './pacedWrites.ts';

/** Says when it is done. */
class SlowScreen implements Screen {
  readonly pieces: string[] = [];
  #done: (() => void) | undefined;

  write(text: string, done?: () => void): void {
    this.pieces.push(text);
    this.#done = done ?? this.#done;
  }

  finish(): void {
    const done = this.#done;
    this.#done = undefined;
    done?.();
  }
}

function harness() {
  const screen = new SlowScreen();
  let shown = 0;
  const writes = new PacedWrites(screen, () => shown++);
  return { screen, writes, shown: () => shown };
}

describe('writes to a terminal', () => {
  it('are of what has come, together while it writes', () => {
    const { screen, writes, shown } = harness();
    writes.show({ text: 'a', end: 1 });
    writes.show({ text: 'ab', end: 2 });
    writes.show({ text: 'abc', end: 3 });
    assert.deepEqual([screen.pieces, shown()], [['a'], 0]);
    screen.finish();
    assert.deepEqual([screen.pieces, shown()], [['a', 'bc'], 1]);
    screen.finish();
    assert.deepEqual([screen.pieces, shown()], [['a', 'bc'], 2]);
  });

  it('are small, so that the terminal can pause between them', () => {
    const { screen, writes } = harness();
    const text = 'x'.repeat(1_000_000);
    writes.show({ text, end: text.length });
    assert.ok(screen.pieces.every(({ length }) => length <= 64 * 1024));
    assert.equal(screen.pieces.join(''), text);
  });

  it('leave out what is not kept any more, and begin anew', () => {
    const { screen, writes } = harness();
    writes.show({ text: 'old', end: 3 });
    writes.show({ text: 'skipped', end: 100 });
    writes.show({ text: 'new', end: 200 });
    screen.finish();
    assert.deepEqual(screen.pieces, ['old', '\u001bcnew']);
  });
});
