/** What a run has changed, committed on a branch, over HTTP. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunResults } from '../../../src/portal/result/runResults.ts';
import type { JobState } from '../../../src/portal/runs/jobState.ts';
import type { CommitPlan } from '../../../src/views/portal/answers/resultAnswers.ts';
import type { TestPortal } from './portalHarness.ts';
import { phrase } from '../../../src/base/text/phrase.ts';
import { resultError } from '../../../src/portal/result/runResult.ts';
import { ask, ranWork, startResultPortal } from './resultHarness.ts';

describe('the commit of a run', function () {
  this.timeout(60_000);
  let test: TestPortal;
  let top: string;
  let folder: string;

  const git = (...args: string[]) => execFileSync('git', ['-C', top, '-c', 'core.fsmonitor=false', ...args], { encoding: 'utf8' }).trim();
  async function start(prompts: Record<string, string[]>): Promise<void> {
    test = await startResultPortal(prompts);
    top = join(test.folder, 'repository');
    folder = join(top, 'part');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    writeFileSync(join(folder, 'old.txt'), 'old\n');
    writeFileSync(join(folder, 'mine.txt'), 'mine\n');
  }
  function commitAll(): void {
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Me');
    git('config', 'user.email', 'me@example.org');
    git('add', '.');
    git('commit', '--quiet', '--no-verify', '-m', 'first');
    // What a repository names is not run.
    for (const hook of ['post-commit', 'reference-transaction'])
      writeFileSync(join(top, '.git/hooks', hook), '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    git('config', 'core.fsmonitor', 'touch ran');
  }
  afterEach(() => test.close());

  const plan = async (jobId: string) => (await test.call(`copilot/job/${jobId}/result/commit/plan`)) as unknown as CommitPlan;

  it('has exactly the files of the run as they were seen, and leaves the work tree and its branch alone', async () => {
    await start({ edit: ['write a.txt ONE\\n', 'write new.txt new\\n', 'delete old.txt'] });
    commitAll();
    const jobId = await ranWork(test, folder);
    writeFileSync(join(folder, 'mine.txt'), 'also mine\n');
    git('add', 'part/mine.txt');
    const [status, main] = [git('status', '--porcelain'), git('rev-parse', 'main')];
    const { revision, files, branch, message, base, folder: of } = await plan(jobId);
    assert.deepEqual(files, [
      { path: 'part/a.txt', change: 'changed' },
      { path: 'part/new.txt', change: 'created' },
      { path: 'part/old.txt', change: 'deleted' },
    ]);
    assert.deepEqual([base, of, message, branch], ['main', top, 'Work', `tapline/work-${jobId.slice(0, 8)}`]);
    const request = { branch, message: 'Do the work\n\nAll of it.', revision };
    const { commit, ...rest } = await ask(test, jobId, 'commit', request);
    assert.deepEqual(rest, { result: 'Committed', folder: top, branch });
    assert.deepEqual([git('status', '--porcelain'), git('rev-parse', 'main'), git('branch', '--show-current')], [status, main, 'main']);
    assert.equal(git('rev-parse', '--short', branch), commit);
    assert.equal(
      git('show', '--no-renames', '--format=%B', '--name-status', branch),
      'Do the work\n\nAll of it.\n\n\nM\tpart/a.txt\nA\tpart/new.txt\nD\tpart/old.txt',
    );
    assert.equal(git('rev-parse', `${branch}^`), main);
    assert.equal(git('status', '--porcelain', '--ignored').includes('ran'), false);
    assert.deepEqual(await ask(test, jobId, 'commit', request), resultError('CommitRefused', phrase`There is such a branch already.`));
  });

  it('is refused where it would not be what was seen, or has no proper name or message', async () => {
    await start({ edit: ['write a.txt ONE\\n'] });
    commitAll();
    const jobId = await ranWork(test, folder);
    const { revision } = await plan(jobId);
    const refused = async (request: object) => {
      const { error, message } = await ask(test, jobId, 'commit', { branch: 'new', message: 'x', revision, ...request });
      assert.equal(error, 'CommitRefused');
      return message;
    };
    for (const branch of ['', '-d', 'a b', 'a..b', '/x', 'x.lock', 'a\nb'])
      assert.equal(await refused({ branch }), 'Git does not take this as the name of a branch.', branch);
    assert.equal(await refused({ branch: 'main' }), 'There is such a branch already.');
    assert.equal(await refused({ message: ' \n' }), 'A commit needs a message.');
    writeFileSync(join(folder, 'a.txt'), 'mine\n');
    assert.match(String(await refused({})), /others than you saw/);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    assert.match(String(((await plan(jobId)) as unknown as { message: string }).message), /^There is nothing to commit/);
    assert.equal(git('branch', '--format=%(refname:short)'), 'main');
  });

  it('asks no host while others wait for Git, and goes by what the run is then', async () => {
    await start({ edit: ['write a.txt ONE\\n'] });
    commitAll();
    const jobId = await ranWork(test, folder);
    const { hosts, sessions, runs } = test.portal;
    const job = runs.jobState(jobId) ?? assert.fail('it is there');
    const steps: string[] = [];
    let now: JobState | undefined;
    const results = new RunResults({
      hosts: { get: (id) => (steps.push('host'), hosts.get(id)) },
      ...{ sessions, jobState: () => now, note: async () => undefined },
      async inOrder(_folder, work) {
        steps.push('begin');
        return work().finally(() => steps.push('end'));
      },
    });
    const request = { branch: 'new', message: 'x', revision: (await plan(jobId)).revision };
    const refused = async () => ((await results.commit(job, request, 'me')) as { message?: string }).message;
    assert.equal(await refused(), 'The run was deleted.');
    assert.deepEqual(steps, ['host', 'begin', 'end']);
    now = { ...job, status: 'Executing' };
    assert.equal(await refused(), 'The run has not ended yet.');
    now = job;
    assert.equal(await refused(), undefined);
    assert.equal(git('branch', '--format=%(refname:short)'), 'main\nnew');
  });

  it('is refused where a pipe is in the place of a file, which nobody waits for', async () => {
    await start({ edit: ['write a.txt ONE\\n'] });
    commitAll();
    const jobId = await ranWork(test, folder);
    const path = join(folder, 'a.txt');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    assert.deepEqual(await plan(jobId), resultError('CommitRefused', phrase`${path} is neither a file nor a link. Commit with Git.`));
  });

  it('has a folder in the place of a file', async () => {
    await start({ edit: ['delete old.txt'] });
    commitAll();
    const jobId = await ranWork(test, folder);
    mkdirSync(join(folder, 'old.txt'));
    writeFileSync(join(folder, 'old.txt', 'mine.txt'), 'mine\n');
    const { files, branch, revision } = await plan(jobId);
    assert.deepEqual(files, [{ path: 'part/old.txt', change: 'deleted' }]);
    assert.equal((await ask(test, jobId, 'commit', { branch, message: 'x', revision })).result, 'Committed');
    assert.equal(git('show', '--format=', '--name-status', branch), 'D\tpart/old.txt');
  });

  it('is refused with words where there is no repository, or no commit', async () => {
    await start({ edit: ['write a.txt ONE\\n'] });
    const jobId = await ranWork(test, folder);
    assert.deepEqual(await plan(jobId), resultError('CommitRefused', phrase`The folder of the run is not in a repository of Git.`));
    git('init', '--quiet');
    assert.deepEqual(await plan(jobId), resultError('CommitRefused', phrase`The repository has no commit yet.`));
  });
});
