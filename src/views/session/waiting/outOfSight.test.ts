import assert from 'node:assert/strict';
import { outOfSightText } from './outOfSight.ts';

describe('outOfSightText', () => {
  const [callAbove, callBelow] = (['above', 'below'] as const).map((place) => ({ kind: 'call' as const, place }));
  const questionBelow = { kind: 'question' as const, place: 'below' as const };

  it('says how many wait and where', () => {
    assert.equal(outOfSightText([]), undefined);
    assert.equal(outOfSightText([callAbove!]), '1 call waits above');
    assert.equal(outOfSightText([callBelow!, callBelow!]), '2 calls wait below');
    assert.equal(outOfSightText([callAbove!, callBelow!, callBelow!]), '3 calls wait: 1 above, 2 below');
  });

  it('calls different kinds things', () => {
    assert.equal(outOfSightText([questionBelow]), '1 question waits below');
    assert.equal(outOfSightText([callBelow!, questionBelow]), '2 things wait below');
  });
});
