import assert from 'node:assert/strict';
import { parseNote } from './note.ts';

describe('a note', () => {
  it('has its title from its heading, its first line, or its file', () => {
    assert.equal(parseNote('a.md', '---\ntitle: Told\n---\n# First\n').title, 'Told');
    assert.equal(parseNote('a.md', '\n## First ##\ntext').title, 'First');
    assert.equal(parseNote('how to.MD', 'text\n# Later').title, 'how to');
    assert.equal(parseNote('a.md', `# ${'x'.repeat(500)}`).title.length, 200);
    for (const gap of [' '.repeat(100_000), '#'.repeat(100_000)]) assert.match(parseNote('a.md', `# a${gap}x`).title, /^a[ #]/);
    assert.equal(parseNote('a.md', '# ##\ntext').title, 'a');
  });

  it('is about the files that its heading names', () => {
    const { selectors, contains, text } = parseNote('a.md', '---\r\npath: ["**/*.ts", "**/*.js"]\r\ncontains: TODO\r\n---\r\nText');
    assert.deepEqual(selectors, [
      { path: '**/*.ts', contentContains: 'TODO' },
      { path: '**/*.js', contentContains: 'TODO' },
    ]);
    assert.deepEqual(contains, ['TODO']);
    assert.equal(text, 'Text');
    assert.deepEqual(parseNote('a.md', '---\ncontains: [a, b]\n---\n').selectors, [{ contentContains: 'a' }, { contentContains: 'b' }]);
    assert.deepEqual(parseNote('a.md', '---\npath: "*.ts"\n---').selectors, [{ path: '*.ts' }]);
  });

  it('is about no file without a heading, or with an empty one', () => {
    for (const source of ['Text', '---\n\n---\nText', '---\nother: field\n---\nText', '---\ncontains: ""\n---\nText', '--- \nnot closed'])
      assert.deepEqual(parseNote('a.md', source).selectors, [], source);
    assert.equal(parseNote('a.md', '---\nnot closed').text, '---\nnot closed');
  });

  it('says what is wrong with its heading, and is still there', () => {
    for (const [yaml, problem] of [
      ['path: 3', /path/],
      ['path: [1]', /path/],
      ['path: [', /./],
      ['- a', /./],
      [`contains: [${Array(21).fill('a').join(',')}]`, /contains/],
      [`a: &a [x]\nb: ${'*a '.repeat(3)}`, /./],
    ] as const) {
      const note = parseNote('a.md', `---\n${yaml}\n---\nText`);
      assert.match(note.problem ?? '', problem, yaml);
      assert.deepEqual([note.title, note.text, note.selectors], ['a', 'Text', []]);
    }
  });
});
