/** Commands that help a user along, and those that are there only while they can be used, in the workbench that npm start opens. */
import assert from 'node:assert/strict';
import { rawManifest } from '../support/manifest.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const { bugs } = rawManifest() as { bugs: { url: string } };
/** Times. */
const OPENED = 20;

describe('commands of the palette', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline, { width: 1900, height: 900 });
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-help-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
  const tab = (text: string | RegExp) => workbench.page.locator('.tab.active', { hasText: text });
  /**
   * Opens the palette until it has the one and not the other, because it shows what could be done when it was opened. `filter`: what both titles
   * contain, so that the palette would show the other too.
   */
  async function offersOnly(filter: string, text: string, other: string): Promise<void> {
    for (const title of [text, other]) assert.ok(title.toLowerCase().includes(filter), title);
    const named = (title: string) => rows().filter({ hasText: new RegExp(`Tapline: ${title}`) });
    let seen = 'nothing';
    for (let attempt = 0; attempt < OPENED; attempt++) {
      await workbench.page.keyboard.press('F1');
      await workbench.page.locator('.quick-input-widget input').fill(`>${filter}`);
      const isThere = await named(text)
        .first()
        .waitFor({ timeout: 1_000 })
        .then(
          () => true,
          () => false,
        );
      const hasOther = (await named(other).count()) > 0;
      await workbench.page.keyboard.press('Escape');
      if (isThere && !hasOther) return;
      seen = [isThere ? text : [], hasOther ? other : []].flat().join(', ');
    }
    throw new Error(`For “${filter}” the palette offers, of “${text}” and “${other}”: ${seen}`);
  }

  it('archive a session, or take it back, and never offer both', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    await workbench.session.locator('#composer:focus').waitFor();
    await offersOnly('archive session', 'Archive Session', 'Unarchive Session');
    await workbench.run('Tapline: Archive Session');
    await offersOnly('archive session', 'Unarchive Session', 'Archive Session');
    await workbench.run('Tapline: Unarchive Session');
    await offersOnly('archive session', 'Archive Session', 'Unarchive Session');
  });

  it('stop the gateway, or start it, and never offer both', async () => {
    await offersOnly('gateway', 'Stop Gateway', 'Start Gateway');
    await workbench.run('Tapline: Stop Gateway');
    await offersOnly('gateway', 'Start Gateway', 'Stop Gateway');
  });

  it('list the logs of what runs', async () => {
    await workbench.run('Tapline: Show Log…');
    await rows()
      .filter({ hasText: /This window/ })
      .waitFor();
    await rows().filter({ hasText: 'Gateway' }).filter({ hasText: 'off in this window' }).waitFor();
    await workbench.choose('Built-in agent host');
    await tab('host.log').waitFor();
  });

  it('copy diagnostics, which are shown', async () => {
    await workbench.run('Tapline: Copy Diagnostics');
    await tab('Diagnostics of Tapline').waitFor();
    const lines = workbench.page.locator('.editor-group-container.active .view-lines');
    await lines.getByText('embedded').waitFor();
    const text = await lines.innerText();
    for (const part of ['### Versions', 'Tapline:', '### Agent hosts', 'connected', 'off (user)'])
      assert.ok(text.replaceAll('\u00a0', ' ').includes(part), text);
    await workbench.page.locator('.notification-toast', { hasText: 'You have copied what is shown here' }).waitFor();
  });

  it('report an issue where its page is, with the diagnostics to paste', async () => {
    await workbench.run('View: Close All Editors');
    await workbench.run('Tapline: Report an Issue…');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(new URL(bugs.url).host).first().waitFor();
    await workbench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await tab('Diagnostics of Tapline').waitFor();
  });

  it('open the walkthrough with its pictures, and the settings in their groups', async () => {
    await workbench.run('Tapline: Get Started');
    await workbench.page.getByText('See the demo agent work').first().waitFor();
    // Where there is room for it.
    await workbench.editorSession.locator('svg path').first().waitFor();
    await workbench.shot('85-get-started');
    await workbench.run('Tapline: Open Settings');
    await workbench.page.locator('.settings-toc-entry', { hasText: 'Traces' }).waitFor();
    await workbench.page.locator('.setting-item-title', { hasText: 'Group By' }).first().waitFor();
    await workbench.shot('86-settings');
  });
});
