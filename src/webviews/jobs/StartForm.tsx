/** Asks for what a job needs, and shows what it will do. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChartGraph } from '../../views/portal/jobData.ts';
import { stepViews } from '../../views/portal/jobSteps.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobChart } from './JobChart.tsx';
import { StepList } from './StepList.tsx';
import { WithoutAsking } from './WithoutAsking.tsx';

interface StartFormProps {
  jobName: string;
  requireUserInput: boolean;
  withoutAsking: Record<string, string> | undefined;
  /** By the names of its tasks. */
  hosts: Record<string, string> | undefined;
  chart?: ChartGraph;
  folder: string;
  onFolder(folder: string): void;
  onStart(userInput: string): void;
  onCancel(): void;
}

/** Must get the job's name as its key. Takes the focus. */
export function StartForm({
  jobName,
  requireUserInput,
  withoutAsking,
  hosts = {},
  chart,
  folder,
  onFolder,
  onStart,
  onCancel,
}: StartFormProps) {
  const [input, setInput] = useState('');
  const [selected, select] = useState<number>();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const name = oneLine(jobName);
  const steps = chart ? stepViews(chart, [], 0) : [];
  return (
    <form
      class="start-form"
      aria-label={`Start ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        onStart(input);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <p class="name">{name}</p>
      <label>
        Folder
        <input ref={first} value={folder} required spellcheck={false} onInput={({ currentTarget }) => onFolder(currentTarget.value)} />
      </label>
      {requireUserInput && (
        <label>
          Your input
          <textarea rows={3} required value={input} onInput={({ currentTarget }) => setInput(currentTarget.value)} />
        </label>
      )}
      {Object.entries(hosts).map(([task, host]) => (
        <p key={task} class="hint">
          “{shownText(task)}” runs at the agent host “{shownText(host)}”.
        </p>
      ))}
      <WithoutAsking tasks={withoutAsking} />
      <p class="row">
        <button type="submit" class="main-button" aria-label={`Start ${name}`}>
          Start
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
      {chart && (
        <details>
          <summary>What it does</summary>
          <div class="job-parts">
            <JobChart {...{ chart, steps, selected }} label={`Chart of ${name}`} onSelect={select} />
            <StepList {...{ steps, selected }} now={0} onSelect={select} />
          </div>
        </details>
      )}
    </form>
  );
}
