/** A host that ends while a call waits, and starts again: what the user sees before and after. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { whenLive } from '../../src/ahp/index.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { type HostProxy, startHostProxy } from '../support/hostProxy.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { V1Client } from '../support/v1Client.ts';

describe('a host that goes away, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let host: HostProcess;
  let proxy: HostProxy;
  const data = mkdtempSync(join(tmpdir(), 'tapline-away-'));
  const mark = join(data, 'must-not-exist');

  before(async () => {
    [tapline, host] = await Promise.all([takeTapline(), startHostProcess(['--data', data])]);
    proxy = await startHostProxy(() => host);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    proxy?.close();
    await host?.stop();
    rmSync(data, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-away-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  async function answer(title: string, text?: string): Promise<void> {
    await workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
    const input = workbench.page.locator('.quick-input-widget input');
    if (text !== undefined) await input.fill(text);
    await input.press('Enter');
  }

  /** Shows a session of the host with a waiting call. */
  async function showWaitingCall(name: string): Promise<void> {
    const other = await V1Client.connect({ url: host.url, token: host.token });
    const uri = `demo:/${name}`;
    await other.request('createSession', { session: uri, provider: 'demo', workingDirectory: pathToFileURL(tapline.workspace).href });
    await whenLive(other.subscribeSession(uri));
    const userMessage = { text: `run touch ${mark}-${name}` };
    await other.dispatch(uri, { type: 'session/turnStarted', session: uri, turnId: 't', userMessage }).settled;
    other.close();
    await item(new RegExp(`^run touch .*${name}, needs you`)).click();
    await workbench.session.locator('.waiting-card', { hasText: name }).waitFor();
  }
  const approve = () => workbench.session.locator('.waiting-card vscode-button', { hasText: 'Run once' }).click();

  /** Starts the host again. It has ended the turn in which it was killed. */
  async function restart(): Promise<void> {
    host = await startHostProcess(['--data', data]);
    await workbench.session.locator('.error-row', { hasText: 'The agent host ended while this turn was running.' }).waitFor();
  }

  it('takes an approval, and says on its return that it came to nothing', async () => {
    await workbench.run('Tapline: Add Agent Host…');
    await answer('Add Agent Host (1/3)', proxy.url);
    await answer('Add Agent Host (2/3)', 'build-box');
    await answer('Add Agent Host (3/3)');
    await item(/^Agent host build-box, connected/).waitFor();
    await showWaitingCall('held');
    const { session } = workbench;
    await host.stop();
    await session.locator('.banner').waitFor();
    await approve();
    await session.getByText('Your approval will be sent when the host is back.').waitFor();
    await session.locator('.state', { hasText: 'Not connected' }).waitFor();
    assert.equal(await session.locator('.codicon-modifier-spin').count(), 0);
    assert.equal(await workbench.page.locator('.split-view-container .codicon-modifier-spin').count(), 0);
    await workbench.shot('18-approved-while-away');
    await restart();
    await session.getByRole('alert').getByText('Your approval: Not sent. The call was cancelled.').waitFor();
    assert.equal(await session.getByText('will be sent when the host is back').count(), 0);
    assert.equal(existsSync(`${mark}-held`), false);
    await workbench.shot('19-approval-came-to-nothing');
  });

  it('says the same of an approval that was sent and did not arrive', async () => {
    await showWaitingCall('sent');
    const { session } = workbench;
    proxy.isDeaf = true;
    await approve();
    await session.getByText('Sending your approval.').waitFor();
    await host.stop();
    await session.getByText('Your approval was sent. The host went away before it answered.').waitFor();
    proxy.isDeaf = false;
    await restart();
    const told = 'Your approval: The connection was lost before the host replied. The call was cancelled.';
    await session.getByRole('alert').getByText(told).waitFor();
    assert.equal(existsSync(`${mark}-sent`), false);
    await workbench.shot('20-sent-approval-came-to-nothing');
  });
});
