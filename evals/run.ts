/**
 * `npm run evals -- [case…]`: cases with the model that EVALS_BASE_URL, EVALS_MODEL and EVALS_API_KEY name; with `--scripted` their examples, without
 * a model. `npm run evals -- optimize` ranks what the last report says to change. `--out FOLDER`: where reports are, by default artifacts/evals.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EvalGateway } from './conversation.ts';
import { readCases } from './evalCase.ts';
import { chatModel } from './models.ts';
import { changesAfter, markdownOf, markdownOfChanges, type Report } from './report.ts';
import { runByModel, runExamples } from './runCases.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { scripted: { type: 'boolean' }, out: { type: 'string' } } });
const out = values.out ?? join(import.meta.dirname, '../artifacts/evals');
const reportFile = join(out, 'report.json');

function write(name: string, value: unknown, markdown: string): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(value, undefined, 2)}\n`);
  writeFileSync(join(out, `${name}.md`), markdown);
  console.log(markdown);
}

function optimize(): void {
  if (!existsSync(reportFile)) throw new Error(`There is no ${reportFile}: run the evals first.`);
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  const changes = changesAfter(report);
  write('changes', changes, markdownOfChanges(changes, report));
}

async function run(): Promise<boolean> {
  const cases = readCases(join(import.meta.dirname, 'cases'), positionals);
  const { EVALS_BASE_URL: baseUrl, EVALS_MODEL: model, EVALS_API_KEY: key } = process.env;
  const chat = !values.scripted && baseUrl && model ? chatModel({ baseUrl, model, key }) : undefined;
  if (!values.scripted && !chat) throw new Error('EVALS_BASE_URL and EVALS_MODEL name the model. Without one: --scripted.');
  const report: Report = { at: new Date().toISOString(), model: chat ? (model as string) : 'scripted', cases: [] };
  const gateway = await EvalGateway.start();
  try {
    for (const one of cases) report.cases.push(chat ? await runByModel(gateway, one, chat) : await runExamples(gateway, one));
  } finally {
    await gateway.stop();
  }
  write('report', report, markdownOf(report));
  return report.cases.every(({ passed }) => passed);
}

try {
  if (positionals[0] === 'optimize') optimize();
  else if (!(await run())) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
