/** The pages in the webviews of VS Code, with a real host behind them. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient } from '../../src/ahp/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { DisposableStore } from '../../src/base/lifecycle.ts';
import { nullLogger } from '../../src/base/log.ts';
import { DemoAgent } from '../../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../../src/host/server/hostServer.ts';
import { InboxPage } from '../../src/pages/inbox/inboxPage.ts';
import { SessionPage } from '../../src/pages/session/sessionPage.ts';
import { Attention } from '../../src/views/attention/attention.ts';
import { FakeShell, sessionServices, shownHost, shownHosts } from '../fakes/fakePage.ts';
import { type HostProxy, startHostProxy } from '../support/hostProxy.ts';
import { pageCases } from '../support/pageCases.ts';
import { ServedPage } from '../support/servedPage.ts';
import { type Harness, startWebview } from './webviewPage.ts';

describe('in the webviews of VS Code', function () {
  this.timeout(60_000);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-pages-')));
  const store = new DisposableStore();
  const harnesses: Harness<ServedPage>[] = [];
  let host: HostServer;
  let proxy: HostProxy;
  let other: AgentHostClient;
  let client: AgentHostClient;
  let shown: SessionPage;
  let session: ServedPage;
  let inbox: ServedPage;

  before(async () => {
    const wait = (_ms: number, signal: AbortSignal) => Promise.resolve(signal.throwIfAborted());
    host = await startHostServer({ agents: [new DemoAgent({ logger: nullLogger, wait })], logger: nullLogger });
    proxy = await startHostProxy(() => host);
    other = await AgentHostClient.connect({ url: host.url, token: host.token });
    client = await AgentHostClient.connect({ url: proxy.url });
    harnesses.push(await startWebview('session', (page) => new ServedPage(page)));
    harnesses.push(await startWebview('inbox', (page) => new ServedPage(page)));
    [session, inbox] = await Promise.all([harnesses[0]!.open({ width: 900 }), harnesses[1]!.open({ width: 700 })]);
    const hosts = shownHosts(shownHost(client));
    const services = sessionServices(new FakeShell(), hosts);
    shown = store.add(new SessionPage(session.port(), services));
    const attention = store.add(new Attention(hosts as never, systemClock));
    const ofInbox = { ...services, attention, openItem: async () => undefined, markRead: async () => undefined };
    store.add(new InboxPage(inbox.port(), ofInbox));
    for (const page of [session, inbox]) page.isReady();
  });
  after(async () => {
    store.dispose();
    client?.close();
    other?.close();
    for (const harness of harnesses) await harness.close();
    proxy?.close();
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    for (const page of [session, inbox]) assert.deepEqual(page.troubles.splice(0), []);
  });

  pageCases(() => ({
    ...{ folder, other, session: session.page as never },
    show: async ({ uri }) => shown.show({ hostId: 'h', uri }),
    inbox: async () => inbox.page as never,
    async typeIntoTerminal(line) {
      const field = session.page.getByRole('textbox', { name: /^Type into the terminal/ });
      await field.fill(line);
      await field.press('Enter');
    },
    async cut() {
      proxy.isAway = true;
      proxy.cut();
      await session.page.locator('.banner').waitFor();
    },
    async restore() {
      proxy.isAway = false;
      client.reconnectNow();
      await session.page.locator('.banner').waitFor({ state: 'detached' });
    },
  }));
});
