/** What an agent may do without asking, what of this computer goes to another host, and what is typed into a terminal, in a real workbench. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { whenLive } from '../../src/ahp/index.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';
import { V1Client } from '../support/v1Client.ts';

describe('consent, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await startTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await item(/^Agent host This computer, connected/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-consent-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const session = () => workbench.session;
  const card = () => session().locator('.waiting-card');
  const composer = () => session().getByRole('textbox', { name: 'Message' });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const notice = (text: string | RegExp) => workbench.page.locator('.notification-toast', { hasText: text });
  const isIdle = () => session().locator('.state', { hasText: 'Idle' }).waitFor();
  const has = (name: string) => existsSync(join(tapline.workspace, name));

  async function newSession(): Promise<void> {
    await workbench.run('Tapline: Start a Demo Session');
    await session().getByText('Nothing was said yet').waitFor();
    await session().locator('#composer:focus').waitFor();
  }
  async function say(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press('Enter');
  }

  it('asks before an agent acts without asking, and shows it wherever the session is until it asks again', async () => {
    await newSession();
    const approvals = session().getByRole('combobox', { name: 'Commands' });
    const unasked = (page: Workbench['session']) => page.getByText('The agent acts without asking you: Run without asking.');
    await approvals.selectOption('Run without asking');
    await dialog().getByText('act without asking you?').waitFor();
    await workbench.shot('17-stop-asking');
    await workbench.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await say('run touch not-yet');
    await card().locator('vscode-button', { hasText: 'Deny' }).first().click();
    await isIdle();
    assert.equal(await approvals.inputValue(), 'ask');
    assert.equal(await unasked(session()).count(), 0);

    await approvals.selectOption('Run without asking');
    await dialog().getByRole('button', { name: 'Stop Asking Me' }).click();
    await unasked(session()).waitFor();
    await workbench.run('Tapline: Open Session in Editor');
    const editor = workbench.editorSession;
    await unasked(editor).waitFor();
    // It is not shown twice.
    await session().getByText('No session is open').waitFor();
    await editor.getByRole('textbox', { name: 'Message' }).fill('run touch unasked');
    await editor.getByRole('textbox', { name: 'Message' }).press('Enter');
    await editor.getByText('Ran touch unasked').waitFor();
    await editor.locator('.state', { hasText: 'Idle' }).waitFor();
    assert.equal(has('unasked'), true);
    await workbench.shot('18-not-asking');
    await editor.getByRole('button', { name: 'Ask me again' }).click();
    await unasked(editor).waitFor({ state: 'detached' });
    await workbench.run('View: Close All Editors');
    await item(/^run touch not-yet/).click();
    await session().getByText('Ran touch unasked').waitFor();
    assert.equal(await unasked(session()).count(), 0);
    await say('run touch not-yet');
    await card().waitFor();
    assert.equal(has('not-yet'), false);
  });

  it('lists what was allowed in the session, and takes it back', async () => {
    await newSession();
    await say('run touch first');
    await card().getByRole('button', { name: 'More ways to approve' }).click();
    await card().locator('vscode-button', { hasText: 'Run commands in this session without asking' }).click();
    await isIdle();
    const allowed = session().getByText('You have allowed 1 thing in this session');
    await say('run touch second');
    await session().getByText('Ran touch second').waitFor();
    await isIdle();
    await allowed.click();
    await workbench.shot('19-allowed');
    await session().getByRole('button', { name: 'Take back: Run every command' }).click();
    await allowed.waitFor({ state: 'detached' });
    await say('run touch third');
    await card().waitFor();
    assert.deepEqual([has('first'), has('second'), has('third')], [true, true, false]);
  });

  it('leaves Approve of the palette to the card that has the focus, and says so where it did nothing', async () => {
    await newSession();
    await say('run touch by-palette');
    await card().waitFor();
    await composer().focus();
    await workbench.run('Tapline: Approve');
    await card().getByRole('alert').getByText('Nothing was approved. See this first, then approve it.').waitFor();
    await session().locator('.waiting-card:focus').waitFor();
    assert.equal(has('by-palette'), false);
    await workbench.shot('20-approve-from-palette');
    await composer().focus();
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await workbench.run('Tapline: Approve');
    await notice('Nothing was approved, because the session was not on screen.').waitFor();
    await session().locator('.waiting-card:focus').waitFor();
    assert.equal(has('by-palette'), false);
    await workbench.run('Tapline: Approve');
    await isIdle();
    assert.equal(has('by-palette'), true);
  });

  it('types into the terminal that has the focus, and into no other', async () => {
    const typing = () => workbench.page.locator('.terminal-wrapper.active .xterm-helper-textarea:focus');
    const wait = async (name: string) => {
      await newSession();
      await say(`run echo ask ${name}; read answer; echo "$answer" > typed-${name}`);
      await card().locator('vscode-button', { hasText: 'Run once' }).click();
      await session().getByRole('button', { name: 'Type into it' }).click();
      await typing().waitFor();
    };
    await wait('one');
    await wait('two');
    await workbench.page.keyboard.type('for two');
    await workbench.shot('21-typing');
    await workbench.page.keyboard.press('Enter');
    await isIdle();
    assert.equal(readFileSync(join(tapline.workspace, 'typed-two'), 'utf8'), 'for two\n');
    assert.equal(has('typed-one'), false);
    await workbench.shot('22-typed');
    await item(/^run echo ask one/)
      .first()
      .click();
    await session().getByText('ask one').first().waitFor();
    await workbench.run('Tapline: Type into a Session Terminal…');
    await typing().waitFor();
    await workbench.page.keyboard.type('for one\n');
    await isIdle();
    assert.equal(readFileSync(join(tapline.workspace, 'typed-one'), 'utf8'), 'for one\n');
  });

  describe('with a host that does not have the files of this computer', () => {
    const data = mkdtempSync(join(tmpdir(), 'tapline-other-host-'));
    const work = mkdtempSync(join(tmpdir(), 'tapline-other-work-'));
    let host: HostProcess;
    let other: V1Client;

    before(async () => {
      writeFileSync(join(work, 'theirs.txt'), 'x');
      host = await startHostProcess(['--data', data]);
      other = await V1Client.connect({ url: host.url, token: host.token });
      await other.request('createSession', { session: 'demo:/box', provider: 'demo', workingDirectory: pathToFileURL(work).href });
      await whenLive(other.subscribeSession('demo:/box'));
      await workbench.addHost(host.url, 'build-box', host.token);
    });
    after(async () => {
      other?.close();
      await host?.stop();
      for (const folder of [data, work]) rmSync(folder, { recursive: true });
    });

    it('says of one that is attached to whom it is lent, takes it back, and loses nothing', async () => {
      // The list is short beside what waits, and rows out of view are not in the page.
      await item(/^Agent host build-box/).hover();
      await workbench.page.mouse.wheel(0, 1_000);
      await item(/^New session/)
        .last()
        .click();
      await session().getByText('build-box').first().waitFor();
      await composer().fill('Look at this: ');
      await workbench.openFile('notes.md');
      await workbench.run('Tapline: Add to Session');
      const lent = session().locator('.chip', { hasText: 'notes.md (lent to build-box)' });
      await lent.waitFor();
      assert.equal(await composer().inputValue(), 'Look at this: ');
      await lent.getByRole('button', { name: /^Remove notes\.md/ }).click();
      await lent.waitFor({ state: 'detached' });
      assert.equal(await session().locator('.chip').count(), 0);
      await composer().focus();
      await composer().press('End');
      await composer().pressSequentially('#the');
      await session()
        .getByRole('option', { name: /theirs\.txt/ })
        .click();
      await session().locator('.chip', { hasText: 'theirs.txt' }).waitFor();
      await composer().press('Enter');
      await session().getByText('You attached').waitFor();
    });
  });
});
