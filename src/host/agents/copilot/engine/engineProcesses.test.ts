import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { sha256 } from '../../../../base/node/sha256.ts';
import { nullLogger } from '../../../../base/log.ts';
import { ownIdentity, startTimeOf } from '../../../../base/daemon/processIdentity.ts';
import { EngineProcesses } from './engineProcesses.ts';

const sleeping = (env: NodeJS.ProcessEnv): ChildProcess =>
  spawn('sleep', ['60'], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
const exited = (child: ChildProcess) =>
  new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
const started = (child: ChildProcess) => new Promise<void>((resolve) => child.once('spawn', resolve));

const HOME = '/home/a/.tapline/copilot';
const homeMark = sha256(HOME).slice(0, 16);

describe('EngineProcesses', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('gives the engine and commands no variable that could be a secret', () => {
    const environment = new EngineProcesses(nullLogger, HOME).environment('command', {
      PATH: '/bin',
      HOME: '/home/a',
      LC_ALL: 'C',
      https_proxy: 'http://p',
      GITHUB_TOKEN: 'x',
      OPENAI_API_KEY: 'x',
      COPILOT_CLI_PATH: '/elsewhere',
      NODE_OPTIONS: '--require x',
    });
    const { AGENT_HOST_CHILD, ...rest } = environment;
    assert.deepEqual(rest, { PATH: '/bin', HOME: '/home/a', LC_ALL: 'C', https_proxy: 'http://p' });
    const { pidNamespace, startTime } = ownIdentity();
    assert.ok(AGENT_HOST_CHILD?.startsWith(`${pidNamespace}.${startTime}.${process.pid}.`));
    assert.match(AGENT_HOST_CHILD ?? '', /\.command$/);
  });

  it('ends what its own engine left, and nothing else', async () => {
    const processes = new EngineProcesses(nullLogger, HOME);
    const own = sleeping(processes.environment('engine'));
    const others = [sleeping(processes.environment('command')), sleeping(new EngineProcesses(nullLogger, HOME).environment('engine'))];
    try {
      await Promise.all([own, ...others].map(started));
      const end = exited(own);
      processes.endLeft('engine');
      assert.equal(await end, 'SIGKILL');
      for (const other of others) assert.equal(other.exitCode ?? other.signalCode, null);
    } finally {
      for (const child of [own, ...others]) child.kill('SIGKILL');
    }
  });

  it('ends what hosts left that are gone', async () => {
    const gone = sleeping({});
    await started(gone);
    const { pidNamespace, startTime } = ownIdentity();
    const goneSince = startTimeOf(gone.pid ?? 0);
    const end = exited(gone);
    gone.kill('SIGKILL');
    await end;
    const marked = (...parts: unknown[]) => sleeping({ AGENT_HOST_CHILD: [...parts, homeMark, 'x.command'].join('.') });
    const orphans = [
      marked(pidNamespace, goneSince, gone.pid),
      marked(pidNamespace, Number(startTime) - 1, process.pid), // the number was another process's before
    ];
    const others = [
      marked(pidNamespace, startTime, process.pid),
      marked('another container', goneSince, gone.pid),
      marked('another container', startTime, process.pid),
      marked(gone.pid), // of no namespace that is known
      marked(pidNamespace, '', 'x'),
      marked(''),
      sleeping({ AGENT_HOST_CHILD: [pidNamespace, goneSince, gone.pid, sha256('/elsewhere').slice(0, 16), 'x.command'].join('.') }),
    ];
    try {
      await Promise.all([...orphans, ...others].map(started));
      const ended = orphans.map(exited);
      new EngineProcesses(nullLogger, HOME).endOrphans();
      assert.deepEqual(await Promise.all(ended), ['SIGKILL', 'SIGKILL']);
      for (const other of others) assert.equal(other.exitCode ?? other.signalCode, null, other.spawnargs.join());
    } finally {
      for (const child of [...orphans, ...others]) child.kill('SIGKILL');
    }
  });
});
