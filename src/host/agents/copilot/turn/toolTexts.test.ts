import assert from 'node:assert/strict';
import { toolTexts } from './toolTexts.ts';

describe('the texts of a tool call', () => {
  const sentences = (name: string, args: unknown) => {
    const { present, past } = toolTexts(name, args, '/w');
    return [present, past];
  };

  it('say what it is about', () => {
    assert.deepEqual(sentences('view', { path: '/w/a.ts' }), [{ markdown: 'Reading `a.ts`' }, { markdown: 'Read `a.ts`' }]);
    assert.deepEqual(sentences('sql', {}), ['Working on its notes', 'Worked on its notes']);
  });

  it('say the name of the tool where that is not known, and are whole sentences in every language', () => {
    for (const name of ['bash', 'grep', 'view', 'later_tool'])
      assert.deepEqual(sentences(name, {}), [{ markdown: `Calling \`${name}\`` }, { markdown: `Called \`${name}\`` }]);
  });
});
