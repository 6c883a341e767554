/** Pushes a branch of a run and opens a pull request, once the user has seen what goes where and agreed. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import { said } from '../../../base/text/phrase.ts';
import type { BranchPushed, PullRequestPlan } from '../../../views/portal/answers/pullRequestAnswers.ts';
import type { ResultBody } from '../../../views/portal/result/resultQuestions.ts';
import { COMMITS_UNKNOWN, FOLDER_HOOKS, PAGE_AFTER, pushed, withoutGh } from '../../../views/portal/result/resultSentences.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { useFocusBack } from '../../focus/useFocusBack.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';
import { filled, sentences } from '../../text/filled.ts';
import { PlanList } from './PlanList.tsx';
import { useResultPort } from './texts/resultPort.ts';

const MAX_TITLE = 256;
const MAX_BODY = 16_000;

interface PullRequestFormProps {
  /** Something was pushed. */
  onDone(): void;
}

/** What is pushed from where. */
interface Choice {
  branch: string;
  remote: string;
}

export function PullRequestForm({ onDone }: PullRequestFormProps) {
  const { ask } = useResultPort();
  const [plan, setPlan] = useState<PullRequestPlan>();
  const [done, setDone] = useState<BranchPushed>();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState<AbortController>();
  const open = useRef<HTMLButtonElement>(null);
  useFocusBack(plan !== undefined || done !== undefined, open);
  const perform = (work: (signal: AbortSignal) => Promise<void>, stopped: string) => {
    const control = new AbortController();
    setSaid('');
    setBusy(control);
    work(control.signal)
      .catch((error: unknown) => setSaid(control.signal.aborted ? stopped : messageOf(error)))
      .finally(() => setBusy(undefined));
  };
  const look = (choice: Partial<Choice>) =>
    perform(async (signal) => {
      const seen = await ask('pullRequestPlan', choice, signal);
      setDone(undefined);
      setPlan(seen);
    }, '');
  const push = (request: ResultBody<'pullRequest'>) =>
    perform(async (signal) => {
      setDone(await ask('pullRequest', request, signal));
      setPlan(undefined);
      onDone();
    }, l10n.t('It was stopped. It is not known what the remote has got.'));
  return (
    <div>
      {plan ? (
        <Plan
          key={plan.revision}
          {...{ plan, look, push }}
          isBusy={busy !== undefined}
          onStop={() => busy?.abort()}
          onLeave={() => setPlan(undefined)}
        />
      ) : (
        <>
          {done && <Done done={done} />}
          <div class="row">
            <button ref={open} type="button" data-begins="pullRequest" disabled={busy !== undefined} onClick={() => look({})}>
              {l10n.t('Open a pull request…')}
            </button>
          </div>
        </>
      )}
      <p role="status" class="result-said">
        {said}
      </p>
    </div>
  );
}

interface PlanProps {
  plan: PullRequestPlan;
  isBusy: boolean;
  look(choice: Choice): void;
  push(request: ResultBody<'pullRequest'>): void;
  onStop(): void;
  onLeave(): void;
}

