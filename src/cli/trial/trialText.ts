/** A trial as text for a terminal. */
import { english } from '../../base/text/phrase.ts';
import type { Trial, TrialPrompt, TrialStep } from '../../views/portal/trial/trial.ts';
import { promptTitle, scriptText, trialEnd } from '../../views/portal/trial/trialEnd.ts';
import { onOneLine, quoted } from '../visible.ts';

export function trialText(trial: Trial): string {
  const { jobName, facts, warnings, steps, notReached } = trial;
  return [
    onOneLine(`Trial of “${jobName}”. ${trialEnd(trial)}`),
    'Nothing was run, changed or kept.',
    ...facts.map((fact) => onOneLine(english(fact))),
    ...warnings.map((warning) => onOneLine(`Warning: ${english(warning)}`)),
    ...steps.flatMap((step) => ['', ...stepLines(step)]),
    ...(notReached.length === 0 ? [] : ['', onOneLine(`Not reached: ${notReached.map((name) => `“${name}”`).join(', ')}.`)]),
  ].join('\n');
}

function stepLines(step: TrialStep): string[] {
  const { number, taskName, round, beside, status, model, host, folder, withoutAsking, limits, waits, prompts, decisions } = step;
  const where = `${host === undefined ? '' : `at the agent host ${host}, `}in ${folder}`;
  const again = round > 1 ? `, round ${round}` : '';
  return [
    onOneLine(`${number}. ${taskName} (${step.step})${again}: ${status}`),
    ...[
      ...(beside.length === 0 ? [] : [`Side by side with: ${beside.join(', ')}`]),
      `Model: ${model}, ${where}`,
      `Without asking: ${withoutAsking === undefined ? 'nothing' : withoutAsking.replace(/, without asking$/, '')}`,
      `Limits: ${english(limits)}`,
      ...waits.map((words) => `Waits: ${english(words)}`),
    ].map((line) => `  ${onOneLine(line)}`),
    ...decisionLines(decisions),
    ...prompts.flatMap(promptLines),
  ];
}

function promptLines(prompt: TrialPrompt): string[] {
  return [
    `  ${onOneLine(promptTitle(prompt))}`,
    quoted(prompt.text).replace(/^/gm, '  '),
    ...(prompt.isCut ? ['    … and more'] : []),
    `  ${onOneLine(scriptText(prompt))}`,
    ...decisionLines(prompt.decisions),
  ];
}

function decisionLines(decisions: readonly string[]): string[] {
  return decisions.map((decision) => `  ${onOneLine(decision)}`);
}
