import assert from 'node:assert/strict';
import { checkCommand } from './commandCheck.ts';

type Check = Parameters<typeof checkCommand>[0];
type CommandRun = NonNullable<Parameters<typeof checkCommand>[1]>;

describe('evidence of a command', () => {
  const check = (more: Partial<Check> = {}): Check => ({
    kind: 'command',
    command: 'npm test',
    exitCode: 0,
    output: undefined,
    text: undefined,
    expectExitCode: 0,
    ...more,
  });
  const run = (exitCode: number | undefined, output = '', isCut = false): CommandRun[number] => ({ exitCode, output, isCut });
  const answer = (given: Check, seen?: CommandRun) => {
    const { verdict, seenBy, line } = checkCommand(given, seen);
    return `${verdict} ${seenBy ?? 'nobody'}: ${line}`;
  };

  it('is no more than a statement where nobody has a record', () => {
    assert.equal(answer(check()), 'supported stated: as stated, "npm test" ended with code 0');
    assert.match(answer(check({ exitCode: 1 })), /^contradicted stated: .*code 1, which is not 0/);
    assert.match(answer(check({ exitCode: 1, expectExitCode: 1 })), /^supported stated/);
    assert.match(answer(check({ output: 'a\n3 passing\nb', text: '3 pass' })), /^supported stated: .*printed: 3 passing$/);
    assert.match(answer(check({ output: 'a', text: '3 pass' })), /^contradicted stated: .*has no "3 pass"/);
    assert.match(answer(check({ text: '3 pass' })), /^contradicted stated/);
  });

  it('is unknown where the record has no such run, or not its end', () => {
    assert.match(answer(check(), []), /^unknown nobody: the record of this session has no "npm test"/);
    assert.match(answer(check(), [run(undefined, 'x')]), /^unknown nobody: .*no exit code/);
    assert.match(answer(check({ exitCode: 2 }), []), /^contradicted stated/);
  });

  it('is what the record says of the newest run that has ended, whatever is stated', () => {
    assert.match(answer(check(), [run(0, 'ok\n3 passing\n')]), /^supported session: .*code 0; its last line: 3 passing$/);
    assert.match(answer(check(), [run(1, '1 failing')]), /^contradicted session: .*ended with code 1, not 0 as stated$/);
    assert.match(answer(check(), [run(undefined), run(1), run(0)]), /^contradicted session: .*code 1, not 0/);
    assert.match(answer(check({ exitCode: 1 }), [run(1, '1 failing')]), /^contradicted session: .*code 1; its last line: 1 failing/);
    assert.match(answer(check({ exitCode: 1, expectExitCode: 1 }), [run(1)]), /^supported session: .*printed nothing/);
    assert.match(answer(check({ exitCode: 1 }), [run(0)]), /^contradicted session: .*code 0, not 1/);
  });

  it('is contradicted by output that the record does not have, as far as the record is whole', () => {
    const seen = [run(0, 'one\n  two\nthree')];
    assert.match(answer(check({ output: 'one\n…\nthree\n' }), seen), /^supported session/);
    assert.match(answer(check({ output: 'one\n12 passing' }), seen), /^contradicted session: .*has printed no "12 passing"/);
    assert.match(answer(check({ output: '12 passing' }), [run(0, 'one', true)]), /^supported session/);
    assert.match(answer(check({ text: 'two' }), seen), /^supported session: .*printed: {3}two/);
    assert.match(answer(check({ text: 'four' }), seen), /^contradicted session: .*printed no "four"/);
    assert.match(answer(check({ text: 'four' }), [run(0, 'one', true)]), /^unknown nobody/);
    assert.match(answer(check({ output: 'four', text: 'four' }), seen), /^contradicted session/);
  });
});
