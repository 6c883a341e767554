/** What a run in work trees of Git has brought about, over HTTP: in the trees, and where they were merged. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommitPlan } from '../../../src/views/portal/answers/resultAnswers.ts';
import type { Json, TestPortal } from './portalHarness.ts';
import { english, phraseFrom } from '../../../src/base/text/phrase.ts';
import { ask, ranWork, resultOf, startResultPortal } from './resultHarness.ts';

describe('the result of a run in work trees', function () {
  this.timeout(60_000);
  let test: TestPortal;
  let base: string;
  let top: string;
  let folder: string;

  const git = (at: string, ...args: string[]) => execFileSync('git', ['-C', at, ...args], { encoding: 'utf8' }).trim();
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-result-')));
    top = join(base, 'shop');
    folder = join(top, 'part');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git(top, 'init', '--quiet', '--initial-branch=main');
    git(top, 'config', 'user.name', 'Me');
    git(top, 'config', 'user.email', 'me@example.org');
    git(top, 'add', '.');
    git(top, 'commit', '--quiet', '-m', 'first');
  });
  afterEach(async () => {
    await test.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  async function start(prompts: Record<string, string[]>, job: Json): Promise<void> {
    test = await startResultPortal(prompts, { job, worktreesFolder: join(base, 'worktrees') });
  }
  async function run(prompts: Record<string, string[]>, job: Json): Promise<string> {
    await start(prompts, job);
    return ranWork(test, folder);
  }
  const plan = async (jobId: string, body: object = {}) => (await ask(test, jobId, 'commit/plan', body)) as unknown as CommitPlan;
  const refusal = async (jobId: string, body: object = {}) => (await ask(test, jobId, 'commit/plan', body)).message;

  /** What the first step has changed stays as it is. */
  async function isNotDiscarded(jobId: string, message: string): Promise<void> {
    const { sessionId, files = [], discard, revision } = (await resultOf(test, jobId)).steps[0]?.changes[0] ?? {};
    const [file] = files;
    assert.deepEqual([files.length, file?.discard, discard], [1, undefined, undefined]);
    for (const what of [{ file: file?.id, revision: file?.revision }, { revision }]) {
      const { error, ...said } = await ask(test, jobId, 'discard', { sessionId, ...what });
      assert.deepEqual([error, said.message, english(phraseFrom(said['words']) ?? '')], ['DiscardRefused', message, message]);
    }
    assert.equal(readFileSync(String(file?.localPath), 'utf8'), 'ONE\n');
  }

  it('is in the tree of a run that failed, is discarded there, and is committed on the branch of the tree', async () => {
    const prompts = { edit: ['write a.txt ONE\\n', 'write b.txt B\\n'], note: ['report a.txt'], broken: ['fail'] };
    const jobId = await run(prompts, { worktree: 'run' });
    const [path, branch] = [join(base, 'worktrees', `${jobId}.run`), `tapline/${jobId}/run`];
    const { steps, worktrees } = await resultOf(test, jobId);
    assert.deepEqual(worktrees, [{ id: 'run', path, branch }]);
    const { sessionId = '', files = [] } = steps[0]?.changes[0] ?? {};
    assert.deepEqual(
      files.map((file) => [file.path, file.localPath]),
      [
        ['a.txt', join(path, 'part/a.txt')],
        ['b.txt', join(path, 'part/b.txt')],
      ],
    );
    const [a, b] = files;
    assert.deepEqual(await ask(test, jobId, 'diff', { sessionId, file: a?.id }), { before: 'one\n', after: 'ONE\n' });
    const document = await ask(test, jobId, 'document', { step: steps[1]?.step, document: 'a.txt' });
    assert.deepEqual([document.localPath, document.text], [join(path, 'part/a.txt'), 'ONE\n']);
    assert.equal((await ask(test, jobId, 'discard', { sessionId, file: b?.id, revision: b?.revision })).result, 'Discarded');
    assert.equal(existsSync(join(path, 'part/b.txt')), false);

    const { revision, ...seen } = await plan(jobId);
    assert.deepEqual(seen, {
      ...{ folder: path, base: branch, head: git(top, 'rev-parse', 'main').slice(0, 12), branch, worktree: 'run', message: 'Work' },
      files: [{ path: 'part/a.txt', change: 'changed' }],
      leftOut: [],
    });
    const request = { message: 'Do it', revision };
    const other = await ask(test, jobId, 'commit', { ...request, branch: 'mine' });
    assert.equal(other.message, `In ${path} the run commits on its own branch, ${branch}.`);
    const { commit, ...where } = await ask(test, jobId, 'commit', { ...request, branch });
    assert.deepEqual(where, { result: 'Committed', folder: path, branch });
    assert.equal(git(top, 'rev-parse', '--short', branch), commit);
    assert.equal(git(top, 'show', '--format=%s', '--name-status', branch), 'Do it\n\nM\tpart/a.txt');
    assert.equal(git(path, 'status', '--porcelain'), '');
    assert.deepEqual([git(top, 'branch', '--list', 'mine'), git(top, 'log', '--format=%s', 'main')], ['', 'first']);
    assert.match(String(await refusal(jobId)), /There is nothing to commit: the files are as in the last commit of tapline/);
    await isNotDiscarded(jobId, `The work of the run is committed on ${branch}. Take it back in ${path}, with Git.`);

    const pushing = async () => String((await ask(test, jobId, 'pullRequest/plan', {})).message);
    assert.match(await pushing(), /has no remote to push to/);
    writeFileSync(join(path, 'part/a.txt'), 'one\n');
    assert.equal(
      await pushing(),
      `The work tree of ${branch} has changes in 1 file that are not committed. Commit them or take them back first, in ${path}.`,
    );
    git(path, 'checkout', '--quiet', '.');

    git(path, 'checkout', '--quiet', '--detach');
    assert.match(String(await refusal(jobId)), /is not on the branch of the run/);
    git(top, 'worktree', 'remove', path);
    assert.match(String(await refusal(jobId)), /is gone\. What was committed in it is on the branch tapline/);
    assert.equal(await refusal(jobId, { worktree: '7#0' }), 'The run has no such work tree.');
  });

  it('is in the folder once all was merged into it, and then neither discarded nor committed again', async () => {
    const jobId = await run({ edit: ['write a.txt ONE\\n', 'report FOLDER/a.txt'] }, { worktree: 'step' });
    const { steps, worktrees } = await resultOf(test, jobId);
    assert.deepEqual(worktrees, []);
    const { documents = [], step } = steps[0] ?? {};
    const { sessionId = '', files = [] } = steps[0]?.changes[0] ?? {};
    const [file] = files;
    assert.equal(file?.localPath, join(folder, 'a.txt'));
    assert.deepEqual(await ask(test, jobId, 'diff', { sessionId, file: file?.id }), { before: 'one\n', after: 'ONE\n' });
    assert.equal((await ask(test, jobId, 'document', { step, document: documents[0] })).localPath, join(folder, 'a.txt'));
    await isNotDiscarded(jobId, `Its work tree was merged, and the change is committed in ${folder}.`);
    const head = git(top, 'rev-parse', 'main').slice(0, 12);
    assert.equal(await refusal(jobId), `The work of this work tree is committed as ${head}, and was merged into main in ${folder}.`);
  });

  it('is not discarded from a tree that was left on its branch', async () => {
    const jobId = await run({ edit: ['write a.txt ONE\\n'] }, { worktree: { for: 'run', merge: 'leave' } });
    const path = join(base, 'worktrees', `${jobId}.run`);
    await isNotDiscarded(jobId, `The run has committed the change on its branch tapline/${jobId}/run. Take it back in ${path}, with Git.`);
  });

  it('is not discarded from a tree that could not be merged', async () => {
    await start({ edit: ['write a.txt ONE\\n'] }, { worktree: 'run' });
    const { onTurn } = test.agent;
    test.agent.onTurn = async (turn, host) => {
      writeFileSync(join(folder, 'a.txt'), 'OURS\n');
      git(top, 'commit', '--quiet', '--all', '-m', 'ours');
      await onTurn(turn, host);
    };
    const jobId = await ranWork(test, folder);
    const path = join(base, 'worktrees', `${jobId}.run`);
    await isNotDiscarded(
      jobId,
      `The change is committed on tapline/${jobId}/run, which could not be merged. Take it back in ${path}, with Git.`,
    );
  });

  it('is in the trees of the branches of a Par that have not come together', async () => {
    const ref = (taskId: string) => ({ kind: 'Ref', taskId });
    const work = { kind: 'Par', works: [ref('one'), { kind: 'Seq', works: [ref('two'), ref('broken')] }] };
    const jobId = await run({ one: ['write a.txt 1\\n'], two: ['write a.txt 2\\n'], broken: ['fail'] }, { work, worktree: 'step' });
    const { worktrees = [] } = await resultOf(test, jobId);
    assert.deepEqual(worktrees.map(({ id, branch }) => [id, branch]).sort(), [
      ['0#0', `tapline/${jobId}/0-0`],
      ['1#0', `tapline/${jobId}/1-0`],
    ]);
    const { branch, folder: at, files, revision } = await plan(jobId, { worktree: '1#0' });
    assert.deepEqual(files, [{ path: 'part/a.txt', change: 'changed' }]);
    const done = await ask(test, jobId, 'commit', { worktree: '1#0', branch, message: 'Two', revision });
    assert.deepEqual([done.folder, done.branch], [at, `tapline/${jobId}/1-0`]);
    assert.equal(git(top, 'show', `tapline/${jobId}/1-0:part/a.txt`), '2');
    assert.equal(git(top, 'show', `tapline/${jobId}/0-0:part/a.txt`), 'one');
  });
});
