/** What the engine on its own runs because a repository names it, and that it does not do so in Tapline's sessions. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CopilotClient, type CopilotSession, type SessionConfig, type SessionEvent } from '@github/copilot-sdk';
import { leftOff, offered, UnknownTools } from '../../../src/host/agents/copilot/engine/offeredTools.ts';
import { commentToolNames } from '../../../src/host/agents/copilot/comments/commentTools.ts';
import { shellToolNames } from '../../../src/host/agents/copilot/shell/shellTools.ts';
import { HostileRepository, traps } from '../../fixtures/hostileRepository.ts';
import { ModelServer, type ModelRequest, type ReplyPiece } from '../../fixtures/modelServer.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

/** The agents that the engine has for its `task` tool. */
const subagents = ['explore', 'task', 'general-purpose', 'code-review', 'research', 'security-review'];

const askLanguageServer = (repository: HostileRepository): ReplyPiece => ({
  tool: 'lsp',
  args: { operation: 'hover', file: join(repository.folder, 'a.ts'), line: 1, character: 7 },
});
const delegate = (agent: string): ReplyPiece => ({
  tool: 'task',
  args: { agent_type: agent, name: 'helper', description: 'Help', prompt: 'Help' },
});

/** As the engine notes that its user trusts a folder. */
function trust(home: string, folder: string): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ trusted_folders: [folder] }));
}

function toolNames({ tools = [] }: ModelRequest): string[] {
  return tools.map((tool) => (tool as { custom?: { name: string } }).custom?.name ?? tool.function.name);
}

describe('a hostile repository', () => {
  const host = new CopilotHost();
  let client: V1Client;
  let repository: HostileRepository;
  before(async () => {
    client = await host.start();
    repository = new HostileRepository(host.base);
    trust(host.home, repository.folder);
  });
  after(() => host.stop());

  it('starts no program: not in the session, not in a subagent, not in one that is resumed', async () => {
    const talk = await host.session(client, { workingDirectory: pathToFileURL(repository.folder).href });
    host.model.reply(
      [askLanguageServer(repository)],
      [{ tool: 'view', args: { path: join(repository.folder, 'a.ts') } }],
      [{ tool: 'glob', args: { pattern: '**/*.ts' } }],
      [{ tool: 'grep', args: { pattern: 'const' } }],
      [{ tool: 'edit', args: { path: join(repository.folder, 'a.ts'), old_str: 'x', new_str: 'y' } }],
      ...subagents.flatMap((agent) => [[delegate(agent)], [askLanguageServer(repository)], [{ text: 'Helped.' }]]),
      [{ text: 'Done.' }],
    );
    const turnId = await talk.send('Look around');
    await talk.decide('edit', 'once');
    assert.equal(textOf(await talk.ended(turnId)), 'Done.');
    process.kill(host.agent.enginePid!, 'SIGKILL');
    host.model.reply([askLanguageServer(repository)], [{ text: 'Again.' }]);
    await talk.dispatch({ type: 'session/configChanged', config: { mode: 'plan' } });
    assert.equal(textOf(await talk.say('Go on')), 'Again.');
    assert.equal(host.model.clear(), 0, 'every part of the walk was walked');
    const calls = talk.calls().filter(({ toolName }) => toolName === 'task');
    assert.deepEqual(
      calls.map((call) => call.status === 'completed' && call.success),
      subagents.map(() => true),
    );
    const allowed = new Set([...offered, ...shellToolNames, ...commentToolNames]);
    for (const request of host.model.requests)
      assert.deepEqual(
        toolNames(request),
        toolNames(request).filter((name) => allowed.has(name)),
      );
    assert.match(JSON.stringify(host.model.requests[0]?.messages), /Always speak of otters/, 'its instructions are taken all the same');
    assert.deepEqual(repository.sprung(), []);
  });
});

