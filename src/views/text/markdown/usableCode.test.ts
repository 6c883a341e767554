import assert from 'node:assert/strict';
import { insertProblem, isShell, MAX_USED, terminalUse } from './usableCode.ts';

describe('Code of an agent', () => {
  it('is inserted when all of it can be seen', () => {
    for (const code of ['a\n\tb  \n', 'שלום', 'é 😀', '']) assert.equal(insertProblem(code), undefined, code);
  });

  it('is not inserted with a character that cannot be seen, or when it is huge', () => {
    for (const code of ['a\u202eb', 'a\u200b', 'a\rb', '\u001b[31m', 'a\u0000', '\u{e0041}'])
      assert.match(insertProblem(code) ?? '', /cannot be seen \(U\+/);
    assert.match(insertProblem('a'.repeat(MAX_USED + 1)) ?? '', /too long/);
  });

  it('is typed into a terminal only as one line', () => {
    assert.deepEqual(terminalUse('npm test\n'), { kind: 'type', text: 'npm test' });
    assert.deepEqual(terminalUse('cd a\nnpm test\n'), { kind: 'copy', text: 'cd a\nnpm test' });
    assert.deepEqual(terminalUse('npm test\n\n'), { kind: 'copy', text: 'npm test\n' });
    for (const code of ['a\tb', 'ls\r', 'ls\u0003', '\u001b]0;x\u0007', 'ls\u2028rm x'])
      assert.equal(terminalUse(code).kind, 'refuse', JSON.stringify(code));
  });

  it('is that of a shell by the name of its language', () => {
    assert.deepEqual(['Bash', 'pwsh', 'ts', '', 'constructor'].map(isShell), [true, true, false, false, false]);
  });
});
