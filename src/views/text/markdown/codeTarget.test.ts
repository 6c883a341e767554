import assert from 'node:assert/strict';
import { applyQuestion, codeFor, filesNamed } from './codeTarget.ts';

const named = (fields: Partial<Parameters<typeof filesNamed>[0]>) => filesNamed({ code: '', info: '', before: '', ...fields });

describe('The file that a block of code is for', () => {
  it('is named behind the fence', () => {
    for (const info of ['ts src/a.ts', 'src/a.ts', 'ts title="src/a.ts"', 'ts:src/a.ts', 'ts {file=src/a.ts}'])
      assert.deepEqual(named({ info }), ['src/a.ts'], info);
    assert.deepEqual(named({ info: 'typescript' }), []);
  });

  it('is named by a comment in the first line, and not by any other code', () => {
    for (const line of ['// src/a.ts', '# src/a.ts', '/* src/a.ts */', '<!-- src/a.ts -->', '-- file: src/a.ts'])
      assert.deepEqual(named({ code: `${line}\nx` }), ['src/a.ts'], line);
    for (const code of ["import 'src/a.ts';", '// see src/a.ts and b.ts', 'x\n// src/a.ts']) assert.deepEqual(named({ code }), [], code);
  });

  it('is named in the words before, the nearest one first, after what the block itself says', () => {
    assert.deepEqual(named({ before: 'From b.ts to src/a.ts:' }), ['src/a.ts', 'b.ts']);
    assert.deepEqual(named({ before: 'Now edit c.ts.', info: 'ts a.ts', code: '// b.ts\n' }), ['a.ts', 'b.ts', 'c.ts']);
  });

  it('is looked for in a part of each text only', () => {
    assert.deepEqual(named({ before: `a.ts${' '.repeat(600)}`, info: `${' '.repeat(400)}b.ts`, code: `//${' '.repeat(400)}c.ts` }), []);
    assert.equal(named({ before: 'a1.ts a2.ts a3.ts a4.ts a5.ts a6.ts a7.ts' }).length, 5);
  });
});

describe('Code that is applied', () => {
  it('ends with a line break only where what it replaces does', () => {
    assert.equal(codeFor('x\n', 'one two three', { start: 4, end: 7 }, '\n'), 'x');
    assert.equal(codeFor('x\n', 'one\ntwo\n', { start: 0, end: 4 }, '\n'), 'x\n');
    assert.equal(codeFor('x\n', 'one', { start: 0, end: 3 }, '\n'), 'x\n');
  });

  it('has the line ends of the file, so that code which is there already is the same', () => {
    const text = 'one\r\ntwo\r\n';
    assert.equal(codeFor('one\ntwo\n', text, { start: 0, end: text.length }, '\r\n'), text);
    assert.equal(codeFor('x\r\ny\n', 'one two', { start: 0, end: 3 }, '\n'), 'x\ny');
  });

  it('is asked about with what it does, and with a hint where it is much shorter than the file', () => {
    assert.equal(
      applyQuestion({ file: 'a.ts', lines: 3, newLines: 1, selection: { from: 2, to: 4 } }),
      'Apply the code to a.ts? What is selected in lines 2 to 4 is replaced, as the diff shows.',
    );
    assert.match(
      applyQuestion({ file: 'a.ts', lines: 2_000, newLines: 1 }),
      /whole file \(2,000 lines\).*\(1 line\).*only a part of the file/,
    );
    assert.doesNotMatch(applyQuestion({ file: 'a.ts', lines: 10, newLines: 9 }), /only a part/);
  });
});
