/** “Remove Tapline’s Data…” in the real workbench, with what Tapline really puts on a computer. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

const COMMAND = 'Tapline: Remove Tapline’s Data…';

describe('the data of Tapline, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let home: string;

  before(async () => {
    tapline = await startTapline();
    home = join(dirname(tapline.workspace), 'home');
    workbench = await Workbench.open(tapline, { width: 1300, height: 800 });
    await workbench.openTapline();
    await host().waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-removal-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const host = () => workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const row = (label: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label });
  /** The gateway may start after the host. */
  const pidOf = async (lock: string) => {
    for (let tries = 0; tries < 300 && !existsSync(join(home, lock)); tries++) await workbench.page.waitForTimeout(100);
    return (JSON.parse(readFileSync(join(home, lock), 'utf8')) as { pid: number }).pid;
  };
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('is listed with its places, and kept when the user changes their mind', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    writeFileSync(join(home, 'notes.txt'), 'not of Tapline');
    writeFileSync(join(home, 'mcp.json'), '{}');
    await workbench.run(COMMAND);
    await row('Sessions, tasks and jobs').getByText(join(home, 'sessions')).waitFor();
    await row('What Tapline keeps in VS Code').waitFor();
    await workbench.shot('90-removal-list');
    await workbench.page.keyboard.press('Enter');
    await dialog().getByText('Delete this for good?').waitFor();
    await dialog().getByText(join(home, 'sessions')).waitFor();
    await workbench.shot('91-removal-question');
    await workbench.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    assert.ok(existsSync(join(home, 'sessions')));
    await host().waitFor();
  });

  it('is deleted when the user says so, and its processes end', async () => {
    const pids = [await pidOf('host.lock.json'), await pidOf('gateway.lock.json')];
    assert.deepEqual(pids.map(isRunning), [true, true]);
    await workbench.run(COMMAND);
    await row('Sessions, tasks and jobs').waitFor();
    await workbench.page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog().getByText('What you chose is deleted.').waitFor();
    await workbench.shot('92-removal-done');
    assert.deepEqual(pids.map(isRunning), [false, false]);
    assert.deepEqual(readdirSync(home).sort(), ['mcp.json', 'notes.txt']);
    assert.ok(!existsSync(join(tapline.copilotHome, 'extensions')));
  });

  it('is made anew when the window is loaded again', async () => {
    await dialog().getByRole('button', { name: 'Reload Window' }).click();
    await host().waitFor();
    await workbench.page
      .getByRole('treeitem', { name: /No sessions|Start/ })
      .first()
      .waitFor();
    assert.ok(existsSync(join(home, 'host.lock.json')));
  });

  it('stays while another window uses it', async () => {
    const other = await Workbench.open(tapline);
    await other.openTapline();
    await other.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.run(COMMAND);
    await workbench.page.locator('.notification-toast', { hasText: 'Tapline is in use in another window of VS Code' }).waitFor();
    await other.close();
  });
});
