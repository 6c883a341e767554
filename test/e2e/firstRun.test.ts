/** What a new user does: `npm start`, the printed URL in a browser, and a session with the demo agent. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

describe('first run, in the workbench that npm start opens', function () {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await startTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.session;
  const card = () => session().locator('.waiting-card');
  const composer = () => session().getByRole('textbox', { name: 'Message' });
  const idle = () => session().locator('.state', { hasText: 'Idle' });
  const answer = () => session().locator('.transcript');
  const expectText = (locator: Locator, text: string | RegExp) => locator.filter({ hasText: text }).first().waitFor();

  /** Polls, for a value that has neither an event nor a text to wait for. */
  async function expect(actual: () => Promise<string>, wanted: string): Promise<void> {
    for (let i = 0; i < 100 && (await actual()) !== wanted; i++) await workbench.page.waitForTimeout(100);
    assert.equal(await actual(), wanted);
  }
  /** Starts a session of its own for each test and sends its first message. */
  async function newSession(text?: string): Promise<void> {
    await workbench.run('Tapline: Start a Demo Session');
    await untilNew();
    if (text) await send(text);
  }
  /** A new session takes the focus, which would close a palette that was opened before. */
  async function untilNew(): Promise<void> {
    await session().getByText('Nothing was said yet').waitFor();
    await session().locator('#composer:focus').waitFor();
  }
  async function send(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press('Enter');
  }

  /** With the keyboard: Escape asks if work would be lost, and a second Escape confirms. */
  async function stop(): Promise<void> {
    await composer().press('Escape');
    await Promise.race([session().getByText('Press Escape again to stop').waitFor(), idle().waitFor()]);
    if (!(await idle().isVisible())) await composer().press('Escape');
    await idle().waitFor();
  }

  it('is connected, and says so in the tree and in the status bar', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Connected' }).first().waitFor();
    await workbench.shot('1-empty');
  });

  it('takes a first message at once, and begins a session with it', async () => {
    await session().getByText('No session is open').waitFor();
    await workbench.picture('new-session', { of: workbench.page.locator('.part.auxiliarybar'), height: 560 });
    await composer().fill('help');
    await session().getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Demo agent' });
    await workbench.shot('1-first-message');
    await composer().press('Enter');
    await expectText(answer(), 'run <command>');
    await idle().waitFor();
    await workbench.page.getByRole('treeitem', { name: /^help, / }).waitFor();
    await session().locator('#composer:focus').waitFor();
    assert.equal(await composer().inputValue(), '');
  });

  it('creates a session from the tree’s button and answers help', async () => {
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer/ }).hover();
    await workbench.page
      .getByRole('treeitem', { name: /^Agent host This computer/ })
      .getByRole('button', { name: /New Session/ })
      .click();
    await workbench.choose('Demo agent');
    await untilNew();
    await send('help');
    await expectText(answer(), 'run <command>');
    await idle().waitFor();
    await workbench.page
      .getByRole('treeitem', { name: /^help, / })
      .first()
      .waitFor();
  });

  it('streams reasoning and Markdown, with nothing of it as raw text', async () => {
    await newSession('stream');
    await answer().locator('.markdown table').first().waitFor({ timeout: 60_000 });
    await answer().locator('.markdown pre').first().waitFor({ timeout: 60_000 });
    await idle().waitFor({ timeout: 60_000 });
    await workbench.shot('2-stream');
  });

  it('runs a command after approval, shows its live output and its exit code', async () => {
    await newSession('run grep help notes.md; sleep 3; exit 3');
    await card().getByText('Run this command?').waitFor();
    // The full command is shown before it runs.
    await expectText(card(), 'grep help notes.md; sleep 3; exit 3');
    await workbench.page.getByRole('treeitem', { name: /needs you/ }).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: '1 thing needs you' }).waitFor();
    await workbench.shot('3-approve');
    // A filter hides rows, never what waits.
    await workbench.run('Tapline: Filter Sessions…');
    await workbench.page.locator('.quick-input-widget input').fill('no session has this title');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.getByRole('treeitem', { name: 'No session matches the filter.' }).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: '1 thing needs you' }).waitFor();
    await workbench.run('Tapline: Clear Session Filter');
    await workbench.page.getByRole('treeitem', { name: /needs you/ }).waitFor();
    await card().getByText('Run once').click();
    await session().locator('.xterm-rows', { hasText: 'Try `help` first.' }).waitFor();
    await workbench.shot('4-running');
    await expectText(session().locator('.tool-call'), 'exit 3');
    await idle().waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Connected' }).first().waitFor();
  });

  it('edits a file: preview, changed input, approval option, diff editor', async () => {
    const file = join(tapline.workspace, 'notes.md');
    const before = readFileSync(file, 'utf8');
    await newSession('edit notes.md - Release on Friday');
    await card().locator('.diff-added, .diff-line.added, [class*="added"]').first().waitFor();
    await workbench.shot('5-edit');
    assert.equal(readFileSync(file, 'utf8'), before, 'nothing is written before approval');
    await card().getByText('Apply the edit').click();
    await idle().waitFor();
    assert.match(readFileSync(file, 'utf8'), /- Release on Friday/);
    await session().getByText('Open diff').first().click();
    await workbench.page.locator('.tab', { hasText: 'notes.md (edited by the agent)' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'Release on Friday' }).waitFor();
    await workbench.shot('6-diff');
    await workbench.picture('changes');
    await workbench.run('View: Close All Editors');
  });

  it('stops a turn and keeps what was said', async () => {
    await newSession('wait 60');
    await session()
      .locator('.state', { hasText: /Waiting, \d+ s left/ })
      .waitFor();
    await stop();
    await expectText(answer(), /stopped|cancelled/i);
  });

  it('lets what was queued wait after a stop, and keeps its order', async () => {
    await newSession('wait 60');
    await session().getByRole('button', { name: /^Stop/ }).waitFor();
    await send('read README.md');
    await session().locator('.queue-item', { hasText: 'read README.md' }).waitFor();
    await stop();
    await session().getByText('They are sent before your next message').waitFor();
    await workbench.shot('8-waiting-messages');
    await send('help');
    await card().waitFor();
    assert.deepEqual(await session().locator('.user-message').allInnerTexts(), ['You\nwait 60', 'You\nread README.md']);
    await card().locator('vscode-button').first().click();
    await expectText(answer(), 'run <command>');
    assert.deepEqual(await session().locator('.user-message').allInnerTexts(), ['You\nwait 60', 'You\nread README.md', 'You\nhelp']);
  });

  it('keeps a draft over a reload of the window', async () => {
    await newSession();
    await composer().fill('not sent yet');
    await composer().blur();
    // The draft is stored a moment after the last key. Only the storage shows that.
    await workbench.page.waitForTimeout(1_500);
    await workbench.reload();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await session().locator('textarea#composer').waitFor();
    await expect(() => composer().inputValue(), 'not sent yet');
  });

  it('opens a session in an editor tab, which comes back with the window', async () => {
    await newSession('help');
    await idle().waitFor();
    await workbench.run('Tapline: Open Session in Editor');
    await workbench.editorSession.locator('.transcript', { hasText: 'run <command>' }).waitFor();
    await workbench.shot('10-editor');
    // VS Code stores the state of the page with the tab.
    await workbench.untilStored('mainThreadWebview-tapline.sessionEditor', 'hostId');
    await workbench.reload();
    await workbench.page.locator('.tab', { hasText: 'help' }).waitFor();
    await workbench.editorSession.locator('.transcript', { hasText: 'run <command>' }).waitFor();
    // It is there, and not a second time beside it.
    await session().getByText('No session is open').waitFor();
    await workbench.run('View: Close All Editors');
  });

  it('begins a session by keyboard alone, with the model and the approvals that were chosen below the message', async () => {
    await session().getByText('No session is open').waitFor();
    const chip = (name: string) => session().getByRole('combobox', { name, exact: true });
    const { keyboard } = workbench.page;
    await chip('Agent').selectOption({ label: 'Demo agent' });
    await chip('Commands').waitFor();
    await composer().focus();
    await keyboard.type('run echo chosen-$((40+2))');
    for (const name of ['Model', 'Commands']) {
      await chip(name).focus();
      await keyboard.press('ArrowDown');
    }
    await expect(() => chip('Model').inputValue(), 'demo-fast');
    await expect(() => chip('Commands').inputValue(), 'auto');
    await workbench.shot('10-chips');
    await composer().focus();
    await keyboard.press('Enter');
    // The command runs without a question.
    await expectText(answer(), 'chosen-42');
    await idle().waitFor();
    await expect(() => chip('Model').inputValue(), 'demo-fast');
    await expect(() => chip('Commands').inputValue(), 'auto');
  });

  it('adds the file of the editor to the message', async () => {
    await newSession();
    await workbench.openFile('notes.md');
    await workbench.run('Tapline: Add to Session');
    await session().locator('.composer .chip:not(.suggested)', { hasText: 'notes.md' }).waitFor();
    await send('help');
    await session().locator('.user-message .chip', { hasText: 'notes.md' }).waitFor();
    await idle().waitFor();
    await workbench.run('View: Close All Editors');
  });

  it('has a walkthrough that starts the demo agent', async () => {
    await workbench.run('Welcome: Open Walkthrough');
    await workbench.choose('Get started with Tapline');
    const step = workbench.page.locator('.gettingStarted .getting-started-step', { hasText: 'See the demo agent work' });
    await step.waitFor();
    await workbench.shot('11-walkthrough');
    await step.getByRole('button', { name: 'Start a demo session' }).click();
    await untilNew();
    await workbench.run('View: Close All Editors');
  });

  it('archives a session from the tree and shows it again', async () => {
    await newSession('to be archived');
    await idle().waitFor();
    const item = workbench.page.getByRole('treeitem', { name: /^to be archived, (?!archived)/ });
    await item.hover();
    await item.getByRole('button', { name: 'Archive Session' }).click();
    await item.waitFor({ state: 'detached' });
    await workbench.run('Tapline: Show or Hide Archived Sessions');
    await workbench.page.getByRole('treeitem', { name: /^to be archived, archived/ }).waitFor();
    await workbench.run('Tapline: Show or Hide Archived Sessions');
  });

  for (const [theme, name] of [
    ['Dark Modern', 'dark'],
    ['Light Modern', 'light'],
    ['Dark High Contrast', 'high-contrast'],
  ] as const) {
    it(`looks right in ${theme}`, async () => {
      await workbench.setTheme(theme);
      await newSession('tour');
      await card().waitFor({ timeout: 60_000 });
      await workbench.shot(`9-tour-${name}`);
      await stop();
    });
  }
});
