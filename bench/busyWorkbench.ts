/** The real workbench while twenty sessions of a host say 2,000 deltas a second together, one of which is in view. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { AgentHostClient, whenLive } from '../src/ahp/index.ts';
import { type StartedTapline, startTapline, Workbench } from '../test/support/startedTapline.ts';
import type { HostAddress } from './bridgeHost.ts';
import { startChild } from './startChild.ts';

const SESSIONS = 20;
const SECONDS = 10;
const NAME = 'busy-box';

interface Tasks {
  /** Of 50 ms and more. */
  count: number;
  /** In ms. */
  longest: number;
}

const observe = `(() => {
  const seen = window.taplineTasks = { count: 0, longest: 0 };
  seen.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) { seen.count++; seen.longest = Math.max(seen.longest, Math.round(duration)); }
  });
  seen.observer.observe({ type: 'longtask' });
})()`;
const read = `(() => { const { observer, ...tasks } = window.taplineTasks; observer.disconnect(); return tasks; })()`;

export async function run(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tapline-busy-'));
  mkdirSync(join(data, 'user/User'), { recursive: true });
  writeFileSync(
    join(data, 'user/User/settings.json'),
    JSON.stringify({ 'workbench.startupEditor': 'none', 'chat.disableAIFeatures': true }),
  );
  const [host, tapline] = await Promise.all([startChild<HostAddress>('busyHost.ts'), startTapline(['--data', data, '--no-walkthrough'])]);
  const client = await AgentHostClient.connect(host.said);
  try {
    await measure(tapline, host.said, client);
  } finally {
    client.close();
    await tapline.stop();
    await host.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function measure(tapline: StartedTapline, { url, token }: HostAddress, client: AgentHostClient): Promise<void> {
  const workbench = await Workbench.open(tapline);
  const { page } = workbench;
  await workbench.openTapline();
  await workbench.addHost(url, NAME, token);
  const uris = Array.from({ length: SESSIONS }, (_, index) => `busy:/${index}`);
  await Promise.all(uris.map((session) => client.request('createSession', { session, provider: 'busy' })));
  const subscriptions = uris.map((uri) => client.subscribeSession(uri));
  await Promise.all(subscriptions.map((subscription) => whenLive(subscription)));

  /** Runs a turn of so many seconds in each of the sessions, and waits for their ends. */
  async function talk(seconds: number, turn: string, what?: 'list'): Promise<void> {
    for (const session of uris) {
      const sent = client.dispatch(session, {
        type: 'session/turnStarted',
        session,
        turnId: turn,
        userMessage: { text: [seconds, what].join(' ').trim() },
      });
      if ((await sent.settled).kind !== 'confirmed') throw new Error('a turn did not start');
    }
    await Promise.all(
      subscriptions.map(
        (subscription) =>
          new Promise<void>((resolve) => {
            const look = () => {
              if (!subscription.state?.turns.some(({ id }) => id === turn)) return;
              listening.dispose();
              resolve();
            };
            const listening = subscription.onDidChange(look);
            look();
          }),
      ),
    );
  }

  // What is loaded at the first words is not counted.
  await talk(1, 'first');
  await page.getByRole('treeitem', { name: /^1, / }).first().click();
  await workbench.session.getByText('some more words').first().waitFor();
  const frames = new Map<string, Frame>([['the workbench', page.mainFrame()]]);
  for (const frame of page.frames()) if ((await frame.locator('#composer').count()) > 0) frames.set('the conversation', frame);
  async function tasksWhile(what: string, work: () => Promise<unknown>): Promise<void> {
    for (const frame of frames.values()) await frame.evaluate(observe);
    await work();
    for (const [name, frame] of frames)
      console.log(JSON.stringify({ name: `long tasks of ${name} ${what}`, ...(await frame.evaluate<Tasks>(read)) }));
  }
  // What the machine itself brings, with whatever else runs on it.
  await tasksWhile('while nothing is said', () => page.waitForTimeout(SECONDS * 1000));
  await tasksWhile(`at 2,000 deltas a second in ${SESSIONS} sessions`, () => talk(SECONDS, 'measured'));
  await tasksWhile(`when each answer is one list`, () => talk(SECONDS, 'list', 'list'));
  await workbench.close();
}
