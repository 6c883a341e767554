/** All steps of a job in order, with what was decided in the one that is open. Says in words what the chart draws. */
import type { ComponentChildren } from 'preact';
import { shownText } from '../../views/portal/shownText.ts';
import { elapsedOf, runStatusText, type StepView } from '../../views/portal/jobSteps.ts';
import type { StepRun } from '../../views/portal/jobData.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { StatusMark } from './StatusMark.tsx';

/** Of one step. The newest are shown. */
const MAX_RUNS = 20;
const MAX_DECISIONS = 100;

interface StepListProps {
  steps: readonly StepView[];
  /** Id of the node of the step that is open. */
  selected?: number;
  now: number;
  /** Undefined: closes it. */
  onSelect(nodeId: number | undefined): void;
  /** Absent where sessions cannot be shown. */
  onSession?(sessionId: string, title: string, host?: string): void;
  /** What answers what waits in sessions. Absent where nothing is answered. */
  answers?(sessionIds: readonly string[]): ComponentChildren;
}

export function StepList({ steps, selected, now, onSelect, onSession, answers }: StepListProps) {
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map((step) => {
        const { nodeId, name, host, isCondition, status, statusText, elapsed, runs } = step;
        const isOpen = nodeId === selected;
        return (
          <li key={nodeId}>
            <button type="button" class="step-head" aria-expanded={isOpen} onClick={() => onSelect(isOpen ? undefined : nodeId)}>
              <StatusMark status={status} />
              <span class="name">{name}</span>{' '}
              <span class="hint">
                {isCondition && 'condition · '}
                {host !== undefined && `at ${host} · `}
                {statusText}
                {elapsed && ` · ${elapsed}`}
                {runs.length > 1 && ` · ${runs.length} runs`}
              </span>
            </button>
            {isOpen && <StepDetails {...{ step, now, onSession, answers }} onUse={() => onSelect(nodeId)} />}
          </li>
        );
      })}
    </ol>
  );
}

interface StepDetailsProps extends Pick<StepListProps, 'now' | 'onSession' | 'answers'> {
  step: StepView;
  /** The user is about to answer something here. */
  onUse(): void;
}

function StepDetails({ step, now, onSession, answers, onUse }: StepDetailsProps) {
  const { next, runs, isCondition } = step;
  const live = runs.filter(({ status }) => status === 'Executing').flatMap(({ task }) => task?.sessions ?? []);
  const hidden = Math.max(0, runs.length - MAX_RUNS);
  return (
    <div class="step-details">
      <p class="hint">Next: {next.replace(/^then /, '')}</p>
      {answers && <div onFocusCapture={onUse}>{answers(live.map(({ sessionId }) => sessionId))}</div>}
      {hidden > 0 && <p class="hint">{hidden} earlier runs are not shown.</p>}
      {runs.slice(hidden).map((run, at) => (
        <Run
          key={`${run.step} ${run.startedAt}`}
          {...{ run, isCondition, now, onSession }}
          title={runs.length > 1 ? `Run ${hidden + at + 1} of ${runs.length}` : undefined}
        />
      ))}
    </div>
  );
}

interface RunProps extends Pick<StepListProps, 'now' | 'onSession'> {
  run: StepRun;
  isCondition: boolean;
  title?: string;
}

function Run({ run, isCondition, title, now, onSession }: RunProps) {
  const { status, startedAt, crashError, redone, task, taskName } = run;
  const decisions = task?.decisions ?? [];
  const hidden = Math.max(0, decisions.length - MAX_DECISIONS);
  return (
    <section class="run">
      {title && (
        <h3>
          {title}: {runStatusText(run, isCondition)} · {elapsedOf(run, now)}
          {redone && ' · done again since'}
        </h3>
      )}
      {crashError !== undefined && <p class="problem">It crashed: {shownText(crashError)}</p>}
      {hidden > 0 && <p class="hint">{hidden} earlier decisions are not shown.</p>}
      {decisions.length === 0 && <p class="hint">{status === 'Executing' ? 'Nothing was decided yet.' : 'Nothing was decided.'}</p>}
      <ol class="decisions" aria-label={`Decisions${title ? ` of ${title.toLowerCase()}` : ''}`}>
        {decisions.slice(hidden).map(({ at, reason }, index) => (
          <li key={index}>
            <span class="hint">after {elapsedOf({ startedAt, endedAt: at }, now)}</span>
            <Decision reason={reason} />
          </li>
        ))}
      </ol>
      {task && (
        <p class="row">
          <span class="hint">
            Model: {oneLine(task.model)}
            {task.host !== undefined && `, at the agent host ${oneLine(task.host)}`}
            {task.host !== undefined && task.folder !== undefined && `, in ${oneLine(task.folder)}`}
          </span>
          {onSession &&
            task.sessions.map(({ sessionId }, at) => {
              const name = `session${task.sessions.length > 1 ? ` ${at + 1}` : ''}`;
              return (
                <button
                  key={sessionId}
                  type="button"
                  onClick={() => onSession(sessionId, `${oneLine(taskName)}, ${title ? `${title.toLowerCase()}, ` : ''}${name}`, task.host)}
                >
                  Show the {name}
                </button>
              );
            })}
        </p>
      )}
    </section>
  );
}

/** Its kind (`[CRITERIA]`) stands out. */
export function Decision({ reason }: { reason: string }) {
  const [, kind, text = ''] = /^\[([A-Z ]{1,40})\]\s*([^]*)$/.exec(reason) ?? [undefined, undefined, reason];
  return (
    <span class="decision">
      {kind !== undefined && <strong>[{kind}]</strong>} {shownText(text)}
    </span>
  );
}
