import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { emptyMarkdown, markdownBlocks, type MarkdownBlocks, startOfSlice } from './markdownBlocks.ts';

const md = new MarkdownIt({ html: false });
const joined = (view: MarkdownBlocks) => view.blocks.map((block) => block.text).join('');
const rendered = (view: MarkdownBlocks) =>
  view.blocks.map((block) => md.render(block.text, { references: { ...block.references } })).join('');

/** Pieces that meet in every way that block structure knows. */
const piece = fc.constantFrom(
  'word ', 'two words', '\n', '\n\n', '# ', '## head\n', '- ', '* item\n', '1. ', '  ', '    code\n', '> ', '> quote\n', '```ts\n', '```\n', '~~~\n',
  '| a | b |\n', '|---|---|\n', '---\n', '===\n', '[a]: /url "t"\n', '[a]: ', '[a]', '"title"', '`x`', '**b**', '<b>', '\\', '\t', '\r\n', '&amp;', '![i](x)',
); // prettier-ignore
const documentText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('markdownBlocks', () => {
  it('joins to the whole and is the same however the text arrived', () => {
    fc.assert(
      fc.property(documentText, fc.array(fc.nat({ max: 6 }), { maxLength: 60 }), (text, cuts) => {
        let view = emptyMarkdown;
        let end = 0;
        for (const cut of cuts) {
          end = Math.min(text.length, end + cut);
          view = markdownBlocks(view, text.slice(0, end));
          assert.equal(joined(view), text.slice(0, end));
        }
        view = markdownBlocks(view, text);
        assert.equal(joined(view), text);
        assert.deepEqual(view, markdownBlocks(emptyMarkdown, text));
      }),
      { numRuns: 1500 },
    );
  });

  it('renders block by block to what the whole renders to', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        assert.equal(rendered(markdownBlocks(emptyMarkdown, text)), md.render(text));
      }),
      { numRuns: 1500 },
    );
  });

  it('keeps settled blocks as the same objects while the tail grows', () => {
    const start = '# One\n\ntwo\n\n- three\n\n```\nfour\n```\n\nfive\n\nsi';
    const before = markdownBlocks(emptyMarkdown, start);
    const after = markdownBlocks(before, `${start}x and more`);
    assert.equal(after.blocks.length, before.blocks.length);
    before.blocks.slice(0, -1).forEach((block, index) => assert.equal(after.blocks[index], block));
    assert.notEqual(after.blocks.at(-1), before.blocks.at(-1));
  });

  it('lets a definition that comes last reach the blocks before it, and only those that may use it', () => {
    const before = markdownBlocks(emptyMarkdown, 'see [a]\n\nplain\n\nmore\n\nlast\n\n');
    const after = markdownBlocks(before, `${before.text}[a]: https://example.com\n`);
    assert.match(rendered(after), /<a href="https:\/\/example.com">a<\/a>/);
    assert.equal(after.blocks[1], before.blocks[1]);
  });

  it('starts again when the text is another one', () => {
    const view = markdownBlocks(markdownBlocks(emptyMarkdown, 'a\n\nb'), 'other');
    assert.deepEqual(
      view.blocks.map((block) => block.text),
      ['other'],
    );
  });

  it('is cut into slices from its end, of one block at least', () => {
    const { blocks } = markdownBlocks(emptyMarkdown, ['a'.repeat(50), 'b'.repeat(10), 'c'.repeat(10), 'd'.repeat(90)].join('\n\n'));
    const startsOf = (characters: number) => {
      const starts = [blocks.length];
      while (starts[0]) starts.unshift(startOfSlice(blocks, starts[0], characters));
      return starts;
    };
    assert.deepEqual(startsOf(1_000), [0, 4]);
    assert.deepEqual(startsOf(30), [0, 1, 3, 4]);
    assert.deepEqual(startsOf(1), [0, 1, 2, 3, 4]);
    assert.equal(startOfSlice([], 0, 10), 0);
  });
});
