/** Asks for what a job needs, and shows what it will do. */
import * as l10n from '../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChartGraph, OfferedJob } from '../../views/portal/jobData.ts';
import { scheduleWords } from '../../views/portal/page/jobScheduleWords.ts';
import { offeredFolders } from '../../views/portal/page/worktreeWords.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { PlannedSteps } from './PlannedSteps.tsx';
import { sendsOnEnter } from './sendsOnEnter.ts';
import { WithoutAsking } from './WithoutAsking.tsx';

interface StartFormProps {
  jobName: string;
  /** As the portal offers it now. It may change while it is shown. */
  job: OfferedJob;
  chart?: ChartGraph | undefined;
  folder: string;
  onFolder(folder: string): void;
  /** `notBefore`: in ms since the epoch. */
  onStart(start: { revision: string; userInput: string; notBefore?: number }): void;
  onCancel(): void;
}

/** Must get the job's name as its key. Takes the focus. */
export function StartForm({ jobName, job, chart, folder, onFolder, onStart, onCancel }: StartFormProps) {
  const { requireUserInput, withoutAsking, hosts = {}, revision } = job;
  /** Of the job as the user knows it. */
  const [seen, see] = useState(revision);
  const [input, setInput] = useState('');
  /** As the browser writes it, in the time of this computer. */
  const [later, setLater] = useState('');
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const name = oneLine(jobName);
  return (
    <form
      class="start-form"
      aria-label={l10n.t`Start ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (seen !== revision) return;
        const time = later === '' ? NaN : new Date(later).getTime();
        onStart({ revision, userInput: input, ...(!Number.isNaN(time) && { notBefore: time }) });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <label>
        {l10n.t('Folder')}
        <input ref={first} value={folder} required spellcheck={false} onInput={({ currentTarget }) => onFolder(currentTarget.value)} />
      </label>
      {requireUserInput && (
        <label>
          {l10n.t('Your input')}
          <textarea
            rows={3}
            required
            value={input}
            onInput={({ currentTarget }) => setInput(currentTarget.value)}
            onKeyDown={(event) => sendsOnEnter(event, () => event.currentTarget.form?.requestSubmit())}
          />
          <span class="hint">{l10n.t('Enter starts it, Shift+Enter breaks the line.')}</span>
        </label>
      )}
      <label>
        {l10n.t('Not before')}
        <input type="datetime-local" value={later} onInput={({ currentTarget }) => setLater(currentTarget.value)} />
        <span class="hint">{l10n.t('Empty: it starts at once.')}</span>
      </label>
      {Object.entries(hosts).map(([task, host]) => (
        <p key={task} class="hint">
          {l10n.t`“${shownText(task)}” runs at the agent host “${shownText(host)}”.`}
        </p>
      ))}
      {[...offeredFolders(job), ...scheduleWords(job, Date.now())].map((line) => (
        <p key={line} class="hint">
          {line}
        </p>
      ))}
      <WithoutAsking tasks={withoutAsking} isOpen />
      {seen !== revision && (
        <p class="row" role="alert">
          <span>{l10n.t('This job has changed since you chose it. Look at what it does now.')}</span>
          <button type="button" onClick={() => see(revision)}>
            {l10n.t('I have looked at it')}
          </button>
        </p>
      )}
      <p class="row">
        <button type="submit" class="main-button" aria-label={l10n.t`Start ${name}`} disabled={seen !== revision}>
          {l10n.t('Start')}
        </button>
        <button type="button" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </p>
      {chart && (
        <details open>
          <summary>{l10n.t('What it does')}</summary>
          <PlannedSteps chart={chart} label={l10n.t`Chart of ${name}`} />
        </details>
      )}
    </form>
  );
}
