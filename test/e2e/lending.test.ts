/** A file of this computer, attached to a message for an agent host that does not have it: it is lent, listed, and taken back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient } from '../../src/ahp/index.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('files that are lent, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let host: HostProcess;
  const data = mkdtempSync(join(tmpdir(), 'tapline-lending-'));

  before(async () => {
    [tapline, host] = await Promise.all([takeTapline(), startHostProcess(['--data', data])]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    const client = await AgentHostClient.connect({ url: host.url, token: host.token });
    const workingDirectories = [pathToFileURL(data).href];
    await client.command('createSession', { channel: 'demo:/lending', provider: 'demo', workingDirectories });
    client.dispose();
    await workbench.addHost(host.url, 'build-box', host.token);
    await workbench.page.getByRole('treeitem', { name: /^New session/ }).click();
    await workbench.session.getByText('Nothing was said yet').waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    await host?.stop();
    rmSync(data, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot('failed-lending');
  });

  it('says on the chip to whom, sends it, lists it, and refuses it once it was taken back', async () => {
    await workbench.openFile('notes.md');
    await workbench.run('Tapline: Add to Session');
    const chip = (where: string) => workbench.session.locator(`${where} .chip-name`, { hasText: 'notes.md (lent to build-box)' });
    await chip('.composer').waitFor();
    await workbench.shot('lent-chip');
    const composer = workbench.session.getByRole('textbox', { name: 'Message' });
    await composer.fill('Look at this');
    await composer.press('Enter');
    await workbench.session.getByText(/You attached notes\.md/).waitFor();

    await workbench.run('Tapline: Add to Session');
    await chip('.composer').waitFor();
    await chip('.user-message').click();
    const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
    // A file is lent once, however often it is attached.
    await rows.filter({ hasText: 'Readable by build-box since' }).waitFor();
    await workbench.shot('lent-list');
    await rows.filter({ hasText: 'Take Back All of It' }).click();
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });

    await workbench.session.locator('.user-message .chip-name', { hasText: 'notes.md (no longer lent)' }).waitFor();
    await composer.fill('And at this');
    await composer.press('Enter');
    await workbench.session.getByText(/A file of it is not lent any more/).waitFor();
    await workbench.shot('lent-no-more');
  });
});
