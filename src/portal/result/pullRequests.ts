/**
 * Pushes a branch that a run has committed on, and opens a pull request for it: with `gh`, or by the address that the remote names. All of it is
 * shown before. What the repository says of its remotes may be an agent's, so it is only an address, which the user sees.
 */
import { realpath } from 'node:fs/promises';
import { UserError, wordsOf } from '../../base/errors.ts';
import { hasBranch, hasRef, isBranchName } from '../../base/node/git/branches.ts';
import { Git, GitError, workTreeOf } from '../../base/node/git/git.ts';
import { pushAddress, pushCommit, type RemoteAddresses } from '../../base/node/git/pushCommit.ts';
import type { UnattendedEnd } from '../../base/node/git/unattendedRun.ts';
import { revisionOf } from '../../base/node/sha256.ts';
import type { BranchPushed, PullRequestPlan } from '../../views/portal/answers/pullRequestAnswers.ts';
import { branchesToPush } from '../../views/portal/page/branchesToPush.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { JobState } from '../runs/jobState.ts';
import type { ResultChange } from '../runs/resultChange.ts';
import { isTree, uncommitted } from '../worktrees/treeWork.ts';
import { ghState, openWithGh } from './gh.ts';
import { fromFolder, pageOf, type RemoteAddress, remoteAddress, requestPage, withoutSecrets } from './remoteAddress.ts';
import { descriptionOf, titleOf } from './requestText.ts';
import { english, phrase, withValues, type Words } from '../../base/text/phrase.ts';
import type { ResultError } from './runResult.ts';

const MAX_REMOTES = 20;
/** Commits that are listed. */
const MAX_COMMITS = 50;
/** Lines that are shown of what a program has said, and characters of each. */
const MAX_LINES = 40;
const MAX_LINE = 500;

export interface PullRequestPlanRequest {
  /** Absent: that of the last commit. */
  branch?: string | undefined;
  /** Absent: `origin`, or the first one. */
  remote?: string | undefined;
}

export interface PullRequestRequest {
  branch: string;
  remote: string;
  /** Of the plan that the user has seen. */
  revision: string;
  /** Absent: it is only pushed. */
  open?: { base: string; title: string; body: string } | undefined;
}

export interface PullRequestsOptions {
  /** Records what was done. Never rejects. */
  note: (jobId: string, change: ResultChange) => Promise<void>;
}

interface Prepared {
  plan: Omit<PullRequestPlan, 'gh'>;
  git: Git;
  top: string;
  /** The full hash. */
  commit: string;
  addresses: RemoteAddresses;
  place: RemoteAddress;
}

type Refusal = ResultError<'PullRequestRefused'>;

export class PullRequests {
  readonly #options: PullRequestsOptions;

  constructor(options: PullRequestsOptions) {
    this.#options = options;
  }

  /** What would be done. Nothing is done yet. */
  async plan(job: JobState, request: PullRequestPlanRequest): Promise<PullRequestPlan | Refusal> {
    try {
      const { plan, place } = await prepare(job, request);
      const host = place.repository === undefined ? undefined : place.host;
      return { ...plan, gh: host === undefined ? 'unusable' : await ghState(host) };
    } catch (error) {
      return refusal(error);
    }
  }

  async open(job: JobState, request: PullRequestRequest, by: string, signal: AbortSignal): Promise<BranchPushed | Refusal> {
    try {
      const { plan, git, top, commit, addresses, place } = await prepare(job, request);
      const { branch, address } = plan;
      if (plan.revision !== request.revision)
        throw new UserError(phrase`Nothing was pushed, because the branch or the remote is another than you saw. Look at it again.`);
      const { open } = request;
      if (open) await checkRequest(git, plan, open);
      const pushed = await pushCommit({ top, addresses, commit, branch, signal });
      const said = linesOf(pushed.stderr);
      if (pushed.kind !== 'ended' || !pushed.succeeded) throw new UserError(failureOf(pushed, 'Git'));
      await this.#options.note(job.jobId, { did: 'pushed', by, branch, commit: plan.commit, address });
      const page = requestPage(pushed.stderr, place.host);
      const done = { result: 'Pushed', branch, commit: plan.commit, address, said, ...(page !== undefined && { page }) } as const;
      if (!open || place.repository === undefined || place.host === undefined) return done;
      const opened = await openWithGh({ host: place.host, repository: place.repository, branch, ...open }, signal);
      const pullRequest = addressIn(opened, place.host);
      if (opened.kind === 'ended' && opened.succeeded) {
        await this.#options.note(job.jobId, { did: 'opened', by, branch, address: pullRequest ?? plan.repository });
        return { ...done, opened: true, ...(pullRequest !== undefined && { pullRequest }) };
      }
      const problem = failureOf(opened, 'gh');
      return {
        ...done,
        problem: english(problem),
        ...(typeof problem === 'object' && { words: problem }),
        ...(pullRequest !== undefined && { pullRequest }),
      };
    } catch (error) {
      return refusal(error);
    }
  }
}

