/** The first hour without a mouse: every step is a key of VS Code or of Tapline, and the focus is never lost. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('the first hour with the keyboard alone, in the workbench', function () {
  let tapline: StartedTapline;
  let workbench: Workbench;

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
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.session;
  const composerHasFocus = () => session().locator('#composer:focus').waitFor();
  const idle = (timeout = 30_000) => session().locator('.state', { hasText: 'Idle' }).waitFor({ timeout });
  const press = (key: string) => workbench.page.keyboard.press(key);
  /** VS Code gets the context keys a moment after the focus has moved, faster than a user types. */
  async function pressUntil(key: string, there: (timeout: number) => Promise<void>): Promise<void> {
    let isThere = false;
    for (let presses = 0; !isThere && presses < 20; presses++) {
      await press(key);
      isThere = await there(500).then(
        () => true,
        () => false,
      );
    }
    assert.ok(isThere, `${key} has done nothing`);
  }
  const hasRun = (mark: string) => existsSync(join(tapline.workspace, mark));
  async function say(text: string): Promise<void> {
    await composerHasFocus();
    await workbench.page.keyboard.type(text);
    await press('Enter');
  }

  it('begins a session from anywhere, and approves what the agent asks with one key', async () => {
    await press('Control+Shift+F7');
    await say('run echo one > first-mark');
    await session().locator('.waiting-card').getByRole('button', { name: 'Run once' }).waitFor();
    await session().getByText('Ctrl+Enter answers “Run once”').waitFor();
    await composerHasFocus();
    // The key counts once the card has been there for half a second, as long as a user needs to see it.
    await pressUntil('Control+Enter', idle);
    assert.ok(hasRun('first-mark'));
    await composerHasFocus();
  });

  it('answers a question, and is back in the message field', async () => {
    await say('ask');
    const card = session().locator('.waiting-card');
    await card.waitFor();
    await pressUntil('Alt+F8', (timeout) => session().locator('.waiting-card:focus-within').waitFor({ timeout }));
    const decline = card.getByRole('button', { name: 'Decline' });
    const isFocused = () => decline.evaluate((button) => button === document.activeElement);
    for (let tabs = 0; tabs < 40 && !(await isFocused()); tabs++) await press('Tab');
    assert.ok(await isFocused(), 'Tab reaches every button');
    await press('Enter');
    await idle();
    await composerHasFocus();
  });

  it('begins another session, and goes between both', async () => {
    const title = (text: string) => (timeout: number) => session().locator('header h1', { hasText: text }).waitFor({ timeout });
    await press('Control+Shift+F9');
    await workbench.page.locator('.quick-input-widget input:focus').waitFor();
    await press('Enter');
    await session().getByText('Nothing was said yet').waitFor();
    await say('help');
    await session().locator('.transcript', { hasText: 'tour' }).waitFor();
    await pressUntil('Alt+PageDown', title('run echo one'));
    await composerHasFocus();
    await pressUntil('Alt+PageUp', title('help'));
    await composerHasFocus();
  });

  it('finds the session in the list, renames it there, and opens it', async () => {
    await workbench.run('Tapline: Focus on Sessions View');
    const row = workbench.page.getByRole('treeitem', { name: /^run echo one/ });
    const isFocused = () => row.evaluate((element) => element.classList.contains('focused'));
    await press('Home');
    for (let rows = 0; rows < 10 && !(await isFocused()); rows++) await press('ArrowDown');
    assert.ok(await isFocused());
    await press('Enter');
    await session().locator('header', { hasText: 'run echo one' }).waitFor();
    await workbench.run('Tapline: Focus on Sessions View');
    await press('F2');
    await workbench.page.locator('.quick-input-widget input:focus').waitFor();
    await workbench.page.keyboard.type('By the keyboard');
    await press('Enter');
    await session().locator('header', { hasText: 'By the keyboard' }).waitFor();
  });
});
