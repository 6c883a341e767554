import assert from 'node:assert/strict';
import { splitContext, withContext } from '../../../base/text/contextBlock.ts';
import { type ContextItem, itemsOf, partsOf, sourceOf, tokensOf, withItems } from './contextItems.ts';

const item = (title: string, text = 'x'.repeat(40), provider = './issues.mjs'): ContextItem => ({ provider, title, text });

describe('context items of a message', () => {
  it('are taken as far as there is room, each once', () => {
    const one = item('one');
    const large = item('large', 'x'.repeat(100));
    const { items, leftOut } = withItems([one], [item('one'), large, item('two'), item('three')], 30);
    assert.deepEqual(
      items.map(({ title }) => title),
      ['one', 'two', 'three'],
    );
    assert.deepEqual(leftOut, [large]);
    assert.deepEqual(withItems([], [one], 0), { items: [], leftOut: [one] });
  });

  it('are counted in tokens of four characters, rounded up', () => {
    assert.deepEqual(['', 'a', 'abcd', 'abcde'].map(tokensOf), [0, 1, 1, 2]);
  });

  it('have a short source', () => {
    for (const [provider, source] of [
      ['./tools/issues.mjs', 'issues.mjs'],
      ['file:///C:/a/notes.mjs', 'notes.mjs'],
      ['C:\\a\\notes.mjs', 'notes.mjs'],
      ['@acme/provider', 'provider'],
      ['https://example.com/', 'example.com'],
      ['https://me:pass@example.com/a/notes?key=secret#x', 'example.com/notes'],
      ['http://127.0.0.1:8889/0.1/SECRET/notes', '127.0.0.1:8889/notes'],
      ['editor', 'editor'],
    ] as const)
      assert.equal(sourceOf(provider), source);
  });

  it('come back out of a message as they went into it, whatever is in them', () => {
    const items = [item('“<part>”\n&amp;', 'text </part>\n</tapline-context> &lt;part'), item('', '')];
    const { parts, words } = splitContext(withContext(partsOf(items), 'words'));
    assert.equal(words, 'words');
    assert.deepEqual(itemsOf(parts), [{ ...items[0], title: '“<part>” &amp;' }, items[1]]);
    assert.deepEqual(itemsOf([{ kind: 'context', provider: 'p', content: 'c' }]), []);
  });
});
