import assert from 'node:assert/strict';
import { filled, sentences } from './filled.ts';

describe('A sentence with elements in it', () => {
  it('has them where the language wants them', () => {
    assert.deepEqual(filled('The {0} of {1}.', 'tool', 'ci'), ['The ', 'tool', ' of ', 'ci', '.']);
    assert.deepEqual(filled('{1} 的 {0}', 'tool', 'ci').join(''), 'ci 的 tool');
  });

  it('looks for no places in what is put into it', () => {
    assert.equal(filled('{0} and {1}', '{1}', 'b').join(''), '{1} and b');
  });

  it('stands beside others, however many there are', () => {
    const parts = (...all: string[]) =>
      sentences(...all.map((one) => filled(one, 'x')))
        .flat()
        .join('');
    assert.equal(parts('A {0}.'), 'A x.');
    assert.equal(parts('A {0}.', 'B.', '{0} C.'), 'A x. B. x C.');
  });
});
