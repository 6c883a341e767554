import assert from 'node:assert/strict';
import { annotation, laterItem, mention } from './later.ts';
import { listed } from './listed.ts';
import { seedItem } from './seed.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };

describe('a list of a provider’s answer', () => {
  it('takes null for absent in every member', () => {
    const nothing = { url: null, ui: null, ai: null };
    const hover = { ui: { hover: { markdown: null, text: 'Do it' } }, ai: { content: null } };
    assert.deepEqual(
      listed(
        [
          { title: 'a', ...nothing, range: null },
          { title: 'b', ...hover, range },
        ],
        seedItem,
      ),
      {
        found: [{ title: 'a' }, { title: 'b', ui: { hover: { text: 'Do it' } }, ai: {}, range }],
      },
    );
    assert.deepEqual(listed([{ title: 'a', ui: { hover: null } }], laterItem), { found: [{ title: 'a', ui: {} }] });
    const placed = { uri: 'file:///a', item: { title: 'a', ...nothing }, range: null, presentationHints: null };
    assert.deepEqual(listed([placed], annotation), { found: [{ uri: 'file:///a', item: { title: 'a' } }] });
    const mentioned = { title: 'a', uri: 'a:1', description: null, data: null };
    assert.deepEqual(listed([mentioned], mention), { found: [{ title: 'a', uri: 'a:1' }] });
  });

  it('keeps what a provider has put into a mention', () => {
    const mentioned = { title: 'a', uri: 'a:1', data: { id: null, deep: { none: null } } };
    assert.deepEqual(listed([mentioned], mention), { found: [mentioned] });
  });

  it('leaves out and names what is wrong, and keeps the others', () => {
    const { found, leftOut } = listed(
      [null, { title: 'a' }, { title: null }, { title: 'b', url: 3 }, 'text', [], { title: 'c' }],
      seedItem,
    );
    assert.deepEqual(found, [{ title: 'a' }, { title: 'c' }]);
    assert.equal(leftOut?.count, 5);
    assert.match(leftOut.message, /^Of 7 in its answer, 5 wrong left out: 1 \(.+\), 3 \(title .+\), 4 \(url .+\) and 2 more\.$/);
  });

  it('is not overwhelmed by what lies deep', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    assert.deepEqual(listed([{ title: 'a', more: deep }], seedItem).found, [{ title: 'a' }]);
  });
});
