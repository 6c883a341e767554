/** What is to happen in a trial: the outcome of each task, and the input. Each choice is tried at once. */
import * as l10n from '../../base/l10n.ts';
import { said } from '../../base/text/phrase.ts';
import type { TrialOutcome, TrialScript, TrialTask, TrialTimes } from '../../views/portal/trial/trial.ts';
import { oneLine } from '../../views/text/oneLine.ts';

const MAX_TIMES = 1_000_000;

interface OutcomesProps {
  tasks: readonly TrialTask[];
  script: TrialScript;
  /** The job asks for input. */
  hasInput: boolean;
  /** How often a loop may go round. Absent: the job has none. */
  loopCap?: number;
  onChange(script: TrialScript): void;
}

export function Outcomes({ tasks, script, hasInput, loopCap, onChange }: OutcomesProps) {
  const change = (name: string, outcome: TrialOutcome) => onChange({ ...script, outcomes: { ...script.outcomes, [name]: outcome } });
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes">{l10n.t('Outcomes')}</h2>
      {hasInput && (
        <label>
          {l10n.t('Input')}
          <textarea
            rows={2}
            value={script.userInput ?? ''}
            placeholder={l10n.t('What is typed at the start')}
            onChange={({ currentTarget: { value } }) => {
              const { userInput: _before, ...rest } = script;
              onChange(value === '' ? rest : { ...rest, userInput: value });
            }}
          />
        </label>
      )}
      {loopCap !== undefined && (
        <label>
          {l10n.t('How often a loop may go round')}
          <input
            // What is no number is the cap again.
            key={loopCap}
            type="number"
            class="times"
            min={1}
            max={MAX_TIMES}
            value={loopCap}
            onChange={({ currentTarget }) => {
              const { valueAsNumber } = currentTarget;
              const { loopCap: _before, ...rest } = script;
              if (currentTarget.value === '' && !currentTarget.validity.badInput) onChange(rest);
              else if (Number.isInteger(valueAsNumber)) onChange({ ...rest, loopCap: Math.min(MAX_TIMES, Math.max(1, valueAsNumber)) });
              else currentTarget.value = String(loopCap);
            }}
          />
        </label>
      )}
      <div class="outcomes">
        {tasks.map((task) => (
          <Outcome
            key={task.name}
            task={task}
            outcome={(Object.hasOwn(script.outcomes, task.name) && script.outcomes[task.name]) || {}}
            onChange={(outcome) => change(task.name, outcome)}
          />
        ))}
      </div>
    </section>
  );
}

interface OutcomeProps {
  task: TrialTask;
  outcome: TrialOutcome;
  onChange(outcome: TrialOutcome): void;
}

function Outcome({ task, outcome, onChange }: OutcomeProps) {
  const { fails, unavailable } = outcome;
  const isCounted = typeof fails === 'number' && fails > 0;
  const choose = (given: TrialTimes) => onChange({ ...outcome, fails: given });
  const name = oneLine(task.name) || l10n.t('Task without a name');
  return (
    <fieldset class="outcome">
      <legend class="name">{name}</legend>
      <div class="row">
        <Choice isChosen={fails !== 'always' && !isCounted} onChoose={() => choose(0)}>
          {l10n.t('Succeeds')}
        </Choice>
        <Choice isChosen={fails === 'always'} title={l10n.t`Fails: ${said(task.failure)}`} onChoose={() => choose('always')}>
          {l10n.t('Fails')}
        </Choice>
        <Choice isChosen={isCounted} title={l10n.t`Its first rounds fail: ${said(task.failure)}`} onChoose={() => choose(1)}>
          {l10n.t('Fails First')}
        </Choice>
        {isCounted && (
          <input
            type="number"
            class="times"
            min={1}
            max={MAX_TIMES}
            value={fails}
            aria-label={l10n.t`Rounds of ${name} that fail`}
            onChange={({ currentTarget: { valueAsNumber } }) =>
              choose(Number.isInteger(valueAsNumber) ? Math.min(MAX_TIMES, Math.max(1, valueAsNumber)) : 1)
            }
          />
        )}
        {task.hasCondition && (
          <Choice
            isChosen={unavailable === 'always'}
            onChoose={() => onChange({ ...outcome, unavailable: unavailable === 'always' ? 0 : 'always' })}
          >
            {l10n.t('Not Available')}
          </Choice>
        )}
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  title?: string;
  children: string;
  onChoose(): void;
}

function Choice({ isChosen, title, children, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      class={isChosen ? 'main-button' : ''}
      aria-pressed={isChosen}
      {...(title !== undefined && { title })}
      onClick={onChoose}
    >
      {children}
    </button>
  );
}
