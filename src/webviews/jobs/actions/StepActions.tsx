/** The buttons of a step that runs or has run, and what they open. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunStatus } from '../../../views/portal/answers/runAnswers.ts';
import type { StepRun } from '../../../views/portal/jobData.ts';
import type { StepStatus } from '../../../views/portal/jobSteps.ts';
import type { JobActions } from './jobActions.ts';
import { RetryForm, type RetryStep } from './RetryForm.tsx';
import { SteerForm } from './SteerForm.tsx';

interface StepActionsProps {
  actions: JobActions;
  jobStatus: RunStatus;
  /** The last run of the step that counts. */
  run: StepRun;
  /** For screen readers. */
  name: string;
  /** As it is shown. */
  status: StepStatus;
  /** From which the job can go on: those that have run. */
  steps: readonly RetryStep[];
  /** What is written is lost when another step is shown. */
  onUse(): void;
}

type Opened = 'steer' | 'skip' | 'retry';

/** Must get the key of the step's run as its key. */
export function StepActions({ actions, jobStatus, run, name, status, steps, onUse }: StepActionsProps) {
  const [opened, open] = useState<Opened>();
  const buttons = useRef<HTMLParagraphElement>(null);
  const last = useRef<Opened>(undefined);
  useLayoutEffect(() => {
    // The keyboard goes on where it was.
    if (!opened && last.current) buttons.current?.querySelector<HTMLButtonElement>(`[data-opens=${last.current}]`)?.focus();
    last.current = opened;
  }, [opened]);
  const close = () => open(undefined);
  const isRunning = jobStatus === 'Executing' && run.status === 'Executing';
  const hasEnded = jobStatus !== 'Executing';
  const isOpen = !['Succeeded', 'Skipped', 'AnsweredTrue', 'AnsweredFalse'].includes(status);
  const canSkip = isRunning || (hasEnded && jobStatus !== 'Succeeded' && isOpen);
  if (!isRunning && !hasEnded) return null;
  const skip = () => {
    close();
    actions.change({ kind: 'skip', step: run.step });
  };
  if (opened === 'steer' && isRunning)
    return <SteerForm name={name} onSend={(text) => actions.change({ kind: 'steer', step: run.step, text }, close)} onCancel={close} />;
  if (opened === 'retry' && hasEnded)
    return (
      <RetryForm
        {...{ run, name, steps, inputOf: actions.inputOf }}
        onRetry={(retry) => actions.change({ kind: 'retry', ...retry }, close)}
        onCancel={close}
      />
    );
  if (opened === 'skip' && canSkip) return <SkipQuestion name={name} onSkip={skip} onCancel={close} />;
  return (
    <p class="row" ref={buttons}>
      {isRunning && (
        <button
          type="button"
          data-opens="steer"
          aria-label={l10n.t`Steer ${name}…`}
          title={l10n.t('Tells its agent something now')}
          onClick={() => {
            onUse();
            open('steer');
          }}
        >
          {l10n.t('Steer…')}
        </button>
      )}
      {canSkip && (
        <button
          type="button"
          data-opens="skip"
          aria-label={isRunning ? l10n.t`Skip ${name}…` : l10n.t`Skip ${name}`}
          title={l10n.t('It counts as done, and the job goes on')}
          onClick={isRunning ? () => open('skip') : skip}
        >
          {isRunning ? l10n.t('Skip…') : l10n.t('Skip')}
        </button>
      )}
      {hasEnded && (
        <button
          type="button"
          data-opens="retry"
          aria-label={l10n.t`Retry from ${name}…`}
          title={l10n.t('It runs again, with other input or another prompt where you want')}
          onClick={() => open('retry')}
        >
          {l10n.t('Retry from…')}
        </button>
      )}
    </p>
  );
}

/** What its agent has not finished is lost. */
function SkipQuestion({ name, onSkip, onCancel }: { name: string; onSkip(): void; onCancel(): void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keep.current?.focus(), []);
  return (
    <div
      class="row"
      role="group"
      aria-label={l10n.t`Skip ${name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <span>{l10n.t('Stop this step and count it as done? What its agent has not finished is lost.')}</span>
      <button type="button" class="stop" onClick={onSkip}>
        {l10n.t('Skip')}
      </button>
      <button type="button" ref={keep} onClick={onCancel}>
        {l10n.t('Let it run')}
      </button>
    </div>
  );
}
