/** `tapline try` as a real process. There is no portal, and nothing is left behind. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Trial } from '../../../src/views/portal/trial/trial.ts';

const script = join(import.meta.dirname, '../../../dist/tapline.cjs');
const overnight = join(import.meta.dirname, '../../../examples/portal/overnight.tapline-portal.json');
const task = (prompt: string, more: object = {}) => ({
  model: { category: 'driving' },
  prompt: [prompt],
  requireUserInput: false,
  ...more,
});
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const yes = { criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } } };
const entry = {
  models: { driving: 'm' },
  promptVariables: {},
  tasks: {
    says: { ...task('Say $user-input.'), requireUserInput: true },
    asks: task('Ready? job_boolean_true', yes),
    goes: task('Go.', { availability: { condition: ['May I? job_boolean_true'] }, approve: ['job-tools', 'edits'] }),
  },
  jobs: {
    says: { work: ref('says') },
    loops: { work: { kind: 'Loop', body: ref('goes'), postCondition: [false, ref('asks')] } },
    endless: { work: { kind: 'Loop', body: ref('goes'), postCondition: [true, ref('asks')] } },
  },
  grid: [],
};

describe('tapline try', function () {
  this.timeout(60_000);
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-try-')));
    writeFileSync(join(folder, 'entry.json'), JSON.stringify(entry));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: string[]) {
    const env = { ...process.env, TAPLINE_HOME: join(folder, 'home'), HOME: join(folder, 'home') };
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'try', ...args], { cwd: folder, env, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  }
  const json = (...args: string[]) => {
    const { code, stdout, stderr } = run(...args, '--json');
    return { code, stderr, trial: JSON.parse(stdout) as Trial };
  };

  it('tells each step in order, with its prompt, and that nothing was run', () => {
    const { code, stdout, stderr } = run('entry.json', 'says', '--input', 'good\u001b[31m night', '--folder', 'here');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Trial of “says”\. With a script in place of its models it would succeed after 1 step\.\nNothing was run/);
    assert.match(stdout, new RegExp(`\n1\\. says \\(0#0\\): Succeeded\n {2}Model: m, in ${folder}/here\n`));
    assert.match(stdout, /\n {2}Prompt, to a new session of m:\n {4}│ Say good.*U\+001B.*night\.\n {2}The script calls nothing\.\n/);
    assert.ok(!stdout.includes('\u001b'));
    assert.match(run('entry.json', 'says').stdout, /│ Say <what is typed at the start>\./);
  });

  it('takes the outcomes that are named', () => {
    const { code, trial } = json('entry.json', 'loops', '--fail', 'asks:2');
    assert.equal(code, 0);
    assert.deepEqual(
      trial.steps.map(({ taskName, round, status }) => `${taskName} ${round} ${status}`),
      ['goes 1 Succeeded', 'asks 1 Failed', 'goes 2 Succeeded', 'asks 2 Failed', 'goes 3 Succeeded', 'asks 3 Succeeded'],
    );
    const refused = json('entry.json', 'loops', '--unavailable', 'goes');
    assert.deepEqual([refused.code, refused.trial.status, refused.trial.notReached], [1, 'Failed', ['asks']]);
    const endless = json('entry.json', 'endless', '--loop-cap', '2');
    assert.deepEqual([endless.code, endless.trial.reason], [1, 'a loop has run 2 times and would run again']);
    const never = run('entry.json', 'loops', '--fail', 'asks', '--loop-cap', '1');
    assert.deepEqual([never.code, /it would fail after 2 steps\. A loop has run 1 time and/.test(never.stdout)], [1, true]);
  });

  it('reads a module, and an example of the documents', () => {
    writeFileSync(join(folder, 'one.mjs'), `export const entry = ${JSON.stringify({ ...entry, jobs: { says: entry.jobs.says } })};`);
    assert.equal(run('one.mjs').code, 0);
    const { code, trial } = json(overnight, 'Overnight', '--fail', 'tests pass:1');
    assert.deepEqual([code, trial.notReached], [0, []]);
  });

  it('says what makes no sense', () => {
    writeFileSync(join(folder, 'bad.json'), JSON.stringify({ ...entry, tasks: {} }));
    const cases: [string[], RegExp][] = [
      [[], /^Name the file with jobs: tapline try ENTRY JOB\.$/],
      [['entry.json'], /^Name the job: .* It has “says”, “loops”, “endless”\.$/],
      [['entry.json', 'night'], /^The file has no job “night”\. It has “says”/],
      [['entry.json', 'says', 'more'], /^“more” is one argument too many\.$/],
      [['entry.json', 'says', '--input', ' '], /^The job “says” needs an --input that is not empty\.$/],
      [['entry.json', 'says', '--fail', 'x'], /^--fail: the job has no task “x”\. It has “says”\.$/],
      [['entry.json', 'loops', '--loop-cap', 'x'], /--loop-cap/],
      [['gone.json', 'says'], /^gone\.json: ENOENT/],
      [['bad.json', 'says'], /^bad\.json: entry\.jobs\["says"\]\.work\.taskId: there is no task "says"$/],
    ];
    for (const [args, said] of cases) {
      const { code, stdout, stderr } = run(...args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr.trimEnd(), said);
    }
  });

  it('leaves nothing behind', () => {
    assert.deepEqual(readdirSync(folder).sort(), ['bad.json', 'entry.json', 'one.mjs']);
  });
});
