/** One run of a job: how it stands, its chart, its steps. Depends on nothing but what it is given. */
import * as l10n from '../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { JobStatus } from '../../views/portal/jobData.ts';
import { changesOffered } from '../../views/portal/changes/changesOffered.ts';
import { deniedText, elapsedOf, jobStatusText, shownStatus, stepOfInterest, stepViews } from '../../views/portal/jobSteps.ts';
import { runDeeds } from '../../views/portal/page/runDeeds.ts';
import { failureOf, stalledStepText } from '../../views/portal/page/runRows.ts';
import { runFolders } from '../../views/portal/page/worktreeWords.ts';
import { queueText } from '../../views/portal/records/queueText.ts';
import { usedText } from '../../views/portal/usedText.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { clockText, spanText } from '../../views/text/time/clockText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { useKeptFocus } from '../focus/useKeptFocus.ts';
import type { JobActions } from './actions/jobActions.ts';
import { JobAnnouncer } from './JobAnnouncer.tsx';
import { JobChart } from './JobChart.tsx';
import { StatusMark } from './StatusMark.tsx';
import { StepList } from './StepList.tsx';
import { WithoutAsking } from './WithoutAsking.tsx';

interface JobViewProps {
  job: JobStatus;
  now: number;
  /** Ids of the sessions that wait for the user. */
  waiting?: ReadonlySet<string>;
  /** `host`: its agent host, where that is not the portal's own. */
  onSession?(sessionId: string, host?: string): void;
  /** What answers what waits in sessions. Absent where nothing is answered. */
  answers?(sessionIds: readonly string[]): ComponentChildren;
  actions: JobActions;
  /** The step that is shown, by its place from 1. Absent: the one that matters most until the user chooses one. */
  step?: number;
  /** The user has chosen a step. Undefined: none. */
  onStep?(step: number | undefined): void;
  /** What it has brought about. */
  result?: ComponentChildren;
}

