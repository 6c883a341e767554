import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { readInline } from './inlineMarkdown.ts';

const whole = new MarkdownIt({ html: false });
whole.validateLink = () => true;

/** What the parser of all of Markdown finds. */
function byParser(markdown: string): string {
  const pieces = (whole.parseInline(markdown, {})[0]?.children ?? []).map(({ type, content }) =>
    type === 'code_inline' ? `‹${content}›` : type === 'softbreak' || type === 'hardbreak' ? ' ' : content,
  );
  return pieces.join('');
}
const byReader = (markdown: string) =>
  readInline(markdown)
    .map(({ text, code }) => (code ? `‹${text}›` : text))
    .join('');

/** The same sequence in each run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('One line of Markdown', () => {
  it('is text and code', () => {
    assert.deepEqual(readInline('Ran `npm **test**` in [*there*](https://a.example "a `title`") &amp; \\*here\\*'), [
      { text: 'Ran ' },
      { text: 'npm **test**', code: true },
      { text: ' in there & *here*' },
    ]);
  });

  it('keeps what only looks like Markdown, such as names and HTML', () => {
    for (const text of ['a_b_c', '2 * 3 * 4', 'a[0] and (b)', '<b>x</b>', '![', '**', '~x~', 'C:\\Users', '&unknown; &', '[a](b c)'])
      assert.equal(byReader(text), text.replace('\\\\', '\\'), text);
  });

  it('is read as by the parser of all of Markdown', () => {
    const parts = ['a', 'b', '*', '**', '_', '__', '~~', '`', '``', '\\', ' ', '[', ']', '](', '(', ')', '![', '<', '>'];
    parts.push('http://x', '&amp;', '&#65;', '.', '"t"', '\n', 'ä', '😀', '!', '~', '***');
    const next = sequence(7);
    for (let count = 0; count < 20_000; count++) {
      const markdown = Array.from({ length: 1 + next(10) }, () => parts[next(parts.length)]).join('');
      const spaces = (text: string) => text.replace(/ {2,}/g, ' ');
      assert.equal(spaces(byReader(markdown)), spaces(byParser(markdown)), JSON.stringify(markdown));
    }
  });

  it('takes no longer for brackets and marks without partners', () => {
    for (const text of ['[', '*a ', '`a``', '[a](', '![', '_a*', '~~a']) {
      const start = performance.now();
      readInline(text.repeat(5_000 / text.length));
      assert.ok(performance.now() - start < 500, text);
    }
  });
});
