/**
 * Keeps docs/gateway-conformance.md true: every section and every row of the documents has its rules, and every test that is named exists.
 * `UPDATE_DOCS=1` writes the page anew.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { describeShared, sharedDir } from '../support/shared.ts';
import { core } from './gatewayRules/core.ts';
import { design } from './gatewayRules/design.ts';
import { full } from './gatewayRules/full.ts';
import type { Document, Rule } from './gatewayRules/rule.ts';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/gateway-conformance.md');
const documents = [design, full, core];

interface Test {
  fullTitle: string;
  file: string;
}

/** Every test of the gateway by the name of its file, also those whose titles are made. */
async function listTests(): Promise<Map<string, Test[]>> {
  const files = [
    ...['src/gateway', 'src/tap', 'test/gateway', 'test/integration'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts') && (folder !== 'test/integration' || name.startsWith('gateway')))
        .map((name) => join(folder, name)),
    ),
    'test/webview/gatewayBrowser.test.ts',
  ];
  const args = ['node_modules/mocha/bin/mocha.js', '--import=tsx', '--dry-run', '--reporter', 'json', ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const { tests } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { tests: Test[] };
  const byFile = new Map<string, Test[]>();
  for (const test of tests) {
    const name = basename(test.file, '.test.ts');
    byFile.set(name, [...(byFile.get(name) ?? []), test]);
  }
  return byFile;
}

/** The headings of a document with the number of rows of their tables and points of their lists. */
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

/** The name of a section without what explains it. */
const shortened = (heading: string) => heading.replaceAll('`', '').split(/ — | \(|: /)[0] ?? '';

const whyNot = ([, proof]: Rule): string | undefined => (typeof proof === 'object' ? proof.why : undefined);
const isProven = (rule: Rule): rule is readonly [string, ...string[]] => whyNot(rule) === undefined;

function markdown(files: ReadonlyMap<string, string>): string {
  const named = (test: string) => {
    const [file = '', ...title] = test.split(': ');
    return `[${file}](../${files.get(file)}) “${title.join(': ').trim()}”`;
  };
  const proof = (rule: Rule) => (isProven(rule) ? rule.slice(1).map(named).join('; ') : `– ${whyNot(rule)}`);
  const line = (rule: Rule, row?: number) =>
    `- ${row === undefined ? '' : `row ${row}, `}${rule[0].replaceAll('<', '\\<')}: ${proof(rule)}`;
  const sections = ({ sections }: Document) =>
    sections
      .filter(({ prose, rows }) => [...prose, ...rows].some((rule) => whyNot(rule) !== 'no rule'))
      .map(({ heading, prose, rows }) =>
        [`### ${heading}\n`, ...rows.map((rule, at) => line(rule, at + 1)), ...prose.map((rule) => line(rule))].join('\n'),
      )
      .join('\n\n');
  const intro = `Which test proves which rule of the design and of the two specifications, in the order of their sections. Rows are those of a section's tables and lists; the
rest is what its text says. A dash says why a rule is not the gateway’s. Sections that only explain are left out. A test is named by a part of its full title.

Made from \`test/conformance/gatewayRules/\` (\`UPDATE_DOCS=1\`), and checked by the tests: also against the documents, where they are there.`;
  return `# The gateway: rules and their tests\n\n${intro}\n\n${documents.map((document) => `## ${document.title}\n\n${sections(document)}`).join('\n\n')}\n`;
}

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
    // Without the specifications the tests that read them are not there either.
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

  it('is the page in docs/', async () => {
    const files = new Map([...tests].map(([name, [first]]) => [name, relative(root, first?.file ?? '')]));
    const text = await format(markdown(files), { ...(await resolveConfig(page)), filepath: page });
    if (process.env.UPDATE_DOCS) writeFileSync(page, text);
    assert.equal(readFileSync(page, 'utf8'), text);
  });
});

describeShared('the documents behind the checklist', (shared) => {
  for (const { path, title, sections } of documents) {
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
