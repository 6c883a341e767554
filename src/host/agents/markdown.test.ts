import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { code, codeBlock, plain } from './markdown.ts';

/** What a reader sees: the text of the rendered HTML, and the elements that it is in. */
function rendered(markdown: string): { text: string; tags: string[] } {
  const html = new MarkdownIt({ html: false }).render(markdown);
  const text = html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
  return { text, tags: [...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag ?? '') };
}

const nasty = [
  'plain',
  '`',
  '``a`',
  '*a* _b_ [c](http://d) <b>e</b> ![f](g)',
  '# h',
  '- i',
  '1. j',
  '> k',
  'a | b ~~c~~',
  '\\*',
  '&amp;',
  '```x',
];

describe('text of others in Markdown', () => {
  for (const text of nasty) {
    it(`shows ${JSON.stringify(text)} as it is`, () => {
      const inline = rendered(`x ${code(text)} y`);
      assert.deepEqual(inline, { text: `x ${text} y\n`, tags: ['p', 'code'] });
      assert.deepEqual(rendered(plain(text)), { text: `${text}\n`, tags: ['p'] });
      assert.deepEqual(rendered(codeBlock(`${text}\n\n# b`)), { text: `${text}\n\n# b\n\n`, tags: ['pre', 'code'] });
    });
  }
  it('puts several lines on one where only one fits', () => {
    assert.equal(code('a\n\n b\r\nc  d\n'), '`a ⏎ b ⏎ c  d`');
    assert.equal(plain('a\n\n# b'), 'a \\# b');
  });
});
