import assert from 'node:assert/strict';
import { entryMarks, MAX_ENTRY_LENGTH } from './entryMarks.ts';

const entry = (change: object = {}) => ({
  models: { driving: 'fast' },
  promptVariables: {},
  tasks: { look: { model: { category: 'driving' }, prompt: ['Look.'], requireUserInput: false } },
  jobs: { Look: { work: { kind: 'Ref', taskId: 'look' } } },
  grid: [],
  ...change,
});
/** What is marked, and why. */
function marks(given: object, isSchemaShown = false): [string, string][] {
  const text = JSON.stringify(given, undefined, 2);
  return entryMarks(text, isSchemaShown).map(({ offset, length, message }) => [text.slice(offset, offset + length), message]);
}

describe('marks in an entry', () => {
  it('are none in one that is right, in no JSON, and in a text without end', () => {
    assert.deepEqual(marks(entry()), []);
    for (const text of ['', '{"models":', '{} // entry', '{"a": 1,}']) assert.deepEqual(entryMarks(text, false), [], text);
    assert.deepEqual(entryMarks(`{${' '.repeat(MAX_ENTRY_LENGTH)}}`, false), []);
  });

  it('are all that is wrong, each at its value', () => {
    const work = { kind: 'Seq', works: ['look', 'nowhere'].map((taskId) => ({ kind: 'Ref', taskId })) };
    const task = { model: { category: 'none' }, prompt: ['$nothing'], requireUserInput: false };
    const given = entry({
      tasks: { ...entry().tasks, other: task },
      jobs: { Look: { requireUserInput: true, work } },
      grid: [{ keyword: 'a', jobs: [null, { name: 'x', jobName: 'Gone' }] }],
    });
    const found = marks(given, true);
    assert.deepEqual(
      found.map(([text]) => text),
      ['"none"', '"prompt"', '"nowhere"', '"Gone"'],
    );
    assert.deepEqual(found[2]?.[1], 'there is no task "nowhere"');
  });

  it('warn of steps that write into one folder at once, where nothing is wrong', () => {
    const tasks = { look: { ...entry().tasks.look, approve: ['edits'] } };
    const both = { kind: 'Par', works: [1, 2].map(() => ({ kind: 'Ref', taskId: 'look' })) };
    const text = JSON.stringify(entry({ tasks, jobs: { Look: { work: both } } }));
    const [mark] = entryMarks(text, true);
    assert.match(mark?.message ?? '', /^“look” runs several times at once/);
    assert.deepEqual([mark?.isWarning, text.slice(mark?.offset, (mark?.offset ?? 0) + (mark?.length ?? 0))], [true, '"work"']);
    assert.deepEqual(marks(entry({ tasks, jobs: { Look: { work: both, worktree: 'step' } } })), []);
    assert.equal(
      marks(entry({ tasks, jobs: { Look: { work: both } }, grid: [{ keyword: 'a', jobs: [{ name: 'x', jobName: 'Gone' }] }] })).length,
      1,
    );
  });

  it('stand at the name of the nearest part where a member is missing', () => {
    const tasks = { look: { prompt: ['Look.'], requireUserInput: false } };
    assert.deepEqual(marks(entry({ tasks })), [['"work"', 'is needed: the task "look" has no model']]);
    const works = [{ kind: 'Ref', taskId: 'look' }];
    assert.deepEqual(marks(entry({ tasks, jobs: { Look: { work: { kind: 'Seq', works } } } })), [
      ['{', 'is needed: the task "look" has no model'],
    ]);
  });

  it('leave to VS Code what the schema says, but not what only the portal knows', () => {
    const condition = { condition: ['job_boolean_true?'], failureAction: { retryTimes: 1 } };
    const given = entry({ extra: 1, tasks: { look: { ...entry().tasks.look, criteria: condition } } });
    assert.deepEqual(
      marks(given, true).map(([text]) => text),
      ['"criteria"'],
    );
    assert.equal(marks(given, false).length, 2);
  });

  it('warn of what is left out, unless VS Code does', () => {
    const text = JSON.stringify(entry({ extra: 1 }));
    const [mark, ...more] = entryMarks(text, false);
    assert.deepEqual([text.slice(mark?.offset, (mark?.offset ?? 0) + (mark?.length ?? 0)), mark?.isWarning, more], ['1', true, []]);
    assert.deepEqual(entryMarks(text, true), []);
  });
});
