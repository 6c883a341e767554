/** Commits what a run has changed on a branch, once the user has seen the exact files and agreed. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { ChangedTree, CommitPlan } from '../../../views/portal/answers/resultAnswers.ts';
import { committed, COMMITTED_SO, folderStays, LEFT_OUT } from '../../../views/portal/result/resultSentences.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { useFocusBack } from '../../focus/useFocusBack.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';
import { filled, sentences } from '../../text/filled.ts';
import { changeWords } from './changeWords.ts';
import { PlanList } from './PlanList.tsx';
import { useResultPort } from './texts/resultPort.ts';

interface CommitFormProps {
  /** The work tree of the run whose changes are committed. Absent: those of its folder. */
  tree?: ChangedTree;
  onDone(): void;
}

export function CommitForm({ tree, onDone }: CommitFormProps) {
  const { ask } = useResultPort();
  const [plan, setPlan] = useState<CommitPlan>();
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  useFocusBack(plan !== undefined, open);
  const perform = (work: Promise<void>) => {
    setSaid('');
    setBusy(true);
    work.catch((error: unknown) => setSaid(messageOf(error))).finally(() => setBusy(false));
  };
  const where = tree ? { worktree: tree.id } : {};
  const look = () => perform(ask('commitPlan', where).then(setPlan));
  const commit = (branch: string, message: string, revision: string) =>
    perform(
      ask('commit', { ...where, branch, message, revision }).then((done) => {
        setPlan(undefined);
        onDone();
        setSaid(oneLine(committed(done), 1_000));
      }),
    );
  return (
    <div>
      {plan ? (
        <Plan key={plan.revision} {...{ plan, isBusy, commit }} onLeave={() => setPlan(undefined)} />
      ) : (
        <div class="row">
          <button ref={open} type="button" data-begins="commit" disabled={isBusy} onClick={look}>
            {tree ? l10n.t`Commit on ${oneLine(tree.branch)}…` : l10n.t('Commit on a branch…')}
          </button>
        </div>
      )}
      <p role="status">{said}</p>
    </div>
  );
}

interface PlanProps {
  plan: CommitPlan;
  isBusy: boolean;
  commit(branch: string, message: string, revision: string): void;
  onLeave(): void;
}

function Plan({ plan, isBusy, commit, onLeave }: PlanProps) {
  const [branch, setBranch] = useState(plan.branch);
  const [message, setMessage] = useState(plan.message);
  const first = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const { folder, head, worktree, files, leftOut, revision } = plan;
  return (
    <form
      tabIndex={-1}
      class="result-commit"
      data-begins="commit"
      aria-label={l10n.t('Commit on a branch')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) commit(branch, message, revision);
      }}
    >
      <p>
        {sentences(
          filled(
            worktree === undefined
              ? l10n.plural(
                  files.length,
                  l10n.t('This commits {0} file of {1} as it is now, on a new branch after {2}.'),
                  l10n.t('This commits {0} files of {1} as they are now, on a new branch after {2}.'),
                )
              : l10n.plural(
                  files.length,
                  l10n.t('This commits {0} file of {1} as it is now, after {2} on the branch of this work tree, {3}.'),
                  l10n.t('This commits {0} files of {1} as they are now, after {2} on the branch of this work tree, {3}.'),
                ),
            l10n.countText(files.length),
            <VisibleText text={folder} />,
            head,
            oneLine(plan.branch),
          ),
          ...(worktree === undefined ? [oneLine(folderStays(plan), 500)] : []),
          COMMITTED_SO,
        )}
      </p>
      <PlanList lines={files.map(({ path, change }) => `${changeWords[change]} ${path}`)} />
      {leftOut.length > 0 && (
        <p class="hint">
          {LEFT_OUT} <VisibleText text={leftOut.join(', ')} />
        </p>
      )}
      {worktree === undefined && (
        <label>
          {l10n.t('Branch')}
          <input ref={first} required value={branch} onInput={({ currentTarget }) => setBranch(currentTarget.value)} />
        </label>
      )}
      <label>
        {l10n.t('Message')}
        <textarea
          ref={worktree === undefined ? null : first}
          required
          rows={3}
          value={message}
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        />
      </label>
      <p class="row">
        <button type="submit" class="main-button" disabled={isBusy}>
          {l10n.t('Commit')}
        </button>
        <button type="button" onClick={onLeave}>
          {l10n.t('Leave it')}
        </button>
      </p>
    </form>
  );
}
