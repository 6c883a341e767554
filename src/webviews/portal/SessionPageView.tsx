/** The page of a session, with what the portal can do to it. */
import { useState } from 'preact/hooks';
import { jobStatusText } from '../../views/portal/jobSteps.ts';
import { pagePaths, sessionQuery } from '../../views/portal/pageWire.ts';
import { type SessionSummary, type TaskSummary, taskStatus } from '../../views/portal/sessionData.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { Decision } from '../jobs/StepList.tsx';
import { PageView } from './PageView.tsx';
import { type Act, read } from './portalApi.ts';
import type { SessionPlace } from './portalView.ts';
import { usePolled } from './usePolled.ts';

const REFRESH_MS = 1000;
const MAX_DECISIONS = 100;

interface SessionPageViewProps {
  place: SessionPlace;
  /** Absent: the portal does not run it, or not any more. */
  live: SessionSummary | undefined;
  tasks: readonly TaskSummary[];
  /** How many things wait for the user. */
  waiting: number;
  /** Why the last thing was not done. */
  problem: string;
  act: Act;
}

/** Must get the session as its key. */
export function SessionPageView({ place: { session, title, atCard }, live, tasks, waiting, problem, act }: SessionPageViewProps) {
  const query = `${sessionQuery(session)}${atCard ? '&card=1' : ''}`;
  return (
    <PageView title={oneLine(title) || 'Session'} src={`${pagePaths.session}?${query}`} waiting={waiting}>
      {live ? (
        <>
          <button type="button" class="stop" onClick={() => act(`copilot/session/${live.sessionId}/stop`)}>
            Stop the session
          </button>
          {tasks.length > 0 && <Tasks {...{ live, tasks, act }} />}
        </>
      ) : (
        <span class="hint">The portal does not run this session, or not any more. Its agent host keeps it.</span>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </PageView>
  );
}

function Tasks({ live, tasks, act }: Pick<SessionPageViewProps, 'tasks' | 'act'> & { live: SessionSummary }) {
  const [input, setInput] = useState('');
  const [taskId, setTaskId] = useState<string>();
  const { value: task, problem } = usePolled(taskId, (signal) => read(`copilot/task/${taskId}/status`, taskStatus, signal), REFRESH_MS);
  return (
    <details class="page-tasks">
      <summary>Run a task in it</summary>
      <div class="page-tasks-body">
        {tasks.some(({ requireUserInput }) => requireUserInput) && (
          <label>
            Input of the task
            <textarea rows={2} value={input} onInput={({ currentTarget }) => setInput(currentTarget.value)} />
          </label>
        )}
        <p class="row">
          {tasks.map(({ name }) => (
            <button
              key={name}
              type="button"
              onClick={() =>
                act(`copilot/task/start/${encodeURIComponent(name)}/session/${live.sessionId}`, input, ({ taskId: id }) =>
                  setTaskId(String(id)),
                )
              }
            >
              Run {oneLine(name)}
            </button>
          ))}
        </p>
        {taskId !== undefined && problem && <p class="problem">{problem}</p>}
        {task && (
          <section aria-label="Task">
            <h2>
              {oneLine(task.taskName)}: {jobStatusText(task)}
            </h2>
            <ol class="decisions">
              {task.decisions.slice(-MAX_DECISIONS).map(({ reason }, at) => (
                <li key={at}>
                  <Decision reason={reason} />
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </details>
  );
}
