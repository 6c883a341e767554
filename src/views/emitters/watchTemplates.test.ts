import assert from 'node:assert/strict';
import { CompileBudget } from '../../gateway/limits/compileBudget.ts';
import { LineFilter } from '../../gateway/emitters/filter/lineFilter.ts';
import type { EventFilter } from './emitterRequest.ts';
import { interruptionRules } from './interruptions.ts';
import { failuresOf, watchTemplates } from './watchTemplates.ts';

const judge = (rules: EventFilter) => {
  const filter = new LineFilter(rules, new CompileBudget(() => 0));
  return (line: string) => filter.outcomeOf(line);
};
const template = (id: string) => {
  const found = watchTemplates.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
};

describe('what is worth an interruption', () => {
  it('is what tells of a failure, and not what says that there is none', () => {
    const outcome = judge(interruptionRules('failuresToAgent'));
    for (const line of [
      'FAIL src/a.test.ts',
      '  1 failing',
      'not ok 2 - greets by name',
      '    not ok 1 - in a suite',
      'not ok 3 - prints no errors',
      'not ok 4 - returns 0 failures',
      'not ok 5 - exits with error 0',
      'not ok 6 - parses \\# todo comments',
      'Error: x',
      'npm ERR! code 1',
      '✖ works',
      'ok, but 3 failed',
      'okay 1 error',
      'Traceback (most recent call last):',
      '✔ 12 passed, ✖ 3 failed',
      '✔ 12 ✖ 3',
      '✓ 12 passed, 10 failed in 2.1s',
      '✓ compiled with 2 errors',
      '√ passed: 12, failed: 3',
      'PASS 12, 1 failure.',
      'OK  200 fatal error',
      'OK 200 fatal error',
    ])
      assert.equal(outcome(line), 'inject', line);
    for (const line of [
      '0 failed, 12 passed',
      'Found 0 errors.',
      'no failures',
      '# fail 0',
      'not ok 3 - later # TODO',
      'not ok 4 # SKIP not on this system',
      'ok 5 - prints no errors',
      'it is not okay',
      'errors: 0',
      'PASS src/a.test.ts',
      'PASS src/errors.test.ts',
      'ok 5 - returns an error',
      '    ok 1 - in a suite that fails',
      'ok - reports a failure',
      'ok  \tgithub.com/pkg/errors\t0.012s',
      'ok  \tgithub.com/pkg/errors\t(cached)',
      'ok 6 returns an error',
      '✔ returns an error (1ms)',
      '✔ tries again after 3 failed attempts',
      '✔ draws × and ✖ of a dialog',
      '✓ 12 passed, 0 failed',
      '✓ compiled, errors: 0',
      '# Subtest: crash of the parser',
      'terror',
      '',
    ])
      assert.equal(outcome(line), 'keep', line);
  });

  it('may be all, or nothing', () => {
    assert.equal(judge(interruptionRules('allToUser'))('x'), 'surface');
    assert.equal(judge(interruptionRules('allToAgent'))('x'), 'inject');
    assert.equal(judge(interruptionRules('nothing'))('Error'), 'keep');
  });
});

describe('the templates of what is watched', () => {
  it('know the failures of their programs', () => {
    const failures = (id: string) => judge(failuresOf(template(id), 'inject'));
    assert.equal(failures('types')("src/a.ts(1,2): error TS2304: Cannot find name 'x'."), 'inject');
    assert.equal(failures('types')('Found 0 errors. Watching for file changes.'), 'keep');
    assert.equal(failures('pullRequest')('unit tests\tfail\t1m2s\thttps://x'), 'inject');
    assert.equal(failures('pullRequest')('fail fast\tpass\t1m2s\thttps://x'), 'keep');
    assert.deepEqual(['200 https://x', '404 https://x', '503 https://x', 'curl: (7) Failed'].map(failures('url')), [
      'keep',
      'inject',
      'inject',
      'inject',
    ]);
  });

  it('take no answer that would be more than one word of the command', () => {
    const check = (id: string, answer: string) => template(id).question?.check(answer);
    assert.equal(check('pullRequest', '12'), undefined);
    assert.equal(check('pullRequest', 'https://github.com/a/b/pull/12'), undefined);
    for (const answer of ['', '12; rm -rf .', '#12', 'https://github.com/a/b/pull/12;x']) assert.ok(check('pullRequest', answer), answer);
    for (const answer of ['', 'web; ls', '-x', '$(ls)']) assert.ok(check('deployment', answer), answer);
    assert.equal(check('url', 'https://example.com/health?a=1&b=%20'), undefined);
    for (const answer of ['', 'ftp://x', 'https://x/$(ls)', "https://x/'", 'https://x y']) assert.ok(check('url', answer), answer);
    assert.equal(template('log').command("it's; a log", false), "tail -n 0 -F -- 'it'\\''s; a log'");
    assert.match(template('log').command("it's", true), /'it''s'/);
  });
});
