import assert from 'node:assert/strict';
import { colouredLine } from './colouredLine.ts';

describe('A coloured line of a diff', () => {
  const colours = [{ text: 'const', kind: 'keyword' as const }, { text: ' a = ' }, { text: '1', kind: 'number' as const }];

  it('has the colours of the code and the marks of its words', () => {
    assert.deepEqual(colouredLine([{ text: 'con' }, { text: 'st a', changed: true }, { text: ' = 1' }], colours), [
      { text: 'con', code: 'keyword' },
      { text: 'st', changed: true, code: 'keyword' },
      { text: ' a', changed: true },
      { text: ' = ' },
      { text: '1', code: 'number' },
    ]);
  });

  it('may be cut, and may stand before a line break', () => {
    assert.deepEqual(colouredLine([{ text: 'con' }], colours), [{ text: 'con', code: 'keyword' }]);
    assert.deepEqual(colouredLine([{ text: 'x' }], [{ text: 'x\r' }]), [{ text: 'x' }]);
  });

  it('stays as it is where the colours belong to another text', () => {
    const parts = [{ text: 'let' }];
    assert.equal(colouredLine(parts, colours), parts);
    assert.equal(colouredLine(parts), parts);
    assert.deepEqual(colouredLine([{ text: '' }], [{ text: '' }]), [{ text: '' }]);
  });
});
