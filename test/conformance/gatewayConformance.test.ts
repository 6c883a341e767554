/** Every section and row of the gateway's specifications has rules, and every test that a rule names exists. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeShared, sharedDir } from '../support/shared.ts';
import { documents, isProven, listTests, root, type Test, toMarkdown } from './gatewayChecklist.ts';

/** The headings of a document, each with the number of table rows and list items. */
function headingsOf(markdown: string): [heading: string, rows: number][] {
  const found: [string, number][] = [];
  let isCode = false;
  let tableLines = 0;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode) continue;
    const heading = /^#+ (.*)/.exec(line)?.[1];
    if (heading !== undefined) found.push([shortened(heading), 0]);
    tableLines = line.startsWith('|') ? tableLines + 1 : 0;
    const last = found.at(-1);
    if (last && (tableLines > 2 || /^(?:- |\d+\. )/.test(line))) last[1]++;
  }
  return found;
}

/** The name of a section without its explanation. */
const shortened = (heading: string) => heading.replaceAll('`', '').split(/ — | \(|: /)[0] ?? '';

describe('the checklist of the gateway’s rules', function () {
  this.timeout(60_000);
  let tests: Map<string, Test[]>;
  before(async () => {
    tests = await listTests();
  });
  const rules = documents.flatMap(({ title, sections }) =>
    sections.flatMap(({ heading, prose, rows }) =>
      [...prose, ...rows].map((rule) => ({ where: `${title}, ${heading}: ${rule[0]}`, rule })),
    ),
  );

  it('names tests that exist', () => {
    // Without the specifications the tests that read them do not exist.
    const needsShared =
      sharedDir() === undefined ? /^gatewayExamples: |^gatewayBrowser: the printed program|list these message types/ : /(?!)/;
    const isThere = (test: string) => {
      const [file = '', ...title] = test.split(': ');
      return needsShared.test(test) || tests.get(file)?.some(({ fullTitle }) => fullTitle.includes(title.join(': ')));
    };
    const missing = rules.flatMap(({ where, rule }) =>
      isProven(rule) ? rule.slice(1).flatMap((test) => (isThere(test) ? [] : [`${where}: ${test}`])) : [],
    );
    assert.deepEqual(missing, []);
  });

  it('is a page whose links lead to the tests', () => {
    const links = [...toMarkdown(tests).matchAll(/\]\(([^)]*)\)/g)].map(([, path]) => path ?? '');
    assert.ok(links.length > 500, `${links.length} links`);
    const broken = [...new Set(links)].filter((path) => !path.endsWith('.test.ts') || !existsSync(join(root, 'artifacts', path)));
    assert.deepEqual(broken, []);
  });
});

describeShared('the documents behind the checklist', (shared) => {
  for (const { path, title, sections } of documents) {
    if (path === undefined) continue;
    it(`${title}: every section and every row has a rule`, () => {
      const headings = headingsOf(readFileSync(join(shared, path), 'utf8'));
      assert.deepEqual(
        sections.map(({ heading, rows }) => [heading, rows.length]),
        headings,
      );
      for (const { heading, prose, rows } of sections) assert.ok(prose.length + rows.length > 0, heading);
    });
  }
});