function Plan({ plan, isBusy, look, push, onStop, onLeave }: PlanProps) {
  const { branch, remote, gh, repository, revision, commits } = plan;
  const [opens, setOpens] = useState(gh === 'ready');
  const [base, setBase] = useState(plan.base);
  const [title, setTitle] = useState(plan.title);
  const [body, setBody] = useState(plan.body);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.focus(), []);
  return (
    <form
      ref={form}
      tabIndex={-1}
      class="result-commit"
      data-begins="pullRequest"
      aria-label={l10n.t('Open a pull request')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) push({ branch, remote, revision, ...(opens && { open: { base, title, body } }) });
      }}
    >
      <p>
        {sentences(
          filled(
            l10n.t(
              'This pushes the commit {0} to the branch {1} of {2}, and never over what is there. Hooks of your repository are not run.',
            ),
            oneLine(plan.commit),
            <VisibleText text={branch} prose />,
            <strong>
              <VisibleText text={plan.address} prose />
            </strong>,
          ),
          ...(plan.isFolder ? [FOLDER_HOOKS] : []),
        )}
      </p>
      <Choices
        label={l10n.t('Branch')}
        of={plan.branches}
        chosen={branch}
        isBusy={isBusy}
        choose={(other) => look({ branch: other, remote })}
      />
      <Choices
        label={l10n.t('Remote')}
        of={plan.remotes}
        chosen={remote}
        isBusy={isBusy}
        choose={(other) => look({ branch, remote: other })}
      />
      {commits ? (
        <PlanList label={l10n.t`Commits that ${oneLine(plan.base)} does not have`} lines={commits} hasMore={plan.hasMore} />
      ) : (
        <p class="hint">{COMMITS_UNKNOWN}</p>
      )}
      {gh === 'ready' && (
        <label class="result-check">
          <input type="checkbox" checked={opens} onInput={({ currentTarget }) => setOpens(currentTarget.checked)} />
          {l10n.t`Open a pull request in ${oneLine(repository)} with gh`}
        </label>
      )}
      {opens ? (
        <>
          <label>
            {l10n.t('Into the branch')}
            <input required maxLength={200} value={base} onInput={({ currentTarget }) => setBase(currentTarget.value)} />
          </label>
          <label>
            {l10n.t('Title')}
            <input required maxLength={MAX_TITLE} value={title} onInput={({ currentTarget }) => setTitle(currentTarget.value)} />
          </label>
          <label>
            {l10n.t('Description')}
            <textarea rows={6} maxLength={MAX_BODY} value={body} onInput={({ currentTarget }) => setBody(currentTarget.value)} />
          </label>
        </>
      ) : (
        <p class="hint">{l10n.sentencesText([gh === 'ready' ? l10n.t('gh opens nothing then.') : withoutGh[gh], PAGE_AFTER])}</p>
      )}
      <p class="row">
        <button type="submit" class="main-button" disabled={isBusy}>
          {opens ? l10n.t('Push and open') : l10n.t('Push')}
        </button>
        {isBusy ? (
          <button type="button" onClick={onStop}>
            {l10n.t('Stop')}
          </button>
        ) : (
          <button type="button" onClick={onLeave}>
            {l10n.t('Leave it')}
          </button>
        )}
      </p>
    </form>
  );
}

interface ChoicesProps {
  label: string;
  of: readonly string[];
  chosen: string;
  isBusy: boolean;
  choose(one: string): void;
}

function Choices({ label, of, chosen, isBusy, choose }: ChoicesProps) {
  if (of.length < 2) return null;
  return (
    <label>
      {label}
      <select value={chosen} disabled={isBusy} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {of.map((one) => (
          <option key={one} value={one}>
            {oneLine(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Done({ done }: { done: BranchPushed }) {
  const { page, opened, pullRequest, problem, words = problem } = done;
  const title = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  return (
    <div class="result-commit" role="group" aria-label={l10n.t('What was pushed')}>
      <p ref={title} tabIndex={-1}>
        {oneLine(pushed(done), 1_000)}
      </p>
      {words !== undefined && <p class="problem result-said">{l10n.t`gh opened none: ${said(words)}`}</p>}
      {pullRequest !== undefined && <Link address={pullRequest} text={l10n.t('Look at the pull request')} />}
      {pullRequest === undefined && page !== undefined && <Link address={page} text={l10n.t('Open a pull request there')} />}
      {pullRequest === undefined && page === undefined && !opened && (
        <p class="hint">{l10n.t('The remote has named no address for a new pull request. Open it on its pages.')}</p>
      )}
      {done.said.length > 0 && (
        <details>
          <summary>{l10n.t('What Git said')}</summary>
          <pre class="result-said">
            <VisibleText text={done.said.join('\n')} />
          </pre>
        </details>
      )}
    </div>
  );
}

/** Its address is there to be read, because a remote has named it. */
function Link({ address, text }: { address: string; text: string }) {
  if (!address.startsWith('https://')) return null;
  return (
    <p>
      <a
        class="result-link"
        href={address}
        target="_blank"
        // eslint-disable-next-line texts/translated -- for the browser
        rel="noopener noreferrer"
      >
        {text}
      </a>{' '}
      <span class="hint result-path">{oneLine(address, 500)}</span>
    </p>
  );
}
