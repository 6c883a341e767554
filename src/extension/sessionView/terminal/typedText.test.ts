import assert from 'node:assert/strict';
import { typedText } from './typedText.ts';

describe('what is typed into a terminal', () => {
  it('is what the keys send', () => {
    for (const keys of [
      'y\r',
      '\u0003',
      '\u001b',
      '\u001b[A',
      '\u001bOP',
      '\u001b[1;5C',
      '\u001b[3~',
      '\u001b[200~two\rlines\u001b[201~',
      '\u001b[<0;1;1M',
      '\u001bb',
      'ä\t',
    ])
      assert.equal(typedText(keys), keys);
  });

  it('has none of the answers that output can ask for', () => {
    for (const answer of [
      '\u001b[?1;2c',
      '\u001b[>0;276;0c',
      '\u001b[0n',
      '\u001b[24;80R',
      '\u001b[?12;1R',
      '\u001b[8;24;80t',
      '\u001b[?2004;1$y',
      '\u001b[4;2$y',
      '\u001b[I',
      '\u001b[O',
      '\u001b]10;rgb:ffff/0000/0000\u001b\\',
      '\u001b]52;c;cm0gLXJmIH4K\u0007',
      '\u001bP1$r0m\u001b\\',
    ]) {
      assert.equal(typedText(answer), '', JSON.stringify(answer));
      assert.equal(typedText(`a${answer}b`), 'ab');
    }
  });
});
