import assert from 'node:assert/strict';
import { shownItem } from './shownItem.ts';

const show = (item: object) => shownItem({ provider: 'p', uri: 'file:///a', item: { title: 't', ...item } });

describe('An item in the editor', () => {
  it('links to the web only', () => {
    for (const url of ['https://example.com/a', 'http://localhost:1/']) assert.equal(show({ url }).url, url);
    for (const url of [
      'command:workbench.action.quit',
      'file:///etc/passwd',
      'vscode://x/y',
      'javascript:alert(1)',
      'data:,x',
      '//x',
      'x',
      '',
    ])
      assert.equal(show({ url }).url, undefined, url);
    assert.doesNotMatch(show({ url: 'https://a/> [x](command:y) <b' }).url ?? '', /[<> ]/);
  });

  it('has a title that is one short line without icons', () => {
    const { title } = show({ title: `$(error) a\nb [x](command:y) ${'z'.repeat(500)}` });
    assert.ok(title.length < 140);
    assert.doesNotMatch(title, /\n|\$\(|\]\(/);
    assert.equal(show({ title: ' \u202e' }).title, '(no title)');
  });

  it('loads no images, and is bounded', () => {
    const hover = (ui: object) => show({ ui: { hover: ui } }).hover;
    assert.deepEqual(hover({ markdown: 'a ![b](https://c/d.png) ![e][f]' }), { markdown: 'a &#33;[b](https://c/d.png) &#33;[e][f]' });
    for (const before of ['', '\\', '\\\\', '!', '&'])
      assert.doesNotMatch(JSON.stringify(hover({ markdown: `${before}![b](https://c/d.png)` })), /!\[/, before);
    assert.deepEqual(hover({ markdown: 'm', text: 't' }), { markdown: 'm' });
    assert.deepEqual(hover({ text: '![a](b)' }), { text: '![a](b)' });
    assert.equal(hover({}), undefined);
    assert.equal(JSON.stringify(hover({ text: 'x'.repeat(1_000_000) })).length < 60_000, true);
  });
});
