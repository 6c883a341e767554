/** What a run has brought about: the first that its page shows. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import { said } from '../../../base/text/phrase.ts';
import type { JobStatus } from '../../../views/portal/jobData.ts';
import type { ResultOfStep } from '../../../views/portal/answers/resultAnswers.ts';
import { branchesToPush } from '../../../views/portal/page/branchesToPush.ts';
import { changedLines } from '../../../views/portal/page/resultWords.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { usePolled } from '../../polled/usePolled.ts';
import { CommitForm } from './CommitForm.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { FileRow } from './FileRow.tsx';
import { Lines } from './Lines.tsx';
import { PullRequestForm } from './PullRequestForm.tsx';
import { DocumentRow } from './texts/DocumentRow.tsx';
import { type ResultPort, ResultPortContext } from './texts/resultPort.ts';

const RUNNING_MS = 5_000;
/** Others may change the files of a run that has ended. */
const ENDED_MS = 30_000;
/** A host may take so long to tell what a session has changed last. */
const SETTLED_MS = 60_000;

interface ResultProps {
  job: JobStatus;
  now: number;
  /** Of this run. */
  port: ResultPort;
  /** As deep as it stands in the page. */
  heading: 'h2' | 'h3';
  /** Something was done that is in the record of the run. */
  onDone(): void;
}

/** Must get the job's id as its key, or stand in something that has. */
export function Result({ job, now, port, heading: Heading, onDone }: ResultProps) {
  const isRunning = job.status === 'Executing';
  const isSettled = job.endedAt !== undefined && now - job.endedAt > SETTLED_MS;
  const { value, problem, refresh } = usePolled(job.jobId, (signal) => port.ask('result', {}, signal), isSettled ? ENDED_MS : RUNNING_MS);
  const ended = job.steps.filter(({ status }) => status !== 'Executing').length;
  const at = `${job.status} ${ended}`;
  const asked = useRef(at);
  useEffect(() => {
    if (asked.current === at) return;
    asked.current = at;
    refresh();
  }, [at]);
  const changed = value && changedLines(value.steps);
  const documents = (value?.steps ?? []).flatMap((step) => step.documents);
  const trees = value?.worktrees;
  const canCommit = !isRunning && (trees ? trees.length > 0 : changed !== undefined);
  const canRequest = !isRunning && branchesToPush(job).length > 0;
  const { vsCode } = port;
  useEffect(
    () => vsCode?.offers([...(canCommit ? ['commit' as const] : []), ...(canRequest ? ['pullRequest' as const] : [])]),
    [vsCode, canCommit, canRequest],
  );
  useEffect(() => () => vsCode?.offers([]), [vsCode]);
  const title = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState('');
  const discard = (what: Discarded) => {
    setSaid('');
    port
      .ask('discard', what)
      .then(
        ({ message }) => {
          setSaid(message ?? l10n.t('The changes were discarded.'));
          onDone();
          // The button that had the focus goes with its row.
          title.current?.focus();
        },
        (error: unknown) => setSaid(messageOf(error)),
      )
      .finally(refresh);
  };
  return (
    <ResultPortContext.Provider value={port}>
      <section class="result" aria-labelledby="result-title">
        <Heading ref={title} tabIndex={-1} class="result-title">
          <span id="result-title">{l10n.t('Result')}</span>
          {changed && (
            <span class="result-sum">
              {changed.text} <Lines {...changed} />
            </span>
          )}
        </Heading>
        <p role="status">{said}</p>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {!value && problem === undefined && <p class="hint">{l10n.t('Reading what has changed…')}</p>}
        {value?.steps.length === 0 && <p class="hint">{isRunning ? l10n.t('No file has changed yet.') : l10n.t('No file has changed.')}</p>}
        {value?.steps.map((step) => (
          <StepResult key={step.step + String(step.redone)} step={step} isOnlyDocument={documents.length === 1} discard={discard} />
        ))}
        {canCommit && !trees && <CommitForm onDone={onDone} />}
        {canCommit && trees?.map((tree) => <CommitForm key={tree.path} {...{ tree, onDone }} />)}
        {!isRunning && changed && trees?.length === 0 && <p class="hint">{l10n.t('The work is committed in the folder of the run.')}</p>}
        {canRequest && <PullRequestForm onDone={onDone} />}
      </section>
    </ResultPortContext.Provider>
  );
}

/** `file` absent: all that the session has changed. */
interface Discarded {
  sessionId: string;
  file?: string;
  revision: string;
}

interface StepResultProps {
  step: ResultOfStep;
  isOnlyDocument: boolean;
  discard(what: Discarded): void;
}

function StepResult({ step, isOnlyDocument, discard }: StepResultProps) {
  const { taskName, host, redone, changes, documents, problems, words = problems } = step;
  const name = oneLine(taskName);
  return (
    <section class="result-step" aria-label={l10n.t`Result of ${name}`}>
      <p class="result-step-title">
        {name}
        <span class="hint">
          {host !== undefined && ` · ${l10n.t`at ${oneLine(host)}`}`}
          {redone && ` · ${l10n.t('ran again since')}`}
        </span>
      </p>
      {documents.length > 0 && (
        <ul class="result-files">
          {documents.map((document) => (
            <DocumentRow key={document} document={document} step={step.step} isOpenFirst={isOnlyDocument} />
          ))}
        </ul>
      )}
      {changes.map(({ sessionId, files, more, discard: question, revision }) => (
        <div key={sessionId}>
          <ul class="result-files">
            {files.map((file) => (
              <FileRow
                key={file.id}
                {...{ sessionId, file }}
                onDiscard={() => discard({ sessionId, file: file.id, revision: file.revision })}
              />
            ))}
          </ul>
          {more !== undefined && (
            <p class="hint">
              {l10n.plural(
                more,
                l10n.t`${l10n.countText(more)} more file not listed.`,
                l10n.t`${l10n.countText(more)} more files not listed.`,
              )}
            </p>
          )}
          {question !== undefined && files.length > 1 && (
            <div class="row">
              <DiscardButton
                key={revision}
                deed={l10n.t('Discard all')}
                subject={l10n.t`changes of ${name}`}
                question={allText(files.length + (more ?? 0), question)}
                onDiscard={() => discard({ sessionId, revision })}
              />
            </div>
          )}
        </div>
      ))}
      {words.map(said).map((problem) => (
        <p key={problem} class="problem">
          {oneLine(problem, 600)}
        </p>
      ))}
    </section>
  );
}

/** `question`: that of the agent host. */
function allText(count: number, question: string): string {
  return l10n.plural(count, l10n.t`${l10n.countText(count)} file. ${question}`, l10n.t`${l10n.countText(count)} files. ${question}`);
}