describe('the engine on its own', () => {
  let base: string;
  let model: ModelServer;
  let client: CopilotClient;
  let repository: HostileRepository;

  before(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-repository-')));
    model = await ModelServer.start();
    repository = new HostileRepository(base);
    const home = join(base, 'home');
    trust(home, repository.folder);
    client = new CopilotClient({
      baseDirectory: home,
      useLoggedInUser: false,
      env: { PATH: process.env.PATH, HOME: base },
      logLevel: 'error',
      workingDirectory: base,
    });
    await client.start();
  });
  after(async () => {
    await client.forceStop();
    await model.stop();
    rmSync(base, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });

  const open = (more: Partial<SessionConfig>): Promise<CopilotSession> =>
    client.createSession({
      model: 'scripted',
      provider: { type: 'openai', baseUrl: model.baseUrl, wireApi: 'completions' },
      streaming: true,
      workingDirectory: repository.folder,
      onPermissionRequest: () => ({ kind: 'approve-once' }),
      onUserInputRequest: () => ({ answer: 'no', wasFreeform: true }),
      onExitPlanModeRequest: () => ({ approved: false }),
      ...more,
    });
  /** Everything that our sessions switch off. */
  const everything: Partial<SessionConfig> = { enableConfigDiscovery: true, enableFileHooks: true, enableSkills: true };

  it('runs what such a repository names', async () => {
    const session = await open(everything);
    model.reply([askLanguageServer(repository)], [{ text: 'Done.' }]);
    await session.sendAndWait({ prompt: 'Look around' });
    const expected = traps.filter(({ springs }) => springs).map(({ file }) => file);
    assert.deepEqual(repository.sprung(), expected.sort());
  });

  it('has language servers in its sessions where nothing else is switched on, also in subagents', async () => {
    const own = new HostileRepository(join(base, 'other'));
    const session = await open({ workingDirectory: own.folder, enableFileHooks: false });
    model.reply([delegate('explore')], [askLanguageServer(own)], [{ text: 'Helped.' }], [{ text: 'Done.' }]);
    await session.sendAndWait({ prompt: 'Look around' });
    assert.deepEqual(own.sprung(), ['.github/lsp.json']);
    own.git('-c', 'user.name=a', '-c', 'user.email=a@b.invalid', 'commit', '--allow-empty', '-m', 'Spring');
    assert.ok(own.sprung().includes('git config core.fsmonitor') && own.sprung().includes('.git/hooks/pre-commit'), 'git’s are traps too');
  });

  it('has no tool that is not known here, and all that its sessions get', async () => {
    const found = new Set<string>();
    const lent = Array.from({ length: 40 }, (_, number) => ({ name: `lent_${number}`, description: 'Lent', handler: () => 'ok' }));
    const more: Partial<SessionConfig>[] = [
      everything,
      { model: 'gpt-5-codex' },
      { model: 'claude-sonnet-4.5', tools: lent },
      { enableSessionStore: true, memory: { enabled: true }, enableExperimentalMode: true, manageScheduleEnabled: true },
    ];
    for (const config of more) {
      const first = model.requests.length;
      const session = await open(config);
      await session.rpc.mode.set({ mode: 'plan' });
      model.reply(...subagents.flatMap((agent) => [[delegate(agent)], [{ text: 'Helped.' }]]), [{ text: 'Done.' }]);
      await session.sendAndWait({ prompt: 'Look around' });
      assert.equal(model.clear(), 0);
      const descriptors = await session.rpc.tools.getBuiltinDescriptors({});
      const listed = await client.rpc.tools.list({ model: config.model });
      for (const { name } of [...descriptors.tools, ...listed.tools]) found.add(name);
      for (const name of model.requests.slice(first).flatMap(toolNames)) found.add(name);
    }
    const names = [...found].filter((name) => !name.startsWith('lent_'));
    const known = [...offered, ...leftOff];
    assert.deepEqual(
      names.filter((name) => !known.includes(name)),
      [],
      'decide about a new tool in offeredTools.ts',
    );
    assert.deepEqual(
      offered.filter((name) => !names.includes(name)),
      [],
      'it has these no more',
    );
  });

  it('says which tools are off, those that are not known here too', async () => {
    const said: SessionEvent[] = [];
    const server = { command: process.execPath, args: [join(import.meta.dirname, '../../fixtures/askingServer.mjs')], tools: ['*'] };
    const session = await open({
      availableTools: ['builtin:view'],
      mcpServers: { new: server },
      onEvent: (event) => void said.push(event),
    });
    model.reply([{ text: 'Done.' }]);
    await session.sendAndWait({ prompt: 'Look around' });
    const unknown = new UnknownTools();
    assert.deepEqual(
      said.flatMap((event) => unknown.problem(event) ?? []),
      ['This Copilot engine has tools that Tapline does not know. They are off: `new-ask`.'],
    );
  });
});
