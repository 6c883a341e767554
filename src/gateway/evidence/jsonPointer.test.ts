import assert from 'node:assert/strict';
import { valueAt } from './jsonPointer.ts';

describe('a JSON Pointer', () => {
  const document = { a: { 'b/c': [10, { '~': 'tilde' }], '': 'blank' }, list: [1, 2] };

  it('names one value, as RFC 6901 says', () => {
    for (const [pointer, value] of [
      ['', document],
      ['/a/b~1c/0', 10],
      ['/a/b~1c/1/~0', 'tilde'],
      ['/a/', 'blank'],
      ['/list', [1, 2]],
    ] as const)
      assert.deepEqual(valueAt(document, pointer), value, pointer);
  });

  it('names nothing where there is nothing, and nothing that is not of the document', () => {
    for (const pointer of ['/b', '/list/2', '/list/-', '/list/01', '/list/length', '/a/constructor', '/__proto__', '/a/b~1c/0/x'])
      assert.equal(valueAt(document, pointer), undefined, pointer);
  });
});
