/** Asks from where the job goes on, and with what input and prompt of the step. Takes the focus. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { StepInput, StepRun } from '../../../views/portal/jobData.ts';
import type { JobActions, StepRetry } from './jobActions.ts';

/** A step from which the job can go on. */
export interface RetryStep {
  step: string;
  /** “2 · review” */
  title: string;
}

interface RetryFormProps extends Pick<JobActions, 'inputOf'> {
  run: StepRun;
  name: string;
  steps: readonly RetryStep[];
  onRetry(retry: StepRetry): void;
  onCancel(): void;
}

export function RetryForm({ run, name, steps, inputOf, onRetry, onCancel }: RetryFormProps) {
  const [from, setFrom] = useState(run.step);
  const [before, setBefore] = useState<StepInput>();
  const [input, setInput] = useState('');
  const [prompt, setPrompt] = useState('');
  const [problem, setProblem] = useState('');
  const first = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  useEffect(() => {
    let isGone = false;
    inputOf(run.workId).then(
      (given) => {
        if (isGone) return;
        setBefore(given);
        setInput(given.userInput);
        setPrompt(given.prompt);
      },
      (error: unknown) => isGone || setProblem(messageOf(error)),
    );
    return () => void (isGone = true);
  }, [run.workId]);
  const edit = {
    ...(before && input !== before.userInput && { userInput: input }),
    ...(before && prompt !== before.prompt && { prompt }),
  };
  return (
    <form
      class="step-form"
      aria-label={l10n.t`Retry from ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        onRetry({ from, ...(Object.keys(edit).length > 0 && { edit: { step: run.step, ...edit } }) });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <label>
        {l10n.t('Go on from')}
        <select ref={first} value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
          {steps.map(({ step, title }) => (
            <option key={step} value={step}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">{l10n.t('That step runs again, and all that began after it had ended. What they did before stays in the record.')}</p>
      {before && usesInput(before) && (
        <label>
          {l10n.t`Input of “${name}”`}
          <textarea rows={2} required value={input} onInput={({ currentTarget }) => setInput(currentTarget.value)} />
        </label>
      )}
      {before && (
        <label>
          {l10n.t`Prompt of “${name}”`}
          <textarea rows={6} required value={prompt} onInput={({ currentTarget }) => setPrompt(currentTarget.value)} />
        </label>
      )}
      <div role="alert">{problem && <p class="problem">{l10n.t`${problem} It runs with what it had.`}</p>}</div>
      <p class="row">
        <button type="submit" class="main-button" disabled={!before && !problem}>
          {l10n.t('Retry')}
        </button>
        <button type="button" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </p>
    </form>
  );
}

function usesInput({ prompt, userInput }: StepInput): boolean {
  return userInput !== '' || prompt.includes('$user-input');
}
