/** The agent host of a VS Code on this computer: what the Sessions view offers, and what the answers do. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../src/base/node/sha256.ts';
import { FakeHost } from '../fakes/fakeHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

describe('an agent host of VS Code, in the workbench', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-vscode-host-')));
  const configHome = join(folder, 'config');
  const usualConfigHome = process.env.XDG_CONFIG_HOME;
  const host = new FakeHost();
  let server: FakeHostServer;
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async function () {
    // Elsewhere the folder is that of the real VS Code.
    if (process.platform !== 'linux') return this.skip();
    process.env.XDG_CONFIG_HOME = configHome;
    const entries = join(configHome, 'Code/agent-host/local-endpoint/entries');
    const path = join(folder, 'host.sock');
    server = await serveFakeHost(host, { socket: path, token: 's3cret' });
    mkdirSync(entries, { recursive: true, mode: 0o700 });
    const entry = {
      ...{ schemaVersion: 2, type: 'editor', pid: process.pid, instanceId: 'x', protocolVersion: '0.9.0' },
      ...{ connectionToken: 's3cret', endpoint: { type: 'socket', path } },
    };
    writeFileSync(join(entries, `${sha256(`editor\0${process.pid}\0x`)}.json`), JSON.stringify(entry), { mode: 0o600 });
    tapline = await startTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    await server?.close();
    if (usualConfigHome === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = usualConfigHome;
    rmSync(folder, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot('failed-vscode-host');
  });

  it('is offered, declined, and connected to from the palette', async () => {
    const item = (name: RegExp | string) => workbench.page.getByRole('treeitem', { name });
    const offer = item('The agent host of VS Code is running here. Connect?');
    await offer.waitFor();
    for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light Modern']) {
      await workbench.setTheme(theme);
      await workbench.shot(`vscode-host-offered-${theme.replaceAll(' ', '-')}`);
    }
    await item(/^Not now/).click();
    await offer.waitFor({ state: 'detached' });
    assert.equal(host.connections.length, 0);

    await workbench.run('Tapline: Connect to VS Code’s Agent Host…');
    await workbench.page
      .locator('.quick-input-list')
      .getByRole('option', { name: /^VS Code/ })
      .click();
    await item(/^Agent host VS Code, connected/).waitFor();
    await workbench.shot('vscode-host-connected');
  });
});
