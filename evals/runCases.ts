/** Runs cases: by a model, or each example of a case by the script, which shows that its rules tell good from bad. */
import { messageOf } from '../src/base/errors.ts';
import type { EvalGateway } from './conversation.ts';
import type { EvalCase } from './evalCase.ts';
import { type Finding, judge, type Transcript } from './judge.ts';
import { type Model, scriptedModel } from './models.ts';
import type { CaseResult } from './report.ts';

export async function runByModel(gateway: EvalGateway, one: EvalCase, model: Model): Promise<CaseResult> {
  const { name, about } = one;
  try {
    const transcript = await gateway.converse(one, model);
    const findings = [...judge(one, transcript), ...(await byRubric(one, transcript, model))];
    return { name, about, passed: findings.length === 0, findings, transcript };
  } catch (error) {
    return { name, about, passed: false, findings: [], problem: messageOf(error) };
  }
}

/** A case passes when its rules find nothing in the examples that pass, and in each that fails what that says. */
export async function runExamples(gateway: EvalGateway, one: EvalCase): Promise<CaseResult> {
  const { name, about, examples } = one;
  const findings: Finding[] = [];
  for (const example of examples.pass) findings.push(...judge(one, await gateway.converse(one, scriptedModel(example))));
  for (const { because, ...example } of examples.fail) {
    const found = judge(one, await gateway.converse(one, scriptedModel(example)));
    if (!found.some(({ kind }) => kind === because))
      findings.push({ kind: because, text: `nothing of this kind was found in the example “${example.answer.slice(0, 100)}”` });
  }
  return { name, about, passed: findings.length === 0, findings };
}

/** Asks the model itself, which is told nothing of the other rules. */
async function byRubric({ prompt, rubric }: EvalCase, { calls, answer }: Transcript, model: Model): Promise<Finding[]> {
  if (rubric === undefined) return [];
  const question = [
    'Judge the answer of an agent. Begin with YES if it is as it should be, else with NO, and give the reason in one sentence.',
    `It should be so: ${rubric}`,
    `The user has asked: ${prompt}`,
    `The agent has called: ${JSON.stringify(calls).slice(0, 20_000)}`,
    `Its answer: ${answer}`,
  ].join('\n\n');
  const { text } = await model([{ role: 'user', content: question }], []);
  return /^\W*yes\b/i.test(text) ? [] : [{ kind: 'rubric', text: text.slice(0, 500) }];
}
