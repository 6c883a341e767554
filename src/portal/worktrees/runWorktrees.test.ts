import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import { nullLogger } from '../../base/log.ts';
import type { Worktree } from '../entry/folders/worktreePolicy.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { GivenWork } from '../entry/work.ts';
import { JobRun } from '../jobs/jobRun.ts';
import { jobDefinition } from '../runs/jobDefinition.ts';
import { cutOff, type JobState, reduceJob } from '../runs/jobState.ts';
import { runEvent } from '../runs/runEventSchema.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import type { RunWorktrees } from './runWorktrees.ts';
import { Worktrees } from './worktrees.ts';

const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
const seq = (...works: GivenWork[]): GivenWork => ({ kind: 'Seq', works });
const par = (...works: GivenWork[]): GivenWork => ({ kind: 'Par', works });

/** What a task does in its folder. */
type Doing = (folder: string) => Reply | void;
const writes =
  (name: string, text: string): Doing =>
  (folder) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

describe('the work trees of a run', function () {
  this.timeout(60_000);
  let base: string;
  let repository: string;
  let root: string;
  let events: RunEvent[];
  let tasks: Record<string, Doing>;
  /** Called before the folder gets anything. */
  let checked: () => void;
  /** Of the run that was started last. */
  let treesOfRun: RunWorktrees;

  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { encoding: 'utf8' }).trim();
  const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-trees-')));
    repository = join(base, 'shop');
    root = join(base, 'data/worktrees');
    mkdirSync(repository);
    git(repository, 'init', '--quiet', '--initial-branch', 'main');
    writes('a.txt', 'first\n')(repository);
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '-m', 'first');
    events = [];
    checked = () => undefined;
  });
  afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

  const state = () => events.reduce<JobState | undefined>(reduceJob, undefined) as JobState;
  const trees = () => (state().worktrees ?? []).map(({ id, status }) => `${id} ${status}`);
  const branches = () => git(repository, 'branch', '--format=%(refname:short)', '--list', 'tapline/*').split('\n').filter(Boolean);
  const record = (event: RunEvent) => {
    // As another process reads it.
    events.push(runEvent.parse(JSON.parse(JSON.stringify(event))));
  };
  function context() {
    const sessions: FakeSessions = new FakeSessions((prompt, session) => {
      const { workingDirectory = '' } = sessions.requests[sessions.started.indexOf(session)] ?? {};
      // A second try begins with more words.
      return tasks[prompt.split('\n').at(-1) ?? '']?.(workingDirectory) ?? {};
    });
    const worktrees = new Worktrees(root, nullLogger);
    const ofRun = (options: Parameters<Worktrees['ofRun']>[0]) =>
      (treesOfRun = worktrees.ofRun({ ...options, check: () => (options.check(), checked()) }));
    return { ...sessions.context(), sessions, worktrees: { ofRun, remove: worktrees.remove.bind(worktrees) } };
  }
  function start(work: GivenWork, worktree: Worktree | undefined, given: Record<string, Doing>, folder = repository): JobRun {
    tasks = given;
    const task = (name: string) => ({ model: { category: 'driving' }, prompt: [name], requireUserInput: false });
    const entry = validateEntry({
      ...{ models: { driving: 'm' }, promptVariables: {}, grid: [] },
      tasks: Object.fromEntries(Object.keys(given).map((name) => [name, task(name)])),
      jobs: { night: { work, ...(worktree && { worktree }) } },
    });
    const definition = jobDefinition(entry, 'night') ?? assert.fail();
    return JobRun.start(context(), { jobId: 'r1', definition, userInput: '', workingDirectory: folder }, record);
  }
  const again = () => JobRun.continue(context(), state(), {}, record);

  it('give the run a folder of its own, and end with the work in that of the user', async () => {
    const seen: string[] = [];
    const run = start(seq(ref('one'), ref('two')), 'run', {
      one: (folder) => (seen.push(folder), writes('b.txt', 'made\n')(folder)),
      two: (folder) => {
        seen.push(folder, read(folder, 'b.txt'), String(existsSync(join(repository, 'b.txt'))));
        rmSync(join(folder, 'a.txt'));
      },
    });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    const path = join(root, 'r1.run');
    assert.deepEqual(seen, [path, path, 'made\n', 'false']);
    assert.deepEqual(readdirSync(repository).sort(), ['.git', 'b.txt']);
    assert.equal(git(repository, 'status', '--porcelain'), '');
    assert.equal(git(repository, 'log', '-1', '--format=%s'), 'night');
    assert.deepEqual(trees(), ['run Merged']);
    assert.deepEqual([existsSync(path), branches()], [false, []], 'nothing is left of it');
  });

  it('leave the work on the branch where the entry says so', async () => {
    const run = start(ref('one'), { for: 'run', merge: 'leave' }, { one: writes('b.txt', 'made\n') });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.deepEqual([trees(), branches()], [['run Left'], ['tapline/r1/run']]);
    assert.equal(git(repository, 'show', 'tapline/r1/run:b.txt'), 'made');
    assert.ok(!existsSync(join(repository, 'b.txt')));
  });

  it('give each branch of a Par its own, merged in their order', async () => {
    const seen = new Map<string, string>();
    const doing =
      (name: string, more: Doing): Doing =>
      (folder) => {
        seen.set(name, folder);
        return more(folder);
      };
    const work = seq(ref('before'), par(seq(ref('one'), ref('more')), ref('two')), ref('after'));
    const run = start(work, 'step', {
      before: doing('before', writes('b.txt', 'before\n')),
      one: doing('one', (folder) => {
        assert.equal(read(folder, 'b.txt'), 'before\n');
        writes('one.txt', '1\n')(folder);
        // Slower than the other one.
        return { turns: 50 };
      }),
      more: doing('more', writes('more.txt', '1\n')),
      two: doing('two', (folder) => {
        assert.ok(!existsSync(join(folder, 'one.txt')));
        writes('two.txt', '2\n')(folder);
      }),
      after: doing('after', (folder) => {
        assert.deepEqual(readdirSync(folder).sort(), ['.git', 'a.txt', 'b.txt', 'more.txt', 'one.txt', 'two.txt']);
      }),
    });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.equal(seen.get('one'), seen.get('more'));
    assert.equal(new Set([...seen.values()]).size, 3);
    assert.equal(seen.get('after'), seen.get('before'));
    assert.deepEqual(trees(), ['run Merged', '1#0 Merged', '3#0 Merged']);
    const merges = git(repository, 'log', '--merges', '--reverse', '--format=%s').split('\n');
    assert.deepEqual(merges, ['Tapline merges tapline/r1/1-0', 'Tapline merges tapline/r1/3-0']);
    assert.equal(read(repository, 'more.txt'), '1\n');
  });

  it('go round a loop with a Par in it, each time with new ones', async () => {
    let rounds = 0;
    const loop: GivenWork = {
      kind: 'Loop',
      body: par(ref('one'), par(ref('two'), seq(par(ref('one'), ref('two')), ref('two')))),
      postCondition: [true, ref('more')],
    };
    const doings = {
      one: (folder: string) => writes(`one-${rounds}`, String(rounds))(folder),
      two: () => undefined,
      more: () => ({ ...(++rounds >= 2 && { crash: new Error('enough') }) }),
    };
    const run = start(loop, 'step', doings);
    assert.equal(await run.ended, 'Failed');
    assert.match(state().reason ?? '', /enough/);
    const ids = trees();
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.slice(1).every((tree) => tree.endsWith('Merged')));
    assert.ok(existsSync(join(root, 'r1.run', 'one-1')));
  });

  it('say which files are in conflict, keep both, and go on once that is resolved', async () => {
    const work = par(ref('one'), ref('two'));
    const run = start(work, 'step', { one: writes('a.txt', 'one\n'), two: writes('a.txt', 'two\n') });
    assert.equal(await run.ended, 'Failed');
    const reason = state().reason ?? '';
    assert.match(
      reason,
      /have changed a\.txt\. .*tapline\/r1\/run, and this is left on tapline\/r1\/1-0\. Run “git merge tapline\/r1\/run” in/,
    );
    assert.deepEqual(trees(), ['run Made', '0#0 Merged', '1#0 Conflict']);
    const [runTree, , conflict] = state().worktrees ?? [];
    assert.deepEqual(conflict?.files, ['a.txt']);
    assert.equal(read(runTree?.path ?? '', 'a.txt'), 'one\n');
    assert.equal(git(runTree?.path ?? '', 'status', '--porcelain'), '');
    assert.equal(read(repository, 'a.txt'), 'first\n');

    // Somebody is about to resolve it.
    const { path = '' } = conflict ?? {};
    assert.throws(() => git(path, 'merge', 'tapline/r1/run'));
    const early = again();
    assert.equal(await early.ended, 'Failed');
    assert.match(state().reason ?? '', /conflicts that are not resolved: a\.txt/);
    writeFileSync(join(path, 'a.txt'), 'both\n');
    git(path, 'commit', '--quiet', '-am', 'both');
    assert.equal(await again().ended, 'Succeeded', state().reason);
    assert.equal(read(repository, 'a.txt'), 'both\n');
    assert.deepEqual(branches(), []);
  });

  it('touch nothing in the folder that is not committed', async () => {
    writes('b.txt', 'mine\n')(repository);
    writes('a.txt', 'mine too\n')(repository);
    writes('c.txt', 'elsewhere\n')(repository);
    const run = start(ref('one'), 'run', { one: (folder) => (writes('b.txt', 'made\n')(folder), writes('a.txt', 'made\n')(folder)) });
    assert.equal(await run.ended, 'Failed');
    assert.match(
      state().reason ?? '',
      /has work that is not committed in .*\.txt, which a merge would overwrite\. .* left on tapline\/r1\/run/,
    );
    assert.equal(state().worktrees?.[0]?.uncommitted, 3);
    assert.deepEqual([read(repository, 'a.txt'), read(repository, 'b.txt')], ['mine too\n', 'mine\n']);
    assert.equal(git(repository, 'show', 'tapline/r1/run:b.txt'), 'made');
    rmSync(join(repository, 'b.txt'));
    git(repository, 'checkout', '--quiet', 'a.txt');
    assert.equal(await again().ended, 'Succeeded', state().reason);
    assert.deepEqual([read(repository, 'b.txt'), read(repository, 'c.txt')], ['made\n', 'elsewhere\n']);
  });

  it('take up what was committed in the folder meanwhile, unless it is a conflict', async () => {
    const meanwhile = (name: string) => {
      writes(name, 'meanwhile\n')(repository);
      git(repository, 'add', '.');
      git(repository, 'commit', '--quiet', '-m', 'meanwhile');
    };
    const run = start(seq(ref('one')), 'run', { one: (folder) => (writes('b.txt', 'made\n')(folder), meanwhile('c.txt')) });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.deepEqual(readdirSync(repository).sort(), ['.git', 'a.txt', 'b.txt', 'c.txt']);
    events = [];
    const other = start(seq(ref('one')), 'run', { one: (folder) => (writes('a.txt', 'made\n')(folder), meanwhile('a.txt')) });
    assert.equal(await other.ended, 'Failed');
    assert.match(state().reason ?? '', /The run and the branch main have both changed a\.txt\. Its work is left on tapline\/r1\/run/);
    assert.equal(read(repository, 'a.txt'), 'meanwhile\n');
    assert.equal(git(repository, 'status', '--porcelain'), '');
  });

  it('take up again what others commit in the folder at the end', async () => {
    for (const [count, status] of [
      [2, 'Succeeded'],
      [3, 'Failed'],
    ] as const) {
      let tried = 0;
      events = [];
      checked = () => {
        if (tried++ >= count) return;
        git(repository, 'commit', '--quiet', '--allow-empty', '-m', `other ${tried}`);
      };
      const run = start(ref('one'), 'run', { one: writes(`${status}.txt`, 'made\n') });
      assert.equal(await run.ended, status, state().reason);
      assert.deepEqual([tried, existsSync(join(repository, `${status}.txt`))], [3, status === 'Succeeded']);
    }
    assert.match(state().reason ?? '', /could not be merged into .*left on tapline\/r1\/run/);
  });

  it('are not merged into another branch than that of the start', async () => {
    const run = start(ref('one'), 'run', {
      one: (folder) => {
        writes('b.txt', 'made\n')(folder);
        git(repository, 'switch', '-qc', 'other');
      },
    });
    assert.equal(await run.ended, 'Failed');
    assert.match(state().reason ?? '', /is at the branch other now, and was at the branch main/);
    assert.ok(!existsSync(join(repository, 'b.txt')));
  });

  it('are those of the folder where the job works in a part of the repository', async () => {
    mkdirSync(join(repository, 'part'));
    const run = start(ref('one'), 'run', { one: (folder) => writes('b.txt', folder)(folder) }, join(repository, 'part'));
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.equal(read(repository, 'part/b.txt'), join(root, 'r1.run/part'));
  });

  it('run no hook, and no filter that only the repository names', async () => {
    const hook = join(repository, '.git/hooks/post-checkout');
    for (const name of ['post-checkout', 'pre-commit', 'post-merge', 'post-commit'])
      writeFileSync(join(dirname(hook), name), `#!/bin/sh\ntouch ${join(base, name)}\n`, { mode: 0o755 });
    git(repository, 'config', 'filter.x.smudge', `touch ${join(base, 'filter')}; cat`);
    git(repository, 'config', 'filter.x.clean', `touch ${join(base, 'filter')}; cat`);
    // That of the new tree may be another one.
    writeFileSync(
      join(repository, '.git/more'),
      `[filter "y"]\n\tsmudge = touch ${join(base, 'late')}; cat\n\tclean = touch ${join(base, 'late')}; cat\n`,
    );
    git(repository, 'config', 'includeIf.gitdir:**/worktrees/**.path', 'more');
    writes('.git/info/attributes', 'a.txt filter=x\nb.txt filter=y\n* filter=y\n')(repository);
    const run = start(ref('one'), 'run', { one: writes('b.txt', 'made\n') });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.deepEqual(readdirSync(base).sort(), ['data', 'shop']);
  });

  it('run no program that a submodule names, and commit where it is at', async () => {
    const other = join(base, 'other');
    git(base, 'init', '--quiet', '--initial-branch', 'main', other);
    writes('s.txt', 'first\n')(other);
    git(other, 'add', '.');
    git(other, 'commit', '--quiet', '-m', 'first');
    git(repository, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
    git(repository, 'commit', '--quiet', '-m', 'sub');
    const mark = join(base, 'ran');
    const evil = (modules: string) => {
      git(repository, 'config', '--file', join(modules, 'config'), 'filter.evil.clean', `touch ${mark}; cat`);
      writes('info/attributes', '* filter=evil\n')(modules);
    };
    evil(join(repository, '.git/modules/sub'));
    writes('sub/s.txt', 'other\n')(repository);
    let at = '';
    const run = start(seq(ref('one'), par(ref('two'))), 'step', {
      one: (folder) => {
        git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
        const sub = join(folder, 'sub');
        git(sub, 'commit', '--quiet', '--allow-empty', '-m', 'more');
        at = git(sub, 'rev-parse', 'HEAD');
        evil(git(sub, 'rev-parse', '--absolute-git-dir'));
        writes('sub/s.txt', 'other\n')(folder);
        writes('b.txt', 'made\n')(folder);
      },
      two: writes('c.txt', 'made\n'),
    });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.ok(!existsSync(mark));
    assert.equal(git(repository, 'rev-parse', 'HEAD:sub'), at);
    assert.equal(git(repository, 'show', 'HEAD:c.txt'), 'made');
  });

  it('are merged once another Git lets go of the folder', async () => {
    const lock = join(repository, '.git/index.lock');
    let free: NodeJS.Timeout | undefined;
    checked = () => {
      if (free) return;
      writeFileSync(lock, '');
      free = setTimeout(() => rmSync(lock), 500);
    };
    const run = start(ref('one'), 'run', { one: writes('b.txt', 'made\n') });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.ok(free);
    clearTimeout(free);
    assert.deepEqual([existsSync(lock), read(repository, 'b.txt')], [false, 'made\n']);
  });

  it('are not merged into the branch to which another Git has switched the folder while it had it locked', async () => {
    git(repository, 'branch', 'other');
    const before = git(repository, 'rev-parse', 'other');
    const lock = join(repository, '.git/index.lock');
    let times = 0;
    checked = () => {
      times++;
      if (times === 1) writeFileSync(lock, '');
      if (times !== 2) return;
      git(repository, 'symbolic-ref', 'HEAD', 'refs/heads/other');
      rmSync(lock);
    };
    const run = start(ref('one'), 'run', { one: writes('b.txt', 'made\n') });
    assert.equal(await run.ended, 'Failed');
    assert.match(state().reason ?? '', /is at the branch other now, and was at the branch main .*left on tapline\/r1\/run/);
    assert.deepEqual([git(repository, 'rev-parse', 'other'), existsSync(join(repository, 'b.txt'))], [before, false]);
    assert.deepEqual(trees(), ['run Made']);
  });

  it('are not merged any more once the run was stopped while another Git had the folder locked', async () => {
    const lock = join(repository, '.git/index.lock');
    const before = git(repository, 'rev-parse', 'HEAD');
    let times = 0;
    checked = () => {
      times++;
      if (times === 1) writeFileSync(lock, '');
      if (times !== 2) return;
      run.stop();
      rmSync(lock);
    };
    const run = start(ref('one'), 'run', { one: writes('b.txt', 'made\n') });
    assert.equal(await run.ended, 'Stopped');
    // It stands behind what the run was at.
    await assert.rejects(treesOfRun.finish());
    assert.deepEqual([git(repository, 'rev-parse', 'HEAD'), trees()], [before, ['run Made']]);
  });

  it('are not taken for the repository around them', async () => {
    git(base, 'init', '--quiet', '--initial-branch', 'main');
    git(base, 'commit', '--quiet', '--allow-empty', '-m', 'around');
    const around = git(base, 'rev-parse', 'HEAD');
    const path = join(root, 'r1.run');
    const run = start(ref('one'), 'run', { one: (folder) => (writes('b.txt', 'made\n')(folder), rmSync(join(folder, '.git'))) });
    assert.equal(await run.ended, 'Failed');
    assert.match(state().reason ?? '', /r1\.run is no work tree of Git any more/);
    const lock = join(base, '.git/index.lock');
    writeFileSync(lock, '');
    assert.equal(await again().ended, 'Failed');
    assert.match(state().reason ?? '', /r1\.run is no work tree of Git any more/);
    assert.deepEqual([git(base, 'rev-parse', 'HEAD'), existsSync(lock), read(path, 'b.txt')], [around, true, 'made\n']);
    rmSync(path, { recursive: true });
    assert.equal(await again().ended, 'Succeeded', state().reason);
  });

  it('are merged as they are, whatever the repository says of merges', async () => {
    const mark = join(base, 'signed');
    writeFileSync(join(base, 'sign'), `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
    git(repository, 'config', 'gpg.program', join(base, 'sign'));
    git(repository, 'config', 'pull.twohead', 'ours');
    for (const branch of ['main', 'tapline/r1/run']) git(repository, 'config', `branch.${branch}.mergeOptions`, '--squash -S');
    const run = start(par(ref('one'), ref('two')), 'step', { one: writes('one.txt', '1\n'), two: writes('two.txt', '2\n') });
    assert.equal(await run.ended, 'Succeeded', state().reason);
    assert.deepEqual(readdirSync(repository).sort(), ['.git', 'a.txt', 'one.txt', 'two.txt']);
    assert.equal(git(repository, 'status', '--porcelain'), '');
    assert.ok(!existsSync(mark));
    events = [];
    git(repository, 'switch', '-qc', 'a=b');
    git(repository, 'config', 'branch.a=b.mergeOptions', '--squash');
    assert.equal(await start(ref('one'), 'run', { one: writes('b.txt', '1\n') }).ended, 'Failed');
    assert.match(state().reason ?? '', /branch\.a=b\.mergeOptions cannot be disabled .*left on tapline\/r1\/run/);
    assert.equal(git(repository, 'show', 'tapline/r1/run:b.txt'), '1');
  });

  it('stay with a run that fails, which goes on in them', async () => {
    let isGood = false;
    const run = start(par(ref('one'), ref('two')), 'step', {
      one: writes('one.txt', '1\n'),
      two: (folder) => {
        if (isGood) return assert.equal(read(folder, 'half.txt'), 'half\n');
        writes('half.txt', 'half\n')(folder);
        return { crash: new Error('out of memory') };
      },
    });
    assert.equal(await run.ended, 'Failed');
    assert.deepEqual(trees(), ['run Made', '0#0 Made', '1#0 Made']);
    isGood = true;
    assert.equal(await again().ended, 'Succeeded', state().reason);
    assert.deepEqual(readdirSync(repository).sort(), ['.git', 'a.txt', 'half.txt', 'one.txt']);
  });

  it('are made anew when all of them is gone and nothing of it counts as done', async () => {
    const run = start(seq(ref('one'), par(ref('two'))), 'step', {
      one: writes('one.txt', '1\n'),
      two: () => ({ crash: new Error('out of memory') }),
    });
    assert.equal(await run.ended, 'Failed');
    for (const name of readdirSync(root)) git(repository, 'worktree', 'remove', '--force', join(root, name));
    for (const branch of branches()) git(repository, 'branch', '--quiet', '-D', branch);
    assert.equal(await again().ended, 'Failed');
    assert.match(
      state().reason ?? '',
      /r1\.1-0 of this run is gone, and its branch tapline\/r1\/1-0 too, with what was done\. Start a new run\./,
    );
    tasks = { ...tasks, two: writes('two.txt', '2\n') };
    const redo = state().steps.map(({ step }) => step);
    assert.equal(await JobRun.continue(context(), state(), { redo }, record).ended, 'Succeeded', state().reason);
    assert.deepEqual(readdirSync(repository).sort(), ['.git', 'a.txt', 'one.txt', 'two.txt']);
    assert.deepEqual([branches(), readdirSync(root)], [[], []]);
  });

  it('are those of before after the portal was killed at any moment', async function () {
    this.timeout(180_000);
    const work = seq(ref('one'), par(ref('two'), ref('three')), ref('four'));
    const doings = {
      one: writes('one.txt', '1\n'),
      two: writes('two.txt', '2\n'),
      three: writes('three.txt', '3\n'),
      four: (folder: string) => writes('four.txt', read(folder, 'two.txt') + read(folder, 'three.txt'))(folder),
    };
    assert.equal(await start(work, 'step', doings).ended, 'Succeeded', state().reason);
    const all = [...events];
    // Each event may be the last one that is kept. What came after it was done, and is not known.
    const moments = all.flatMap(({ type }, at) => (/^(worktree|jobSucceeded)/.test(type) ? at : []));
    for (const kept of moments) {
      git(repository, 'reset', '--quiet', '--hard', git(repository, 'rev-list', '--max-parents=0', 'HEAD'));
      for (const name of existsSync(root) ? readdirSync(root) : []) git(repository, 'worktree', 'remove', '--force', join(root, name));
      for (const branch of branches()) git(repository, 'branch', '--quiet', '-D', branch);
      events = [];
      tasks = doings;
      const killed = context();
      const dying = new Promise<void>((resolve) => {
        const first = JobRun.start(
          killed,
          {
            jobId: 'r1',
            definition: (all[0] as { definition: JobState['definition'] }).definition,
            userInput: '',
            workingDirectory: repository,
          },
          (event) => {
            // A process that is gone does nothing more.
            if (events.length === kept) {
              resolve();
              throw new Error('killed');
            }
            record(event);
          },
        );
        void first.ended.then(() => resolve());
      });
      await dying;
      // So is what it had begun with Git.
      await killed.worktrees.remove('r0', repository, []);
      for (const event of cutOff(state(), 0)) record(event);
      record({ at: 0, type: 'jobInterrupted' });
      assert.equal(await again().ended, 'Succeeded', `${kept}: ${state().reason}`);
      assert.equal(read(repository, 'four.txt'), '2\n3\n', String(kept));
      assert.deepEqual([branches(), readdirSync(root)], [[], []], String(kept));
    }
  });

  it('are removed with the run, unless something in them is not committed', async () => {
    const run = start(par(ref('one'), ref('two')), 'step', { one: writes('a.txt', 'one\n'), two: writes('a.txt', 'two\n') });
    assert.equal(await run.ended, 'Failed');
    const all = new Worktrees(root, nullLogger);
    const { worktrees = [] } = state();
    const conflict = join(root, 'r1.1-0');
    writeFileSync(join(conflict, 'new.txt'), 'new');
    mkdirSync(join(root, 'r2.run'));
    assert.deepEqual(await all.remove('r1', repository, worktrees), [conflict]);
    assert.ok(existsSync(join(root, 'r1.run')));
    rmSync(join(conflict, 'new.txt'));
    mkdirSync(join(root, 'r1.0-0'));
    assert.deepEqual(await all.remove('r1', repository, worktrees), []);
    assert.deepEqual(readdirSync(root), ['r2.run']);
    assert.deepEqual(branches(), ['tapline/r1/1-0', 'tapline/r1/run'], 'their work is nowhere else');
  });

  it('cannot be made in a folder without a commit', async () => {
    const plain = join(base, 'plain');
    mkdirSync(plain);
    const run = start(ref('one'), 'run', { one: () => undefined }, plain);
    assert.equal(await run.ended, 'Failed');
    assert.match(state().reason ?? '', /plain can have none: fatal: not a git repository/);
    assert.deepEqual(state().steps, []);
    git(plain, 'init', '--quiet');
    events = [];
    assert.equal(await start(ref('one'), 'run', { one: () => undefined }, plain).ended, 'Failed');
    assert.match(state().reason ?? '', /a repository without a commit/);
  });
});
