import assert from 'node:assert/strict';
import { KeptStates, MAX_KEPT, type Store } from './keptStates.ts';

/** With room for so many characters. */
class FakeStore implements Store {
  readonly #items = new Map<string, string>();
  constructor(public room = Infinity) {}

  get length(): number {
    return this.#items.size;
  }
  key = (at: number) => [...this.#items.keys()][at] ?? null;
  getItem = (key: string) => this.#items.get(key) ?? null;
  removeItem = (key: string) => void this.#items.delete(key);
  setItem(key: string, value: string): void {
    const others = [...this.#items].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
    if (others + value.length > this.room) throw new Error('there is no room');
    this.#items.set(key, value);
  }
}

describe('what pages of the portal keep', () => {
  it('is of one page each, and what cannot be read is nothing', () => {
    const store = new FakeStore();
    const [a, b] = [new KeptStates(store, 'a'), new KeptStates(store, 'b')];
    assert.equal(a.read(), undefined);
    a.write({ draft: 1 }, 1);
    b.write({ draft: 2 }, 2);
    assert.deepEqual([a.read(), b.read()], [{ draft: 1 }, { draft: 2 }]);
    for (const text of ['{', 'null', '7']) {
      store.setItem('tapline-page a', text);
      assert.equal(a.read(), undefined, text);
    }
  });

  it('does not grow for ever', () => {
    const store = new FakeStore();
    store.setItem('of another program', 'x');
    for (let at = 0; at < MAX_KEPT + 5; at++) new KeptStates(store, `${at}`).write(at, at);
    assert.equal(store.length, MAX_KEPT + 1);
    assert.deepEqual(
      [4, 5].map((at) => new KeptStates(store, `${at}`).read()),
      [undefined, 5],
    );
    assert.equal(store.getItem('of another program'), 'x');
  });

  it('makes room by what is oldest', () => {
    const store = new FakeStore(100);
    const [old, newer, last] = ['old', 'newer', 'last'].map((page) => new KeptStates(store, page)) as [KeptStates, KeptStates, KeptStates];
    newer.write('x'.repeat(20), 2);
    old.write('x'.repeat(20), 1);
    last.write('x'.repeat(20), 3);
    assert.deepEqual(
      [old, newer, last].map((one) => one.read() !== undefined),
      [false, true, true],
    );
    assert.throws(() => last.write('x'.repeat(200), 4), /no room/);
  });
});
