import assert from 'node:assert/strict';
import { inlineText, plainText } from './inlineText.ts';

describe('A short text of a host', () => {
  it('is text and code, without links and emphasis', () => {
    assert.deepEqual(inlineText({ markdown: 'Ran `npm **test**` in [*there*](https://a.example)' }), [
      { text: 'Ran ' },
      { text: 'npm **test**', code: true },
      { text: ' in there' },
    ]);
  });

  it('is shown whole when it is long, the rest as it is written', () => {
    const long = `\`x\`${'😀'.repeat(4_000)}\`y\` ${'['.repeat(100_000)}end`;
    const [code, ...rest] = inlineText({ markdown: long });
    assert.deepEqual(code, { text: 'x', code: true });
    assert.equal(rest.map(({ text }) => text).join(''), long.slice(3));
    assert.doesNotMatch(plainText({ markdown: long }), /\p{Cs}/u);
  });
});
