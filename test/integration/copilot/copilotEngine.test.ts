/** Hosts without the Copilot engine, with a part of it, with a broken one, and with one that is installed later. */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentInfo } from '../../../src/ahp/v1/root.ts';
import { ENGINE_PACKAGE } from '../../../src/models/copilotEngine.ts';
import { MODEL_ENDPOINTS_RESOURCE } from '../../../src/models/modelEndpoints.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { CopilotAgent } from '../../../src/host/agents/copilot/copilotAgent.ts';
import { DemoAgent } from '../../../src/host/agents/demo/demoAgent.ts';
import { startHostServer, type HostServer } from '../../../src/host/server/hostServer.ts';
import { ModelServer } from '../../fixtures/modelServer.ts';
import { untilGone } from '../../support/processes.ts';
import { V1Client } from '../../support/v1Client.ts';
import { CopilotConversation, engineFolder } from './copilotHarness.ts';
import { textOf, untilState } from '../host/demoHarness.ts';

const platformPackage = `${ENGINE_PACKAGE}-${process.platform}-${process.arch}`;

describe('a host whose Copilot engine', () => {
  let base: string;
  let folder: string;
  let model: ModelServer;
  let copilot: CopilotAgent;
  let server: HostServer;
  let client: V1Client;
  let sessions = 0;

  beforeEach(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-engine-')));
    folder = join(base, 'node_modules');
    mkdirSync(join(base, 'work'));
    model = await ModelServer.start();
    copilot = new CopilotAgent({ logger: nullLogger, engineFolders: [folder], home: join(base, 'home'), ownFolders: [] });
    copilot.setEndpoints([{ id: 'm', name: 'M', baseUrl: model.baseUrl, wireApi: 'completions' }]);
    const defaultDirectory = pathToFileURL(join(base, 'work')).href;
    server = await startHostServer({ agents: [new DemoAgent({ logger: nullLogger }), copilot], logger: nullLogger, defaultDirectory });
    client = await V1Client.connect({ url: server.url, token: server.token });
  });
  afterEach(async () => {
    client.close();
    const pid = copilot.enginePid;
    await server.close();
    if (pid !== undefined) await untilGone(pid);
    await model.stop();
    rmSync(base, { recursive: true, maxRetries: 10, retryDelay: 100 });
  });

  /** What the SDK needs to load, without a platform's part. */
  const putSdk = () => {
    mkdirSync(join(folder, dirname(ENGINE_PACKAGE)), { recursive: true });
    cpSync(join(engineFolder, ENGINE_PACKAGE), join(folder, ENGINE_PACKAGE), { recursive: true });
    for (const name of ['vscode-jsonrpc', 'zod']) symlinkSync(join(engineFolder, name), join(folder, name));
  };
  const putEngine = () => symlinkSync(join(engineFolder, platformPackage), join(folder, platformPackage));
  /** A platform's part whose program is this script. */
  const putBroken = (script: string) => {
    const programs = join(folder, platformPackage, 'prebuilds', `${process.platform}-${process.arch}`);
    mkdirSync(programs, { recursive: true });
    const manifest = { name: platformPackage, version: '0.0.0', exports: { './package.json': './package.json' } };
    writeFileSync(join(folder, platformPackage, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(programs, 'runtime.node'), 'not a program');
    writeFileSync(join(programs, 'copilot-runtime'), script);
    chmodSync(join(programs, 'copilot-runtime'), 0o755);
  };
  const infoOf = (find: (info: AgentInfo) => boolean) =>
    untilState(client.subscribeRoot(), 'the agent', ({ agents }) => agents.find((agent) => agent.provider === 'copilot' && find(agent)));
  const session = async (provider = 'copilot') => {
    const uri = `${provider}:/${++sessions}`;
    await client.request('createSession', { session: uri, provider, ...(provider === 'demo' && { model: { id: 'demo-fast' } }) });
    const talk = new CopilotConversation(client, uri);
    await talk.until('the session', ({ lifecycle }) => lifecycle !== 'creating');
    return talk;
  };
  const resolveConfig = () => client.request('resolveSessionConfig', { provider: 'copilot' });

  it('keeps the models of the command line, whatever list a client gives', () => {
    const one = (id: string, name: string) => ({ id, name, baseUrl: model.baseUrl, wireApi: 'completions' as const });
    const endpoints = [one('a', 'Of the command line')];
    const agent = new CopilotAgent({ logger: nullLogger, engineFolders: [folder], home: join(base, 'home'), ownFolders: [], endpoints });
    const names = () => agent.info.models.map(({ name }) => name);
    agent.setEndpoints([one('a', 'Of a client'), one('b', 'Also of a client')]);
    assert.deepEqual(names(), ['Of the command line', 'Also of a client']);
    agent.setEndpoints([]);
    assert.deepEqual(names(), ['Of the command line']);
  });

  it('forgets the models of a client that takes its list back', async () => {
    await client.request('authenticate', { resource: MODEL_ENDPOINTS_RESOURCE, token: '' });
    assert.deepEqual(copilot.info.models, []);
  });

  it('has no part for this platform says so, and does everything else', async () => {
    putSdk();
    await resolveConfig();
    const info = await infoOf(() => true);
    assert.match(info.description, /engine is not installed on this computer/);
    const talk = await session();
    assert.equal(talk.state.lifecycle, 'creationFailed');
    assert.match(talk.state.creationError?.message ?? '', /engine is not installed/);
    const demo = await session('demo');
    assert.equal((await demo.say('help')).state, 'complete');
  });

  it('comes later is noticed by whoever makes a session, without a restart', async () => {
    assert.match((await infoOf(() => true)).description, /not installed/);
    putSdk();
    putEngine();
    await resolveConfig();
    assert.match((await infoOf(({ description }) => !description.includes('not installed'))).description, /Works in the folder/);
    const talk = await session();
    model.reply([{ text: 'Here.' }]);
    assert.equal(textOf(await talk.say('Are you there?')), 'Here.');
  });

  it('goes away is noticed, and what it has begun goes on', async () => {
    putSdk();
    putEngine();
    const talk = await session();
    model.reply([{ text: 'One.' }]);
    await talk.say('one');
    rmSync(join(folder, ENGINE_PACKAGE), { recursive: true });
    model.reply([{ text: 'Two.' }]);
    assert.equal(textOf(await talk.say('two')), 'Two.', 'the process needs nothing of it any more');
    const pid = copilot.enginePid!;
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    await resolveConfig();
    await infoOf(({ description }) => description.includes('not installed'));
    assert.equal((await session()).state.lifecycle, 'creationFailed');
    const turn = await talk.say('three');
    assert.match(turn.error?.message ?? '', /engine is not installed/);
    assert.equal(talk.state.turns.length, 3, 'the conversation stays');
  });

  for (const [what, script] of [
    ['ends at once', '#!/bin/sh\necho broken pieces >&2\nexit 3\n'],
    ['is no program', 'neither binary nor script'],
  ] as const)
    it(`${what} says why in the turn, and works when it was repaired`, async () => {
      putSdk();
      putBroken(script);
      const talk = await session();
      const turn = await talk.say('Hello');
      assert.equal(turn.state, 'error');
      assert.match(turn.error?.message ?? '', /^The Copilot engine did not start: /);
      assert.ok(!turn.error?.message.includes('    at '), turn.error?.message);
      const demo = await session('demo');
      assert.equal((await demo.say('help')).state, 'complete');
      rmSync(join(folder, platformPackage), { recursive: true });
      putEngine();
      model.reply([{ text: 'Hello.' }]);
      assert.equal(textOf(await talk.say('Again')), 'Hello.');
    });
});
