import assert from 'node:assert/strict';
import { matchingPrompts, PROMPT_FOLDERS, promptFileAt, promptFiles, promptOf } from './promptFiles.ts';

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
    assert.deepEqual(promptOf('\uFEFF---\nmode: agent\ndescription: "Reviews\n  a change"\n---\n\nReview it.\n'), {
      description: 'Reviews a change',
      text: 'Review it.',
    });
    assert.deepEqual(promptOf('Just a text'), { text: 'Just a text' });
  });

  it('keep their text where the heading cannot be read', () => {
    for (const heading of ['description: [', 'description: 5', '- a list', `description: ${'x'.repeat(5000)}`])
      assert.deepEqual(promptOf(`---\n${heading}\n---\nText`), { text: 'Text' });
  });

  it('bring nothing into the message that its field does not show', () => {
    assert.equal(promptOf('Delete\u200B \u{E0041}nothing').text, 'Delete nothing');
    assert.equal(promptOf('Zwei Zeilen\n\tmit Einzug').text, 'Zwei Zeilen\n\tmit Einzug');
  });
});
