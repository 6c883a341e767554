import assert from 'node:assert/strict';
import { CliError, exitCodes } from '../cliError.ts';
import { trialOutcomes } from './trialOutcomes.ts';

const tasks = ['build', 'build:2', 'a:b'].map((name) => ({ name, failure: '', hasCondition: name === 'build' }));
const outcomes = (fail: string[], unavailable: string[] = []) => trialOutcomes({ fail, unavailable }, tasks);

describe('the outcomes that arguments name', () => {
  it('are always or so many times, and names may have colons', () => {
    assert.deepEqual(outcomes(['build:3', 'a:b'], ['build']), { build: { fails: 3, unavailable: 'always' }, 'a:b': { fails: 'always' } });
    assert.deepEqual(outcomes(['build:2', 'a:b:1']), { 'build:2': { fails: 'always' }, 'a:b': { fails: 1 } });
    assert.deepEqual(outcomes(['build:2:7']), { 'build:2': { fails: 7 } });
  });

  it('are those of tasks that the job has, from one on', () => {
    const refused = (work: () => unknown, said: RegExp) =>
      assert.throws(work, (error) => error instanceof CliError && error.code === exitCodes.usage && said.test(error.message));
    refused(() => outcomes(['test']), /^--fail: the job has no task “test”. It has “build”, “build:2”, “a:b”.$/);
    refused(() => outcomes(['constructor']), /no task “constructor”/);
    for (const count of ['0', '', '-1', '1.5', 'x', '9'.repeat(7)])
      refused(() => outcomes([`build:${count}`]), /after “build:” there must be a whole number from 1 on/);
    refused(() => outcomes([], ['a:b']), /has no availability.condition/);
  });
});
