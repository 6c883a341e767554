/** An answer is read: found in by a key, its code applied to a file, and a path in it opened. */
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('reading an answer, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    await workbench.session.locator('#composer:focus').fill('stream 1');
    await workbench.page.keyboard.press('Enter');
    await workbench.session.getByText('That is all.').waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-reading-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  it('finds in the conversation by Ctrl+F and gives the focus back by Escape', async () => {
    const { session, page } = workbench;
    await session.locator('#composer:focus').waitFor();
    await page.keyboard.press('Control+f');
    await session.getByRole('textbox', { name: 'Find' }).and(session.locator(':focus')).waitFor();
    await page.keyboard.type('markdown GUIDE');
    await session.locator('.find-count', { hasText: '1 of 1' }).waitFor();
    await workbench.shot('reading-found');
    await page.keyboard.press('Escape');
    await session.getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' });
    await session.locator('#composer:focus').waitFor();
  });

  it('applies a block of code to what is selected, after the difference was shown, and can undo it', async () => {
    const { session, page } = workbench;
    await workbench.openFile('notes.md');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+End');
    await session.getByRole('button', { name: /^Apply to a file/ }).click();
    const question = page.locator('.notification-toast', { hasText: 'Apply the code to notes.md?' });
    await question.waitFor();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench.shot('reading-apply');
    await question.getByRole('button', { name: 'Apply', exact: true }).click();
    const applied = page.locator('.editor-group-container.active .view-line', { hasText: /return.1;/ });
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await applied.waitFor();
    await page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
    await page.keyboard.press('Control+z');
    await applied.waitFor({ state: 'detached' });
  });

  it('changes nothing when the difference was closed, and says so', async () => {
    const { session, page } = workbench;
    await workbench.run('View: Close All Editors');
    await workbench.openFile('notes.md');
    await session.getByRole('button', { name: /^Apply to a file/ }).click();
    const question = page.locator('.notification-toast', { hasText: 'Apply the code to notes.md?' });
    await question.waitFor();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench.run('View: Close Editor');
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await question.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.locator('.notification-toast', { hasText: 'The difference is not shown any more' }).waitFor();
    await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  it('opens a path of an answer', async () => {
    const { session, page } = workbench;
    await workbench.run('View: Close All Editors');
    await session.locator('#composer').fill('read notes.md');
    await session.locator('#composer').press('Enter');
    await session.locator('.waiting-card').getByRole('button', { name: 'Give result' }).click();
    await session.getByRole('link', { name: 'notes.md' }).click();
    await page.locator('.tab.active', { hasText: 'notes.md' }).waitFor();
  });
});
