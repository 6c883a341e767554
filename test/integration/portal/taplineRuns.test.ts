/** The commands of `tapline` about runs, as real processes, at a real portal with the demo agent. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import type { Json } from './portalHarness.ts';

const dist = join(import.meta.dirname, '../../../dist');
const task = (prompt: string, more: Json = {}) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false, ...more });
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const never = { criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } } };
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: {
    ...{ plan: task('help'), review: task('help'), slow: task('wait 60'), never: task('help', never) },
    says: task('help $user-input', { requireUserInput: true }),
  },
  jobs: {
    whole: { work: { kind: 'Seq', works: [ref('plan'), { kind: 'Par', works: [ref('review'), ref('plan')] }] } },
    slow: { work: { kind: 'Seq', works: [ref('plan'), ref('slow')] } },
    never: { work: { kind: 'Seq', works: [ref('plan'), ref('never')] } },
    pausable: { work: { kind: 'Seq', works: [ref('slow'), ref('plan')] } },
    says: { work: ref('says') },
  },
  grid: [],
};

describe('tapline and the runs of a portal', function () {
  this.timeout(120_000);
  let folder: string;
  let portal: PrintingProcess<{ url: string; token: string }>;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-cli-')));
    writeFileSync(join(folder, 'entry.json'), JSON.stringify(entry));
    const args = ['--port', '0', '--agent', 'demo', '--data', join(folder, 'data'), '--entry', join(folder, 'entry.json')];
    portal = await startPrintingProcess('portal', join(dist, 'portal.cjs'), args);
  });
  after(async () => {
    await portal?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  function start(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; stdout: string; stderr: string }> } {
    const env = { ...process.env, TAPLINE_PORTAL_URL: portal.said.url, TAPLINE_PORTAL_TOKEN: portal.said.token };
    const child = spawn(process.execPath, [join(dist, 'tapline.cjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
    return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said }))) };
  }
  const run = (...args: string[]) => start(...args).ended;
  const begin = async (name: string) => {
    const { code, stdout, stderr } = await run('job', name, '--detach', '--folder', folder);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  const status = async (id: string) =>
    JSON.parse((await run('show', id, '--json')).stdout) as {
      status: string;
      attempt: number;
      steps: { step: string; status: string; redone?: true }[];
    };
  const portalAnswer = async (path: string) =>
    (await fetch(`${portal.said.url}/api/${path}`, { headers: { Authorization: `Bearer ${portal.said.token}` } })).json();
  const outcome = async (id: string) => (await status(id)).steps.map((one) => `${one.step} ${one.status}${one.redone ? ' again' : ''}`);
  /** Until a line says this. */
  const heard = ({ stdout }: ChildProcess, what: RegExp) =>
    new Promise<void>((resolve) => {
      let said = '';
      stdout?.on('data', (chunk) => {
        said += String(chunk);
        if (what.test(said)) resolve();
      });
    });

  it('lists what can be started', async () => {
    assert.deepEqual(await run('tasks'), { code: 0, stdout: 'plan\nreview\nslow\nnever\nsays  needs --input\n', stderr: '' });
    assert.deepEqual(await run('jobs'), { code: 0, stdout: 'whole\nslow\nnever\npausable\nsays  needs --input\n', stderr: '' });
    assert.equal((JSON.parse((await run('tasks', '--json')).stdout) as { tasks: Json[] }).tasks.length, 5);
    assert.deepEqual(Object.keys((JSON.parse((await run('jobs', '--json')).stdout) as { jobs: Json }).jobs), Object.keys(entry.jobs));
  });

  it('tells what steps do by their names, in order, and shows and logs the run later', async () => {
    const { code, stdout, stderr } = await run('job', 'whole', '--folder', folder);
    assert.equal(code, 0, stderr);
    assert.ok(!/Step \d/.test(stdout), stdout);
    const lines = stdout.split('\n').filter((line) => /^\d\d:/.test(line));
    assert.match(lines[0] ?? '', /^\d\d:\d\d:\d\d {2}plan \(0#0\): has started$/);
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    assert.ok(at('plan (0#0): has succeeded') < at('review (1#0): has started'), stdout);
    for (const name of ['review (1#0)', 'plan (2#0)']) {
      assert.ok(at(`${name}: has started`) < at(`${name}: [TASK SUCCEEDED]`), stdout);
      assert.ok(at(`${name}: [TASK SUCCEEDED]`) < at(`${name}: has succeeded`), stdout);
    }
    const [, id = ''] = /The job (\S+): Succeeded/.exec(stdout) ?? [];
    assert.deepEqual((await run('logs', id)).stdout.trimEnd().split('\n'), lines, 'what is told while it runs is what the log has');
    assert.deepEqual(await run('logs', '-f', id), { code: 0, stdout: `${lines.join('\n')}\nThe job ${id}: Succeeded\n`, stderr: '' });
    const shown = await run('show', id.slice(0, 8));
    assert.match(
      shown.stdout,
      new RegExp(
        `^whole: Succeeded\n  Run: ${id}\n  Folder: ${folder}\n  Began: [^]*  Used: 3 model calls · [\\d,]+ tokens · \\S+ s of work\n  Steps:\n    0#0  plan: Succeeded, `,
      ),
    );
    const logged = (await run('logs', id, '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    assert.deepEqual(
      logged.map(({ taskName, step, text }) => `${String(taskName)} (${String(step)}): ${String(text)}`),
      lines.map((line) => line.slice(10)),
    );
  });

  it('follows a run that others have started, until it is stopped', async () => {
    const id = await begin('slow');
    const { child, ended } = start('logs', '-f', id);
    await heard(child, /slow \(1#0\): has started/);
    assert.deepEqual(await run('stop', id), { code: 0, stdout: `The job ${id} was stopped.\n`, stderr: '' });
    const { code, stdout } = await ended;
    assert.equal(code, 1);
    assert.match(stdout, /plan \(0#0\): has succeeded[^]*slow \(1#0\): was stopped[^]*The job \S+: Stopped\n$/);
    assert.equal((await run('stop', id)).code, 3, 'it does not run any more');
  });

  it('goes on from what failed, or from a step that is named', async () => {
    const failed = await run('job', 'never', '--folder', folder);
    assert.equal(failed.code, 1, failed.stderr);
    const [, id = ''] = /The job (\S+): Failed/.exec(failed.stdout) ?? [];
    const went = await run('continue', id);
    assert.equal(went.code, 1);
    assert.ok(!went.stdout.includes('plan ('), 'what was told before is not told again');
    assert.match(went.stdout, /never \(1#0\): has started/);
    assert.deepEqual(await outcome(id), ['0#0 Succeeded', '1#0 Failed again', '1#0 Failed']);
    for (const step of ['plan', '0', '0#0']) {
      const { stdout } = await run('retry', id, '--from', step);
      assert.match(stdout, /plan \(0#0\): has started[^]*plan \(0#0\): has succeeded[^]*never \(1#0\): has started/);
    }
    assert.equal((await status(id)).attempt, 5);
    const unknown = await run('retry', id, '--from', 'nothing');
    assert.deepEqual([unknown.code, unknown.stdout], [3, '']);
    assert.equal((await status(id)).attempt, 5, 'nothing was done');
  });

  it('does again a run that has succeeded, from a step on, and says which one is meant', async () => {
    const { stdout } = await run('job', 'whole', '--folder', folder);
    const [, id = ''] = /The job (\S+): Succeeded/.exec(stdout) ?? [];
    assert.equal((await run('continue', id)).code, 3);
    const two = await run('retry', id, '--from', 'plan');
    assert.equal(two.code, 2);
    assert.match(two.stderr, /several places of the job. Name one by its number: 0, 2/);
    assert.equal((await run('retry', id, '--from', '2')).code, 0);
    assert.deepEqual(
      (await outcome(id)).filter((one) => one.startsWith('2#')),
      ['2#0 Succeeded again', '2#0 Succeeded'],
    );
    assert.deepEqual((await run('retry', id, '--from', '0', '--detach')).stdout, `${id}\n`);
  });

  it('keeps a job until its time, says that it is queued, and stops it', async () => {
    const { child, ended } = start('job', 'whole', '--folder', folder, '--not-before', '2999-01-01T00:00Z');
    await heard(child, /Queued: waits until (?:2998-12-31|2999-01-01) /);
    const [, id = ''] = /^ {2}(\S+) {2}Queued {2}whole {2}waits until/m.exec((await run('ps')).stdout) ?? [];
    assert.match((await run('show', id)).stdout, /^whole: Queued, waits until /);
    assert.equal((await run('stop', id)).code, 0);
    const { code, stdout } = await ended;
    assert.deepEqual([code, stdout.trim().split('\n').at(-1)], [1, `The job ${id}: Stopped`]);
    const soon = await run('job', 'never', '--folder', folder, '--not-before', 'soon');
    assert.deepEqual([soon.code, /--not-before must be a time such as/.test(soon.stderr)], [2, true]);
    const task = await run('run', 'plan', '--folder', folder, '--not-before', '22:00');
    assert.deepEqual([task.code, /A task begins at once/.test(task.stderr)], [2, true]);
  });

  it('pauses a run, steers its step to the end, and goes on', async () => {
    const id = await begin('pausable');
    const { child, ended } = start('logs', '-f', id);
    await heard(child, /slow \(0#0\): has started/);
    const paused = await run('pause', id);
    assert.deepEqual(paused, {
      code: 0,
      stdout: `The job ${id} is paused once what runs has ended. “tapline continue” lets it go on.\n`,
      stderr: '',
    });
    assert.match((await run('show', id)).stdout, /^pausable: Executing, to be paused by the command line\n/);
    // The agent may not have begun yet.
    let steered = await run('steer', id, 'slow', 'stop');
    while (steered.code === 3) steered = await run('steer', id, 'slow', 'stop');
    assert.deepEqual(steered, { code: 0, stdout: 'The agent of slow (0#0) was told.\n', stderr: '' });
    const { code, stdout } = await ended;
    assert.equal(code, 1);
    assert.match(stdout, /the command line steered the running turn, with "stop"[^]*slow \(0#0\): has succeeded[^]*The job \S+: Paused\n$/);
    assert.match((await run('ps')).stdout, new RegExp(`${id}  Paused  pausable`));
    assert.equal((await run('pause', id)).code, 3);
    const went = await run('continue', id);
    assert.equal(went.code, 0, went.stderr);
    assert.match(went.stdout, /plan \(1#0\): has started[^]*Succeeded\n$/);
  });

  it('skips a step that has failed, and does one again with other input or another prompt', async () => {
    const failed = await run('job', 'never', '--folder', folder);
    const [, id = ''] = /The job (\S+): Failed/.exec(failed.stdout) ?? [];
    const skipped = await run('skip', id, 'never');
    assert.deepEqual(skipped, {
      code: 0,
      stdout: 'The step never (1#0) counts as done. “tapline logs -f” follows the job.\n',
      stderr: '',
    });
    assert.equal((await run('logs', '-f', id)).code, 0);
    assert.match((await run('show', id)).stdout, /1#0 {2}never: Succeeded, skipped by the command line/);
    writeFileSync(join(folder, 'prompt.txt'), 'help more');
    const retried = await run('retry', id, '--from', 'plan', '--edit', 'never', '--prompt', join(folder, 'prompt.txt'), '--input', 'x');
    assert.equal(retried.code, 1, 'its criteria are as they were');
    const input = (await portalAnswer(`copilot/job/${id}/step/1`)) as Json;
    assert.deepEqual([input['prompt'], input['userInput']], ['help more', 'x']);
    const missing = await run('retry', id, '--from', 'plan', '--prompt', join(folder, 'none.txt'));
    assert.deepEqual([missing.code, missing.stdout], [2, '']);
  });

  it('says as JSON what became of a run', async () => {
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as Json;
    };
    const jobId = await begin('pausable');
    const { child, ended } = start('logs', '-f', jobId);
    await heard(child, /slow \(0#0\): has started/);
    assert.deepEqual(await said('pause', jobId), { jobId, result: 'Pausing' });
    // The agent may not have begun yet.
    let steered = await run('steer', jobId, 'slow', 'stop', '--json');
    while (steered.code === 3) steered = await run('steer', jobId, 'slow', 'stop', '--json');
    assert.deepEqual(JSON.parse(steered.stdout), { jobId, step: '0#0', result: 'Steered' });
    await ended;
    assert.deepEqual(await said('retry', jobId, '--from', 'slow', '--detach'), { jobId, status: 'Executing' });
    assert.deepEqual(await said('stop', jobId), { jobId, result: 'Closed' });
    assert.deepEqual(await said('skip', jobId, 'slow'), { jobId, step: '0#0', result: 'Skipped' });
    const refused = await run('stop', 'none', '--json');
    assert.deepEqual([refused.code, refused.stdout], [3, '']);
    assert.match(refused.stderr, /The portal has no run “none”/);
  });

  it('stops a task that runs alone', async () => {
    const { stdout } = await run('run', 'slow', '--detach', '--json', '--folder', folder);
    const { taskId } = JSON.parse(stdout) as { taskId: string };
    assert.match((await run('show', taskId)).stdout, /^slow: Executing\n/);
    assert.equal((await run('continue', taskId)).code, 3);
    assert.equal((await run('stop', taskId)).code, 0);
    assert.match((await run('show', taskId)).stdout, /^slow: (Stopped|Failed)\n/);
    assert.equal((await run('stop', taskId)).code, 3);
  });

  it('refuses what makes no sense', async () => {
    for (const args of [
      ['show'],
      ['logs'],
      ['stop'],
      ['continue'],
      ['retry', 'x'],
      ['continue', 'x', '--from', '0'],
      ['tasks', 'x'],
      ['jobs', 'x'],
      ['continue', 'x', '--loop-cap', 'y'],
      ['job', 'says'],
      ['job', 'says', '--input', ' '],
      ['run', 'says', '--input', ''],
      ['pause'],
      ['skip', 'x'],
      ['steer', 'x', '0'],
      ['steer', 'x', '0', 'a', 'b'],
      ['continue', 'x', '--prompt', 'y'],
      ['retry', 'x', '--from', '0', '--edit', '1'],
    ])
      assert.deepEqual([(await run(...args)).code, args], [2, args]);
    for (const args of [
      ['show', 'none'],
      ['logs', 'none'],
      ['stop', 'none'],
      ['continue', 'none'],
      ['retry', 'none', '--from', '0'],
      ['pause', 'none'],
      ['skip', 'none', '0'],
      ['steer', 'none', '0', 'x'],
    ]) {
      const { code, stderr } = await run(...args);
      assert.deepEqual([code, args], [3, args]);
      assert.match(stderr, /The portal has no run “none”/);
    }
  });
});
