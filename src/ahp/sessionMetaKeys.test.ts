import assert from 'node:assert/strict';
import { FIRST_MODEL, firstModelIn } from './sessionMetaKeys.ts';

describe('the first model of a session', () => {
  const given = (model: unknown) => firstModelIn({ [FIRST_MODEL]: model });

  it('is its id and its settings, whatever else a client adds', () => {
    assert.deepEqual(given({ id: 'm', config: { effort: 'high' }, more: 'x'.repeat(10) }), { id: 'm', config: { effort: 'high' } });
    assert.deepEqual(given({ id: 'm', more: 1 }), { id: 'm' });
    assert.deepEqual(given({ id: 'm', config: null }), { id: 'm' });
  });

  it('is none where a part of it is wrong', () => {
    for (const model of [undefined, 'm', {}, { id: '' }, { id: 'm', config: 'high' }, { id: 'm', config: { effort: 1 } }])
      assert.equal(given(model), undefined, JSON.stringify(model));
    assert.equal(firstModelIn('x'), undefined);
  });
});
