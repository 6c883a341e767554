/** Sessions in git worktrees of their own, with real git and the demo agent. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../src/ahp/client/agentHostClient.ts';
import type { CommandParams } from '../../src/ahp/v1/commands.ts';
import { ErrorCode } from '../../src/ahp/v1/errors.ts';
import { RpcError } from '../../src/base/jsonRpc.ts';
import { nullLogger } from '../../src/base/log.ts';
import { WORKTREE_BRANCH } from '../../src/base/sessionMetaKeys.ts';
import { DemoConversation, DemoHost } from './demoHarness.ts';

describe('workspaces of sessions', () => {
  let host: DemoHost;
  let client: AgentHostClient;
  let repository: string;
  let sessionsFolder: string;
  let warnings: string[];
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();

  beforeEach(async () => {
    host = new DemoHost();
    sessionsFolder = join(host.base, 'sessions');
    repository = realpathSync(mkdtempSync(join(host.base, 'repository-')));
    git(repository, 'init', '--quiet', '--initial-branch=main');
    mkdirSync(join(repository, 'inner'));
    writeFileSync(join(repository, 'inner/file'), 'main\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '-m', 'first');
    git(repository, 'branch', 'topic/a');
    warnings = [];
    client = await host.start({ sessionsFolder, logger: { ...nullLogger, warn: (text: unknown) => void warnings.push(String(text)) } });
  });
  afterEach(() => host.stop());

  const at = (path: string) => pathToFileURL(path).href;
  const inRepository = (config?: Record<string, unknown>, path = repository): Partial<CommandParams<'createSession'>> => ({
    workingDirectory: at(path),
    config: { approvals: 'auto', ...config },
  });
  const worktrees = () => (existsSync(join(sessionsFolder, 'worktrees')) ? readdirSync(join(sessionsFolder, 'worktrees')) : []);
  const folderOf = (conversation: DemoConversation) => fileURLToPath(conversation.state.summary.workingDirectory ?? '');
  const dispose = (conversation: DemoConversation) => client.request('disposeSession', { session: conversation.uri });
  const refused = (pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof RpcError);
    assert.equal(error.code, ErrorCode.InvalidParams);
    assert.match(error.message, pattern);
    return true;
  };

  it('are offered where there is a repository, with its real branches, beside what the agent asks', async () => {
    const query = { provider: 'demo', workingDirectory: at(repository) };
    const { schema, values } = await client.request('resolveSessionConfig', query);
    assert.deepEqual(values, { approvals: 'ask', notesFile: 'notes.md', isolation: 'folder', branch: 'main' });
    assert.equal(schema.properties.branch?.readOnly, true);
    const chosen = await client.request('resolveSessionConfig', { ...query, config: { isolation: 'worktree', branch: 'topic/a' } });
    assert.deepEqual([chosen.values.isolation, chosen.values.branch], ['worktree', 'topic/a']);
    assert.equal(chosen.schema.properties.branch?.readOnly, undefined);
    assert.equal(chosen.schema.properties.branch?.enumDynamic, true);

    const complete = async (property: string, text?: string) =>
      (await client.request('sessionConfigCompletions', { ...query, property, ...(text !== undefined && { query: text }) })).items.map(
        ({ value }) => value,
      );
    assert.deepEqual((await complete('branch')).sort(), ['main', 'topic/a']);
    assert.deepEqual(await complete('branch', 'TOP'), ['topic/a']);
    assert.deepEqual(await complete('branch', 'none'), []);
    // The agent's own are asked of the agent.
    writeFileSync(join(repository, 'todo.md'), '');
    assert.deepEqual(await complete('notesFile', 'todo'), ['todo.md']);

    const outside = await client.request('resolveSessionConfig', { provider: 'demo', workingDirectory: at(host.directory) });
    assert.deepEqual(Object.keys(outside.schema.properties), ['approvals', 'notesFile']);
    await assert.rejects(
      client.request('resolveSessionConfig', { ...query, workingDirectory: at('/nowhere') }),
      refused(/workingDirectory/),
    );
  });

  it('are worktrees with a branch of their own, in which the agent really works; nobody changes that later', async () => {
    const conversation = await host.session(client, inRepository({ isolation: 'worktree', branch: 'topic/a' }, join(repository, 'inner')));
    const folder = folderOf(conversation);
    assert.ok(folder.startsWith(join(sessionsFolder, 'worktrees')) && folder.endsWith('/inner'), folder);
    assert.deepEqual(conversation.state.summary.project, { uri: at(repository), displayName: repository.split('/').at(-1) });
    await conversation.say('run echo made > here');
    assert.ok(existsSync(join(folder, 'here')));
    assert.ok(!existsSync(join(repository, 'inner/here')));
    const branch = git(folder, 'branch', '--show-current');
    assert.match(branch, /^tapline\//);
    assert.equal(conversation.state._meta?.[WORKTREE_BRANCH], branch);
    assert.equal(git(folder, 'rev-parse', 'HEAD'), git(repository, 'rev-parse', 'topic/a'));

    const { schema, values } = conversation.state.config!;
    assert.deepEqual([schema.properties.isolation?.readOnly, schema.properties.branch?.readOnly], [true, true]);
    assert.deepEqual([values.isolation, values.branch], ['worktree', 'topic/a']);
    const change = await conversation.refusable({ type: 'session/configChanged', config: { isolation: 'folder' } });
    assert.deepEqual(change, { kind: 'rejected', reason: 'config.isolation cannot be changed' });
    const other = await conversation.refusable({ type: 'session/configChanged', config: { approvals: 'ask' } });
    assert.deepEqual(other, { kind: 'confirmed' });
    // Its files can be read through the host, as those of any session.
    assert.equal((await client.request('resourceRead', { uri: at(join(folder, 'here')) })).data, 'made\n');
  });

  it('go with their session when nothing is lost by it', async () => {
    const conversation = await host.session(client, inRepository({ isolation: 'worktree' }));
    const folder = folderOf(conversation);
    await dispose(conversation);
    assert.ok(!existsSync(folder));
    assert.deepEqual(worktrees(), []);
    assert.equal(git(repository, 'branch', '--list', 'tapline/*'), '');
    assert.deepEqual(warnings, []);
  });

  it('are made and removed without running what the repository names', async () => {
    const ran = join(host.base, 'ran');
    const script = join(repository, '.git/hooks/post-checkout');
    writeFileSync(script, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    git(repository, 'config', 'core.fsmonitor', script);
    // That it would be run at all.
    git(repository, 'status');
    assert.ok(existsSync(ran));
    rmSync(ran);
    const conversation = await host.session(client, inRepository({ isolation: 'worktree' }));
    await dispose(conversation);
    assert.deepEqual(worktrees(), []);
    assert.ok(!existsSync(ran));
  });

  it('run no filter that the repository names, and fetch nothing', async () => {
    const ran = join(host.base, 'ran');
    writeFileSync(join(repository, '.gitattributes'), 'inner/file filter=evil\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '-m', 'attributes');
    const run = `touch '${ran}'; cat`;
    for (const setting of ['clean', 'smudge']) git(repository, 'config', `filter.evil.${setting}`, run);
    // That it would be run at all.
    git(repository, 'worktree', 'add', '--quiet', '--detach', join(host.base, 'trap'));
    assert.ok(existsSync(ran));
    git(repository, 'worktree', 'remove', join(host.base, 'trap'));
    rmSync(ran);
    const conversation = await host.session(client, inRepository({ isolation: 'worktree' }));
    const file = join(folderOf(conversation), 'inner/file');
    assert.equal(readFileSync(file, 'utf8'), 'main\n');
    // Git has to compare it.
    utimesSync(file, 1, 1);
    await dispose(conversation);
    assert.deepEqual(worktrees(), []);
    assert.ok(!existsSync(ran));
    // What a partial clone lacks it would fetch, with a program of its choice.
    git(repository, 'config', 'extensions.partialClone', 'origin');
    git(repository, 'config', 'remote.origin.promisor', 'true');
    git(repository, 'config', 'remote.origin.url', join(host.base, 'nowhere'));
    git(repository, 'config', 'remote.origin.uploadpack', `touch '${ran}'; false`);
    const blob = git(repository, 'rev-parse', 'HEAD:inner/file');
    rmSync(join(repository, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const refusal = refused(/the git worktree could not be made: /);
    await assert.rejects(host.session(client, inRepository({ isolation: 'worktree' })), refusal);
    assert.ok(!existsSync(ran));
    assert.throws(() => git(repository, 'cat-file', 'blob', blob)); // To show that the trap works.
    assert.ok(existsSync(ran));
  });

  it('outlive the host with their session, and go with it then', async () => {
    const { uri, state } = await host.session(client, inRepository({ isolation: 'worktree' }));
    const folder = fileURLToPath(state.summary.workingDirectory ?? '');
    client = await host.restart({ sessionsFolder });
    const again = new DemoConversation(client, uri, 0);
    await again.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    await again.dispatch({ type: 'session/configChanged', config: { approvals: 'auto' } });
    await again.say('run pwd > ../there');
    assert.equal(readFileSync(join(folder, '../there'), 'utf8').trim(), folder);
    await dispose(again);
    assert.ok(!existsSync(folder));
    assert.equal(git(repository, 'branch', '--list', 'tapline/*'), '');
  });

  it('stay when they hold changes, or their branch when it holds commits, and the log says so', async () => {
    const dirty = await host.session(client, inRepository({ isolation: 'worktree' }));
    await dirty.say('run echo x > new');
    await dispose(dirty);
    assert.ok(existsSync(join(folderOf(dirty), 'new')));
    assert.match(warnings.join('\n'), /is kept: it has changes that are not committed/);

    const committed = await host.session(client, inRepository({ isolation: 'worktree' }));
    const folder = folderOf(committed);
    const branch = git(folder, 'branch', '--show-current');
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'work');
    await dispose(committed);
    assert.ok(!existsSync(folder));
    assert.match(git(repository, 'branch', '--list', branch), /tapline/);
    assert.match(warnings.join('\n'), /is kept in .* it has commits of its own/);
  });

  it('are shared by a fork, and stay while it works there', async () => {
    const source = await host.session(client, inRepository({ isolation: 'worktree' }));
    const { id } = await source.say('help');
    const fork = await host.session(client, {
      ...inRepository(),
      workingDirectory: undefined,
      config: undefined,
      model: undefined,
      fork: { session: source.uri, turnId: id },
    });
    assert.equal(folderOf(fork), folderOf(source));
    assert.equal(fork.state._meta?.[WORKTREE_BRANCH], source.state._meta?.[WORKTREE_BRANCH]);
    await dispose(source);
    assert.ok(existsSync(folderOf(fork)));
    assert.match(warnings.join('\n'), /another session works there/);
  });

  it('say clearly why they cannot be', async () => {
    const outside = { ...inRepository({ isolation: 'worktree' }), workingDirectory: at(host.directory) };
    await assert.rejects(host.session(client, outside), refused(/no git repository/));
    await assert.rejects(
      host.session(client, inRepository({ isolation: 'worktree', branch: 'nothing' })),
      refused(/has no branch nothing/),
    );
    await assert.rejects(
      host.session(client, inRepository({ isolation: 'worktree', branch: '--detach' })),
      refused(/has no branch --detach/),
    );
    await assert.rejects(
      host.session(client, inRepository({ isolation: 'elsewhere' })),
      refused(/isolation must be one of folder, worktree/),
    );
    git(repository, 'checkout', '--quiet', 'topic/a');
    git(repository, 'rm', '--quiet', '-r', 'inner');
    git(repository, 'commit', '--quiet', '-m', 'without');
    git(repository, 'checkout', '--quiet', 'main');
    await assert.rejects(
      host.session(client, inRepository({ isolation: 'worktree', branch: 'topic/a' }, join(repository, 'inner'))),
      refused(/topic\/a has no folder inner/),
    );
    assert.deepEqual(worktrees(), []);
    assert.equal(git(repository, 'branch', '--list', 'tapline/*'), '');
    // And the same session without it.
    const plain = await host.session(client, inRepository());
    assert.equal(folderOf(plain), repository);
  });
});
