/** A branch of a run, pushed to a real repository, and the pull request for it, over HTTP. `gh` is a fake. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PUSH_MS } from '../../../src/base/node/git/pushCommit.ts';
import { phrase } from '../../../src/base/text/phrase.ts';
import { OPEN_MS } from '../../../src/portal/result/gh.ts';
import type { CommitPlan } from '../../../src/views/portal/answers/resultAnswers.ts';
import type { BranchPushed, PullRequestPlan } from '../../../src/views/portal/answers/pullRequestAnswers.ts';
import { DEED_MS } from '../../../src/views/portal/result/resultQuestions.ts';
import { FakeForge } from '../../fakes/fakeForge.ts';
import type { Json, TestPortal } from './portalHarness.ts';
import { ask, ranWork, startResultPortal } from './resultHarness.ts';

describe('the pull request of a run', function () {
  this.timeout(60_000);
  let test: TestPortal;
  let forge: FakeForge;
  let jobId: string;

  const git = (...args: string[]) => forge.git(...args);
  beforeEach(async () => {
    forge = FakeForge.make();
    test = await startResultPortal({ edit: ['write a.txt ONE\\n'] });
    jobId = await ranWork(test, forge.folder);
  });
  afterEach(async () => {
    await test.close();
    forge.remove();
  });

  it('is waited for longer than the portal takes at most', () => {
    assert.ok(DEED_MS > PUSH_MS + OPEN_MS + 2 * 60_000, 'and two minutes for Git before');
  });

  const plan = async (body: object = {}) => (await ask(test, jobId, 'pullRequest/plan', body)) as unknown as PullRequestPlan & Json;
  const open = async (body: object) => (await ask(test, jobId, 'pullRequest', body)) as unknown as BranchPushed & Json;
  const refused = async (work: Promise<Json>) => {
    const { error, message } = await work;
    assert.equal(error, 'PullRequestRefused');
    return String(message);
  };
  async function commit(): Promise<void> {
    const { revision } = (await ask(test, jobId, 'commit/plan', {})) as unknown as CommitPlan;
    assert.equal((await ask(test, jobId, 'commit', { branch: 'night', message: 'Do the work', revision })).result, 'Committed');
  }
  const changes = async () => (await test.call(`copilot/job/${jobId}/status`))['resultChanges'] as Json[];

  it('is shown before, and then pushed to a new branch and opened by the address that the remote names', async () => {
    assert.equal(await refused(plan()), 'There is no branch to push. Commit what the run has changed first.');
    await commit();
    const status = git('status', '--porcelain');
    const { revision, ...seen } = await plan();
    assert.deepEqual(seen, {
      ...{ folder: forge.folder, branch: 'night', branches: ['night'], commit: git('rev-parse', 'night').slice(0, 12) },
      ...{ commits: [`${git('rev-parse', '--short', 'night')} Do the work`], remote: 'origin', remotes: ['origin'] },
      ...{ address: forge.bare, isFolder: true, repository: 'forge.example/me/shop', base: 'main', title: 'Work' },
      body: `By the job Work of Tapline, run ${jobId.slice(0, 8)}.\n\nSteps:\n\n- edit`,
      gh: 'missing',
    });
    assert.equal(forge.heads(), 'main');
    const { said, ...done } = await open({ branch: 'night', remote: 'origin', revision });
    assert.deepEqual(done, {
      ...{ result: 'Pushed', branch: 'night', commit: seen.commit, address: forge.bare },
      page: 'https://forge.example/me/shop/pull/new/night',
    });
    assert.ok(said.includes('remote: Create a pull request for it by visiting:'), said.join('\n'));
    assert.equal(forge.heads(), 'main\nnight');
    assert.equal(forge.inBare('rev-parse', 'night'), git('rev-parse', 'night'));
    assert.equal(git('status', '--porcelain'), status);
    assert.deepEqual(
      (await changes()).map(({ at: _at, ...change }) => change),
      [
        {
          ...{ did: 'committed', by: 'a program over HTTP', branch: 'night', base: 'main', files: ['a.txt'], folder: forge.folder },
          commit: git('rev-parse', '--short', 'night'),
        },
        { did: 'pushed', by: 'a program over HTTP', branch: 'night', commit: seen.commit, address: forge.bare },
      ],
    );
    const { markdown } = await test.call(`copilot/job/${jobId}/timeline/markdown`);
    assert.match(String(markdown), /\*\*The branch night was pushed to .* by a program over HTTP\.\*\*/);
    // A second time it is there already.
    assert.equal((await open({ branch: 'night', remote: 'origin', revision })).result, 'Pushed');
  });

  it('is opened with gh, which gets the words of the user and no repository', async () => {
    await commit();
    const { revision } = await plan();
    const words = { base: 'main', title: '--title $(touch ran) "x"', body: '-b\n`y`' };
    const without = await open({ branch: 'night', remote: 'origin', revision, open: words });
    assert.deepEqual([without.result, without.opened, without.problem], ['Pushed', undefined, 'gh is not installed.']);
    assert.deepEqual(without.words, phrase`${'gh'} is not installed.`);
    forge.addGh();
    assert.equal((await plan()).gh, 'ready');
    const { opened, pullRequest, problem } = await open({ branch: 'night', remote: 'origin', revision, open: words });
    assert.deepEqual([opened, pullRequest, problem], [true, 'https://forge.example/me/shop/pull/7', undefined]);
    assert.deepEqual(forge.ghCalls().at(-1), {
      args: ['pr', 'create', '--repo=forge.example/me/shop', '--head=night', '--base=main', `--title=${words.title}`, '--body-file=-'],
      ...{ body: words.body, isInRepository: false, token: false },
    });
    const [last] = (await changes()).slice(-1);
    assert.deepEqual([last?.['did'], last?.['address']], ['opened', 'https://forge.example/me/shop/pull/7']);
    forge.addGh('fails');
    const again = await open({ branch: 'night', remote: 'origin', revision, open: words });
    assert.deepEqual(
      [again.result, again.opened, again.words, again.problem],
      ['Pushed', undefined, undefined, 'a pull request for branch "night" already exists:\nhttps://forge.example/me/shop/pull/7'],
    );
    assert.equal(again.pullRequest, 'https://forge.example/me/shop/pull/7');
    forge.addGh('signedOut');
    assert.equal((await plan()).gh, 'signedOut');
  });

  it('is refused where it is not what was seen, or has no proper names', async () => {
    await commit();
    const { revision } = await plan();
    const request = { branch: 'night', remote: 'origin', revision };
    assert.match(await refused(open({ ...request, revision: 'x' })), /^Nothing was pushed/);
    assert.equal(await refused(open({ ...request, branch: 'main' })), 'The run has not committed on this branch.');
    assert.equal(await refused(open({ ...request, remote: '--upload-pack=x' })), 'The repository has no such remote.');
    forge.addGh();
    const words = { base: 'main', title: 'x', body: '' };
    for (const [open_, said] of [
      [{ ...words, title: ' ' }, 'A pull request needs a title.'],
      [{ ...words, base: '-x' }, 'Git does not take the base as the name of a branch.'],
      [{ ...words, base: 'night' }, 'A branch cannot be merged into itself.'],
    ] as const)
      assert.equal(await refused(open({ ...request, open: open_ })), said);
    git('branch', '--force', 'night', 'main');
    assert.match(await refused(open(request)), /has all of night/);
    git('commit-tree', '-m', 'x', 'main^{tree}');
    git('branch', '--force', 'night', git('commit-tree', '-p', 'main', '-m', 'other', 'main^{tree}'));
    assert.match(await refused(open(request)), /^Nothing was pushed/);
    git('branch', '-D', 'night');
    assert.equal(await refused(plan()), 'The branch night is gone.');
    git('remote', 'remove', 'origin');
    assert.equal(forge.heads(), 'main');
  });

  it('never overwrites what the remote has, and says what it says', async () => {
    await commit();
    forge.inBare('update-ref', 'refs/heads/night', forge.inBare('commit-tree', '-m', 'theirs', 'main^{tree}'));
    const theirs = forge.inBare('rev-parse', 'night');
    const { revision } = await plan();
    assert.match(await refused(open({ branch: 'night', remote: 'origin', revision })), /rejected/);
    assert.equal(forge.inBare('rev-parse', 'night'), theirs);
    writeFileSync(
      join(forge.bare, 'hooks/pre-receive'),
      '#!/bin/sh\necho "Not on a Friday, see https://me:secret@forge.example/"\nexit 1\n',
      {
        mode: 0o755,
      },
    );
    forge.inBare('update-ref', '-d', 'refs/heads/night');
    const said = await refused(open({ branch: 'night', remote: 'origin', revision }));
    assert.match(said, /remote: Not on a Friday, see https:\/\/forge\.example\//);
    assert.equal(forge.heads(), 'main');
    assert.equal((await changes()).length, 1);
  });

  it('runs nothing that the repository names, and goes nowhere that was not seen', async () => {
    await commit();
    const ran = join(forge.base, 'ran');
    const run = `touch ${ran}; false`;
    for (const hook of ['pre-push', 'reference-transaction'])
      writeFileSync(join(forge.folder, '.git/hooks', hook), `#!/bin/sh\n${run}\n`, { mode: 0o755 });
    for (const [key, value] of [
      ...[
        ['core.sshCommand', run],
        ['core.askPass', run],
        ['core.fsmonitor', run],
        ['core.gitProxy', run],
        ['credential.helper', `!${run}`],
        ['remote.origin.receivepack', run],
        ['remote.origin.mirror', 'true'],
        ['remote.origin.push', '+refs/heads/main:refs/heads/other'],
        ['push.gpgSign', 'true'],
        ['gpg.program', run],
        ['log.showSignature', 'true'],
        ['protocol.ext.allow', 'always'],
        [`url.${join(forge.base, 'elsewhere')}.insteadOf`, 'https://forge.example/'],
      ],
    ] as [string, string][])
      git('config', key, value);
    const { revision, address } = await plan();
    assert.equal(address, forge.bare);
    assert.equal((await open({ branch: 'night', remote: 'origin', revision })).result, 'Pushed');
    assert.equal(forge.heads(), 'main\nnight');
    for (const url of [`ext::sh -c "${run}"`, `remote-ext::x`, 'http://forge.example/me/shop']) {
      git('config', 'remote.origin.url', url);
      assert.match(await refused(plan()), /Nothing is pushed by/, url);
      assert.equal((await open({ branch: 'night', remote: 'origin', revision })).error, 'PullRequestRefused');
    }
    assert.equal(existsSync(ran), false);
  });

  it('ends when its client goes', async () => {
    await commit();
    const begun = join(forge.base, 'begun');
    execFileSync('mkfifo', [begun]);
    writeFileSync(join(forge.bare, 'hooks/pre-receive'), `#!/bin/sh\necho > ${begun}\nsleep 600\n`, { mode: 0o755 });
    const { revision } = await plan();
    const gone = new AbortController();
    const headers = { ...test.authorized, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ branch: 'night', remote: 'origin', revision });
    const asked = fetch(`${test.server.url}/api/copilot/job/${jobId}/result/pullRequest`, {
      ...{ method: 'POST', body, headers, signal: gone.signal },
    });
    await readFile(begun);
    gone.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    rmSync(join(forge.bare, 'hooks/pre-receive'));
    // Nothing of it is left that could still push.
    assert.equal((await open({ branch: 'night', remote: 'origin', revision })).result, 'Pushed');
    assert.equal((await changes()).length, 2);
  });
});
