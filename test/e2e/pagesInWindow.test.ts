/** The pages in a window of VS Code, with a host of its own behind a line that can be cut. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient } from '../../src/ahp/index.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { type HostProxy, startHostProxy } from '../support/hostProxy.ts';
import { pageCases } from '../support/pageCases.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('in a window of VS Code', () => {
  const data = mkdtempSync(join(tmpdir(), 'tapline-pages-'));
  let tapline: StartedTapline;
  let workbench: Workbench;
  let host: HostProcess;
  let proxy: HostProxy;
  let other: AgentHostClient;

  before(async () => {
    [tapline, host] = await Promise.all([takeTapline(), startHostProcess(['--data', data])]);
    proxy = await startHostProxy(() => host);
    other = await AgentHostClient.connect({ url: host.url, token: host.token });
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.addHost(proxy.url, 'box');
  });
  after(async () => {
    await workbench?.close();
    other?.close();
    await tapline?.stop();
    proxy?.close();
    await host?.stop();
    rmSync(data, { recursive: true, force: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-pages-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const row = (name: RegExp) => workbench.page.getByRole('treeitem', { name });

  pageCases(() => ({
    ...{ folder: tapline.workspace, other, session: workbench.session },
    show: ({ title }) => row(new RegExp(`^${title}, `)).click(),
    inbox: async () => workbench.inbox,
    async typeIntoTerminal(line) {
      const terminal = workbench.page.locator('.terminal-wrapper.active .xterm-screen');
      // One of an earlier case would take what is typed.
      if (await terminal.isVisible()) await workbench.run('Terminal: Kill All Terminals');
      await terminal.waitFor({ state: 'detached' });
      await workbench.session.getByRole('button', { name: 'Type into it' }).click();
      await terminal.waitFor();
      await workbench.page.keyboard.type(`${line}\n`);
    },
    async cut() {
      proxy.isAway = true;
      proxy.cut();
      await workbench.session.locator('.banner').waitFor();
    },
    async restore() {
      proxy.isAway = false;
      await row(/^Agent host box, connected/).waitFor();
    },
  }));
});
