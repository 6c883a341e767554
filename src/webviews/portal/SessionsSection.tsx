/** The sessions of the portal: start one, talk to it, run tasks in it, and read along. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ModelSummary, type SessionSummary, type TaskSummary, taskStatus } from '../../views/portal/sessionData.ts';
import { jobStatusText } from '../../views/portal/jobSteps.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { Decision } from '../jobs/StepList.tsx';
import { type Act, read } from './portalApi.ts';
import { Transcript } from './Transcript.tsx';
import { usePolled } from './usePolled.ts';

const REFRESH_MS = 1000;

export interface ShownSession {
  sessionId: string;
  title: string;
}

interface SessionsSectionProps {
  sessions: readonly SessionSummary[];
  models: readonly ModelSummary[];
  tasks: readonly TaskSummary[];
  folder: string;
  onFolder(folder: string): void;
  shown?: ShownSession;
  /** Undefined: none. */
  onShow(session: ShownSession | undefined): void;
  /** What waits for the user in sessions. */
  answers(sessionIds: readonly string[]): ComponentChildren;
  act: Act;
}

export function SessionsSection({ sessions, models, tasks, folder, onFolder, shown, onShow, answers, act }: SessionsSectionProps) {
  const [chosen, choose] = useState('');
  const model = chosen || (models[0]?.id ?? '');
  const live = sessions.find(({ sessionId }) => sessionId === shown?.sessionId);
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {sessions.length === 0 && <p class="hint">No session runs.</p>}
      <ul class="runs">
        {sessions.map(({ sessionId, host, title, isWorking, waiting }) => (
          <li key={sessionId}>
            <button
              type="button"
              class="step-head"
              aria-current={sessionId === shown?.sessionId}
              onClick={() => onShow({ sessionId, title: oneLine(title) })}
            >
              <span class="name">{oneLine(title) || 'Session without a title'}</span>{' '}
              <span class="hint">
                {host !== undefined && `at ${oneLine(host)} · `}
                {waiting > 0 ? 'Waits for you' : isWorking ? 'Works' : 'Idle'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <details>
        <summary>Start a session</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act(`copilot/session/start/${encodeURIComponent(model)}`, folder, ({ sessionId }) =>
              onShow({ sessionId: String(sessionId), title: 'Session' }),
            );
          }}
        >
          <label>
            Folder
            <input value={folder} required spellcheck={false} onInput={({ currentTarget }) => onFolder(currentTarget.value)} />
          </label>
          <label>
            Model
            <select value={model} onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {oneLine(name)}
                </option>
              ))}
            </select>
          </label>
          <p class="row">
            <button type="submit" class="main-button" disabled={!model}>
              Start the session
            </button>
            {!model && <span class="hint">The agent has no model yet: connect one in Tapline.</span>}
          </p>
        </form>
      </details>
      {shown && <Session key={shown.sessionId} {...{ shown, live, tasks, answers, act }} onClose={() => onShow(undefined)} />}
    </section>
  );
}

interface SessionProps extends Pick<SessionsSectionProps, 'tasks' | 'answers' | 'act'> {
  shown: ShownSession;
  /** Absent once it has ended. */
  live?: SessionSummary;
  onClose(): void;
}

function Session({ shown: { sessionId, title }, live, tasks, answers, act, onClose }: SessionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const [input, setInput] = useState('');
  const [said, setSaid] = useState<{ text: string }>();
  const [taskId, setTaskId] = useState<string>();
  const { value: task, problem } = usePolled(taskId, (signal) => read(`copilot/task/${taskId}/status`, taskStatus, signal), REFRESH_MS);
  return (
    <section class="session" aria-label={title}>
      <div class="row">
        <h3 ref={heading} tabIndex={-1}>
          {live ? oneLine(live.title) : title}
        </h3>
        <button type="button" aria-label="Close the transcript" onClick={onClose}>
          Close
        </button>
      </div>
      <Transcript key={sessionId} {...{ sessionId, said }} />
      {answers([sessionId])}
      {live && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act(`copilot/session/${sessionId}/query`, input, () => {
              setSaid({ text: input });
              setInput('');
            });
          }}
        >
          <label>
            Message
            <textarea rows={2} required value={input} onInput={({ currentTarget }) => setInput(currentTarget.value)} />
          </label>
          <p class="row">
            <button type="submit" class="main-button">
              Send
            </button>
            <button type="button" class="stop" onClick={() => act(`copilot/session/${sessionId}/stop`)}>
              Stop the session
            </button>
          </p>
          {tasks.length > 0 && (
            <p class="row">
              <span>Run a task in it{tasks.some(({ requireUserInput }) => requireUserInput) && ', with the message as its input'}:</span>
              {tasks.map(({ name }) => (
                <button
                  key={name}
                  type="button"
                  onClick={() =>
                    act(`copilot/task/start/${encodeURIComponent(name)}/session/${sessionId}`, input, ({ taskId: id }) =>
                      setTaskId(String(id)),
                    )
                  }
                >
                  Run {oneLine(name)}
                </button>
              ))}
            </p>
          )}
        </form>
      )}
      {taskId !== undefined && problem && <p class="problem">{problem}</p>}
      {task && (
        <section aria-label="Task">
          <h3>
            {oneLine(task.taskName)}: {jobStatusText(task)}
          </h3>
          <ol class="decisions">
            {task.decisions.slice(-100).map(({ reason }, at) => (
              <li key={at}>
                <Decision reason={reason} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </section>
  );
}
