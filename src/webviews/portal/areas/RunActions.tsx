/** What can be done with a run that has ended: saved as a file, and deleted once the user has confirmed it. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import { timelineDocument, timelineEntries } from '../../../views/portal/answers/jobAnswers.ts';
import { timelineFileName } from '../../../views/portal/page/timelineFileName.ts';
import { useFocusBack } from '../../focus/useFocusBack.ts';
import { read } from '../portalApi.ts';

interface RunActionsProps {
  jobId: string;
  /** For screen readers. */
  name: string;
  /** Absent: it cannot be deleted. */
  onDelete?(): void;
}

/** Must get the job's id as its key. */
export function RunActions({ jobId, name, onDelete }: RunActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState('');
  const keep = useRef<HTMLButtonElement>(null);
  const ask = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isAsking) keep.current?.focus();
  }, [isAsking]);
  useFocusBack(isAsking, ask);
  const path = `copilot/job/${encodeURIComponent(jobId)}/timeline`;
  const save = (make: () => Promise<[fileName: string, type: string, text: string]>) => {
    setProblem('');
    make().then(
      ([fileName, type, text]) => saveFile(fileName, type, text),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const markdown = () => read(`${path}/markdown`, timelineDocument);
  if (isAsking && onDelete)
    return (
      <p class="row" role="group" aria-label={l10n.t`Delete ${name}`}>
        <span>{l10n.t('Delete what is kept of this run? Its sessions stay at the agent host.')}</span>
        <button type="button" class="stop" onClick={onDelete}>
          {l10n.t('Delete')}
        </button>
        <button type="button" ref={keep} onClick={() => setAsking(false)}>
          {l10n.t('Keep it')}
        </button>
      </p>
    );
  return (
    <>
      <p class="row">
        <button
          type="button"
          aria-label={l10n.t`Save as Markdown: the timeline of ${name}`}
          onClick={() => save(async () => markdown().then(({ fileName, markdown: text }) => [fileName, 'text/markdown', text]))}
        >
          {l10n.t('Save as Markdown')}
        </button>
        <button
          type="button"
          aria-label={l10n.t`Save as JSON: the timeline of ${name}`}
          onClick={() =>
            save(async () => {
              const entries = await read(path, timelineEntries);
              return [timelineFileName(entries.jobName, jobId, 'json'), 'application/json', JSON.stringify(entries, undefined, 2)];
            })
          }
        >
          {l10n.t('Save as JSON')}
        </button>
        {onDelete && (
          <button ref={ask} type="button" aria-label={l10n.t`Delete ${name}…`} onClick={() => setAsking(true)}>
            {l10n.t('Delete…')}
          </button>
        )}
      </p>
      <div role="alert">{problem && <p class="problem">{problem}</p>}</div>
    </>
  );
}

function saveFile(fileName: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = fileName;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
