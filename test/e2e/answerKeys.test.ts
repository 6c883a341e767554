/** The answer keys in a real workbench: VS Code gets every key of a webview, and decides by context keys what it does. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('the answer keys, in the workbench', function () {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let mark: string;
  let marks = 0;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  beforeEach(() => (mark = `mark-${++marks}`));
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  type Page = Workbench['session'];
  const session = () => workbench.session;
  const card = (page: Page = session()) => page.locator('.waiting-card');
  const composer = () => session().getByRole('textbox', { name: 'Message' });
  const hasRun = () => existsSync(join(tapline.workspace, mark));
  async function newSession(text: string): Promise<void> {
    await workbench.run('Tapline: Start a Demo Session');
    await session().getByText('Nothing was said yet').waitFor();
    await session().locator('#composer:focus').waitFor();
    await composer().fill(text);
    await composer().press('Enter');
    await card().waitFor();
  }
  const waitingCommand = () => newSession(`run echo first > ${mark}`);

  /** VS Code gets the context keys a moment after the focus has moved, faster than a user types. */
  async function pressUntil(key: string, there: Locator): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      await workbench.page.keyboard.press(key);
      try {
        await there.waitFor({ timeout: 500 });
        return;
      } catch (error) {
        if (attempt === 20) throw error;
      }
    }
  }
  async function pressBoth(): Promise<void> {
    for (const key of ['Control+Enter', 'Control+Backspace']) await workbench.page.keyboard.press(key);
  }
  async function focusCard(page: Page): Promise<void> {
    await card(page).getByRole('heading').click();
    await page.locator('.waiting-card:focus').waitFor();
  }
  /** The positive control. Keys are handled in order, so the effect of an earlier key would be visible. */
  async function approveFromCard(page: Page = session()): Promise<void> {
    assert.equal(hasRun(), false);
    await focusCard(page);
    await pressUntil('Control+Enter', page.locator('.state', { hasText: 'Idle' }));
    assert.equal(await page.locator('.tool-call', { hasText: 'denied' }).count(), 0);
    assert.equal(hasRun(), true);
  }

  it('approve the tests that a new session is to run, from its first word to their output', async () => {
    await workbench.film('approve', async (frame) => {
      await workbench.run('Tapline: Start a Demo Session');
      await session().getByText('Nothing was said yet').waitFor();
      await session().locator('#composer:focus').waitFor();
      await frame(800);
      for (const part of ['run ', 'npm ', 'test']) {
        await workbench.page.keyboard.type(part);
        await frame(350);
      }
      await frame(700, 'Enter');
      await workbench.page.keyboard.press('Enter');
      await card().waitFor();
      await session().getByText('Ctrl+Enter answers “Run once”').waitFor();
      await card().locator('.card-buttons:not([aria-disabled]) vscode-button:not([aria-disabled])', { hasText: 'Run once' }).waitFor();
      await frame(1_800);
      await frame(1_000, 'Ctrl+Enter');
      await pressUntil('Control+Enter', session().locator('.state', { hasText: 'Idle' }));
      await card().waitFor({ state: 'detached' });
      await session().locator('.transcript', { hasText: 'pass 1' }).waitFor();
      // The list follows the session a moment later.
      await workbench.page.getByRole('treeitem', { name: /^run npm test, (?!running|unread)/ }).waitFor();
      await frame(3_000);
    });
  });

  it('approve from the card', async () => {
    await waitingCommand();
    await approveFromCard();
  });

  it('deny from the card', async () => {
    await waitingCommand();
    await card().getByRole('heading').click();
    await pressUntil('Control+Backspace', session().locator('.tool-call', { hasText: 'denied' }));
    assert.equal(hasRun(), false);
  });

  it('do nothing where a denial is written, but delete a word there', async () => {
    await waitingCommand();
    await card().getByRole('heading').click();
    await card().getByRole('button', { name: 'More ways to deny' }).click();
    await card().getByText('with a reason…').click();
    const reason = card().getByRole('textbox', { name: 'Reason' });
    await reason.fill('not this one');
    await pressBoth();
    assert.equal(await reason.inputValue(), 'not this ');
    await card()
      .getByRole('textbox', { name: /instead/ })
      .fill('echo less');
    await pressBoth();
    await card().getByRole('button', { name: 'Deny', exact: true }).focus();
    await pressBoth();
    await card().getByRole('heading').click();
    await pressUntil('Control+Enter', card().getByRole('alert').getByText('you are writing why you deny this'));
    await workbench.page.keyboard.press('Control+Backspace');
    assert.equal(await reason.inputValue(), 'not this ');
    await card().getByRole('button', { name: 'Back' }).click();
    await approveFromCard();
  });

  it('do nothing where the input is edited', async () => {
    await waitingCommand();
    await card().getByRole('button', { name: 'Edit input' }).click();
    const field = card().getByRole('textbox', { name: 'Input of the tool' });
    await field.fill('echo mine');
    await pressBoth();
    assert.equal(await field.inputValue(), 'echo ');
    await card().getByRole('button', { name: 'Discard edit' }).click();
    await approveFromCard();
  });

  it('do nothing in the composer', async () => {
    await waitingCommand();
    await card().getByRole('heading').click();
    await composer().fill('and then');
    await pressBoth();
    assert.equal(await composer().inputValue(), 'and ');
    await composer().fill('');
    await approveFromCard();
  });

  it('give the first answer of the call from the empty composer, and none while something is written there', async () => {
    await waitingCommand();
    await composer().fill('and then');
    await workbench.page.keyboard.press('Control+Enter');
    await session().locator('.composer').getByText('because you are writing a message').waitFor();
    assert.equal(hasRun(), false);
    await composer().fill('');
    await session().getByText('Ctrl+Enter answers “Run once”').waitFor();
    await workbench.shot('14-answer-from-composer');
    await pressUntil('Control+Enter', session().locator('.state', { hasText: 'Idle' }));
    assert.equal(hasRun(), true);
    await session().locator('#composer:focus').waitFor();
  });

  it('and the keys that go to what waits, and Escape, do as the user sees', async () => {
    await waitingCommand();
    await session()
      .locator('.transcript')
      .click({ position: { x: 5, y: 5 } });
    await workbench.page.keyboard.press('Escape');
    await pressUntil('Alt+F8', session().locator('.waiting-card:focus'));
    await composer().focus();
    // A second press leaves it there: what is on screen is not listed elsewhere.
    for (let count = 0; count < 2; count++) await pressUntil('Control+Shift+F8', session().locator('.waiting-card:focus'));
    assert.equal(await workbench.page.locator('.pane-header', { hasText: 'Needs You' }).count(), 0);
    assert.equal(await session().getByText('Stop this turn?').count(), 0, 'Escape stopped nothing outside the composer');
    // By a key, which comes after the second press also where that is still on its way.
    await pressUntil('Control+Shift+F7', session().locator('#composer:focus'));
    await workbench.page.keyboard.press('Escape');
    await session().getByText('Stop this turn?').waitFor();
    await session().getByRole('button', { name: 'Keep going' }).click();
    await approveFromCard();
  });

  it('do nothing in the field of a question, nor in a file, while a card elsewhere had the focus last', async () => {
    await waitingCommand();
    await workbench.run('Tapline: Open Session in Editor');
    const editor = workbench.editorSession;
    await card(editor).getByRole('heading').click();
    await editor.locator('.waiting-card:focus').waitFor();
    await newSession('ask');
    const name = card().getByRole('textbox', { name: /What is the name of the project/ });
    await workbench.picture('question', { of: workbench.page.locator('.part.auxiliarybar'), height: 1_400 });
    await name.fill('Tapline two');
    await pressBoth();
    assert.equal(await name.inputValue(), 'Tapline ');
    await card().getByRole('button', { name: 'Decline' }).focus();
    await pressBoth();
    await card().locator('vscode-button', { hasText: 'Decline' }).waitFor();
    await workbench.openFile('notes.md');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await pressBoth();
    await workbench.run('File: Revert File');
    await workbench.page.locator('.tab', { hasText: mark }).click();
    await approveFromCard(editor);
    // What waits out of sight would bring up the inbox, which takes room from the session.
    await workbench.press(card().locator('vscode-button', { hasText: 'Decline' }));
    await card().waitFor({ state: 'detached' });
    await workbench.run('View: Close All Editors');
  });

  it('answer only the session that has the focus, of one in the sidebar and two in groups of editors that all wait', async () => {
    /** The page in the editor of one group. */
    const group = (index: number): Page =>
      workbench.page
        .frameLocator(`iframe.webview.ready:not([src*="purpose=webviewView"]) >> nth=${index}`)
        .frameLocator('iframe#active-frame') as Page;
    const marks = [`${mark}-left`, `${mark}-right`, `${mark}-side`];
    const ran = () => marks.map((name) => existsSync(join(tapline.workspace, name)));
    const waits = async (page: Page, name: string) => page.locator('.waiting-card', { hasText: name }).waitFor();
    await newSession(`run touch ${marks[0]}`);
    await workbench.run('Tapline: Open Session in Editor');
    await waits(group(0), marks[0]!);
    await workbench.openFile('notes.md');
    await newSession(`run touch ${marks[1]}`);
    await workbench.run('Tapline: Open Session in Editor');
    await waits(group(1), marks[1]!);
    await focusCard(group(1));
    await workbench.run('View: Move Editor into Right Group');
    await workbench.page.locator('.tab', { hasText: marks[0] }).click();
    await newSession(`run touch ${marks[2]}`);
    const pages = { left: group(0), right: group(1), side: session() };
    for (const page of Object.values(pages)) await focusCard(page);

    await focusCard(pages.right);
    await pressUntil('Control+Enter', pages.right.locator('.state', { hasText: 'Idle' }));
    assert.deepEqual(ran(), [false, true, false]);
    // That session waits for nothing any more. The others still do.
    await pressBoth();
    await focusCard(pages.left);
    await pressUntil('Control+Backspace', pages.left.locator('.tool-call', { hasText: 'denied' }));
    await waits(pages.side, marks[2]!);
    assert.deepEqual(ran(), [false, true, false]);
    await focusCard(pages.side);
    await pressUntil('Control+Enter', pages.side.locator('.state', { hasText: 'Idle' }));
    assert.deepEqual(ran(), [false, true, true]);
    await workbench.run('View: Close All Editors');
  });

  const transcript = () => session().locator('.transcript');
  const top = () => transcript().evaluate(({ scrollTop }) => scrollTop);
  const scrolledBelow = (from: number) =>
    transcript().evaluate(async (element, before) => {
      while (element.scrollTop <= before) await new Promise(requestAnimationFrame);
    }, from);
  /** What was never drawn was not in view, and a busy machine draws few frames. So each scroll ends before the next. */
  const scrolled = () =>
    transcript().evaluate(async (element) => {
      for (let before = -1, frames = 0; frames < 3; before = element.scrollTop) {
        await new Promise(requestAnimationFrame);
        frames = element.scrollTop === before ? frames + 1 : 0;
      }
    });

  it('approve a long command only once all of it was in view', async () => {
    await newSession(`run echo start; ${'true; '.repeat(400)} echo end > ${mark}`);
    await card().getByRole('heading').click();
    await pressUntil('Control+Enter', card().getByRole('alert').getByText('not all of this has been in view'));
    await workbench.shot('12-unseen');
    // The press has shown the rest, which has the focus now. The next one scrolls, but only when the answer has come back through VS Code.
    await session().locator('.waiting-card pre:focus').waitFor();
    await scrolled();
    const before = await top();
    await workbench.page.keyboard.press('Control+Enter');
    await scrolledBelow(before);
    await scrolled();
    const approve = card().locator('vscode-button', { hasText: 'Run once' });
    const isSeen = async () => (await approve.getAttribute('aria-disabled')) === null;
    for (let page = 0; page < 60 && !(await isSeen()); page++) {
      await workbench.page.keyboard.press('PageDown');
      await scrolled();
    }
    assert.ok(await isSeen(), 'every page was in view');
    assert.equal(hasRun(), false);
    await workbench.shot('13-seen');
    await workbench.page.keyboard.press('Control+Enter');
    await session().locator('.state', { hasText: 'Idle' }).waitFor();
    assert.equal(hasRun(), true);
  });
});