async function prepare(job: JobState, { branch: wanted, remote: wantedRemote }: PullRequestPlanRequest): Promise<Prepared> {
  if (job.status === 'Executing') throw new UserError(phrase`The run has not ended yet.`);
  const branches = branchesToPush(job);
  if (branches.length === 0) throw new UserError(phrase`There is no branch to push. Commit what the run has changed first.`);
  const chosen = wanted === undefined ? branches.at(-1) : branches.find(({ branch }) => branch === wanted);
  if (!chosen) throw new UserError(phrase`The run has not committed on this branch.`);
  const { branch } = chosen;
  const root = await realpath(job.workingDirectory).catch(() => undefined);
  const top = root === undefined ? undefined : await workTreeOf(root);
  if (top === undefined) throw new UserError(phrase`The folder of the run is not in a repository of Git any more.`);
  const git = await Git.in(top);
  if (!(await isBranchName(git, branch))) throw new UserError(phrase`Git does not take this as the name of a branch.`);
  if (!(await hasBranch(git, branch))) throw new UserError(phrase`The branch ${oneLine(branch)} is gone.`);
  const commit = await git.text('rev-parse', `refs/heads/${branch}^{commit}`);
  await checkTree(job, branch);
  const remotes = (await git.text('remote'))
    .split('\n')
    .filter((name) => name !== '')
    .slice(0, MAX_REMOTES);
  const remote = wantedRemote ?? remotes.find((name) => name === 'origin') ?? remotes[0];
  if (remote === undefined) throw new UserError(phrase`The repository has no remote to push to. Add one with “git remote add”.`);
  if (!remotes.includes(remote)) throw new UserError(phrase`The repository has no such remote.`);
  const addresses = await addressesOf(git, remote, top);
  const { place, whole } = await placeOf(top, addresses);
  const base = await baseOf(git, remote, chosen.base);
  const commits = await commitsAfter(git, `refs/remotes/${remote}/${base}`, commit);
  if (commits?.length === 0) throw new UserError(phrase`There is nothing to ask for: ${remote}/${base} has all of ${oneLine(branch)}.`);
  const more = (commits?.length ?? 0) - MAX_COMMITS;
  const plan: Prepared['plan'] = {
    ...{ folder: top, branch, branches: branches.map((one) => one.branch), commit: commit.slice(0, 12) },
    ...(commits && { commits: commits.slice(0, MAX_COMMITS) }),
    ...(more > 0 && { hasMore: true }),
    ...{ remote, remotes, address: oneLine(place.shown, 2_000) },
    ...(place.isFolder && { isFolder: true }),
    ...(place.repository !== undefined && { repository: `${place.host}/${place.repository}` }),
    ...{ base, title: titleOf(job.userInput, job.definition.jobName), body: descriptionOf(job) },
    revision: revisionOf([top, branch, commit, remote, addresses, whole]),
  };
  return { plan, git, top, commit, addresses, place };
}

/** What differs from the branch would look as if it were pushed. */
async function checkTree({ worktrees }: JobState, branch: string): Promise<void> {
  const tree = worktrees?.findLast((one) => one.branch === branch);
  if (!tree || !(await isTree(tree.path))) return;
  const open = await uncommitted(tree.path);
  if (open > 0)
    throw new UserError(
      phrase`The work tree of ${oneLine(branch)} has changes in ${open === 1 ? phrase`${open} file` : phrase`${open} files`} that are not committed. Commit them or take them back first, in ${tree.path}.`,
    );
}

/** What the user sees is where it goes: the user's own configuration may have another address for that of the repository. */
async function placeOf(top: string, addresses: RemoteAddresses): Promise<{ place: RemoteAddress; whole: string }> {
  const whole = await pushAddress(top, addresses);
  const place = remoteAddress(whole);
  // A copy on this computer stands for the one at a host.
  if (place.isFolder) Object.assign(place, pagesOf(addresses.url));
  return { place, whole };
}

