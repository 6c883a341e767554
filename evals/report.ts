/** The report of a run, as JSON and as Markdown, and what is best changed after it. */
import type { Finding, Transcript } from './judge.ts';

export interface CaseResult {
  name: string;
  about: string;
  passed: boolean;
  findings: Finding[];
  /** Not of examples, of which there are several. */
  transcript?: Transcript;
  /** Why there is no conversation. */
  problem?: string;
}
export interface Report {
  at: string;
  /** Or “scripted”. */
  model: string;
  cases: CaseResult[];
}
export interface Change {
  what: string;
  cases: string[];
  /** Of these cases. */
  findings: string[];
}

export function markdownOf({ at, model, cases }: Report): string {
  const rows = cases.map(({ name, passed, about }) => `| ${name} | ${passed ? 'passed' : 'failed'} | ${cell(about)} |`);
  const failed = cases.filter(({ passed }) => !passed);
  return [
    `# Evals of ${model}`,
    `${at}: ${cases.length - failed.length} of ${cases.length} passed.`,
    ['| case | result | about |', '| --- | --- | --- |', ...rows].join('\n'),
    ...failed.map(detailsOf),
    '',
  ].join('\n\n');
}

function detailsOf({ name, findings, transcript, problem }: CaseResult): string {
  const calls = transcript?.calls.map(
    ({ tool, args, failed }) => `- ${tool} \`${JSON.stringify(args).slice(0, 300)}\`${failed ? ' failed' : ''}`,
  );
  return [
    `## ${name}`,
    [...(problem === undefined ? [] : [`- ${problem}`]), ...findings.map(({ kind, text }) => `- ${kind}: ${text}`)].join('\n'),
    ...(calls?.length ? [`Calls:\n\n${calls.join('\n')}`] : []),
    ...(transcript ? [`Answer:\n\n${transcript.answer.slice(0, 2000).replace(/^/gm, '> ')}`] : []),
  ].join('\n\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** What would mend the most cases comes first: the words of a tool, for what goes wrong with it, else those around all tools. */
export function changesAfter({ cases }: Report): Change[] {
  const changes = new Map<string, Change>();
  const add = (what: string, { name }: CaseResult, finding: string) => {
    const change = changes.get(what) ?? { what, cases: [], findings: [] };
    if (!change.cases.includes(name)) change.cases.push(name);
    change.findings.push(`${name}: ${finding}`);
    changes.set(what, change);
  };
  for (const result of cases) {
    for (const { kind, tool, text } of result.findings) {
      if (tool !== undefined) add(`description of ${tool}`, result, text);
      else add(kind === 'prohibited' || kind === 'rubric' ? 'what models are told about claims' : 'prompt of the case', result, text);
    }
    // A model that gets it right at the second try has needed a call more, also where the case has passed.
    for (const { tool, failed, result: why } of result.transcript?.calls ?? [])
      if (failed) add(`schema of ${tool}`, result, why.slice(0, 200));
  }
  return [...changes.values()].sort((a, b) => b.cases.length - a.cases.length || b.findings.length - a.findings.length);
}

export function markdownOfChanges(changes: readonly Change[], { at, model }: Report): string {
  const parts = changes.map(({ what, cases, findings }, index) =>
    [`## ${index + 1}. The ${what}`, `In ${cases.length} of the cases.`, findings.map((text) => `- ${text}`).join('\n')].join('\n\n'),
  );
  return [
    `# What to change, after the evals of ${model} at ${at}`,
    ...(parts.length ? parts : ['Nothing: all is as it should be.']),
    '',
  ].join('\n\n');
}
