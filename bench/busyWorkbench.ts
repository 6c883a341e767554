/** The real workbench while twenty sessions of a host say 2,000 deltas a second together, one of which is in view. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient, whenLive } from '../src/ahp/index.ts';
import { type StartedTapline, startTapline, Workbench } from '../test/support/startedTapline.ts';
import type { HostAddress } from './bridgeHost.ts';
import { reportLongTasks } from './longTasks.ts';
import { startChild } from './startChild.ts';

const SESSIONS = 20;
const SECONDS = 10;
const NAME = 'busy-box';

export async function run(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tapline-busy-'));
  mkdirSync(join(data, 'user/User'), { recursive: true });
  writeFileSync(
    join(data, 'user/User/settings.json'),
    JSON.stringify({ 'workbench.startupEditor': 'none', 'chat.disableAIFeatures': true }),
  );
  const [host, tapline] = await Promise.all([startChild<HostAddress>('busyHost.ts'), startTapline(['--data', data, '--no-walkthrough'])]);
  const client = await AgentHostClient.connect({ ...host.said, dialects: ['v1'] });
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
  await Promise.all(uris.map((session) => client.command('createSession', { channel: session, provider: 'busy' })));
  const chats = uris.map((uri) => client.chat(uri));
  await Promise.all(chats.map((chat) => whenLive(chat)));

  /** Runs a turn of so many seconds in each of the sessions, and waits for their ends. */
  async function talk(seconds: number, turn: string, what?: 'list'): Promise<void> {
    for (const chat of chats) {
      const message = { text: [seconds, what].join(' ').trim(), origin: { kind: 'user' as const } };
      const sent = chat.perform({ type: 'chat/turnStarted', turnId: turn, startedAt: new Date().toISOString(), message });
      if ((await sent.settled).kind !== 'confirmed') throw new Error('a turn did not start');
    }
    await Promise.all(
      chats.map(
        (chat) =>
          new Promise<void>((resolve) => {
            const look = () => {
              if (!chat.state?.turns.some(({ id }) => id === turn)) return;
              listening.dispose();
              resolve();
            };
            const listening = chat.onDidChange(look);
            look();
          }),
      ),
    );
  }

  // What is loaded at the first words is not counted.
  await talk(1, 'first');
  await page.getByRole('treeitem', { name: /^1, / }).first().click();
  await workbench.session.getByText('some more words').first().waitFor();
  const tasksWhile = (what: string, work: () => Promise<unknown>) => reportLongTasks(tapline.browser, what, work);
  // What the machine itself brings, with whatever else runs on it.
  await tasksWhile('while nothing is said', () => page.waitForTimeout(SECONDS * 1000));
  await tasksWhile(`at 2,000 deltas a second in ${SESSIONS} sessions`, () => talk(SECONDS, 'measured'));
  await tasksWhile(`when each answer is one list`, () => talk(SECONDS, 'list', 'list'));
  await workbench.close();
}
