/** The tests that prove the rules of the gateway's specifications, and the page that lists them rule by rule. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { core } from './gatewayRules/core.ts';
import { full } from './gatewayRules/full.ts';
import { ownRules } from './gatewayRules/ownRules.ts';
import type { Document, Rule } from './gatewayRules/rule.ts';

export const root = join(import.meta.dirname, '../..');
export const documents: readonly Document[] = [ownRules, full, core];

export interface Test {
  fullTitle: string;
  file: string;
}

/** All tests of the gateway by the name of their file, including those with generated titles. */
export async function listTests(): Promise<Map<string, Test[]>> {
  const files = [
    ...['src/base/node', 'src/base/server', 'src/gateway', 'src/tap', 'test/gateway', 'test/integration'].flatMap((folder) =>
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

const whyNot = ([, proof]: Rule): string | undefined => (typeof proof === 'object' ? proof.why : undefined);
export const isProven = (rule: Rule): rule is readonly [string, ...string[]] => whyNot(rule) === undefined;

/** For a folder beside `src`: links start with `../`. */
export function toMarkdown(tests: ReadonlyMap<string, readonly Test[]>): string {
  const named = (test: string) => {
    const [file = '', ...title] = test.split(': ');
    return `[${file}](../${relative(root, tests.get(file)?.[0]?.file ?? '')}) “${title.join(': ').trim()}”`;
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
  const intro = `Which test proves which rule of this gateway and of the two specifications, in the order of their sections. Rows are those of a section's tables
and lists; the rest is what its text says. A dash says why a rule is not the gateway’s. Sections that only explain are left out. A test is named by a part of
its full title.`;
  return `# The gateway: rules and their tests\n\n${intro}\n\n${documents.map((document) => `## ${document.title}\n\n${sections(document)}`).join('\n\n')}\n`;
}
