import assert from 'node:assert/strict';
import { RememberedChoice, RememberedLists, rememberedList } from './remembered.ts';

interface Item {
  id: string;
}
const items = (ids: string): Item[] => [...ids].map((id) => ({ id }));

/** Makes texts of items, and says of which it was asked to. */
function counted(): { lists: RememberedLists<Item, string>; asked: string[]; of(list: readonly Item[]): string[] } {
  const lists = new RememberedLists<Item, string>();
  const asked: string[] = [];
  return { lists, asked, of: (list) => lists.of(list, ({ id }) => (asked.push(id), id.toUpperCase())) };
}

describe('RememberedLists', () => {
  it('makes a list once, and of the next one only what is new in it', () => {
    const { asked, of } = counted();
    const list = items('abc');
    assert.deepEqual(of(list), ['A', 'B', 'C']);
    assert.equal(of(list), of(list));
    asked.length = 0;
    assert.deepEqual(of([...list.slice(0, 2), ...items('xd')]), ['A', 'B', 'X', 'D']);
    assert.deepEqual(asked, ['x', 'd']);
  });

  it('goes by the place of an item, and by which one it is', () => {
    const { asked, of } = counted();
    const [a, b, c] = items('abc') as [Item, Item, Item];
    of([a, b, c]);
    asked.length = 0;
    assert.deepEqual(of([a, c]), ['A', 'C'], 'one was taken out');
    assert.deepEqual(of([a, { id: 'b' }, c]), ['A', 'B', 'C'], 'equal, and another one');
    assert.deepEqual(of([{ id: 'z' }, b, c]), ['Z', 'B', 'C'], 'the first is another one');
    assert.deepEqual(of([]), []);
    assert.deepEqual(of([a, b, c, { id: 'e' }]), ['A', 'B', 'C', 'E']);
  });

  it('keeps lists apart that begin alike', () => {
    const { of } = counted();
    const first = { id: 'a' };
    const [one, other] = [
      [first, ...items('bc')],
      [first, ...items('yz')],
    ];
    for (let turn = 0; turn < 3; turn++) {
      assert.deepEqual(of([...one]), ['A', 'B', 'C']);
      assert.deepEqual(of([...other]), ['A', 'Y', 'Z']);
    }
  });

  it('is the list itself where every item stays what it is, also after one that was not', () => {
    const lists = rememberedList((item: Item) => (item.id === 'odd' ? { id: 'even' } : item));
    const first = { id: 'a' };
    const good = [first, { id: 'b' }];
    assert.equal(lists(good), good);
    assert.deepEqual(lists([first, { id: 'odd' }]), [first, { id: 'even' }]);
    const better = [first, { id: 'c' }];
    assert.equal(lists(better), better);
    assert.deepEqual(lists(undefined), []);
    assert.equal(lists(undefined), lists(null), 'nothing has changed');
    const anything = rememberedList((item: unknown) => String(item));
    assert.deepEqual(anything([null, undefined, 1]), ['null', 'undefined', '1']);
    assert.deepEqual(anything({ length: 1 } as never), [], 'a host may send anything');
  });

  it('makes of each list what it would without the list before', () => {
    const [a, odd, b, c] = ['a', 'odd', 'b', 'c'].map((id) => ({ id })) as [Item, Item, Item, Item];
    const even = { id: 'even' };
    // A host may send anything.
    const nothing = undefined as unknown as Item;
    const make = (item: Item) => (item === odd || item === nothing ? even : item);
    const all = [[a], [a, nothing], [a, odd], [a, b, odd], [a, b], [a, odd, b, c], [a, b, c, odd], [a, odd, odd], [a, c]];
    for (const before of all) {
      for (const list of all) {
        const lists = rememberedList(make);
        lists([...before]);
        const made = lists(list);
        assert.deepEqual(made, list.map(make));
        assert.equal(
          made === list,
          list.every((item) => make(item) === item),
        );
      }
    }
  });
});

describe('RememberedChoice', () => {
  const asked: string[] = [];
  const vowels = new RememberedChoice(({ id }: Item) => (asked.push(id), 'aeiou'.includes(id) ? id.toUpperCase() : undefined));

  it('asks of the next list only what is new in it', () => {
    const list = items('xaybe');
    assert.deepEqual(vowels.of(list), ['A', 'E']);
    assert.equal(vowels.of(list), vowels.of(list));
    asked.length = 0;
    assert.deepEqual(vowels.of([...list, ...items('zi')]), ['A', 'E', 'I']);
    assert.deepEqual(asked, ['z', 'i']);
  });

  it('goes by the place of an item, and by which one it is', () => {
    const [x, a, b, e] = items('xabe') as [Item, Item, Item, Item];
    assert.deepEqual(vowels.of([x, a, b, e]), ['A', 'E']);
    assert.deepEqual(vowels.of([x, { id: 'o' }, b, e]), ['O', 'E'], 'another one in its place');
    assert.deepEqual(vowels.of([x, { id: 'z' }, { id: 'u' }, e]), ['U', 'E'], 'one is chosen no more, and one that was not');
    assert.deepEqual(vowels.of([x, b, e]), ['E'], 'some were taken out');
    assert.deepEqual(vowels.of([x]), []);
    assert.deepEqual(vowels.of([]), []);
    assert.deepEqual(vowels.of([x, a, b, e]), ['A', 'E']);
  });
});
