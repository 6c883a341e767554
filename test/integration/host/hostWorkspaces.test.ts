/** Sessions in git worktrees of their own, with real git and the demo agent. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { CommandParams } from '../../../src/ahp/v1/commands.ts';
import { ErrorCode } from '../../../src/ahp/v1/errors.ts';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { WORKTREE_BRANCH } from '../../../src/ahp/sessionMetaKeys.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { DemoConversation, DemoHost } from './demoHarness.ts';

describe('workspaces of sessions', () => {
  let host: DemoHost;
  let client: V1Client;
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
    const refusal = refused(/the git worktree could not be created: /);
    await assert.rejects(host.session(client, inRepository({ isolation: 'worktree' })), refusal);
    assert.ok(!existsSync(ran));
    assert.deepEqual(worktrees(), []);
    assert.equal(git(repository, 'worktree', 'list').split('\n').length, 1);
    assert.equal(git(repository, 'branch', '--list', 'tapline/*'), '');
    assert.throws(() => git(repository, 'cat-file', 'blob', blob)); // To show that the trap works.
    assert.ok(existsSync(ran));
  });

  describe('with traps', () => {
    let ran: string;
    let trap: string;
    beforeEach(() => {
      ran = join(host.base, 'ran');
      trap = join(host.base, 'trap.config');
    });
    const commitFiltered = (filter: string) => {
      writeFileSync(join(repository, '.gitattributes'), `inner/file filter=${filter}\n`);
      git(repository, 'add', '.');
      git(repository, 'commit', '--quiet', '-m', 'attributes');
    };
    const filterSection = (filter: string) =>
      `[filter "${filter}"]\n${['clean', 'smudge'].map((name) => `\t${name} = "touch '${ran}'; cat"\n`).join('')}`;
    /** Shows that the trap works, and sets it again. */
    const springTrap = () => {
      git(repository, 'worktree', 'add', '--quiet', '-b', 'tapline/trap', join(host.base, 'trap'));
      assert.ok(existsSync(ran));
      git(repository, 'worktree', 'remove', '--force', join(host.base, 'trap'));
      git(repository, 'branch', '-D', 'tapline/trap');
      rmSync(ran);
    };
    const makeAndDiscard = async () => {
      const conversation = await host.session(client, inRepository({ isolation: 'worktree' }));
      const file = join(folderOf(conversation), 'inner/file');
      assert.equal(readFileSync(file, 'utf8'), 'main\n');
      // Git has to compare it.
      utimesSync(file, 1, 1);
      await dispose(conversation);
      assert.deepEqual(worktrees(), []);
      assert.ok(!existsSync(ran));
    };

    for (const condition of ['gitdir:**/.git/worktrees/**', 'onbranch:tapline/**']) {
      it(`run no filter that is configured in the new worktree only, by ${condition}`, async () => {
        commitFiltered('evil');
        writeFileSync(trap, filterSection('evil'));
        git(repository, 'config', `includeIf.${condition}.path`, trap);
        springTrap();
        await makeAndDiscard();
      });
    }

    it('run no filter without a name', async () => {
      commitFiltered('');
      appendFileSync(join(repository, '.git/config'), filterSection(''));
      springTrap();
      await makeAndDiscard();
    });

    it('are not made where a filter has a name that git takes no setting for', async () => {
      commitFiltered('a=b');
      appendFileSync(join(repository, '.git/config'), filterSection('a=b'));
      springTrap();
      await assert.rejects(host.session(client, inRepository({ isolation: 'worktree' })), RpcError);
      assert.ok(!existsSync(ran));
    });

    it('find the filters also where the environment names another file of configuration', async () => {
      commitFiltered('evil');
      appendFileSync(join(repository, '.git/config'), filterSection('evil'));
      writeFileSync(trap, '');
      process.env.GIT_CONFIG = trap;
      try {
        springTrap();
        await makeAndDiscard();
      } finally {
        delete process.env.GIT_CONFIG;
      }
    });

    it('have every hook of the configuration off, as a newer git asks for it', async () => {
      // The installed git may know no such hooks. This one notes those that are on, for each command, and goes on to the real one.
      const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      const program = `#!${process.execPath}
const { execFileSync, spawnSync } = require('node:child_process');
const args = process.argv.slice(2);
let start = 0;
while (args[start]?.startsWith('-')) start += /^-[cC]$/.test(args[start]) ? 2 : 1;
const hooks = new Map();
for (const line of execFileSync(${JSON.stringify(real)}, [...args.slice(0, start), 'config', '--null', '--list']).toString().split('\\0')) {
  const [, name, key, value] = /^hook\\.(.*)\\.([a-z]+)\\n(.*)$/s.exec(line) ?? [];
  if (key === 'command' && !hooks.has(name)) hooks.set(name, true);
  if (key === 'enabled') hooks.set(name, value !== 'false');
}
for (const [name, isOn] of hooks) if (isOn && args[start] !== 'config') require('node:fs').appendFileSync(${JSON.stringify(ran)}, name + ' ' + args[start] + '\\n');
process.exit(spawnSync(${JSON.stringify(real)}, args, { stdio: 'inherit' }).status);
`;
      const programs = join(host.base, 'programs');
      mkdirSync(programs);
      writeFileSync(join(programs, 'git'), program, { mode: 0o755 });
      const hook = (name: string) => `[hook "${name}"]\n\tevent = reference-transaction\n\tcommand = true\n\tenabled = true\n`;
      appendFileSync(join(repository, '.git/config'), ['everywhere', '', 'a.b', 'post-checkout'].map(hook).join(''));
      writeFileSync(trap, hook('inside'));
      git(repository, 'config', 'includeIf.gitdir:**/.git/worktrees/**.path', trap);
      const path = process.env.PATH;
      process.env.PATH = `${programs}:${path}`;
      try {
        springTrap();
        await makeAndDiscard();
      } finally {
        process.env.PATH = path;
      }
    });

    it('are not made where the repository puts its work trees elsewhere, and nothing is written there', async () => {
      const victim = join(host.base, 'victim');
      mkdirSync(victim);
      git(repository, 'config', 'extensions.worktreeConfig', 'true');
      // Git takes one over into a new worktree without this setting, but not two.
      const elsewhere = `[core]\n${`\tworktree = ${victim}\n`.repeat(2)}`;
      writeFileSync(join(repository, '.git/config.worktree'), elsewhere);
      git(repository, '--work-tree=.', 'worktree', 'add', '--quiet', '--detach', '--no-checkout', join(host.base, 'trap'));
      assert.equal(git(join(host.base, 'trap'), 'rev-parse', '--show-toplevel'), victim); // To show that the trap works.
      git(repository, '--work-tree=.', 'worktree', 'remove', '--force', join(host.base, 'trap'));
      // The folder itself is in no work tree then, so that nothing is offered.
      const { schema } = await client.request('resolveSessionConfig', { provider: 'demo', workingDirectory: at(repository) });
      assert.deepEqual(Object.keys(schema.properties), ['approvals', 'notesFile']);
      // Another worktree of it is as it should be, but a new one would not be.
      git(repository, '--work-tree=.', 'worktree', 'add', '--quiet', '-b', 'other', join(host.base, 'other'));
      rmSync(join(repository, '.git/worktrees/other/config.worktree'));
      const inOther = inRepository({ isolation: 'worktree' }, join(host.base, 'other'));
      await assert.rejects(host.session(client, inOther), refused(/its work tree elsewhere/));
      assert.deepEqual(readdirSync(victim), []);
      assert.deepEqual(worktrees(), []);
      assert.equal(git(repository, 'branch', '--list', 'tapline/*'), '');
    });
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
    assert.ok(warnings.join('\n').includes(folderOf(dirty)), 'and where it is');

    const committed = await host.session(client, inRepository({ isolation: 'worktree' }));
    const folder = folderOf(committed);
    const branch = git(folder, 'branch', '--show-current');
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'work');
    await dispose(committed);
    assert.ok(!existsSync(folder));
    assert.match(git(repository, 'branch', '--list', branch), /tapline/);
    assert.ok(warnings.some((text) => text.includes(`${branch} of`) && text.includes(`is kept in ${repository}: it has commits`)));

    const detached = await host.session(client, inRepository({ isolation: 'worktree' }));
    git(folderOf(detached), 'checkout', '--quiet', '--detach');
    git(folderOf(detached), 'commit', '--quiet', '--allow-empty', '-m', 'on no branch');
    await dispose(detached);
    assert.ok(existsSync(folderOf(detached)));
    assert.match(warnings.join('\n'), /is kept: it has commits that are on no branch/);
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

  it('say what goes on while one is created, to the client that asks for it', async () => {
    const [asking, other] = [await host.client(), await host.client()];
    const told: unknown[] = [];
    const hear = (to: AgentHostClient, name: string) =>
      to.onNotification((notification) => {
        if (notification.type === 'notify/progress') told.push([name, { ...notification }]);
      });
    hear(asking, 'asking');
    hear(other, 'other');
    const create = (id: string, config: Record<string, unknown>, progressToken?: string) =>
      asking.command('createSession', {
        ...{ channel: `demo:/${id}`, provider: 'demo', workingDirectories: [at(repository)], config },
        ...(progressToken !== undefined && { progressToken }),
      });
    await create('in-a-worktree', { isolation: 'worktree' }, 'mine');
    await create('without', { isolation: 'worktree' });
    await other.command('ping', {});
    const message = 'Making a work tree for the session';
    const step = (progress: number) => ['asking', { type: 'notify/progress', progressToken: 'mine', progress, total: 1, message }];
    // A client may show it until all of it is there.
    assert.deepEqual(told, [step(0), step(1)]);
  });
});
