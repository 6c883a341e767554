/** A terminal that prints 20 MB, in the page of a session, in a card of Needs You, and in both at the portal. Target: no task over 50 ms. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { AgentHostClient } from '../src/ahp/client/agentHostClient.ts';
import { SessionStatus } from '../src/ahp/common/status.ts';
import { systemClock } from '../src/base/clock.ts';
import type { Disposable } from '../src/base/lifecycle.ts';
import { InboxPage } from '../src/pages/inbox/inboxPage.ts';
import { SessionPage } from '../src/pages/session/sessionPage.ts';
import { Attention } from '../src/views/attention/attention.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../test/fakes/fakeChannelHost.ts';
import { eventually } from '../test/fakes/eventually.ts';
import { FakeShell, sessionServices, shownHost, shownHosts } from '../test/fakes/fakePage.ts';
import { memoryTransport } from '../test/fakes/memoryTransport.ts';
import { TestPortal } from '../test/integration/portal/portalHarness.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { ServedPage } from '../test/support/servedPage.ts';
import { endChromium } from '../test/support/sharedChromium.ts';
import { startWebview } from '../test/webview/webviewPage.ts';
import { reportLongTasks } from './longTasks.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const TERMINAL = 'ahp-terminal:/1';
const PRINTED = 20_000_000;
const PIECE = 10_000;
const LAST = 'the end of it';
const WAIT_MS = 120_000;

/** A host with a terminal in a result that waits, which is shown by both pages. */
async function noisyHost() {
  const host = new FakeChannelHost('1.0.0');
  const status = SessionStatus.InputNeeded;
  const toolCall = {
    ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run', invocationMessage: 'Running', confirmed: 'not-needed', success: true },
    ...{ pastTenseMessage: 'Ran', status: 'pending-result-confirmation' },
    content: [{ type: 'terminal' as const, resource: TERMINAL, title: 'sh' }],
  };
  const needed = { kind: 'toolConfirmation', id: 'n', chat: CHAT, turnId: 't', toolCall } as never;
  const message = { text: 'go', origin: { kind: 'user' as const } };
  const turn = { id: 't', startedAt: new Date().toISOString(), message, responseParts: [{ kind: 'toolCall', toolCall }] };
  host.summaries = [{ ...channelSummary(SESSION), status }] as never;
  host.put(SESSION, { ...channelSession(CHAT), status, inputNeeded: [needed] });
  host.put(CHAT, { ...channelChat(CHAT), status, activeTurn: turn } as never);
  host.put(TERMINAL, { title: 'sh', content: [], claim: { kind: 'client', clientId: 'x' }, lifecycle: { status: 'running' } } as never);
  const client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
  return { host, client };
}

/** Lines, as a build prints them, as fast as the page takes them. */
async function flood(host: FakeChannelHost, page: Page): Promise<void> {
  const line = `${'.'.repeat(98)}\r\n`;
  for (let printed = 0; printed < PRINTED; printed += PIECE) {
    host.act(TERMINAL, { type: 'terminal/data', data: line.repeat(PIECE / line.length) });
    if (printed % (20 * PIECE) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  host.act(TERMINAL, { type: 'terminal/data', data: LAST });
  await page.getByText(LAST).first().waitFor({ timeout: WAIT_MS });
}

/** Runs it with a page in a browser. */
async function inPage(
  name: string,
  run: (page: ServedPage, noisy: Awaited<ReturnType<typeof noisyHost>>) => Promise<Disposable[]>,
): Promise<void> {
  const noisy = await noisyHost();
  const harness = await startWebview(name, (page) => new ServedPage(page));
  let parts: Disposable[] = [];
  try {
    const page = await harness.open({ width: 900 });
    parts = await run(page, noisy);
    // The page asks for everything once more, now that somebody answers.
    await page.page.reload();
    await page.page.locator('.terminal').first().waitFor();
    await reportLongTasks(browserOf(page), `in the page “${name}” whose terminal prints 20 MB`, () => flood(noisy.host, page.page));
  } finally {
    for (const part of parts) part.dispose();
    noisy.client.dispose();
    await harness.close();
  }
}

const measureSession = () =>
  inPage('session', async (page, { client }) => {
    const session = new SessionPage(page.port(), sessionServices(new FakeShell(), shownHosts(shownHost(client))));
    session.show({ hostId: 'h', uri: SESSION });
    return [session];
  });

const measureInbox = () =>
  inPage('inbox', async (page, { client }) => {
    const hosts = shownHosts(shownHost(client));
    const attention = new Attention(hosts as never, systemClock);
    await eventually(() => attention.items.some(({ kind }) => kind === 'result'), 'what waits');
    const { logger, focus, showError, copy, openExternal } = new FakeShell();
    const services = { logger, focus, showError, copy, openExternal, hosts, attention };
    return [attention, new InboxPage(page.port(), { ...services, openItem: async () => undefined, markRead: async () => undefined })];
  });

function browserOf({ page }: ServedPage): Browser {
  return page.context().browser() as Browser;
}

/** With a real pty. */
async function measurePortal(): Promise<void> {
  const browser = await launchChromium();
  const test = await TestPortal.start({ provider: 'demo' });
  try {
    const script = join(test.folder, 'noise.sh');
    writeFileSync(script, `yes "$(printf '%098d' 0)" | head -n ${PRINTED / 100}; echo "${LAST}"`);
    const { sessionId } = (await test.call('copilot/session/start/demo-fast', test.folder)) as { sessionId: string };
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    await page.goto(`${test.server.url}/?token=${test.server.token}#/session/${sessionId}`);
    const view = page.frameLocator('iframe.page-frame');
    await view.locator('#composer').fill(`run sh ${script}`);
    await view.locator('#composer').press('Enter');
    const approve = view.locator('.waiting-card').getByRole('button', { name: 'Run once', exact: true });
    await approve.waitFor();
    await reportLongTasks(browser, 'at the portal, in a session whose terminal prints 20 MB', async () => {
      await approve.press('Enter');
      await view.getByText(LAST).last().waitFor({ timeout: WAIT_MS });
      await view.locator('.state', { hasText: 'Idle' }).waitFor({ timeout: WAIT_MS });
    });
  } finally {
    await browser.close();
    await test.close();
  }
}

export async function run(): Promise<void> {
  try {
    await measureSession();
    await measureInbox();
  } finally {
    await endChromium();
  }
  await measurePortal();
}
