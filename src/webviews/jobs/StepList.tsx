/** All steps of a job in order, with what was decided in the one that is open. Says in words what the chart draws. */
import * as l10n from '../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { decisionLines } from '../../views/portal/page/decisionWords.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { elapsedOf, runStatusText, type StepView } from '../../views/portal/jobSteps.ts';
import type { RunStatus } from '../../views/portal/answers/runAnswers.ts';
import { usedText } from '../../views/portal/usedText.ts';
import type { StepRun } from '../../views/portal/jobData.ts';
import { byText } from '../../views/portal/records/byText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { clockText, spanText } from '../../views/text/time/clockText.ts';
import { useKeptFocus } from '../focus/useKeptFocus.ts';
import type { JobActions } from './actions/jobActions.ts';
import { StepActions } from './actions/StepActions.tsx';
import { Decision } from './Decision.tsx';
import { StatusMark } from './StatusMark.tsx';

/** Of one step. The newest are shown. */
const MAX_RUNS = 20;
const MAX_DECISIONS = 100;
const MAX_NAME = 300;

interface StepListProps {
  steps: readonly StepView[];
  /** Id of the node of the step that is open. */
  selected?: number;
  now: number;
  /** Undefined: closes it. */
  onSelect(nodeId: number | undefined): void;
  /** Absent where sessions cannot be shown. */
  onSession?(sessionId: string, host?: string): void;
  /** What answers what waits in sessions. Absent where nothing is answered. */
  answers?(sessionIds: readonly string[]): ComponentChildren;
  /** Absent for a job that has not started. */
  actions?: JobActions & { jobStatus: RunStatus };
}

export function StepList({ steps, selected, now, onSelect, onSession, answers, actions }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  useKeptFocus(list, '[aria-expanded=true]');
  return (
    <ol class="steps" aria-label={l10n.t('Steps')} ref={list}>
      {steps.map((step, at) => {
        const { nodeId, name, host, isCondition, status, statusText, elapsed, runs } = step;
        const isOpen = nodeId === selected;
        return (
          <li key={nodeId}>
            <button type="button" class="step-head" aria-expanded={isOpen} onClick={() => onSelect(isOpen ? undefined : nodeId)}>
              <StatusMark status={status} />
              <span class="step-number">{at + 1}</span> <span class="name">{name}</span>{' '}
              <span class="hint">
                {isCondition && `${l10n.t('condition')} · `}
                {host !== undefined && `${l10n.t`at ${host}`} · `}
                {statusText}
                {elapsed && ' · '}
                {elapsed && <span class="unbroken">{elapsed}</span>}
                {step.denied !== undefined && ` · ${step.denied}`}
                {step.stalled !== undefined && ` · ${step.stalled}`}
                {runs.length > 1 && ` · ${l10n.t`${l10n.countText(runs.length)} runs`}`}
                {startOf(step) !== undefined && ' · '}
                {startOf(step) !== undefined && <span class="unbroken">{clockText(startOf(step) ?? 0, now)}</span>}
              </span>
            </button>
            {isOpen && <StepDetails {...{ step, steps, now, onSession, answers, actions }} onUse={() => onSelect(nodeId)} />}
          </li>
        );
      })}
    </ol>
  );
}

/** Its last run that counts. */
function lastOf({ runs }: StepView): StepRun | undefined {
  return runs.findLast(({ redone }) => !redone);
}

/** When its last run began. */
function startOf(step: StepView): number | undefined {
  return lastOf(step)?.startedAt;
}

interface StepDetailsProps extends Pick<StepListProps, 'steps' | 'now' | 'onSession' | 'answers' | 'actions'> {
  step: StepView;
  /** The user is about to answer or to write something here. */
  onUse(): void;
}

