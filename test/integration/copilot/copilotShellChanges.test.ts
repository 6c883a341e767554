/** What commands of the Copilot agent change, in the session's diffs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileEdit } from '../../../src/ahp/v1/common.ts';
import { changesetUri } from '../../../src/host/state/chatUris.ts';
import { eventually } from '../../fakes/eventually.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost, gate, type CopilotConversation } from './copilotHarness.ts';

describe('files that a command of the Copilot agent changes', () => {
  const host = new CopilotHost();
  let client: V1Client;
  let folder: string;
  let talk: CopilotConversation;
  let count = 0;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());
  beforeEach(() => {
    folder = join(host.base, `repository-${++count}`);
    mkdirSync(folder);
  });

  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd: folder });
  const put = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const repository = (names: Record<string, string>) => {
    git('init', '--quiet');
    for (const [name, content] of Object.entries(names)) put(name, content);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
  };
  const open = async () =>
    (talk = await host.session(client, { workingDirectory: pathToFileURL(folder).href, config: { approvals: 'all' } }));
  const bash = (command: string, more: object = {}) => ({ tool: 'bash', args: { command, description: 'x', ...more } });
  const run = async (...commands: string[]) => {
    host.model.reply(...commands.map((command) => [bash(command)]), [{ text: 'ok' }]);
    assert.equal((await talk.say('Run')).state, 'complete');
  };
  const read = async (side: FileEdit['before']) =>
    side && (await client.request('resourceRead', { uri: side.content.uri, encoding: 'utf-8' })).data;
  /** By name: contents before and after, lines added and removed. */
  const diffs = async () => {
    const entries = (talk.state.summary.diffs ?? []).map(async ({ before, after, diff }) => {
      const name = (after?.uri ?? before?.uri ?? '').slice(pathToFileURL(folder).href.length + 1);
      return [name, [await read(before), await read(after), diff?.added, diff?.removed]] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };

  /** A client of today's protocol. */
  const today = () => host.client();
  /** By name: contents before and after. */
  const ofTurn = async (turnId: string) => {
    const changes = (await today()).model('changeset', changesetUri({ kind: 'turn', session: talk.uri, turnId }));
    await eventually(() => changes.state?.status === 'ready', 'the files of the turn');
    const entries = (changes.state?.files ?? []).map(
      async ({ id, edit: { before, after } }) => [basename(id), [await read(before), await read(after)]] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };

  it('are there with both contents, also those that differed from the commit before', async () => {
    repository({ a: 'one\ntwo\n', gone: 'here\n', kept: 'kept\n' });
    put('a', 'one\nmine\n');
    put('untracked', 'before\n');
    await open();
    await run('sed -i s/one/1/ a; rm gone; echo new > made; echo after >> untracked; cat kept');
    assert.deepEqual(await diffs(), {
      a: ['one\nmine\n', '1\nmine\n', 1, 1],
      gone: ['here\n', undefined, 0, 1],
      made: [undefined, 'new\n', 1, 0],
      untracked: ['before\n', 'before\nafter\n', 1, 0],
    });
  });

  it('are not there any more when that was undone, and count from the first change on', async () => {
    repository({ a: 'one\n', b: 'one\n' });
    await open();
    await run('echo two > a; echo two > b', 'echo three > a; echo made > c');
    assert.deepEqual(await diffs(), {
      a: ['one\n', 'three\n', 1, 1],
      b: ['one\n', 'two\n', 1, 1],
      c: [undefined, 'made\n', 1, 0],
    });
    await run('git checkout --quiet b; rm c');
    assert.deepEqual(Object.keys(await diffs()), ['a']);
    await run('git -c user.name=T -c user.email=t@t commit --quiet --all --message second');
    assert.deepEqual(await diffs(), { a: ['one\n', 'three\n', 1, 1] });
  });

  it('are summed up with what tools change', async () => {
    repository({ a: 'one\ntwo\n' });
    await open();
    const edit = (old_str: string, new_str: string) => ({ tool: 'edit', args: { path: join(folder, 'a'), old_str, new_str } });
    host.model.reply([edit('one', '1')], [bash('echo three >> a')], [{ text: 'ok' }]);
    const changed = await talk.say('Change');
    assert.deepEqual(await diffs(), { a: ['one\ntwo\n', '1\ntwo\nthree\n', 2, 1] });
    assert.deepEqual(await ofTurn(changed.id), { a: ['one\ntwo\n', '1\ntwo\nthree\n'] });
    host.model.reply([edit('1', 'one')], [bash("sed -i '$d' a")], [{ text: 'ok' }]);
    await talk.say('Back');
    assert.equal(readFileSync(join(folder, 'a'), 'utf8'), 'one\ntwo\n');
    assert.deepEqual(await diffs(), {});
  });

  it('are put back with the turn', async () => {
    repository({ a: 'one\ntwo\n', gone: 'here\n' });
    await open();
    host.model.reply([bash('echo three >> a; rm gone; echo new > made')], [{ text: 'ok' }]);
    const { id: turnId } = await talk.say('Change');
    put('a', 'mine\ntwo\nthree\n');
    const channel = changesetUri({ kind: 'turn', session: talk.uri, turnId });
    const { message } = await (await today()).command('invokeChangesetOperation', { channel, operationId: 'discard' });
    assert.equal(message, undefined);
    assert.deepEqual(
      ['a', 'gone', 'made'].map((name) => existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8')),
      ['mine\ntwo\n', 'here\n', false],
    );
    assert.deepEqual([await diffs(), await ofTurn(turnId)], [{}, {}]);
  });

  it('are there when the command goes on in the background or is cancelled', async () => {
    repository({ a: 'one\n', b: 'one\n' });
    await open();
    const written = gate();
    host.model.reply([bash('echo two > a; echo 1; sleep 300', { mode: 'async' })], [{ wait: written.promise }, { text: 'ok' }]);
    const first = await talk.send('Serve');
    await talk.printedNumber();
    written.open();
    await talk.ended(first);
    assert.deepEqual(Object.keys(await diffs()), ['a']);
    assert.deepEqual(await ofTurn(first), { a: ['one\n', 'two\n'] });
    host.model.reply([bash('echo two > b; echo 1; sleep 300')]);
    const turnId = await talk.send('Wait');
    await talk.until('the second command', () => talk.calls().filter(({ toolName }) => toolName === 'bash').length === 2);
    await talk.printedNumber();
    await talk.cancel(turnId);
    await talk.until('both files', ({ summary }) => summary.diffs?.length === 2);
  });

  it('are five hundred at most, two hundred of one command', async () => {
    repository({ a: 'one\n' });
    await open();
    const make = (letter: string) => `for i in $(seq 1 201); do echo x > ${letter}$i; done`;
    await run(make('b'));
    assert.equal(talk.state.summary.diffs?.length, 200);
    await run(`git add --all; ${make('c')}`, `git add --all; ${make('d')}`, 'echo two > a');
    assert.equal(talk.state.summary.diffs?.length, 500);
    // What is among them is still followed.
    await run('rm b1');
    assert.equal(talk.state.summary.diffs?.length, 499);
  });

  it('are not followed where no work tree of git is', async () => {
    await open();
    await run('echo new > made');
    assert.equal(talk.state.summary.diffs, undefined);
  });
});
