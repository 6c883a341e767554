/** Commits what a run has changed on a branch, once the user has seen the exact files and agreed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import { type CommitPlan, commitPlan, resultCommitted } from '../../../views/portal/answers/resultAnswers.ts';
import { counted } from '../../../views/text/counted.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';
import { ask, read } from '../portalApi.ts';

/** `path`: of the run's result, after `/api`. */
export function CommitForm({ path }: { path: string }) {
  const [plan, setPlan] = useState<CommitPlan>();
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (!plan && wasOpen.current) open.current?.focus();
    wasOpen.current = plan !== undefined;
  }, [plan]);
  const perform = (work: Promise<void>) => {
    setSaid('');
    setBusy(true);
    work.catch((error: unknown) => setSaid(messageOf(error))).finally(() => setBusy(false));
  };
  const look = () => perform(read(`${path}/commit/plan`, commitPlan).then(setPlan));
  const commit = (branch: string, message: string, revision: string) =>
    perform(
      ask(`${path}/commit`, { branch, message, revision }, resultCommitted).then((done) => {
        setPlan(undefined);
        setSaid(`Committed as ${oneLine(done.commit)} on the branch ${oneLine(done.branch)}. Nothing was pushed.`);
      }),
    );
  return (
    <div>
      {plan ? (
        <Plan key={plan.revision} {...{ plan, isBusy, commit }} onLeave={() => setPlan(undefined)} />
      ) : (
        <div class="row">
          <button ref={open} type="button" disabled={isBusy} onClick={look}>
            Commit on a branch…
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
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const { folder, base, head, files, leftOut, revision } = plan;
  return (
    <form
      class="result-commit"
      aria-label="Commit on a branch"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) commit(branch, message, revision);
      }}
    >
      <p>
        This commits {counted(files.length, 'file')} of <VisibleText text={folder} /> as {files.length === 1 ? 'it is' : 'they are'} now, on
        a new branch after {head}. The folder stays {base === undefined ? 'where it is' : `on ${oneLine(base)}`}, with the changes in it.
        Hooks of the repository are not run, and nothing is pushed.
      </p>
      <ul class="result-commit-files">
        {files.map(({ path, change }) => (
          <li key={path}>
            {change} <VisibleText text={path} />
          </li>
        ))}
      </ul>
      {leftOut.length > 0 && (
        <p class="hint">
          Left out, because it is not in the folder of the run: <VisibleText text={leftOut.join(', ')} />
        </p>
      )}
      <label>
        Branch
        <input ref={first} required value={branch} onInput={({ currentTarget }) => setBranch(currentTarget.value)} />
      </label>
      <label>
        Message
        <textarea required rows={3} value={message} onInput={({ currentTarget }) => setMessage(currentTarget.value)} />
      </label>
      <p class="row">
        <button type="submit" class="main-button" disabled={isBusy}>
          Commit
        </button>
        <button type="button" onClick={onLeave}>
          Leave it
        </button>
      </p>
    </form>
  );
}
