import assert from 'node:assert/strict';
import { entryCharts, jobAt } from './entryCharts.ts';

const task = { model: { category: 'driving' }, prompt: ['Look.'], requireUserInput: false };
const entry = {
  ...{ models: { driving: 'fast' }, promptVariables: {}, tasks: { look: task }, grid: [] },
  jobs: {
    One: { work: { kind: 'Ref', taskId: 'look' } },
    'Two "2"': { work: { kind: 'Seq', works: [{ kind: 'Ref', taskId: 'look' }] } },
  },
};
const text = JSON.stringify(entry, undefined, 2);

describe('the charts of an entry', () => {
  it('are those of its jobs, in order', () => {
    const found = entryCharts(text);
    assert.ok('jobs' in found);
    assert.deepEqual(
      found.jobs.map(({ name, chart }) => [name, chart.nodes.map(({ label }) => label)]),
      [
        ['One', ['look']],
        ['Two "2"', ['look']],
      ],
    );
  });

  it('are none of what has a fault, which is said', () => {
    assert.deepEqual(entryCharts(text.slice(0, -1)), { problem: 'The text is no JSON now.' });
    assert.deepEqual(entryCharts(text.replace('"taskId": "look"', '"taskId": "gone"')), {
      problem: 'entry.jobs["One"].work.taskId: there is no task "gone"',
    });
    assert.deepEqual(entryCharts(' '.repeat(2_000_000)), { problem: 'The file is too long.' });
  });

  it('know in which job a place is, also in a text that is no JSON', () => {
    const at = (what: string, given = text) => jobAt(given, given.indexOf(what) + 1);
    assert.equal(at('"Ref"'), 'One');
    assert.equal(at('"Seq"'), 'Two "2"');
    assert.equal(at('"Seq"', text.slice(0, -5)), 'Two "2"');
    assert.equal(at('"fast"'), undefined);
    assert.equal(at('"jobs"'), undefined);
  });
});
