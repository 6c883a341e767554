/** The rule of the linter about regular expressions, and its exceptions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { linearRegex } from '../../scripts/lint/linearRegex.mjs';
import { regexExceptions } from '../../scripts/lint/regexExceptions.mjs';
import { wrongVerdict } from '../../scripts/lint/regexVerdict.mjs';

const root = join(import.meta.dirname, '../..');

/** The code of each expression that the rule reports, and why. */
function reported(source: string, exceptions: string[] = []): [code: string, why: string][] {
  const lines = source.split('\n');
  const messages = new Linter().verify(source, {
    files: ['**/*.js'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { tapline: { rules: { 'linear-regex': linearRegex } } },
    rules: { 'tapline/linear-regex': ['error', exceptions] },
  });
  return messages.map(({ line, column, endLine, endColumn, messageId = '' }) => {
    assert.equal(line, endLine, 'an expression on one line');
    return [lines[line - 1]!.slice(column - 1, endColumn! - 1), messageId];
  });
}

describe('The linter’s rule about regular expressions', function () {
  this.timeout(120_000);

  it('reports those that take more than linear time', () => {
    for (const code of ['/\\s+$/', '/\\n\\s+at /', '/(a+)+$/', '/(?<!a)\\/+$/u', "new RegExp('[/]+$')", "RegExp('x*$', 'g')"])
      assert.deepEqual(reported(`use(${code});`), [[code, 'notLinear']]);
  });

  it('reports none that are linear', () => {
    for (const code of ['/^\\s+/', '/\\s+/g', '/^a{1,200}$/', '/[^"]*"/y', '/a|b/', "new RegExp('^[/]+')", "'/\\s+$/'"])
      assert.deepEqual(reported(`use(${code});`), [], code);
  });

  it('reads patterns that are put together of constant texts, and reports others', () => {
    const made = 'new RegExp(String.raw`${blank}+$`, `g`)';
    assert.deepEqual(reported(`const blank = String.raw\`\\s\`;\nfunction f() { return ${made}; }`), [[made, 'notLinear']]);
    assert.deepEqual(reported(`const blank = '^x';\nuse(${made});`), []);
    assert.deepEqual(reported(`let blank = '^x';\nuse(${made});`), [[made, 'notConstant']]);
    assert.deepEqual(reported('use(new RegExp(given));'), [['new RegExp(given)', 'notConstant']]);
    assert.deepEqual(reported("use(new RegExp('a', given));"), [["new RegExp('a', given)", 'notConstant']]);
  });

  it('keeps verdicts that are right', () => assert.equal(wrongVerdict(), undefined));

  it('leaves out exactly what is listed', () => {
    assert.deepEqual(reported('use(/\\s+$/, /\\s+$/u);', ['/\\s+$/']), [['/\\s+$/u', 'notLinear']]);
  });

  for (const [file, exceptions] of Object.entries(regexExceptions))
    for (const { code, reason } of exceptions)
      it(`still needs the exception for ${code} in ${file}, and says why it is safe`, () => {
        assert.ok(reason.length > 0);
        assert.ok(reported(readFileSync(join(root, file), 'utf8')).some(([found]) => found === code));
      });
});
