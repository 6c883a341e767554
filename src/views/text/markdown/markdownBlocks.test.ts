import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { tokensOf } from './blockTokens.ts';
import { emptyMarkdown, markdownBlocks, type MarkdownBlocks, startOfSlice } from './markdownBlocks.ts';
import { runs } from '../../../../test/support/runs.ts';

const md = new MarkdownIt({ html: false });
const joined = (view: MarkdownBlocks) => view.blocks.map((block) => block.text).join('');

/** What the blocks render to, with those of a list or a table in one element. */
function rendered({ blocks }: MarkdownBlocks): string {
  const html = blocks.map((block, at) => {
    const env = { references: { ...block.references } };
    return md.renderer.render(tokensOf(md, block, at, env), md.options, env);
  });
  return html
    .map((piece, at) => {
      const { group } = blocks[at] ?? {};
      if (!group) return piece;
      const isLast = blocks[at + 1]?.group !== group;
      if (group.tag !== 'table') {
        const start = group.number === 1 ? '' : ` start="${group.number}"`;
        const items = piece.replace(/^<[^>]*>\n/, '').replace(/<\/[^>]*>\n$/, '');
        return `${at === group.first ? `<${group.tag}${start}>\n` : ''}${items}${isLast ? `</${group.tag}>\n` : ''}`;
      }
      const body = piece.replace('<table>\n', '').replace('</table>\n', '').replace('<tbody>\n', '').replace('</tbody>\n', '');
      const isBody = at > group.first;
      return `${isBody ? '' : '<table>\n'}${at === group.first + 1 ? '<tbody>\n' : ''}${body}${isLast ? `${isBody ? '</tbody>\n' : ''}</table>\n` : ''}`;
    })
    .join('');
}

/** It makes no difference for a list without paragraphs. */
const withoutLooseness = ({ blocks }: MarkdownBlocks) =>
  blocks.map(({ group, ...block }) => ({ ...block, ...(group && { group: { ...group, isLoose: true } }) }));

/** Pieces that meet in every way that block structure knows. */
const piece = fc.constantFrom(
  'word ', 'two words', '\n', '\n\n', '# ', '## head\n', '- ', '* item\n', '1. ', '  ', '    code\n', '> ', '> quote\n', '```ts\n', '```\n', '~~~\n',
  '| a | b |\n', '|---|---|\n', '---\n', '===\n', '[a]: /url "t"\n', '[a]: ', '[a]', '"title"', '`x`', '**b**', '<b>', '\\', '\t', '\r\n', '&amp;', '![i](x)',
); // prettier-ignore
const documentText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

/** Lines that meet in lists and tables. */
const line = fc.constantFrom(
  '- a', '- b', '- ', '-', '  - nested', '   - far', '* star', '1. one', '2. two', '7. seven', '2) two', '- [a]', '- [x] done', '- | a | b |', '- # head', '- > quote',
  '- ```', '  ```', '      code', '  more', '   more', '     more', '\tmore', 'lazy', '', '', '  ', '- - -', '---', '-- | --', '| a | b |', 'a | b', '|---|:-:|', '| `x` | [a] | c |', '|', '  [a]: /in',
  '[a]: /out', '> quote', '> - item', '> | a | b |', '>', '# head', '-     code', '- a\n\n  b', '1. a\n   - b\n\n   - c', '+\ta',
); // prettier-ignore
const listText = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n')), { maxLength: 14 })
  .map((lines) => lines.flat().join(''));
const anyText = fc.oneof(documentText, listText);

describe('markdownBlocks', () => {
  it('joins to the whole and is the same however the text arrived', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat({ max: 6 }), { maxLength: 60 }), (text, cuts) => {
        let view = emptyMarkdown;
        let end = 0;
        for (const cut of cuts) {
          end = Math.min(text.length, end + cut);
          view = markdownBlocks(view, text.slice(0, end));
          assert.equal(joined(view), text.slice(0, end));
        }
        view = markdownBlocks(view, text);
        assert.equal(joined(view), text);
        const whole = markdownBlocks(emptyMarkdown, text);
        assert.deepEqual(withoutLooseness(view), withoutLooseness(whole));
        assert.equal(rendered(view), rendered(whole));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('renders block by block to what the whole renders to', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(rendered(markdownBlocks(emptyMarkdown, text)), md.render(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('divides no table that is so long that the parser would end it, however it arrived', () => {
    const text = `| a | b |\n|---|--:|\n${'| 1 |\n'.repeat(3_100)}`;
    let view = emptyMarkdown;
    for (const end of [1_000, 15_000, 18_000, text.length]) view = markdownBlocks(view, text.slice(0, end));
    assert.equal(view.blocks.length, 1);
    assert.equal(rendered(view), md.render(text));
    const shorter = markdownBlocks(emptyMarkdown, text.slice(0, 15_000));
    assert.ok(shorter.blocks.length > 2_000);
    assert.equal(rendered(shorter), md.render(text.slice(0, 15_000)));
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
