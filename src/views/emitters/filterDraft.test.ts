import assert from 'node:assert/strict';
import { added, changed, draftOf, type FilterDraft, filterOf, judgedLines, moved, problemsOf, removed, MAX_RULES } from './filterDraft.ts';

const matches = (draft: FilterDraft) => draft.map(({ match }) => match);

describe('a filter while it is written', () => {
  const draft = draftOf([
    { match: 'a', outcome: 'drop' },
    { match: 'b', outcome: 'inject' },
  ]);

  it('gets, changes, moves and loses rules, which stay the same ones', () => {
    const more = added(draft);
    const last = more.at(-1);
    assert.ok(last && !draft.some(({ id }) => id === last.id));
    const written = changed(more, last.id, { match: 'c', outcome: 'surface' });
    assert.deepEqual(matches(moved(written, last.id, -1)), ['a', 'c', 'b']);
    assert.deepEqual(matches(moved(written, last.id, 1)), ['a', 'b', 'c'], 'it is the last');
    assert.deepEqual(matches(moved(written, 0, -1)), ['a', 'b', 'c'], 'it is the first');
    assert.deepEqual(matches(removed(written, 0)), ['b', 'c']);
    const again = added(removed(written, last.id));
    assert.equal(new Set(again.map(({ id }) => id)).size, again.length);
  });

  it('has as many rules as there may be', () => {
    let full: FilterDraft = [];
    for (let count = 0; count < MAX_RULES + 5; count++) full = added(full);
    assert.equal(full.length, MAX_RULES);
  });

  it('leaves out rules that say nothing yet, and finds what is said of the others at their places', () => {
    const withEmpty = [draft[0], { id: 7, match: '', outcome: 'drop' }, draft[1]] as FilterDraft;
    assert.deepEqual(filterOf(withEmpty), [
      { match: 'a', outcome: 'drop' },
      { match: 'b', outcome: 'inject' },
    ]);
    const preview = {
      lines: [
        { text: 'x b', outcome: 'inject' as const, rule: 1 },
        { text: 'x', outcome: 'keep' as const },
      ],
      problems: [{ rule: 1, message: 'is wrong' }, { message: 'too much' }],
    };
    assert.deepEqual(judgedLines(withEmpty, preview), [
      { text: 'x b', outcome: 'inject', rule: 1 },
      { text: 'x', outcome: 'keep' },
    ]);
    const problems = problemsOf(withEmpty, preview);
    assert.deepEqual([[...problems.rules], problems.all], [[[1, 'is wrong']], 'too much']);
  });
});
