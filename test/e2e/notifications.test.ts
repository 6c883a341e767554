/** Notifications of what waits for the user, in a window that does not show it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../fakes/eventually.ts';
import { gatewayScript } from '../support/gatewayProcess.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('notifications of what needs you, in the workbench', function () {
  let tapline: StartedTapline;
  /** It shows no session. */
  let here: Workbench;
  /** Another window, whose sessions wait. */
  let there: Workbench;

  before(async () => {
    tapline = await takeTapline();
    [here, there] = await Promise.all([Workbench.open(tapline), Workbench.open(tapline)]);
    await Promise.all([here, there].map((workbench) => workbench.openTapline()));
    for (const { page } of [here, there]) await page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await here.run('View: Show Explorer');
  });
  after(async () => {
    await here?.close();
    await there?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await here.shot(`failed-notifications-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const toasts = () => here.page.locator('.notification-toast', { hasText: 'needs you' });
  const card = () => there.session.locator('.waiting-card');
  async function waitThere(text: string): Promise<void> {
    await there.run('Tapline: Start a Demo Session');
    await there.session.getByText('Nothing was said yet').waitFor();
    const composer = there.session.getByRole('textbox', { name: 'Message' });
    await composer.fill(text);
    await composer.press('Enter');
    await card().waitFor();
  }

  it('appear once, with what waits and no button that answers', async () => {
    await waitThere('run echo one');
    await toasts()
      .getByText(/“run echo one” needs you\. Approve or deny: .*echo one/)
      .waitFor();
    const buttons = (await toasts().locator('a').allTextContents()).filter((text) => text !== '');
    assert.deepEqual(buttons.sort(), ['Dismiss', 'Open']);
    await here.shot('60-notification');
    assert.equal(await there.page.locator('.notification-toast', { hasText: 'needs you' }).count(), 0);
  });

  it('do not come back after a reload', async () => {
    await here.untilStored('tapline.notifiedItems', 'ahp-chat');
    await here.reload();
    await here.page.getByText('1 thing needs you').waitFor();
    await waitThere('run echo two');
    await toasts().getByText('“run echo two”').waitFor();
    assert.equal(await toasts().count(), 1);
  });

  it('disappear when it is answered elsewhere', async () => {
    await card().getByRole('heading').click();
    await card().locator('vscode-button', { hasText: 'Run once' }).click();
    await toasts().waitFor({ state: 'hidden' });
    await here.page.getByText('1 thing needs you').waitFor();
  });

  it('open what waits, with the focus on it, and then are gone', async () => {
    await waitThere('run echo three');
    await toasts().getByText('Open', { exact: true }).click();
    await here.session.locator('.waiting-card:focus', { hasText: 'echo three' }).waitFor();
    await toasts().waitFor({ state: 'hidden' });
    await here.shot('61-opened');
  });

  it('say afterwards in each window who allowed it, also after a reload', async () => {
    await card().getByRole('heading').click();
    await card().locator('vscode-button', { hasText: 'Run once' }).click();
    await there.session.locator('p.decided', { hasText: 'allowed by you: Run once' }).waitFor();
    const elsewhere = here.session.locator('p.decided', { hasText: 'allowed by another client: Run once' });
    await elsewhere.waitFor();
    await here.shot('62-allowed');
    await here.untilStored('tapline.decisions', 'client');
    await here.reload();
    await elsewhere.waitFor();
    await there.run('Tapline: Show What Was Allowed');
    await there.page.locator('.monaco-editor .view-line', { hasText: 'Run command echo three: allowed by you: Run once' }).waitFor();
    await there.shot('63-trail');
    const env = { ...process.env, TAPLINE_HOME: join(dirname(tapline.workspace), 'home'), COPILOT_HOME: tapline.copilotHome };
    const recorded = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [gatewayScript, 'records', '--kind', 'decision'], { env });
      return stdout.split('\n').flatMap((line) => (line ? [(JSON.parse(line) as { data: Record<string, unknown> }).data] : []));
    };
    // Both windows have seen them, and the one that is told last may be that of the user who answered.
    const areTheUsers = (all: Record<string, unknown>[]) =>
      all.length > 0 && all.every(({ by, approved, tool }) => by === 'you' && approved === true && typeof tool === 'string');
    await eventually(async () => areTheUsers(await recorded()), 'records of the decisions', 15_000);
    const turns = (await recorded()).map(({ turnId }) => turnId);
    assert.equal(new Set(turns).size, turns.length);
  });
});
