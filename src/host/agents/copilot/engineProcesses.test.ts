import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { nullLogger } from '../../../base/log.ts';
import { EngineProcesses } from './engineProcesses.ts';

const sleeping = (env: NodeJS.ProcessEnv): ChildProcess =>
  spawn('sleep', ['60'], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
const exited = (child: ChildProcess) =>
  new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
const started = (child: ChildProcess) => new Promise<void>((resolve) => child.once('spawn', resolve));

describe('EngineProcesses', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('gives the engine and commands no variable that could be a secret', () => {
    const environment = new EngineProcesses(nullLogger).environment('command', {
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
    assert.match(AGENT_HOST_CHILD ?? '', new RegExp(`^${process.pid}\\..*\\.command$`));
  });

  it('ends what its own engine left, and nothing else', async () => {
    const processes = new EngineProcesses(nullLogger);
    const own = sleeping(processes.environment('engine'));
    const others = [sleeping(processes.environment('command')), sleeping(new EngineProcesses(nullLogger).environment('engine'))];
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
    const end = exited(gone);
    gone.kill('SIGKILL');
    await end;
    const [orphan, living] = [
      sleeping({ AGENT_HOST_CHILD: `${gone.pid}.x.command` }),
      sleeping({ AGENT_HOST_CHILD: `${process.pid}.y.command` }),
    ];
    try {
      await Promise.all([started(orphan), started(living)]);
      const ended = exited(orphan);
      new EngineProcesses(nullLogger).endOrphans();
      assert.equal(await ended, 'SIGKILL');
      assert.equal(living.exitCode ?? living.signalCode, null);
    } finally {
      orphan.kill('SIGKILL');
      living.kill('SIGKILL');
    }
  });
});
