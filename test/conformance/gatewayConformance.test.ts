/** Keeps docs/gateway-conformance.md true: every test that it names exists. `UPDATE_DOCS=1` writes it anew. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { gatewayRules, type Rule } from './gatewayRules.ts';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/gateway-conformance.md');

function markdown(rules: readonly Rule[]): string {
  const sources = [...new Set(rules.map(({ source }) => source))];
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const table = (source: string) =>
    rules
      .filter((rule) => rule.source === source)
      .map(({ rule, file, test }) => `| ${cell(rule)} | \`${file}\` | ${cell(test)} |`)
      .join('\n');
  const intro = 'Which test proves which rule. Made from `test/conformance/gatewayRules.ts` (`UPDATE_DOCS=1`), and checked by the tests.';
  return `# The gateway: rules and their tests\n\n${intro}\n\n${sources.map((source) => `## ${source}\n\n| rule | file | test |\n|---|---|---|\n${table(source)}\n`).join('\n')}`;
}

describe('the checklist of the gateway’s rules', () => {
  it('names tests that exist', () => {
    for (const { rule, file, test } of gatewayRules) {
      const source = readFileSync(join(root, file), 'utf8');
      assert.ok(
        ["'", '`', '"'].some((quote) => source.includes(`it(${quote}${test}${quote}`)),
        `${rule}: ${file} has no test ${JSON.stringify(test)}`,
      );
    }
  });

  it('is the page in docs/', async () => {
    const text = await format(markdown(gatewayRules), { ...(await resolveConfig(page)), filepath: page });
    if (process.env.UPDATE_DOCS) writeFileSync(page, text);
    assert.equal(readFileSync(page, 'utf8'), text);
  });
});
