import assert from 'node:assert/strict';
import { emitterSpec } from './emitterSpec.ts';
import { emitterName, normalName } from './emitterWords.ts';
import { intervalMs } from './intervals.ts';
import { firstIssue } from '../parsing/firstIssue.ts';

const refusal = (fields: object) => {
  const { error } = emitterSpec.safeParse({ name: 'x', ...fields });
  return error && firstIssue(error);
};

describe('the name of an emitter', () => {
  it('is trimmed, in lower case, and has a dash for everything else', () => {
    assert.equal(normalName('  My Tests! '), 'my-tests-');
    assert.equal(normalName('a.b_c-1'), 'a.b_c-1');
    assert.equal(normalName('naïve 🙂 x\n'), 'na-ve---x');
    assert.equal(normalName(normalName(' Ä/B ')), normalName(' Ä/B '), 'it is normal then');
  });

  it('has 1 to 64 characters, and one that can be read', () => {
    assert.equal(emitterName.parse(` ${'A'.repeat(64)} `), 'a'.repeat(64));
    for (const name of ['', '   ', '!!', '._-', 'a'.repeat(65), 'é']) assert.equal(emitterName.safeParse(name).success, false, name);
    assert.equal(refusal({ name: '?', command: 'x' }), 'name: must hold a letter from a to z or a digit');
    assert.equal(refusal({ name: 7, command: 'x' }), 'name: Invalid input: expected string, received number');
  });
});

describe('the time between runs', () => {
  it('is a number and a unit', () => {
    assert.deepEqual(['1s', '30s', '5m', '2h', '1d', '24d'].map(intervalMs), [1e3, 3e4, 3e5, 7.2e6, 8.64e7, 24 * 8.64e7]);
    for (const word of ['', 's', '0s', '05s', '-1s', '1.5h', '1 s', '1S', '5min', '25d', '9999999h', '1e3s', '5m ', 'constructor'])
      assert.equal(intervalMs(word), undefined, word);
  });

  it('may be a list, and “idle” of a prompt', () => {
    for (const runInterval of ['5m', ['1m', '5m'], 'idle']) assert.equal(refusal({ prompt: 'go', runInterval }), undefined);
    const words = 'must be a number with s, m, h or d, such as "30s", "5m", "2h" or "1d", and at most 24 days';
    for (const runInterval of [5, null, {}])
      assert.equal(refusal({ prompt: 'go', runInterval }), `runInterval: ${words}; a list of such; or, of a prompt, "idle"`);
    for (const runInterval of [[], Array(21).fill('1s')]) assert.match(refusal({ prompt: 'go', runInterval }) ?? '', /^runInterval: /);
    assert.equal(refusal({ prompt: 'go', runInterval: '5' }), `runInterval: ${words}; or, of a prompt, "idle"`);
    assert.equal(refusal({ prompt: 'go', runInterval: ['5m', '0s'] }), `runInterval.1: ${words}`);
    assert.equal(
      refusal({ command: 'ls', runInterval: 'idle' }),
      'runInterval: "idle" is for a prompt; a command takes a time such as "5m"',
    );
  });
});

describe('an emitter', () => {
  it('has exactly one of command and prompt', () => {
    assert.equal(refusal({}), 'command: is missing: give a command or a prompt');
    assert.equal(refusal({ command: 'a', prompt: 'b' }), 'prompt: stands beside a command: give one of them');
    assert.equal(refusal({ command: ' \n' }), 'command: must not be blank');
    assert.equal(refusal({ command: 'a\0b' }), 'command: must not hold a NUL');
    assert.equal(refusal({ command: 'a' }), undefined);
  });

  it('has nothing of the other kind', () => {
    for (const [field, value] of Object.entries({ cwd: 'src', eventFilter: [], includeStderr: true }))
      assert.equal(refusal({ prompt: 'go', [field]: value }), `${field}: is for a command alone`);
  });

  it('says which field or rule is wrong', () => {
    const rule = { match: 'x', outcome: 'drop' };
    assert.match(refusal({ command: 'a', every: '5m' }) ?? '', /"every"/);
    assert.match(refusal({ command: 'a', eventFilter: [rule, { ...rule, outcome: 'shout' }] }) ?? '', /^eventFilter\.1\.outcome: /);
    assert.match(refusal({ command: 'a', eventFilter: [{ ...rule, flags: 'i' }] }) ?? '', /^eventFilter\.0: .*"flags"/);
    assert.match(refusal({ command: 'a', eventFilter: [{ ...rule, match: '' }] }) ?? '', /^eventFilter\.0\.match: /);
    assert.match(refusal({ command: 'a', eventFilter: Array(51).fill(rule) }) ?? '', /^eventFilter: /);
    assert.equal(refusal({ command: 'a', maxRuns: 2 }), 'maxRuns: can only be 1 without a runInterval, because it runs once');
    assert.equal(refusal({ command: 'a', maxRuns: 1 }), undefined);
    for (const maxRuns of [0, 1.5, -1, '3']) assert.match(refusal({ command: 'a', runInterval: '1s', maxRuns }) ?? '', /^maxRuns: /);
    assert.match(refusal({ command: 'a', ownership: 'mine' }) ?? '', /^ownership: /);
  });
});
