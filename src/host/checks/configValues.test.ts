import assert from 'node:assert/strict';
import type { SessionConfigSchema } from '../../ahp/channels/shapes/config.ts';
import { configChangeProblem, configProblem } from './configValues.ts';

const title = '';
const schema: SessionConfigSchema = {
  type: 'object',
  properties: {
    s: { type: 'string', title },
    e: { type: 'string', title, enum: ['a', 'b'] },
    d: { type: 'string', title, enum: ['a'], enumDynamic: true },
    n: { type: 'number', title },
    b: { type: 'boolean', title },
    l: { type: 'array', title, items: { type: 'string', title } },
    o: { type: 'object', title, properties: { x: { type: 'number', title } }, required: ['x'] },
    later: { type: 'later type' as never, title },
  },
};

describe('configuration values', () => {
  const cases: [good: object, bad: object, RegExp][] = [
    [{ s: '' }, { s: 1 }, /config\.s must be a string/],
    [{ e: 'b' }, { e: 'c' }, /config\.e must be one of a, b/],
    [{ d: 'c' }, { d: null }, /config\.d must be a string/],
    [{ n: 0.5 }, { n: '0.5' }, /config\.n must be a number/],
    [{ b: false }, { b: 0 }, /config\.b must be a boolean/],
    [{ l: ['x'] }, { l: ['x', 1] }, /config\.l\[1\] must be a string/],
    [{ l: [] }, { l: {} }, /config\.l must be an array/],
    [{ o: { x: 1 } }, { o: { x: '1' } }, /config\.o\.x must be a number/],
    [{ o: { x: 1, more: 1 } }, { o: {} }, /config\.o\.x is missing/],
    [{ o: { x: 1 } }, { o: [] }, /config\.o must be an object/],
    [{ later: [1] }, { other: 1 }, /config\.other is not in the schema/],
    [{}, { toString: 'x' }, /config\.toString is not in the schema/],
  ];
  for (const [good, bad, problem] of cases) {
    it(`${JSON.stringify(good)}, not ${JSON.stringify(bad)}`, () => {
      assert.equal(configProblem(schema, good as Record<string, unknown>), undefined);
      assert.match(configProblem(schema, bad as Record<string, unknown>) ?? 'taken', problem);
    });
  }

  it('may be changed where that is allowed, and be repeated elsewhere', () => {
    const current = { s: 'x', l: ['x'], n: 1 };
    const problem = (change: Record<string, unknown>, replace = false) =>
      configChangeProblem(schema, current, change, replace, ({ type }) => type === 'number');
    assert.equal(problem({ n: 2 }), undefined);
    assert.equal(problem({ n: 2, s: 'x', l: ['x'] }), undefined);
    assert.equal(problem({ s: 'y' }), 'config.s cannot be changed');
    assert.equal(problem({ l: ['x', 'y'] }), 'config.l cannot be changed');
    assert.equal(problem({ e: 'a' }), 'config.e cannot be changed');
    assert.equal(problem({ s: 1 }), 'config.s must be a string', 'what is wrong comes first');
    assert.equal(problem({ s: 'x', l: ['x'] }, true), undefined, 'what may be changed may be left out');
    assert.equal(problem({ s: 'x', n: 1 }, true), 'config.l cannot be changed');
  });
});
