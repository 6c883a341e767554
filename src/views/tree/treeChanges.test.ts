import assert from 'node:assert/strict';
import { updatedTree } from './treeChanges.ts';
import { allRows, type TreeRow } from './treeRow.ts';

const row = (id: string, fields: Partial<TreeRow> = {}): TreeRow => ({ id, label: id, ...fields });
const group = (id: string, children: TreeRow[], fields: Partial<TreeRow> = {}) => row(id, { ...fields, children });
/** What is told to change, by id. */
const told = (before: TreeRow[], now: TreeRow[]) => {
  const { rows, changes } = updatedTree(updatedTree([], before).rows, now);
  assert.deepEqual(rows, now, 'whatever is told, the tree is the new one');
  return changes === 'all' ? 'all' : changes.map(({ id }) => id);
};

describe('changes of a tree', () => {
  it('are none where each row looks the same, whatever objects it is made of', () => {
    const tree = () => [group('a', [row('b', { icon: { id: 'check' } }), row('c')]), row('d')];
    assert.deepEqual(told(tree(), tree()), []);
  });

  it('are the rows that look otherwise, and not what stands above, beside or below them', () => {
    const before = [group('a', [group('b', [row('c'), row('d')]), row('e')]), row('f')];
    const now = [group('a', [group('b', [row('c', { description: 'new' }), row('d')]), row('e', { icon: { id: 'check' } })]), row('f')];
    assert.deepEqual(told(before, now), ['c', 'e']);
  });

  it('are one row for all that is drawn again with it', () => {
    const before = [group('a', [row('b')])];
    assert.deepEqual(told(before, [group('a', [row('b', { label: 'B' })], { label: 'A' })]), ['a']);
  });

  it('are the row above where rows come, go or change their places', () => {
    const before = [group('a', [row('b'), row('c')]), group('x', [row('y')])];
    const others = group('x', [row('y')]);
    assert.deepEqual(told(before, [group('a', [row('b')]), others]), ['a']);
    assert.deepEqual(told(before, [group('a', [row('c'), row('b')]), others]), ['a']);
    assert.deepEqual(told(before, [group('a', [row('b'), row('n'), row('c')]), others]), ['a']);
  });

  it('are everything where the first rows are others, a row moves, or one can be opened that could not', () => {
    const before = [group('a', [row('b'), row('c')]), group('x', [row('y')])];
    assert.equal(told(before, [...before, row('z')]), 'all');
    assert.equal(told(before, [group('a', [row('b')]), group('x', [row('y'), row('c')])]), 'all');
    assert.equal(told(before, [group('a', []), group('x', [row('y')])]), 'all');
    assert.equal(told([row('a')], [group('a', [row('b')])]), 'all');
  });

  it('are everything where very many rows look otherwise', () => {
    const many = (description: string) => [
      group(
        'a',
        Array.from({ length: 301 }, (_, at) => row(`${at}`, { description })),
      ),
    ];
    assert.equal(told(many('old'), many('new')), 'all');
  });

  it('of a row with a tick are told with the uppermost row that has one', () => {
    const tick = (isOn: boolean) => ({ checkbox: { isOn, says: '' } });
    const tree = (isOn: boolean) => [group('plain', [group('upper', [group('middle', [row('low', tick(isOn))], tick(true))], tick(true))])];
    assert.deepEqual(told(tree(true), tree(false)), ['upper']);
    const without = (label: string) => [group('upper', [row('low', { label })], tick(true))];
    assert.deepEqual(told(without('one'), without('other')), ['low']);
  });

  it('leave a row the object that it was, without the fields that it has no more', () => {
    const { rows: before } = updatedTree([], [group('a', [row('b', { description: 'old' })])]);
    const [one] = allRows(before).slice(1);
    const { rows } = updatedTree(before, [group('a', [row('b'), row('c')])]);
    assert.equal(allRows(rows)[1], one);
    assert.deepEqual(one, row('b'));
  });

  it('change nothing of what they are made from', () => {
    const first = [group('a', [row('b')])];
    const second = [group('a', [row('b', { label: 'B' }), row('c')])];
    const copies = structuredClone([first, second]);
    const { rows } = updatedTree(updatedTree([], first).rows, second);
    updatedTree(rows, [group('a', [row('b', { label: 'last' }), row('c', { label: 'last' })])]);
    assert.deepEqual([first, second], copies);
  });

  it('take two rows with one id for two rows', () => {
    const { rows } = updatedTree([], [row('a'), row('a')]);
    const [one, other] = updatedTree(rows, [row('a'), row('a')]).rows;
    assert.notEqual(one, other);
  });
});