function pagesOf(url: string): Pick<RemoteAddress, 'host' | 'repository'> {
  try {
    const { shown: _shown, isFolder: _isFolder, ...pages } = remoteAddress(url);
    return pages;
  } catch {
    return {};
  }
}

async function addressesOf(git: Git, remote: string, top: string): Promise<RemoteAddresses> {
  const [url, ...more] = await valuesOf(git, `remote.${remote}.url`);
  const [pushUrl, ...morePush] = await valuesOf(git, `remote.${remote}.pushurl`);
  if (url === undefined) throw new UserError(phrase`The remote ${oneLine(remote)} has no address.`);
  if (morePush.length > 0 || (pushUrl === undefined && more.length > 0))
    throw new UserError(phrase`The remote ${oneLine(remote)} has more than one address. Push with Git.`);
  return { url: fromFolder(url, top), ...(pushUrl !== undefined && { pushUrl: fromFolder(pushUrl, top) }) };
}

async function valuesOf(git: Git, key: string): Promise<string[]> {
  try {
    return await git.parts('config', '--null', '--get-all', key);
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return [];
    throw error;
  }
}

/** Into which it is to be merged: that of the folder where the remote has it, or the one that the remote begins with. As far as is known here. */
async function baseOf(git: Git, remote: string, known: string | undefined): Promise<string> {
  const head = `refs/remotes/${remote}/HEAD`;
  if (known !== undefined && (await hasRef(git, `refs/remotes/${remote}/${known}`))) return known;
  if (!(await git.says('symbolic-ref', '--quiet', head))) return known ?? 'main';
  return (await git.text('symbolic-ref', head)).replace(`refs/remotes/${remote}/`, '');
}

/** Newest first, one more than are listed. Undefined where it is not known here what the remote has. */
async function commitsAfter(git: Git, base: string, commit: string): Promise<string[] | undefined> {
  if (!(await hasRef(git, base))) return undefined;
  const format = ['--no-show-signature', '--format=%h %s', '-z', `--max-count=${MAX_COMMITS + 1}`];
  const text = await git.text('log', ...format, `${base}..${commit}`, '--');
  return text === ''
    ? []
    : text
        .replace(/\0$/, '')
        .split('\0')
        .map((line) => oneLine(line, MAX_LINE));
}

async function checkRequest(git: Git, plan: Prepared['plan'], { base, title }: NonNullable<PullRequestRequest['open']>): Promise<void> {
  if (plan.repository === undefined) throw new UserError(phrase`gh knows no repository at this address.`);
  if (title.trim() === '') throw new UserError(phrase`A pull request needs a title.`);
  if (!(await isBranchName(git, base))) throw new UserError(phrase`Git does not take the base as the name of a branch.`);
  if (base === plan.branch) throw new UserError(phrase`A branch cannot be merged into itself.`);
}

/** Also of a pull request that was there before. */
function addressIn(end: UnattendedEnd, host: string): string | undefined {
  const said = end.kind === 'ended' ? `${end.stdout}\n${end.stderr}` : end.stderr;
  return (said.match(/https:\/\/[^\s<>"'`]+/g) ?? []).map((address) => pageOf(address, host)).find((address) => address !== undefined);
}

function failureOf(end: UnattendedEnd, program: string): Words {
  const said = linesOf(end.stderr).join('\n');
  switch (end.kind) {
    case 'missing':
      return phrase`${program} is not installed.`;
    case 'late':
      return said === ''
        ? phrase`${program} took too long and was ended. It is not known what the remote has got.`
        : phrase`${program} took too long and was ended. It is not known what the remote has got. It has said: ${said}`;
    case 'stopped':
      return phrase`${program} was ended, as you wished. It is not known what the remote has got.`;
    case 'ended':
      return said === '' ? phrase`${program} has failed, and did not say why.` : said;
  }
}

/** What a program has said to the user, for a page. */
function linesOf(text: string): string[] {
  const lines = withoutSecrets(text)
    .split(/[\n\r]+/)
    .map((line) => oneLine(line, MAX_LINE))
    .filter((line) => line !== '' && line !== 'remote:');
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
}

function refusal(error: unknown): Refusal {
  const words = withValues(wordsOf(error), (value) => linesOf(value).join('\n'));
  return { error: 'PullRequestRefused', message: linesOf(english(words)).join('\n'), ...(typeof words === 'object' && { words }) };
}
