/** What one action of an agent costs the host, where a client of AHP 1.0 follows the chat: in units of writing and reading its frame. */
import { AgentHostClient } from '../src/ahp/index.ts';
import { withTimeout } from '../src/base/errors.ts';
import type { ActionCosts } from './actionsHost.ts';
import type { HostAddress } from './bridgeHost.ts';
import { report } from './measure.ts';
import { nextMessage, startChild } from './startChild.ts';

const SESSION = 'actions:/1';
const WAIT_MS = 30_000;
const RUNS = 3;

export async function run(): Promise<void> {
  for (const [where, place] of [
    ['memory', 'in memory'],
    ['disk', 'on disk'],
  ] as const) {
    const host = await startChild<HostAddress>('actionsHost.ts', where);
    const client = await AgentHostClient.connect(host.said);
    try {
      await client.command('createSession', { channel: SESSION, provider: 'actions' });
      const session = client.session(SESSION);
      const uri = () => (session.state?.lifecycle === 'ready' ? session.state.defaultChat : undefined);
      await until(session, () => uri() !== undefined, 'the session');
      const chat = client.chat(uri() ?? '');
      await until(chat, () => chat.state !== undefined, 'the chat');
      const costs: ActionCosts[] = [];
      for (let run = 0; run < RUNS; run++) {
        const said = nextMessage<ActionCosts>(host.process, 'the figures of the host');
        chat.send('Act');
        costs.push(await said);
        await until(chat, () => chat.state?.activeTurn === undefined, 'the end of the turn');
      }
      // The fastest, because everything that disturbs a measurement makes it slower.
      const least = (of: keyof ActionCosts) => Math.min(...costs.map((cost) => cost[of]));
      report(`a delta at a host with its sessions ${place}, by its frame`, least('delta') / least('frame'));
      report(`an action of a call at a host with its sessions ${place}, by the frame of a delta`, least('callAction') / least('frame'));
    } finally {
      client.close();
      await host.stop();
    }
  }
}

interface Followed {
  onDidChange(listener: () => void): { dispose(): void };
}

async function until({ onDidChange }: Followed, condition: () => boolean, what: string): Promise<void> {
  const held = new Promise<void>((resolve) => {
    const look = () => {
      if (!condition()) return;
      listening.dispose();
      resolve();
    };
    const listening = onDidChange(look);
    look();
  });
  await withTimeout(held, WAIT_MS, what);
}
