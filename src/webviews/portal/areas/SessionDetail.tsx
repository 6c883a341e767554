/** The page of a session, with what the portal can do to it. */
import * as l10n from '../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import { stepStatusText } from '../../../views/portal/jobSteps.ts';
import { decisionLines } from '../../../views/portal/page/decisionWords.ts';
import { type PortalView, viewHref } from '../../../views/portal/page/portalAddress.ts';
import { type SessionSummary, type TaskSummary, taskStatus } from '../../../views/portal/sessionData.ts';
import { type SessionRef, sessionKey } from '../../../views/session/sessionRef.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { Decision } from '../../jobs/Decision.tsx';
import { sendsOnEnter } from '../../jobs/sendsOnEnter.ts';
import { DetailHead } from '../frame/DetailHead.tsx';
import { PageFrame } from '../frame/PageFrame.tsx';
import { type Act, read } from '../portalApi.ts';
import { usePolled } from '../../polled/usePolled.ts';
import { sessionPage } from './sessionPageAddress.ts';

const REFRESH_MS = 1000;
const MAX_DECISIONS = 100;

interface SessionDetailProps {
  session: SessionRef;
  /** At the first thing that waits in it. */
  atCard: boolean;
  title: string;
  /** Absent: the portal does not run it, or not any more. */
  live: SessionSummary | undefined;
  tasks: readonly TaskSummary[];
  back: { view: PortalView; name: string };
  act: Act;
}

/** Must get the session as its key. */
export function SessionDetail({ session, atCard, title, live, tasks, back, act }: SessionDetailProps) {
  const { jobId, jobName } = live?.use ?? {};
  return (
    <>
      <DetailHead {...{ title, back }} focusKey={sessionKey(session)} pageHasTitle>
        {live ? (
          <>
            {jobId !== undefined && <a href={viewHref({ kind: 'run', jobId })}>{l10n.t`Run: ${oneLine(jobName) || l10n.t('job')}`}</a>}
            {tasks.length > 0 && <Tasks {...{ live, tasks, act }} />}
            <button type="button" class="stop" onClick={() => act(`copilot/session/${live.sessionId}/stop`)}>
              {l10n.t('Stop the session')}
            </button>
          </>
        ) : (
          <span class="hint">{l10n.t('The portal does not run this session, or not any more. Its agent host keeps it.')}</span>
        )}
      </DetailHead>
      <PageFrame {...{ title }} src={sessionPage(session, atCard)} />
    </>
  );
}

function Tasks({ live, tasks, act }: Pick<SessionDetailProps, 'tasks' | 'act'> & { live: SessionSummary }) {
  const [input, setInput] = useState('');
  const [taskId, setTaskId] = useState<string>();
  const { value: task, problem } = usePolled(taskId, (signal) => read(`copilot/task/${taskId}/status`, taskStatus, signal), REFRESH_MS);
  const start = (name: string) =>
    act(`copilot/task/start/${encodeURIComponent(name)}/session/${live.sessionId}`, input, ({ taskId: id }) => setTaskId(String(id)));
  const [only] = tasks.length === 1 ? tasks : [];
  return (
    <details class="page-tasks">
      <summary>{l10n.t('Run a task in it')}</summary>
      <div class="page-tasks-body">
        {tasks.some(({ requireUserInput }) => requireUserInput) && (
          <label>
            {l10n.t('Input of the task')}
            <textarea
              rows={2}
              value={input}
              onInput={({ currentTarget }) => setInput(currentTarget.value)}
              onKeyDown={(event) => only && sendsOnEnter(event, () => start(only.name))}
            />
          </label>
        )}
        <p class="row">
          {tasks.map(({ name }) => (
            <button key={name} type="button" onClick={() => start(name)}>
              {l10n.t`Run ${oneLine(name)}`}
            </button>
          ))}
        </p>
        {taskId !== undefined && problem && <p class="problem">{problem}</p>}
        {task && (
          <section aria-label={l10n.t('Task')}>
            <h3>{l10n.t`${oneLine(task.taskName)}: ${stepStatusText(task.status)}`}</h3>
            <ol class="decisions">
              {decisionLines(task.decisions.slice(-MAX_DECISIONS)).map((words, at) => (
                <li key={at}>
                  <Decision {...words} startedAt={task.startedAt} />
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </details>
  );
}