/** Must get the job's id as its key, or stand in something that has. */
export function JobView({ job, now, waiting, onSession, answers, actions, step, onStep, result }: JobViewProps) {
  /** Undefined: the user has chosen nothing, so it follows what runs. Null: the user has closed all. */
  const [chosen, choose] = useState<number | null>();
  const { status, attempt, workingDirectory, userInput, loopCap, pausing, chart, denied = 0, stalled } = job;
  const { change } = actions;
  const head = useRef<HTMLDivElement>(null);
  useKeptFocus(head, 'button');
  const used = usedText(job.used);
  const failure = failureOf(job);
  const folders = runFolders(job);
  const steps = stepViews(chart, job.steps, now, waiting);
  const given = step === undefined ? undefined : steps[step - 1];
  const selected = given ? given.nodeId : chosen === undefined ? stepOfInterest(steps, job.steps)?.nodeId : (chosen ?? undefined);
  const select = (nodeId: number | undefined) => {
    choose(nodeId ?? null);
    const at = steps.findIndex((one) => one.nodeId === nodeId);
    onStep?.(at < 0 ? undefined : at + 1);
  };
  const name = oneLine(job.jobName);
  const deeds = runDeeds(job);
  const offered = changesOffered(job);
  // One button, which keeps its place and the focus.
  const going = offered.find((kind) => kind !== 'stop');
  const shown = shownStatus(
    job,
    steps.some((one) => one.status === 'Waiting'),
  );
  return (
    <div class="job">
      <JobAnnouncer job={job} />
      <div class="row job-head" ref={head}>
        <StatusMark status={shown} />
        <strong>{jobStatusText({ status: shown, pausing })}</strong>
        <span class="hint">
          {elapsedOf(job, now)}
          {` · ${spanText(job.startedAt, job.endedAt, now)}`}
          {attempt > 1 && ` · ${l10n.t`attempt ${attempt}`}`}
        </span>
        {going && (
          <button
            type="button"
            aria-label={going === 'pause' ? l10n.t`Pause ${name}` : l10n.t`Continue ${name}`}
            title={
              going === 'pause'
                ? l10n.t('What runs goes on to its end, and nothing new is started')
                : status === 'Executing'
                  ? l10n.t('It is not to pause any more')
                  : l10n.t('Goes on from the steps that did not succeed')
            }
            onClick={({ detail }) => {
              // By the second click of a double click it may be the other button already.
              if (detail < 2) change({ kind: going });
            }}
          >
            {going === 'pause' ? l10n.t('Pause') : l10n.t({ message: 'Continue', comment: 'a run' })}
          </button>
        )}
        {offered.includes('stop') && (
          <button type="button" class="stop" aria-label={l10n.t`Stop ${name}`} onClick={() => change({ kind: 'stop' })}>
            {l10n.t('Stop')}
          </button>
        )}
      </div>
      {job.queuedFor !== undefined && <p>{l10n.t`Queued: ${queueText(job.queuedFor, 500)}`}</p>}
      {job.queue?.isLate && <p>{l10n.t('It began late: no portal ran at the time at which it was to begin.')}</p>}
      {used !== undefined && <p class="hint">{used}</p>}
      {stalled && <p class="problem">{stalledStepText(stalled, now)}</p>}
      {failure !== undefined && <p class="problem">{l10n.t`Why: ${failure}`}</p>}
      {denied > 0 && <p>{l10n.t`${deniedText(denied)}.`}</p>}
      {loopCap !== undefined && (
        <LoopCapForm key={attempt} {...{ loopCap, name }} onContinue={(cap) => change({ kind: 'continue', loopCap: cap })} />
      )}
      {result}
      <dl class="job-facts">
        <dt>{l10n.t('Folder')}</dt>
        <dd>{shownText(workingDirectory, 500)}</dd>
        {userInput.trim() !== '' && (
          <>
            <dt>{l10n.t('Input')}</dt>
            <dd>{shownText(userInput, 500)}</dd>
          </>
        )}
        {folders.length > 0 && (
          <>
            <dt>{l10n.t('Work trees')}</dt>
            <dd>
              {folders.map((line) => (
                <div key={line}>{line}</div>
              ))}
            </dd>
          </>
        )}
      </dl>
      {deeds.length > 0 && (
        <ul class="deeds" aria-label={l10n.t('What people did')}>
          {deeds.map(({ at, text }, index) => (
            <li key={index}>
              <span class="hint">{clockText(at, now)}</span> {text}
            </li>
          ))}
        </ul>
      )}
      <WithoutAsking tasks={job.withoutAsking} />
      <div class="job-parts">
        <StepList {...{ steps, selected, now, onSession, answers }} actions={{ ...actions, jobStatus: status }} onSelect={select} />
        <JobChart {...{ chart, steps, selected }} label={l10n.t`Chart of ${name}`} onSelect={select} />
      </div>
    </div>
  );
}

const MAX_LOOP_CAP = 1_000_000;

/** A job whose loop went round too often goes on only with a higher cap. */
function LoopCapForm({ loopCap, name, onContinue }: { loopCap: number; name: string; onContinue(loopCap: number): void }) {
  const [cap, setCap] = useState(String(Math.min(MAX_LOOP_CAP, 2 * loopCap)));
  return (
    <form
      class="row loop-cap"
      onSubmit={(event) => {
        event.preventDefault();
        onContinue(Number(cap));
      }}
    >
      <label>
        {l10n.t('How often a loop may go round, in all')}
        <input
          type="number"
          required
          min={Math.min(MAX_LOOP_CAP, loopCap + 1)}
          max={MAX_LOOP_CAP}
          value={cap}
          onInput={({ currentTarget }) => setCap(currentTarget.value)}
        />
      </label>
      <button type="submit" aria-label={l10n.t`Continue ${name}`}>
        {l10n.t({ message: 'Continue', comment: 'a run' })}
      </button>
    </form>
  );
}
