import assert from 'node:assert/strict';
import { descriptionOf, matchingPrompts, PROMPT_FOLDERS, promptFileAt, promptFiles, promptText } from './promptFiles.ts';

describe('prompt files', () => {
  const folder = 'file:///w/project';
  const [copilot, claude] = PROMPT_FOLDERS;

  it('are those of Copilot and of Claude Code, by their names', () => {
    assert.deepEqual(promptFiles(folder, copilot, ['review.prompt.md', 'README.md', 'a b.prompt.md', '.prompt.md']), [
      { name: 'review', path: '.github/prompts/review.prompt.md', uri: 'file:///w/project/.github/prompts/review.prompt.md' },
    ]);
    assert.deepEqual(
      promptFiles(`${folder}/`, claude, ['fix-issue.md', 'notes.txt', 'größe.md']).map(({ uri }) => uri),
      ['file:///w/project/.claude/commands/fix-issue.md', 'file:///w/project/.claude/commands/gr%C3%B6%C3%9Fe.md'],
    );
  });

  it('have no name that leads elsewhere', () => {
    assert.deepEqual(promptFiles(folder, claude, ['..md', '../x.md', 'a/b.md', 'a\\b.md', `${'x'.repeat(101)}.md`]), []);
  });

  it('are found again by a path that was offered, and by no other', () => {
    assert.equal(promptFileAt(folder, '.github/prompts/review.prompt.md')?.name, 'review');
    for (const path of ['notes.md', '.github/prompts/review.md', '.github/prompts/../x.prompt.md', '.claude/commands/', '/etc/passwd'])
      assert.equal(promptFileAt(folder, path), undefined, path);
  });

  it('come best first', () => {
    const files = promptFiles(folder, claude, ['code-review.md', 'review-all.md', 'Review.md', 'other.md']);
    assert.deepEqual(
      matchingPrompts(files, 're').map(({ name }) => name),
      ['Review', 'review-all', 'code-review'],
    );
    assert.equal(matchingPrompts(files, '').length, 4);
    const many = promptFiles(
      folder,
      claude,
      Array.from({ length: 50 }, (_, index) => `p${index}.md`),
    );
    assert.equal(matchingPrompts(many, 'p').length, 20);
  });

  it('say what they are for in their heading', () => {
    const file = '\uFEFF---\nmode: agent\ndescription: "Reviews\n  a change"\n---\n\nReview it.\n';
    assert.equal(descriptionOf(file), 'Reviews a change');
    assert.equal(promptText(file), 'Review it.');
    assert.equal(descriptionOf('Just a text'), undefined);
    assert.equal(promptText('Just a text'), 'Just a text');
  });

  it('keep their text where the heading cannot be read', () => {
    for (const heading of ['description: [', 'description: 5', '- a list', `description: ${'x'.repeat(5000)}`]) {
      assert.equal(descriptionOf(`---\n${heading}\n---\nText`), undefined);
      assert.equal(promptText(`---\n${heading}\n---\nText`), 'Text');
    }
  });

  it('bring nothing into the message that its field does not show', () => {
    const smuggled = [
      '\u200B',
      '\u{E0041}',
      '\u202E',
      '\u2063',
      '\u0007',
      '\u{E0101}\u{E0102}',
      '\u200d\u200c\u200d\u200c',
      '\uE000',
      '\u00AD',
    ];
    for (const hidden of smuggled) assert.equal(promptText(`Delete${hidden} nothing`), 'Delete nothing', JSON.stringify(hidden));
  });

  it('lose nothing that it shows', () => {
    const texts = ['Zwei Zeilen  \n\tmit Einzug', 'می\u200cخواهم', '👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥', '日本語', 'été'];
    for (const shown of texts) assert.equal(promptText(shown), shown);
    assert.equal(promptText('100\u00a0km, 東京\u3000大阪\r\nzwei'), '100 km, 東京 大阪\nzwei');
  });
});
