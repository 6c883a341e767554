/** `tapline` as a real process, at a portal in this one. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as pty from '@lydell/node-pty';
import type { GivenEntry } from '../../../src/portal/entry/entry.ts';
import { startPrintingProcess } from '../../support/printingProcess.ts';
import { until } from '../../support/until.ts';
import { type Json, TestPortal } from './portalHarness.ts';

const script = join(import.meta.dirname, '../../../dist/tapline.cjs');
const task = (prompt: string, requireUserInput = false) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput });
const ref = (taskId: string) => ({ work: { kind: 'Ref' as const, taskId } });
const entry: GivenEntry = {
  models: { driving: 'one' },
  promptVariables: {},
  tasks: { good: task('hello'), bad: task('fail'), asks: task('run ls'), hangs: task('hang'), says: task('say $user-input', true) },
  jobs: { good: ref('good'), bad: ref('bad'), asks: ref('asks'), hangs: ref('hangs'), says: ref('says') },
  grid: [],
};
/** `rm` and then a file name that looks like another one. */
const COMMAND = 'rm \u202egpj.exe\nls ⟦U+202E⟧ ';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe('tapline, the command line', function () {
  // Each command is a process of its own.
  this.timeout(180_000);
  let test: TestPortal;
  const approved: boolean[] = [];

  before(async () => {
    test = await TestPortal.start();
    test.agent.onTurn = async (turn) => {
      const { text } = turn.message;
      if (/fail$/.test(text)) throw new Error('on purpose');
      if (/^hang/.test(text)) await new Promise((_, reject) => turn.signal.addEventListener('abort', () => reject(turn.signal.reason)));
      if (/^ask/.test(text))
        await turn.ask({ message: 'Tell me', questions: [{ kind: 'text', id: 'name', message: 'Name?', required: true }] });
      if (!/^run/.test(text)) return;
      const call = turn.toolCall({ toolName: 'bash', displayName: 'Run command', _meta: { toolKind: 'terminal' } });
      const decision = await call.confirm({ invocationMessage: 'Running', confirmationTitle: 'Run this?', toolInput: COMMAND });
      approved.push(decision.approved);
      if (decision.approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
    };
    const file = join(test.folder, 'entry.json');
    writeFileSync(file, JSON.stringify(entry));
    assert.deepEqual(await test.call('copilot/test/installJobsEntry', file), { result: 'OK' });
  });
  after(() => test.close());
  afterEach(() => assert.deepEqual(approved.splice(0), []));

  const environment = () => ({
    ...process.env,
    TAPLINE_HOME: join(test.folder, 'home'),
    TAPLINE_PORTAL_URL: test.server.url,
    TAPLINE_PORTAL_TOKEN: test.server.token,
  });
  function start(args: string[], env: NodeJS.ProcessEnv = {}): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(), ...env } });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
    return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said }))) };
  }
  const run = (args: string[], env?: NodeJS.ProcessEnv) => start(args, env).ended;
  const json = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);

  /** A session in which something waits. */
  async function waiting(text = 'run ls') {
    const sessionId = await test.startSession();
    await test.call(`copilot/session/${sessionId}/query`, text);
    const item = await until('something that waits', test.portal.attention.onDidChange, () =>
      test.portal.attention.list().items.find(({ session, decisions }) => session?.endsWith(sessionId) && decisions.length > 0),
    );
    return { sessionId, item };
  }
  const stop = (sessionId: string) => test.call(`copilot/session/${sessionId}/stop`);
  const nothingWaits = () => until('nothing', test.portal.attention.onDidChange, () => test.portal.attention.list().items.length === 0);

  describe('in general', () => {
    it('says what it can do, and what its exit codes mean', async () => {
      const { code, stdout } = await run(['--help']);
      assert.equal(code, 0);
      assert.match(stdout, /tapline answer \[ID\][^]*Exit codes: 0 done; 1 the work has failed/);
      assert.equal((await run([])).code, 2);
    });

    it('refuses arguments that make no sense', async () => {
      for (const args of [
        ['nothing'],
        ['ps', 'x'],
        ['ps', '--what'],
        ['run'],
        ['job'],
        ['run', 'a', 'b'],
        ['run', 'says'],
        ['job', 'says'],
        ['answer', '--approve', 'x', '--deny'],
        ['answer', '--approve'],
        ['ps', '--url', 'http://example.com'],
        ['ps', '--url', 'https://127.0.0.1:1'],
        ['ps', '--url', 'x'],
      ]) {
        const { code, stdout, stderr } = await run(args);
        assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
        assert.notEqual(stderr, '');
      }
      assert.equal((await run(['ps', '--token', 'x'], { TAPLINE_PORTAL_URL: undefined })).code, 2);
    });

    it('says when no portal runs, when what answers is none, and when the token is wrong', async () => {
      const none = await run(['ps'], { TAPLINE_PORTAL_URL: undefined });
      assert.equal(none.code, 4);
      assert.match(none.stderr, /No portal runs/);
      const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      assert.equal((await run(['ps', '--url', url])).code, 4);
      await new Promise((resolve) => server.close(resolve));
      assert.equal((await run(['ps', '--url', url])).code, 4);
      const wrong = await run(['ps'], { TAPLINE_PORTAL_TOKEN: 'wrong' });
      assert.equal(wrong.code, 4);
      assert.match(wrong.stderr, /Unauthorized/);
    });

    it('finds the portal of the user by its data, unless others could have written there', async () => {
      const data = join(test.folder, 'data');
      const portal = await startPrintingProcess<{ url: string; token: string }>(
        'portal',
        join(import.meta.dirname, '../../../dist/portal.cjs'),
        ['--port', '0', '--agent', 'demo', '--data', data],
      );
      const env = { TAPLINE_PORTAL_URL: undefined, TAPLINE_PORTAL_TOKEN: undefined };
      try {
        assert.equal((await run(['ps', '--data', data], env)).code, 0);
        chmodSync(join(data, 'portal.json'), 0o644);
        const refused = await run(['ps', '--data', data], env);
        assert.equal(refused.code, 4);
        assert.match(refused.stderr, /only you can read/);
        chmodSync(join(data, 'portal.json'), 0o600);
      } finally {
        await portal.stop('SIGKILL');
      }
      const gone = await run(['ps', '--data', data], env);
      assert.equal(gone.code, 4);
      assert.match(gone.stderr, /No portal runs/);
    });
  });

  describe('run and job', () => {
    it('wait for the end, and say by the exit code how it was', async () => {
      for (const command of ['run', 'job']) {
        const good = await run([command, 'good', '--folder', test.folder]);
        assert.deepEqual([good.code, good.stderr], [0, '']);
        assert.match(good.stdout, /\[TASK SUCCEEDED\][^]*Succeeded/);
        const bad = await run([command, 'bad', '--json', '--folder', test.folder]);
        assert.equal(bad.code, 1);
        const lines = json(bad.stdout);
        assert.equal(lines.at(-1)?.['status'], 'Failed');
        assert.ok(lines.some(({ callback }) => callback === 'taskDecision'));
        assert.equal((await run([command, 'none'])).code, 3);
        assert.equal((await run([command, 'good', '--folder', join(test.folder, 'none')])).code, 3);
        assert.equal((await run([command, 'says', '--input', 'hi', '--folder', test.folder])).code, 0);
      }
      // They have failed in their last turns, which waits until somebody says that they have seen it.
      const { items } = test.portal.attention.list();
      assert.ok(items.length > 0 && items.every(({ kind }) => kind === 'failed'));
      for (const { id, revision } of items) assert.equal((await run(['answer', id, '--approve', revision])).code, 0);
      assert.equal((await run(['run', 'good', '--model', 'none'])).code, 3);
      assert.deepEqual((await test.call('copilot/session'))['sessions'], [], 'no session is left');
    });

    it('stop waiting at Ctrl+C, and not the work', async () => {
      for (const command of ['run', 'job']) {
        const { child, ended } = start([command, 'hangs', '--folder', test.folder]);
        let sessionId = '';
        while (sessionId === '') {
          const { sessions } = (await test.call('copilot/session')) as { sessions: { sessionId: string; isWorking: boolean }[] };
          sessionId = sessions.find(({ isWorking }) => isWorking)?.sessionId ?? '';
        }
        // It says what goes on once it knows that, which may be a moment after the turn has begun.
        child.kill('SIGINT');
        const { code, stderr } = await ended;
        assert.equal(code, 130);
        assert.match(stderr, /Stopped waiting/);
        const { sessions } = (await test.call('copilot/session')) as { sessions: { sessionId: string }[] };
        assert.deepEqual(
          sessions.map((one) => one.sessionId),
          [sessionId],
        );
        await stop(sessionId);
      }
    });

    it('start without waiting, and are listed', async () => {
      const { code, stdout } = await run(['job', 'hangs', '--detach', '--json', '--folder', test.folder]);
      assert.equal(code, 0);
      const [{ jobId } = {}] = json(stdout);
      const listed = json((await run(['ps', '--json'])).stdout)[0] as { jobs: Json[]; attention: Json[] };
      assert.deepEqual(
        listed.jobs.map((one) => [one['jobId'], one['status']]),
        [[jobId, 'Executing']],
      );
      assert.match((await run(['ps'])).stdout, new RegExp(`Jobs:\n  ${jobId}  Executing  hangs\n`));
      await test.call(`copilot/job/${jobId}/stop`);
      assert.match((await run(['ps'])).stdout, /^Jobs: none\n/);
      assert.match((await run(['ps', '--all'])).stdout, new RegExp(`${jobId}  Stopped`));
    });

    it('say what waits for a person meanwhile', async () => {
      const { child, ended } = start(['job', 'asks', '--folder', test.folder]);
      let said = '';
      const id = await new Promise<string>((resolve) =>
        child.stderr?.on('data', (chunk) => {
          said += String(chunk);
          const [, found] = /tapline answer (\w+) /.exec(said) ?? [];
          if (found !== undefined) resolve(found);
        }),
      );
      assert.equal((await run(['answer', id, '--deny'])).code, 0);
      assert.equal((await ended).code, 0);
      assert.deepEqual(approved.splice(0), [false]);
    });
  });

  describe('answer, without a terminal', () => {
    it('shows the exact text with all that cannot be seen, and asks nothing', async () => {
      assert.deepEqual(await run(['answer']), { code: 0, stdout: 'Nothing waits for you.\n', stderr: '' });
      const { sessionId, item } = await waiting();
      const { code, stdout, stderr } = await run(['answer']);
      assert.equal(code, 2);
      assert.match(stderr, /--approve REVISION/);
      assert.ok(stdout.includes('  │ rm ⟦U+202E⟧gpj.exe\n  │ ls ⟦U+27E6⟧U+202E⟦U+27E7⟧⟦U+0020⟧\n'), stdout);
      assert.ok(!stdout.includes('\u202e'));
      assert.ok(stdout.includes(item.id) && stdout.includes(item.revision));
      const listed = json((await run(['answer', item.id, '--json'])).stdout)[0] as { items: { call: { input: string } }[] };
      assert.equal(listed.items[0]?.call.input, COMMAND);
      await stop(sessionId);
      await nothingWaits();
    });

    it('approves exactly what was shown, and nothing else', async () => {
      const { sessionId, item } = await waiting();
      for (const args of [[item.id, '--approve', 'x'], ['x', '--approve', item.revision], ['--approve', 'x'], ['x', '--deny'], ['x']]) {
        const { code, stderr } = await run(['answer', ...args]);
        assert.equal(code, 3, args.join(' '));
        assert.match(stderr, /Nothing was sent/);
      }
      assert.equal((await run(['answer', '--approve', item.revision, '--option', 'x'])).code, 3);
      assert.deepEqual(approved, []);
      const { code, stdout } = await run(['answer', item.id, '--approve', item.revision, '--json']);
      assert.equal(code, 0);
      assert.deepEqual(json(stdout), [{ id: item.id, decision: 'approve', result: 'Answered' }]);
      await nothingWaits();
      assert.deepEqual(approved.splice(0), [true]);
      assert.equal((await run(['answer', item.id, '--approve', item.revision])).code, 3);
      await stop(sessionId);
    });

    it('answers questions', async () => {
      const { sessionId, item } = await waiting('ask');
      const approve = ['answer', '--approve', item.revision];
      const missing = await run(approve);
      assert.equal(missing.code, 3);
      assert.match(missing.stderr, /name: This needs an answer/);
      assert.equal((await run([...approve, '--answers', '{'])).code, 2);
      assert.equal((await run([...approve, '--answers', '{"name":"Ada"}'])).code, 0);
      await stop(sessionId);
      await nothingWaits();
    });
  });

  describe('answer, in a terminal', () => {
    /** Types each answer once it is asked for. */
    async function inTerminal(...answers: string[]): Promise<{ code: number; text: string }> {
      const { TAPLINE_PORTAL_TOKEN = '', ...env } = environment();
      const terminal = pty.spawn(process.execPath, [script, 'answer'], {
        cols: 200,
        env: { ...env, TAPLINE_PORTAL_TOKEN } as Record<string, string>,
      });
      let text = '';
      let asked = 0;
      terminal.onData((data) => {
        text += data;
        const questions = text.split('leaves it waiting)').length - 1;
        for (; asked < questions; asked++) terminal.write(answers[asked] ?? '\x03');
      });
      return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve({ code: exitCode, text })));
    }

    for (const [typed, expected] of [
      ['yes\r', true],
      ['y\r', true],
      ['\r', false],
      ['no\r', false],
    ] as const)
      it(`takes ${JSON.stringify(typed)} for ${expected ? 'yes' : 'no'}`, async () => {
        const { sessionId } = await waiting();
        const { code, text } = await inTerminal(typed);
        assert.equal(code, 0, text);
        assert.ok(text.includes('rm ⟦U+202E⟧gpj.exe'), text);
        await nothingWaits();
        assert.deepEqual(approved.splice(0), [expected]);
        await stop(sessionId);
      });

    it('asks again for what is neither, and sends nothing at Ctrl+C and at the end of the input', async () => {
      const { sessionId, item } = await waiting();
      assert.equal((await inTerminal('approve\r', '\x03')).code, 130);
      assert.equal((await inTerminal('\x04')).code, 0);
      assert.deepEqual(
        test.portal.attention.list().items.map(({ revision }) => revision),
        [item.revision],
      );
      await stop(sessionId);
      await nothingWaits();
    });
  });
});
