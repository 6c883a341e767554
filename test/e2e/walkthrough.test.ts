/** The walkthrough of a new user, in the workbench that npm start opens. */
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

describe('the walkthrough', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await startTapline([]);
    workbench = await Workbench.open(tapline, { width: 1366, height: 768 });
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-walkthrough-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const tab = () => workbench.page.locator('.tab', { hasText: 'Welcome' });
  const done = (step: string) => workbench.page.locator('.getting-started-step', { hasText: step }).locator('.codicon.complete');

  it('opens on the first start, and ticks what was done in another way', async () => {
    await tab().waitFor();
    await workbench.page.getByText('See the demo agent work').first().waitFor();
    await workbench.shot('80-walkthrough');
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.run('Tapline: New Session…');
    await workbench.choose('Demo');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    await done('See the demo agent work').waitFor();
    await workbench.session.locator('#composer:focus').fill('run rm -rf build');
    await workbench.page.keyboard.press('Enter');
    await workbench.session.locator('.waiting-card').getByRole('button', { name: 'Deny', exact: true }).click();
    await done('Answer what needs you').waitFor();
    await workbench.shot('81-walkthrough-ticks');
  });

  it('does not open again', async () => {
    await tab()
      .getByRole('button', { name: /^Close/ })
      .click();
    await tab().waitFor({ state: 'hidden' });
    await workbench.untilStored('tapline.walkthroughOpened');
    // VS Code opens again what was open when it wrote last: now another editor.
    await workbench.openFile('notes.md');
    await workbench.untilStored('editorpart.state', 'notes.md');
    await workbench.reload();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.page.getByRole('treeitem', { name: /rm -rf build/ }).waitFor();
    if (await tab().count()) throw new Error('It is there again.');
  });
});
