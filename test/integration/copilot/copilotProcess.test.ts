/** The Copilot agent in the bundled host, as a process: the engine is not in the bundle, and the next host finds what a killed one left. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { MODEL_ENDPOINTS_RESOURCE } from '../../../src/models/modelEndpoints.ts';
import { eventually } from '../../fakes/eventually.ts';
import { ModelServer } from '../../fixtures/modelServer.ts';
import { startHostProcess, type HostProcess } from '../../support/hostProcess.ts';
import { isAlive, untilGone } from '../../support/processes.ts';
import { V1Client } from '../../support/v1Client.ts';
import { CopilotConversation, engineFolder, printed, terminalOf } from './copilotHarness.ts';

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false;
    throw error;
  }
}

describe('the Copilot agent in the bundled host', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-copilot-process-')));
  const script = join(base, 'repository/dist/host.cjs');
  const work = join(base, 'work');
  const ownHome = process.env.TAPLINE_HOME;
  let model: ModelServer;
  const hosts: HostProcess[] = [];

  before(async () => {
    mkdirSync(work);
    process.env.TAPLINE_HOME = join(base, 'home');
    model = await ModelServer.start();
    const { metafile } = await build({
      entryPoints: [join(import.meta.dirname, '../../../src/host/main.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      metafile: true,
      define: { TAPLINE_VERSION: '"0.0.0"' },
      external: ['@lydell/node-pty', 'bufferutil', 'utf-8-validate'],
    });
    assert.deepEqual(
      Object.keys(metafile.inputs).filter((name) => name.includes('@github/copilot')),
      [],
    );
    symlinkSync(engineFolder, join(base, 'repository/node_modules'));
  });
  after(async () => {
    for (const host of hosts) await host.stop('SIGKILL').catch((error: unknown) => assert.fail(String(error)));
    await model.stop();
    if (ownHome === undefined) delete process.env.TAPLINE_HOME;
    else process.env.TAPLINE_HOME = ownHome;
    // The engine of a killed host writes until it notices that.
    await eventually(() => isRemoved(base), 'the folder can be removed', 15_000);
  });

  const start = async (): Promise<{ host: HostProcess; client: V1Client }> => {
    const host = await startHostProcess(['--data', join(base, 'sessions')], script);
    hosts.push(host);
    const client = await V1Client.connect({ url: host.url, token: host.token });
    const endpoint = { id: 'm', name: 'M', baseUrl: model.baseUrl, apiKey: 'a-key-to-keep' };
    await client.request('authenticate', { resource: MODEL_ENDPOINTS_RESOURCE, token: JSON.stringify([endpoint]) });
    return { host, client };
  };

  it('leaves no command when it is killed but what ignores the hang-up, ends that when it is started again, and goes on with its sessions', async () => {
    const first = await start();
    const session = 'copilot:/of-the-process';
    await first.client.request('createSession', {
      session,
      provider: 'copilot',
      workingDirectory: pathToFileURL(work).href,
      config: { approvals: 'all' },
    });
    const talk = new CopilotConversation(first.client, session);
    await talk.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    const bash = (command: string, mode: string) => [{ tool: 'bash', args: { command, description: 'x', mode } }];
    model.reply(
      [{ text: 'Noted.' }],
      bash(`trap 'touch hung-up' HUP; echo $$; while :; do sleep 1; done`, 'async'),
      bash(`sh -c 'echo $$; exec sleep 300'`, 'sync'),
    );
    await talk.say('My colour is blue');
    await talk.send('Sleep');
    // The next call may have a terminal by now.
    const background = first.client.subscribeTerminal(terminalOf(await talk.callTo('bash', 'completed')) ?? '');
    const stubborn = Number((await printed(background, /^(\d+)\r\n/))[1]);
    await talk.callTo('bash', 'running');
    const pid = await talk.printedNumber();
    await first.host.stop('SIGKILL');
    first.client.close();
    await untilGone(pid);
    await eventually(() => existsSync(join(work, 'hung-up')), 'the command goes on after the hang-up');
    assert.ok(isAlive(stubborn));
    const second = await start();
    await untilGone(stubborn);
    const again = new CopilotConversation(second.client, session);
    await again.until('the turns', ({ turns }) => turns.length === 2);
    model.reply([{ text: 'Blue.' }]);
    const turn = await again.say('Which colour?');
    assert.equal(turn.state, 'complete', turn.error?.message);
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /My colour is blue/);
    second.client.close();
    await second.host.stop();
    assert.ok(!hosts.some(({ stderr, stdout }) => (stderr() + stdout()).includes('a-key-to-keep')), 'no key in the log');
  });
});
