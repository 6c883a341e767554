/** The steps of a trial in their order, and what each of them got. */
import * as l10n from '../../base/l10n.ts';
import { said } from '../../base/text/phrase.ts';
import type { TrialPrompt, TrialStep } from '../../views/portal/trial/trial.ts';
import { statusOf, stepStatusText } from '../../views/portal/jobSteps.ts';
import { promptTitle, scriptText } from '../../views/portal/trial/trialEnd.ts';
import { reasonTexts } from '../../views/portal/page/decisionWords.ts';
import { unaskedText } from '../../views/portal/records/unaskedText.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { StatusMark } from '../jobs/StatusMark.tsx';

/** As long as the trial gives it. */
const MAX_PROMPT = 20_000;

interface TrialStepsProps {
  steps: readonly TrialStep[];
  /** Places in the job that are conditions. */
  conditions: ReadonlySet<number>;
  /** The number of the step that is open. */
  open?: number;
  /** Undefined: closes it. */
  onOpen(number: number | undefined): void;
}

export function TrialSteps({ steps, conditions, open, onOpen }: TrialStepsProps) {
  return (
    <ol class="steps" aria-label={l10n.t('Steps of the trial')}>
      {steps.map((step) => {
        const { number, workId, taskName, round, beside, waits } = step;
        const status = statusOf(step, conditions.has(workId));
        const isOpen = number === open;
        const about = [
          stepStatusText(status),
          round > 1 && l10n.t`round ${round}`,
          beside.length > 0 && l10n.t`side by side with ${beside.join(', ')}`,
          waits.length > 0 && l10n.t('may wait for you'),
        ];
        return (
          <li key={number}>
            <button type="button" class="step-head" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : number)}>
              <StatusMark status={status} />
              <span class="step-number">{number}</span> <span class="name">{oneLine(taskName) || l10n.t('Task without a name')}</span>{' '}
              <span class="hint">{about.filter(Boolean).join(' · ')}</span>
            </button>
            {isOpen && <StepDetails step={step} />}
          </li>
        );
      })}
    </ol>
  );
}

function StepDetails({ step }: { step: TrialStep }) {
  const { model, host, folder, withoutAsking, limits, waits, decisions, prompts } = step;
  return (
    <div class="step-details">
      <dl class="facts">
        <dt>{l10n.t('Model')}</dt>
        <dd>{oneLine(model)}</dd>
        <dt>{l10n.t({ message: 'Works', comment: 'in a folder' })}</dt>
        <dd>
          {host === undefined ? l10n.t`in ${shownText(folder)}` : l10n.t`at the agent host ${oneLine(host)}, in ${shownText(folder)}`}
        </dd>
        <dt>{l10n.t('Without asking')}</dt>
        <dd>{withoutAsking === undefined ? l10n.t('nothing') : (unaskedText(withoutAsking) ?? shownText(withoutAsking))}</dd>
        <dt>{l10n.t('Limits')}</dt>
        <dd>{said(limits)}</dd>
        {waits.length > 0 && (
          <>
            <dt>{l10n.t('Waits for you')}</dt>
            {waits.map((words, at) => (
              <dd key={at}>{said(words)}</dd>
            ))}
          </>
        )}
      </dl>
      <Decisions decisions={decisions} />
      {prompts.map((prompt, at) => (
        <Prompt key={at} prompt={prompt} />
      ))}
    </div>
  );
}

function Prompt({ prompt }: { prompt: TrialPrompt }) {
  return (
    <section>
      <h3>{oneLine(promptTitle(prompt))}</h3>
      <pre class="prompt" tabIndex={0} aria-label={l10n.t('The prompt')}>
        {shownText(prompt.text, MAX_PROMPT)}
        {prompt.isCut && ' …'}
      </pre>
      <p>{shownText(scriptText(prompt))}</p>
      <Decisions decisions={prompt.decisions} />
    </section>
  );
}

function Decisions({ decisions }: { decisions: readonly string[] }) {
  if (decisions.length === 0) return null;
  return (
    <ol class="decisions" aria-label={l10n.t('Decisions')}>
      {reasonTexts(decisions).map((decision, at) => (
        <li key={at}>{decision}</li>
      ))}
    </ol>
  );
}