function StepDetails({ step, steps, now, onSession, answers, actions, onUse }: StepDetailsProps) {
  const { next, runs, isCondition } = step;
  const live = runs.filter(({ status }) => status === 'Executing').flatMap(({ task }) => task?.sessions ?? []);
  const hidden = Math.max(0, runs.length - MAX_RUNS);
  const last = lastOf(step);
  return (
    <div class="step-details">
      <p class="hint">{l10n.t`Next: ${next}`}</p>
      {answers && <div onFocusCapture={onUse}>{answers(live.map(({ sessionId }) => sessionId))}</div>}
      {actions && last && (
        <StepActions
          key={`${last.step} ${last.startedAt}`}
          {...{ actions, onUse, jobStatus: actions.jobStatus, run: last, name: step.name, status: step.status }}
          steps={steps.flatMap((one, at) => {
            const run = lastOf(one);
            return run ? [{ step: run.step, title: `${at + 1} · ${one.name}` }] : [];
          })}
        />
      )}
      {hidden > 0 && (
        <p class="hint">
          {l10n.plural(
            hidden,
            l10n.t`${l10n.countText(hidden)} earlier run is not shown.`,
            l10n.t`${l10n.countText(hidden)} earlier runs are not shown.`,
          )}
        </p>
      )}
      {runs.slice(hidden).map((run, at) => (
        <Run
          key={`${run.step} ${run.startedAt}`}
          {...{ run, isCondition, now, onSession }}
          place={runs.length > 1 ? { number: hidden + at + 1, of: runs.length } : undefined}
        />
      ))}
    </div>
  );
}

interface RunProps extends Pick<StepListProps, 'now' | 'onSession'> {
  run: StepRun;
  isCondition: boolean;
  place: RunPlace | undefined;
}

/** Which of the runs of its step it is. Undefined: the only one. */
interface RunPlace {
  number: number;
  of: number;
}

function Run({ run, isCondition, place, now, onSession }: RunProps) {
  const { status, startedAt, endedAt, crashError, skipped, redone, task } = run;
  const decisions = task?.decisions ?? [];
  const used = usedText(task?.used);
  const hidden = Math.max(0, decisions.length - MAX_DECISIONS);
  const shown = decisions.slice(hidden);
  return (
    <section class="run">
      {place && (
        <h3>
          {l10n.t`Run ${place.number} of ${place.of}: ${runStatusText(run, isCondition)}`} · {elapsedOf(run, now)} ·{' '}
          {spanText(startedAt, endedAt, now)}
          {redone && ` · ${l10n.t('done again since')}`}
        </h3>
      )}
      {crashError !== undefined && <p class="problem">{l10n.t`It crashed: ${shownText(crashError)}`}</p>}
      {skipped && <p>{l10n.t`${clockText(skipped.at, now)} Skipped by ${byText(skipped.by, MAX_NAME)}: it counts as done.`}</p>}
      {hidden > 0 && (
        <p class="hint">
          {l10n.plural(
            hidden,
            l10n.t`${l10n.countText(hidden)} earlier decision is not shown.`,
            l10n.t`${l10n.countText(hidden)} earlier decisions are not shown.`,
          )}
        </p>
      )}
      {decisions.length === 0 && (
        <p class="hint">{status === 'Executing' ? l10n.t('Nothing was decided yet.') : l10n.t('Nothing was decided.')}</p>
      )}
      <ol class="decisions" aria-label={place ? l10n.t`Decisions of run ${place.number} of ${place.of}` : l10n.t('Decisions')}>
        {decisionLines(shown).map((words, index) => (
          <li key={index}>
            <Decision {...words} startedAt={startedAt} />
          </li>
        ))}
      </ol>
      {decisions.length > 0 && <Record {...{ decisions: shown, place }} />}
      {task && (
        <p class="row">
          <span class="hint">
            {whereText(task)}
            {used !== undefined && ` · ${used}`}
          </span>
          {onSession &&
            task.sessions.map(({ sessionId }, at) => (
              <button key={sessionId} type="button" onClick={() => onSession(sessionId, task.host)}>
                {task.sessions.length > 1 ? l10n.t`Show the session ${at + 1}` : l10n.t('Show the session')}
              </button>
            ))}
        </p>
      )}
    </section>
  );
}

function whereText({ model, host, folder }: NonNullable<StepRun['task']>): string {
  const name = oneLine(model);
  if (host === undefined) return l10n.t`Model: ${name}`;
  return folder === undefined
    ? l10n.t`Model: ${name}, at the agent host ${oneLine(host)}`
    : l10n.t`Model: ${name}, at the agent host ${oneLine(host)}, in ${oneLine(folder)}`;
}

/** The texts of the record, which programs get. */
function Record({ decisions, place }: { decisions: readonly { at: number; reason: string }[]; place: RunPlace | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="record" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{l10n.t('As recorded')}</summary>
      {isOpen && (
        <ol aria-label={place ? l10n.t`Record of run ${place.number} of ${place.of}` : l10n.t('Record')}>
          {decisions.map(({ reason }, at) => (
            <li key={at}>{shownText(reason)}</li>
          ))}
        </ol>
      )}
    </details>
  );
}
