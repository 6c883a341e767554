import assert from 'node:assert/strict';
import { changesItem, problemsItem, selectionItem, symbolItem, terminalItem } from './editorItems.ts';

describe('What the editor adds to a message', () => {
  it('is a selection, or a symbol, with its lines', () => {
    const lines = { path: 'src/a.ts', from: 12, to: 20, text: 'code' };
    assert.deepEqual(selectionItem(lines), {
      provider: 'the editor',
      title: 'a.ts:12-20',
      text: 'Lines 12 to 20 of src/a.ts, selected in the editor:\n\ncode',
    });
    assert.equal(selectionItem({ ...lines, to: 12 }).title, 'a.ts:12');
    assert.equal(symbolItem('run', lines).title, 'run in a.ts:12-20');
  });

  it('is the problems of a file, a hundred at most, each on a line', () => {
    const problem = { line: 3, column: 1, severity: 'error', message: 'No\nway', source: 'ts 2304' };
    const { title, text } = problemsItem('src/a.ts', Array(120).fill(problem), true);
    assert.equal(title, 'Problems in a.ts');
    assert.match(text, /in src\/a\.ts, in the user’s own checkout of it/);
    assert.equal(text.split('\n').length, 103);
    assert.match(text, /3:1 error: No way \(ts 2304\)\n.*… and 20 more$/s);
    assert.ok(problemsItem('a', [{ ...problem, message: 'x'.repeat(1e6) }], false).text.length < 1_000);
  });

  it('is what is selected in a terminal', () => {
    assert.deepEqual(terminalItem('bash', 'ok'), {
      provider: 'the editor',
      title: 'Terminal bash',
      text: 'Selected in the user’s terminal “bash”:\n\nok',
    });
  });

  it('is the changes of a repository, cut to what has room', () => {
    const whole = changesItem('/w/app', '+one', 1_000);
    assert.equal(whole.title, 'Changes in app');
    assert.ok(whole.text.endsWith('\n\n+one'));
    const cut = changesItem('/w/app', 'x'.repeat(5_000), 1_000);
    assert.equal(cut.title, 'Changes in app (cut)');
    assert.equal(cut.text.length, 1_000);
    assert.ok(cut.text.endsWith('… The rest was cut.'));
    assert.ok(changesItem('/w/app', 'x', 0).text.endsWith('… The rest was cut.'));
  });
});
