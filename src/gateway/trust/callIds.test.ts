import assert from 'node:assert/strict';
import { CallIds, idKeyShape, newIdKey } from './callIds.ts';

describe('ids of calls', () => {
  const key = newIdKey();

  it('are recognized with the key, for the kind that they were issued for', () => {
    const id = new CallIds(key).issue('tool');
    const afterRestart = new CallIds(key);
    assert.deepEqual([afterRestart.wasIssued(id, 'tool'), afterRestart.wasIssued(id, 'gate')], [true, false]);
    assert.equal(new CallIds(newIdKey()).wasIssued(id, 'tool'), false);
    assert.match(key, idKeyShape);
    assert.equal(new Set(Array.from({ length: 1000 }, () => afterRestart.issue('tool'))).size, 1000);
  });

  it('are not recognized when any character differs', () => {
    const ids = new CallIds(key);
    const id = ids.issue('tool');
    for (let at = 0; at < id.length; at++) {
      const changed = `${id.slice(0, at)}${id[at] === '0' ? '1' : '0'}${id.slice(at + 1)}`;
      assert.equal(ids.wasIssued(changed, 'tool'), false, changed);
    }
    for (const other of [
      '',
      'tool-',
      'never',
      `${id}A`,
      id.slice(1),
      id.replace('tool', 'gate'),
      'é'.repeat(id.length),
      `tool-${'é'.repeat(id.length - 5)}`,
    ])
      assert.equal(ids.wasIssued(other, 'tool'), false, other);
  });
});
