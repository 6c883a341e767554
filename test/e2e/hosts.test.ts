/** Agent hosts that the user adds, edits and removes, and how the tree shows them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WebSocketServer } from 'ws';
import { whenLive } from '../../src/ahp/index.ts';
import { eventually } from '../fakes/eventually.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { V1Client } from '../support/v1Client.ts';

/** A row that has been clicked does what it does within. */
const ROW_MS = 5_000;

describe('other agent hosts, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let host: HostProcess;
  const data = mkdtempSync(join(tmpdir(), 'tapline-other-host-'));

  before(async () => {
    [tapline, host] = await Promise.all([takeTapline(), startHostProcess(['--data', data])]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await item(/^Agent host This computer, connected/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    await host?.stop();
    rmSync(data, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-hosts-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  async function answer(title: string, text: string): Promise<void> {
    await workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
    const input = workbench.page.locator('.quick-input-widget input');
    await input.fill(text);
    await input.press('Enter');
  }

  it('adds one by its address, with the token taken out of it, and connects', async () => {
    await workbench.run('Tapline: Add Agent Host…');
    await answer('Add Agent Host (1/3)', `${host.url}/?tkn=${host.token}`);
    await answer('Add Agent Host (2/3)', 'build-box');
    await workbench.page.locator('.quick-input-title', { hasText: 'Add Agent Host (3/3)' }).waitFor();
    await workbench.page.locator('.quick-input-widget input').press('Enter');
    await workbench.page
      .getByText(/build-box answered: .*protocol .*, with \d+ agents?: /)
      .first()
      .waitFor();
    await item(/^Agent host build-box, connected/).waitFor();
    await workbench.shot('11-two-hosts');
    // The token is a secret and must not be in a settings file.
    const settings = readFileSync(join(dirname(tapline.workspace), 'user/User/settings.json'), 'utf8');
    assert.ok(settings.includes(host.url));
    assert.ok(!settings.includes(host.token));
  });

  it('says of a session that another client removes what happened, and offers a new one with the same words', async () => {
    const other = await V1Client.connect({ url: host.url, token: host.token });
    try {
      const uri = 'demo:/removed';
      const workingDirectory = pathToFileURL(tapline.workspace).href;
      await other.request('createSession', { session: uri, provider: 'demo', workingDirectory });
      const subscription = other.subscribeSession(uri);
      await whenLive(subscription);
      const settled = other.dispatch(uri, {
        type: 'session/turnStarted',
        session: uri,
        turnId: 't',
        userMessage: { text: 'run touch never' },
      }).settled;
      assert.equal((await settled).kind, 'confirmed');
      await item(/^run touch never, /).click();
      const { session } = workbench;
      await session.locator('.waiting-card').waitFor();
      await other.request('disposeSession', { session: uri });
      await session.locator('.banner', { hasText: 'This session was removed from build-box.' }).waitFor();
      await session.locator('.state', { hasText: 'Removed' }).waitFor();
      assert.equal(await session.locator('.waiting-card').count(), 0);
      assert.equal(await session.getByRole('button', { name: 'Open again' }).count(), 0, 'the host does not list it any more');
      await workbench.shot('15-removed-session');
      await session.getByRole('button', { name: 'New session with the same words' }).click();
      await session.getByText('Nothing was said yet').waitFor();
      assert.equal(await session.getByRole('textbox', { name: 'Message' }).inputValue(), 'run touch never');
      const { items } = await other.request('listSessions', {});
      assert.equal(items.filter(({ provider }) => provider === 'demo').length, 1);
    } finally {
      other.close();
    }
  });

  it('says why it is lost when it ends, and what to do about a wrong token', async () => {
    await host.stop();
    await item(/^Agent host build-box, reconnecting/).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'build-box: connection refused' }).waitFor();
    await item(/^Connection refused\. build-box .*Start the agent host there, or correct the address/).waitFor();
    await item(/^Edit address…/).click();
    await workbench.page.locator('.quick-input-title', { hasText: 'Edit Agent Host (1/3)' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.shot('16-unreachable');
    host = await startHostProcess(['--data', data, '--port', new URL(host.url).port]);
    // The same address with another token. Trying again cannot help, so it stops and says what to change.
    await workbench.run('Tapline: Reconnect to Agent Host');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'build-box' }).click();
    await item(/^Agent host build-box, .*token/).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'build-box: wrong token' }).waitFor();
    await workbench.shot('12-wrong-token');
    await item(/^Try again now/).click();
    // The rows are drawn anew meanwhile: a click that began on the row before is lost, or closes the host.
    const title = workbench.page.locator('.quick-input-title', { hasText: 'Enter the Token of build-box' });
    const asked = async () => {
      const itsHost = item(/^Agent host build-box/);
      if ((await itsHost.getAttribute('aria-expanded')) === 'false') await itsHost.click();
      await item(/^Enter token…/).click({ timeout: ROW_MS });
      await title.waitFor({ timeout: ROW_MS });
      return true;
    };
    await eventually(() => asked().catch(() => false), 'the question for the token', 30_000);
    await answer('Enter the Token of build-box', host.token);
    await item(/^Agent host build-box, connected/).waitFor();
  });

  it('says that somebody else is at the address, and leads to correcting it', async () => {
    const stranger = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    stranger.on('connection', (socket) => socket.on('message', () => socket.send('unknown command')));
    await once(stranger, 'listening');
    await workbench.run('Tapline: Edit Agent Host…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'build-box' }).click();
    const address = `ws://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
    await answer('Edit Agent Host (1/3)', address);
    await answer('Edit Agent Host (2/3)', 'build-box');
    await answer('Edit Agent Host (3/3)', 'x');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Tapline cannot connect to build-box.').waitFor();
    await workbench.shot('17-host-test-failed');
    const settings = () => readFileSync(join(dirname(tapline.workspace), 'user/User/settings.json'), 'utf8');
    assert.ok(!settings().includes(address), 'nothing is saved before the user says so');
    await dialog.getByRole('button', { name: 'Correct…' }).click();
    const input = workbench.page.locator('.quick-input-widget input');
    await workbench.page.locator('.quick-input-title', { hasText: 'Edit Agent Host (1/3)' }).waitFor();
    assert.equal(await input.inputValue(), address);
    await input.press('Enter');
    await answer('Edit Agent Host (2/3)', 'build-box');
    await workbench.page.locator('.quick-input-title', { hasText: 'Edit Agent Host (3/3)' }).waitFor();
    assert.equal(await input.inputValue(), 'x');
    await input.press('Enter');
    await dialog.getByRole('button', { name: 'Save Anyway' }).click();
    await item(/^No agent host there\. No agent host is at build-box/).waitFor();
    await workbench.shot('17-no-agent-host');
    stranger.close();
    for (const socket of stranger.clients) socket.terminate();
    await item(/^Edit address…/).click();
    await answer('Edit Agent Host (1/3)', host.url);
    await answer('Edit Agent Host (2/3)', 'build-box');
    await answer('Edit Agent Host (3/3)', host.token);
    await item(/^Agent host build-box, connected/).waitFor();
  });

  it('is edited: its token is not taken along to another address', async () => {
    const edit = async (url: string) => {
      await workbench.run('Tapline: Edit Agent Host…');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'build-box' }).click();
      await answer('Edit Agent Host (1/3)', url);
      await answer('Edit Agent Host (2/3)', 'build-box');
      await workbench.page.locator('.quick-input-title', { hasText: 'Edit Agent Host (3/3)' }).waitFor();
      const offered = await workbench.page.locator('.quick-input-widget input').inputValue();
      await workbench.page.keyboard.press('Escape');
      return offered;
    };
    assert.notEqual(await edit(`${host.url}/another/path`), '');
    assert.equal(await edit('ws://127.0.0.1:1'), '');
  });

  it('is edited, and keeps its connection', async () => {
    await workbench.run('Tapline: Edit Agent Host…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'build-box' }).click();
    await answer('Edit Agent Host (1/3)', host.url);
    await answer('Edit Agent Host (2/3)', 'renamed-box');
    await answer('Edit Agent Host (3/3)', host.token);
    await item(/^Agent host renamed-box, connected/).waitFor();
  });

  it('takes only a folder that is there, and asks whether the agent gets a worktree', async () => {
    const repository = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-repository-')));
    try {
      const git = (...args: string[]) => execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@e', ...args]);
      git('init', '--quiet', '--initial-branch=main');
      git('commit', '--quiet', '--allow-empty', '-m', 'first');
      git('branch', 'topic');
      const input = workbench.page.locator('.quick-input-widget input');
      const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
      await workbench.run('Tapline: New Session…');
      await row('renamed-box').click();
      await row('Demo').click();
      await input.fill(`${repository}/nowhere`);
      await row('Work in').click();
      await row(`There is no folder ${repository}/nowhere on renamed-box.`).waitFor();
      await workbench.shot('13-no-such-folder');
      await input.press('Enter');
      await input.fill(repository);
      await row('Work in').click();
      await workbench.page.locator('.quick-input-title', { hasText: 'Isolation' }).waitFor();
      await workbench.shot('14-isolation');
      await row('Worktree').click();
      await workbench.page.locator('.quick-input-title', { hasText: 'Branch' }).waitFor();
      await row('topic').click();
      await workbench.session.getByText(/Worktree from topic · branch tapline\//).waitFor();
      await workbench.shot('15-worktree');
    } finally {
      rmSync(repository, { recursive: true });
    }
  });

  it('has a folder beside that of the window, whose files are read, changed and saved', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'tapline-far-')), 'far');
    mkdirSync(folder);
    writeFileSync(join(folder, 'far.txt'), 'away\n');
    const other = await V1Client.connect({ url: host.url, token: host.token });
    try {
      const workingDirectory = pathToFileURL(folder).href;
      await other.request('createSession', { session: 'demo:/far', provider: 'demo', workingDirectory });
      const inTree = workbench.page.getByRole('treeitem', { name: 'far (renamed-box)' });
      // In a browser VS Code may load the window before it has kept what the new workspace has, and has no folder at all then.
      const empty = workbench.page.getByText('You have not yet added a folder to the workspace.');
      for (let attempt = 0; attempt < 3 && !(await inTree.isVisible()); attempt++) {
        await workbench.run('Tapline: Browse Files of an Agent Host…');
        await workbench.choose('renamed-box');
        await workbench.choose(folder);
        await workbench.choose('Add to This Window');
        // VS Code loads the window again for its second folder, and in a browser it does not keep the token.
        await workbench.page.locator('.statusbar-item', { hasText: 'renamed-box: token needed' }).waitFor();
        await eventually(
          async () => {
            // The palette goes with a page that is loaded again.
            await workbench.run('View: Show Explorer').catch(() => undefined);
            return (await inTree.isVisible()) || empty.isVisible();
          },
          'the folder in the tree, or none',
          60_000,
        );
        // It cannot be read yet, and is when the host is there.
        if (await inTree.isVisible()) await inTree.locator('[class*="decoration"]').first().waitFor();
        await workbench.run('Tapline: Enter Agent Host Token…');
        await workbench.choose('renamed-box');
        await answer('Enter the Token of renamed-box', host.token);
        await workbench.page.locator('.statusbar-item', { hasText: 'Connected to 2 agent hosts' }).waitFor();
      }
      if ((await inTree.getAttribute('aria-expanded')) !== 'true') await inTree.click();
      await workbench.page.getByRole('treeitem', { name: 'far.txt' }).click();
      await workbench.page.locator('.monaco-editor .view-line', { hasText: 'away' }).click();
      await workbench.page.keyboard.press('ControlOrMeta+Home');
      await workbench.page.keyboard.type('far ');
      await workbench.page.locator('.monaco-editor .view-line', { hasText: 'far away' }).waitFor();
      await workbench.shot('18-far-file');
      await workbench.run('File: Save');
      const saved = () => readFileSync(join(folder, 'far.txt'), 'utf8');
      for (let waits = 0; waits < 100 && saved() !== 'far away\n'; waits++) await workbench.page.waitForTimeout(100);
      assert.equal(saved(), 'far away\n');
      await workbench.openTapline();
    } finally {
      other.close();
      rmSync(dirname(folder), { recursive: true });
    }
  });

  it('is removed after a question', async () => {
    await workbench.run('Tapline: Remove Agent Host…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'renamed-box' }).click();
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Remove' }).click();
    await item(/^Agent host renamed-box/).waitFor({ state: 'detached' });
  });
});
