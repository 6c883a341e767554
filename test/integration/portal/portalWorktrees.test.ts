/** Jobs in work trees of Git, over HTTP, with a scripted agent; and a portal that is killed. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { english, type Phrase } from '../../../src/base/text/phrase.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { type Json, TestPortal } from './portalHarness.ts';

interface Run {
  status: string;
  reason?: string;
  worktrees?: { id: string; status: string; path: string; branch: string; files?: string[]; uncommitted?: number }[];
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { encoding: 'utf8' }).trim();

function repositoryIn(base: string): string {
  const repository = join(base, 'shop');
  mkdirSync(repository);
  git(repository, 'init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(repository, 'a.txt'), 'first\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'first');
  return repository;
}

const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const both = { kind: 'Par', works: [ref('one'), ref('two')] };
const task = (prompt: string, approve?: string[]) => ({
  ...{ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false },
  ...(approve && { approve }),
});

describe('work trees of jobs', function () {
  this.timeout(90_000);
  let base: string;
  let repository: string;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-worktrees-')));
    repository = repositoryIn(base);
  });
  afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

  describe('over HTTP', () => {
    let test: TestPortal;
    beforeEach(async () => {
      const config = {
        schema: {
          type: 'object' as const,
          properties: { approvals: { type: 'string' as const, title: 'Approvals', enum: ['ask', 'all'] } },
        },
        values: { approvals: 'ask' },
      };
      test = await TestPortal.start({ runsFolder: join(base, 'runs'), worktreesFolder: join(base, 'worktrees'), config });
      // `FILE TEXT`: it writes that into its folder.
      test.agent.onTurn = async (turn, { workingDirectory }) => {
        const [, file = '', text = ''] = /^(\S+) (.*)$/.exec(turn.message.text) ?? [];
        writeFileSync(join(workingDirectory, file), `${text}\n`);
        turn.markdown('done');
      };
    });
    afterEach(() => test.close());

    const install = async (tasks: Json, job: Json) => {
      const entry = { models: { driving: 'one' }, promptVariables: {}, grid: [], tasks, jobs: { night: { work: both, ...job } } };
      return test.install(entry);
    };
    const begin = (folder = repository) => test.call('copilot/job/start/night', folder);
    const ended = async (jobId: unknown) => {
      await test.follow(`job/${jobId}`);
      return (await test.call(`copilot/job/${jobId}/status`)) as unknown as Run;
    };

    it('do side by side what is merged in order, and is listed with the run', async () => {
      assert.deepEqual(await install({ one: task('b.txt 1'), two: task('c.txt 2') }, { worktree: 'step' }), { result: 'OK' });
      const { jobId } = await begin();
      const run = await ended(jobId);
      assert.deepEqual([run.status, run.reason], ['Succeeded', undefined]);
      assert.deepEqual(
        run.worktrees?.map(({ id, status }) => [id, status]),
        [
          ['run', 'Merged'],
          ['0#0', 'Merged'],
          ['1#0', 'Merged'],
        ],
      );
      assert.deepEqual(readdirSync(repository).sort(), ['.git', 'a.txt', 'b.txt', 'c.txt']);
      const { entries } = (await test.call(`copilot/job/${jobId}/timeline`)) as { entries: { text: string }[] };
      const told = entries.map(({ text }) => text).filter((text) => text.includes('tapline/'));
      assert.match(told[0] ?? '', /^The run works in a work tree of its own, .*worktrees\/.*\.run, on tapline\//);
      assert.ok(told.some((text) => /\/1-0 was merged into what the run works in\.$/.test(text)));
      assert.ok(told.some((text) => text.endsWith(`/run was merged into ${repository}.`)));
      assert.deepEqual(await test.call(`copilot/job/${jobId}/delete`, ''), { result: 'Deleted' });
    });

    it('say when two branches have changed the same, leave the folder as it was, and are deleted only when all is committed', async () => {
      await install({ one: task('a.txt one'), two: task('a.txt two') }, { worktree: 'step' });
      const { jobId } = await begin();
      const run = await ended(jobId);
      assert.equal(run.status, 'Failed');
      assert.match(run.reason ?? '', /Two branches of a Par have changed a\.txt\./);
      const conflict = run.worktrees?.find(({ status }) => status === 'Conflict') ?? assert.fail();
      assert.deepEqual([conflict.id, conflict.files], ['1#0', ['a.txt']]);
      assert.equal(git(repository, 'show', `${conflict.branch}:a.txt`), 'two');
      assert.deepEqual([readFileSync(join(repository, 'a.txt'), 'utf8'), git(repository, 'status', '--porcelain')], ['first\n', '']);
      const { runs } = (await test.call('copilot/job/runs')) as { runs: Run[] };
      assert.equal(runs[0]?.reason, run.reason);

      writeFileSync(join(conflict.path, 'notes.txt'), 'half');
      const refused = await test.call(`copilot/job/${jobId}/delete`, '');
      assert.equal(refused['error'], 'WorktreeNotCommitted');
      assert.ok(String(refused['message']).includes(conflict.path));
      assert.ok(existsSync(join(conflict.path, 'notes.txt')));
      rmSync(join(conflict.path, 'notes.txt'));
      assert.deepEqual(await test.call(`copilot/job/${jobId}/delete`, ''), { result: 'Deleted' });
      assert.deepEqual(readdirSync(join(base, 'worktrees')), []);
    });

    it('need a repository, which is said before the start', async () => {
      await install({ one: task('b.txt 1'), two: task('c.txt 2') }, { worktree: { for: 'run', merge: 'leave' } });
      const { error, message, words } = await begin(base);
      assert.equal(error, 'WorktreeNotPossible');
      assert.match(String(message), /can have none: fatal: not a git repository/);
      assert.equal(english(words as Phrase), message);
      assert.deepEqual((await test.call('copilot/job/runs'))['runs'], []);
      const { jobId } = await begin();
      assert.equal((await ended(jobId)).worktrees?.[0]?.status, 'Left');
      assert.ok(!existsSync(join(repository, 'b.txt')));
    });

    it('are not where two steps write into one folder at once, which is said before the start and at it', async () => {
      const tasks = { one: task('b.txt 1', ['everything']), two: task('c.txt 2', ['everything']) };
      assert.deepEqual(await install(tasks, {}), { result: 'OK' });
      const said = [
        'These tasks change files in one folder at the same time, without asking: one, two. "worktree": "step" gives each of them a folder of its own.',
      ];
      const listed = async () => ((await test.call('copilot/job'))['jobs'] as Record<string, Json>)['night']?.['warnings'];
      assert.deepEqual(await listed(), said);
      const { jobId, warnings, words } = await begin();
      assert.deepEqual(warnings, said);
      assert.deepEqual((words as Phrase[]).map(english), said);
      await ended(jobId);
      await install(tasks, { worktree: 'step' });
      assert.equal(await listed(), undefined);
    });
  });

  it('are those of before when the portal was killed in the middle', async () => {
    const script = join(import.meta.dirname, '../../../dist/portal.cjs');
    const data = join(base, 'data');
    const entry = {
      ...{ models: { driving: 'demo-fast' }, promptVariables: {}, grid: [] },
      tasks: {
        one: task('run echo one > one.txt', ['everything']),
        two: task('run test -f go.txt || { echo half > half.txt; sleep 60; }', ['everything']),
      },
      jobs: { night: { work: both, worktree: 'step' }, shared: { work: both } },
    };
    writeFileSync(join(base, 'entry.json'), JSON.stringify(entry));
    const portals: PrintingProcess<{ url: string; token: string }>[] = [];
    const start = async () => {
      const args = ['--port', '0', '--agent', 'demo', '--data', data, '--entry', join(base, 'entry.json')];
      const portal = await startPrintingProcess<{ url: string; token: string }>('portal', script, args);
      portals.push(portal);
      return async (path: string, body?: string) => {
        const headers = { Authorization: `Bearer ${portal.said.token}` };
        const answer = await fetch(`${portal.said.url}/api/${path}`, { ...(body !== undefined && { method: 'POST', body }), headers });
        return (await answer.json()) as Json;
      };
    };
    try {
      const call = await start();
      // Who starts the other job from a terminal is told what its steps do to each other.
      const [portal] = portals;
      assert.match(
        portal?.stderr() ?? '',
        /the job "shared": These tasks change files in one folder at the same time, without asking: one, two/,
      );
      const env = { ...process.env, TAPLINE_PORTAL_URL: portal?.said.url, TAPLINE_PORTAL_TOKEN: portal?.said.token };
      const tapline = join(import.meta.dirname, '../../../dist/tapline.cjs');
      const cli = await promisify(execFile)(process.execPath, [tapline, 'job', 'shared', '--detach', '--folder', base], {
        env,
        timeout: 30_000,
      });
      assert.match(cli.stderr, /^These tasks change files in one folder at the same time, without asking: one, two\./);
      await call(`copilot/job/${cli.stdout.trim()}/stop`, '');

      const { jobId } = await call('copilot/job/start/night', repository);
      const tree = (name: string) => join(data, 'worktrees', `${jobId}.${name}`);
      await eventually(async () => {
        const { steps } = (await call(`copilot/job/${jobId}/status`)) as { steps: { status: string }[] };
        return existsSync(join(tree('1-0'), 'half.txt')) && steps[0]?.status === 'Succeeded';
      }, 'the middle');
      await portals[0]?.stop('SIGKILL');

      const again = await start();
      const before = (await again(`copilot/job/${jobId}/status`)) as unknown as Run;
      assert.equal(before.status, 'Interrupted');
      assert.deepEqual(
        before.worktrees?.map(({ path, status }) => [path, status]),
        ['run', '0-0', '1-0'].map((name) => [tree(name), 'Made']),
      );
      writeFileSync(join(tree('1-0'), 'go.txt'), '');
      assert.deepEqual(await again(`copilot/job/${jobId}/continue`, ''), { jobId });
      const status = async () => (await again(`copilot/job/${jobId}/status`)) as unknown as Run;
      await eventually(async () => (await status()).status !== 'Executing', 'the end', 30_000);
      const { status: end, reason } = await status();
      assert.deepEqual([end, reason], ['Succeeded', undefined]);
      assert.deepEqual(readdirSync(repository).sort(), ['.git', 'a.txt', 'go.txt', 'half.txt', 'one.txt']);
      assert.deepEqual(readdirSync(join(data, 'worktrees')), []);
    } finally {
      for (const portal of portals) await portal.stop('SIGKILL');
    }
  });
});
