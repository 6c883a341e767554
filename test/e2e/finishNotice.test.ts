/** Notifications of turns that have finished, in a window that does not show their session. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('notifications of turns that have finished, in the workbench', function () {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    mkdirSync(join(tapline.workspace, '.vscode'), { recursive: true });
    writeFileSync(join(tapline.workspace, '.vscode/settings.json'), JSON.stringify({ 'tapline.notifyWhenFinishedAfter': 2 }));
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-finish-notice-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const toasts = () => workbench.page.locator('.notification-toast', { hasText: 'has finished' });
  async function say(text: string): Promise<void> {
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    const composer = workbench.session.getByRole('textbox', { name: 'Message' });
    await composer.fill(text);
    await composer.press('Enter');
  }

  it('do not appear for a turn in view, and once for one out of view, with the first line of the answer', async () => {
    await say('wait 3');
    await workbench.session.getByText('Waited 3 s').first().waitFor();
    await say('wait 4');
    await workbench.session.getByText('Waiting 4 s').first().waitFor();
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    await toasts()
      .getByText(/“wait 4” has finished: \S/)
      .waitFor();
    assert.equal(await toasts().count(), 1);
    await workbench.shot('64-finished');
  });

  it('open the session, and then are gone', async () => {
    await toasts().getByText('Open', { exact: true }).click();
    await workbench.session.getByText('Waited 4 s').first().waitFor();
    await toasts().waitFor({ state: 'hidden' });
  });

  it('do not come back after a reload', async () => {
    await workbench.untilStored('tapline.notifiedItems', 'finished');
    await workbench.reload();
    await workbench.page.getByRole('treeitem', { name: /wait 3/ }).waitFor();
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    assert.equal(await toasts().count(), 0);
  });
});
