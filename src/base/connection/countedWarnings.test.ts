import assert from 'node:assert/strict';
import { CountedWarnings } from './countedWarnings.ts';
import { nullLogger } from '../log.ts';

describe('CountedWarnings', () => {
  const setUp = () => {
    const written: string[] = [];
    return { written, warnings: new CountedWarnings({ ...nullLogger, warn: (text) => written.push(text) }) };
  };

  it('writes the first of each kind, and the others at every tenfold count', () => {
    const { written, warnings } = setUp();
    for (let count = 1; count <= 2_000; count++) warnings.warn('noise', `noise ${count}`);
    warnings.warn('other', 'something else');
    assert.deepEqual(written, [
      'noise 1',
      'noise 10 (10 times so far)',
      'noise 100 (100 times so far)',
      'noise 1000 (1000 times so far)',
      'something else',
    ]);
  });

  it('does not write a text without end', () => {
    const { written, warnings } = setUp();
    warnings.warn('noise', 'x'.repeat(100_000));
    assert.equal(written[0]?.length, 301);
  });
});
