import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sameJson } from './sameJson.ts';

describe('sameJson', () => {
  it('holds for a value and its copy, and tells what JSON tells', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const copy = JSON.parse(JSON.stringify(a)) as unknown;
        assert.ok(sameJson(copy, JSON.parse(JSON.stringify(copy))));
        assert.equal(sameJson(a, b), sameJson(b, a));
        if (sameJson(a, b)) assert.deepEqual(copy, JSON.parse(JSON.stringify(b)));
      }),
    );
  });

  it('asks neither for the order of fields nor whether an absent one is named', () => {
    assert.ok(sameJson({ a: 1, b: { c: [2] } }, { b: { c: [2] }, a: 1 }));
    assert.ok(sameJson({ a: undefined }, {}) && sameJson({}, { a: undefined }));
    assert.ok(!sameJson({ a: undefined, b: 1 }, { a: 1, b: undefined }));
    assert.ok(!sameJson({ a: null }, {}));
  });

  it('tells lists, objects and null apart, and looks at own fields only', () => {
    for (const [a, b] of [
      [[], {}],
      [null, {}],
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [1, 1]],
      ['1', 1],
      [{}, { toString: Object.prototype.toString }],
    ])
      assert.ok(!sameJson(a, b) && !sameJson(b, a), JSON.stringify([a, b]));
  });

  it('takes hostile nesting for a difference, and does not fail on it', () => {
    const deep = () => JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    assert.equal(sameJson(deep(), deep()), false);
  });
});
