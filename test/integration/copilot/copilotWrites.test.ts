/** Writing files with the real engine: what is done at once, what is asked about, and what the question says. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReplyPiece } from '../../fixtures/modelServer.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotConversation, CopilotHost } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

describe('files that the Copilot agent writes', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
    // The engine gives this model patches to write with.
    host.agent.setEndpoints([host.endpoint(), host.endpoint({ id: 'gpt-5-codex' })]);
    mkdirSync(join(host.directory, '.vscode'));
    host.file('.gitignore', 'out/\n');
    for (const name of ['README.md', 'changed.txt']) host.file(name, `${name}\n`);
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
    ])
      execFileSync('git', ['-C', host.directory, ...args]);
    mkdirSync(host.file('.git/hooks'), { recursive: true });
    symlinkSync(join(host.directory, '.git'), host.file('settings'));
  });
  after(() => host.stop());
  afterEach(() => {
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
  });

  const session = (approvals: string, model = 'scripted') => host.session(client, { config: { approvals }, model: { id: model } });
  const create = (path: string): ReplyPiece => ({ tool: 'create', args: { path, file_text: 'x\n' } });
  const patch = (...lines: string[]): ReplyPiece => ({
    tool: 'apply_patch',
    args: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
  });
  const diffsOf = (talk: CopilotConversation) => (talk.state.summary.diffs ?? []).map(({ before, after }) => [before?.uri, after?.uri]);
  const uri = (name: string) => pathToFileURL(host.file(name)).href;

  for (const approvals of ['edits', 'all'])
    it(`are asked about each time when other programs take orders from them, with approvals on “${approvals}”`, async () => {
      const talk = await session(approvals);
      const [plain, tasks, config] = [`plain-${approvals}.txt`, `.vscode/tasks-${approvals}.json`, `settings/config-${approvals}`];
      host.model.reply(
        [create(host.file(plain))],
        [create(host.file(tasks))],
        [{ tool: 'edit', args: { path: host.file(tasks), old_str: 'x', new_str: 'y' } }],
        [create(host.file(config))],
        [{ text: 'ok' }],
      );
      const turnId = await talk.send('Write');
      await talk.callTo('create', 'pending-confirmation');
      assert.deepEqual(
        [plain, tasks].map((name) => existsSync(host.file(name))),
        [true, false],
        'the other file needs no asking',
      );
      const asked = await talk.decide('create', 'once');
      const why = 'It can make editors run programs later, so you are asked each time.';
      assert.deepEqual(asked.confirmationTitle, { markdown: `Create \`${tasks}\`? ${why}` });
      assert.deepEqual(
        asked.options?.map(({ id }) => id),
        ['once', 'deny', 'deny-stop'],
      );
      await talk.decide('edit', 'once');
      await talk.until('the third question', () => talk.calls()[3]?.status === 'pending-confirmation');
      const linked = await talk.decide('create', 'deny');
      assert.match(JSON.stringify(linked.confirmationTitle), /which is `[^`]*\.git\/config-[a-z]+`\? It can make Git run programs later/);
      await talk.ended(turnId);
      assert.equal(readFileSync(host.file(tasks), 'utf8'), 'y\n');
      assert.equal(existsSync(host.file(`.git/config-${approvals}`)), false);
    });

  it('are written unasked where Git tracks them or their folder, and asked about where it does not, with the reason', async () => {
    const talk = await session('edits');
    // The engine makes no folders.
    for (const name of ['out', 'feature']) mkdirSync(host.file(name));
    host.model.reply(
      [{ tool: 'edit', args: { path: host.file('README.md'), old_str: 'README.md', new_str: 'Read me' } }],
      [create(host.file('feature/one.txt'))],
      [create(host.file('feature/two.txt'))],
      [create(host.file('lefthook-local.yml'))],
      [create(host.file('out/built.js'))],
      [create(host.file('CLAUDE.md'))],
      [{ text: 'ok' }],
    );
    const turnId = await talk.send('Write');
    const titles: unknown[] = [];
    for (const index of [3, 4, 5]) {
      await talk.until(`question ${index}`, () => talk.calls()[index]?.status === 'pending-confirmation');
      titles.push((await talk.decide('create', 'deny')).confirmationTitle);
    }
    await talk.ended(turnId);
    assert.deepEqual(titles, [
      { markdown: 'Create `lefthook-local.yml`? It can make Git run programs later, so you are asked each time.' },
      { markdown: 'Create `out/built.js`? Git ignores it, so you are asked each time.' },
      { markdown: 'Create `CLAUDE.md`? Coding agents take it as instructions, so you are asked each time.' },
    ]);
    for (const name of ['lefthook-local.yml', 'out/built.js', 'CLAUDE.md']) assert.equal(existsSync(host.file(name)), false, name);
    assert.equal(readFileSync(host.file('README.md'), 'utf8'), 'Read me\n');
    for (const name of ['feature/one.txt', 'feature/two.txt']) assert.ok(existsSync(host.file(name)), name);
  });

  it('are asked about each time also where writing was allowed in the session, and in subagents', async () => {
    const talk = await session('ask');
    host.model.reply(
      [create(host.file('first.txt'))],
      [create(host.file('second.txt'))],
      [create(host.file('GIT-hook.txt'))],
      [{ tool: 'task', args: { agent_type: 'general-purpose', name: 'helper', description: 'Help', prompt: 'Help' } }],
      [create(host.file('.git/hooks/pre-commit'))],
      [{ text: 'Helped.' }],
      [{ text: 'ok' }],
    );
    const turnId = await talk.send('Write');
    await talk.decide('create', 'session');
    const [content] = await talk.until('the subagent', () => {
      const call = talk.calls().find(({ toolName }) => toolName === 'task');
      return call?.status === 'running' && call.content;
    });
    assert.ok(content?.type === 'subagent');
    const sub = new CopilotConversation(client, content.resource);
    const asked = await sub.decide('create', 'deny');
    assert.match(JSON.stringify(asked.confirmationTitle), /It can make Git run programs later/);
    await talk.ended(turnId);
    for (const name of ['first.txt', 'second.txt', 'GIT-hook.txt']) assert.ok(existsSync(host.file(name)), name);
    assert.equal(existsSync(host.file('.git/hooks/pre-commit')), false);
  });

  it('are asked about when a patch moves a file from outside of the working directory into it', async () => {
    const talk = await session('edits', 'gpt-5-codex');
    const secret = join(host.base, 'secret.txt');
    writeFileSync(secret, 'secret\n');
    host.model.reply([patch(`*** Update File: ${secret}`, '*** Move to: taken.txt', '@@', '-secret', '+taken')], [{ text: 'ok' }]);
    const turnId = await talk.send('Move');
    const asked = await talk.decide('apply_patch', 'deny');
    const from = `\`${secret}\`, outside the working directory,`;
    assert.deepEqual(asked.confirmationTitle, { markdown: `Move ${from} to \`taken.txt\`?` });
    await talk.ended(turnId);
    assert.ok(existsSync(secret) && !existsSync(host.file('taken.txt')));
  });

  it('are all in the session’s diffs when one patch changes, moves and deletes several, at once inside', async () => {
    const talk = await session('edits', 'gpt-5-codex');
    for (const name of ['old.txt', 'gone.txt', 'changed.txt']) host.file(name, `${name}\n`);
    host.model.reply(
      [
        patch(
          ...['*** Update File: changed.txt', '@@', '-changed.txt', '+new'],
          ...['*** Update File: old.txt', '*** Move to: moved.txt', '@@', '-old.txt', '+moved'],
          '*** Delete File: gone.txt',
        ),
      ],
      [{ text: 'ok' }],
    );
    const turn = await talk.say('Patch');
    assert.equal(textOf(turn), 'ok');
    assert.equal(readFileSync(host.file('moved.txt'), 'utf8'), 'moved\n');
    assert.deepEqual(diffsOf(talk), [
      [uri('changed.txt'), uri('changed.txt')],
      [undefined, uri('moved.txt')],
      [uri('old.txt'), undefined],
      [uri('gone.txt'), undefined],
    ]);
  });

  it('are said to be deleted when they are', async () => {
    const talk = await session('ask', 'gpt-5-codex');
    host.file('doomed.txt', 'x\n');
    host.model.reply([patch('*** Delete File: doomed.txt')], [{ text: 'ok' }]);
    const turnId = await talk.send('Delete');
    const asked = await talk.decide('apply_patch', 'once');
    assert.match(JSON.stringify(asked.confirmationTitle), /Delete `/);
    const [edit] = asked.edits?.items ?? [];
    assert.deepEqual([edit?.before?.uri, edit?.after], [uri('doomed.txt'), undefined]);
    await talk.ended(turnId);
    assert.equal(existsSync(host.file('doomed.txt')), false);
  });
});
