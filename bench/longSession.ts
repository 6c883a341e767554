/**
 * The first page of a session of 5,000 turns, as a multiple of one of 50: from subscribing to the session and its chat until the client has
 * their states, over a socket. Warm: the host has read the session already. Cold: it sleeps.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient } from '../src/ahp/index.ts';
import { whenLive } from '../src/ahp/client/resources/whenLive.ts';
import { nullLogger } from '../src/base/log.ts';
import { DemoAgent } from '../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../src/host/server/hostServer.ts';
import { type LongSession, manyTurns, writeLongSession } from '../test/support/longSession.ts';
import { report } from './measure.ts';

/** Each is opened cold once. */
const SESSIONS = 10;
const WARM_RUNS = 5;

/** Milliseconds. */
async function opening({ url, token }: HostServer, { uri, chat }: LongSession): Promise<number> {
  const client = await AgentHostClient.connect({ url, token, dialects: ['channels'] });
  const start = performance.now();
  await Promise.all([whenLive(client.session(uri)), whenLive(client.chat(chat))]);
  const took = performance.now() - start;
  client.close();
  return took;
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-bench-'));
  const counts = [50, 5_000];
  const made = counts.map((count) =>
    Array.from({ length: SESSIONS }, (_, index) => writeLongSession(folder, 'demo', `${count}-${index}`, manyTurns(count), folder)),
  );
  const server = await startHostServer({
    agents: [new DemoAgent({ logger: nullLogger })],
    logger: nullLogger,
    sessionsFolder: folder,
    maxAwakeSessions: 1,
  });
  try {
    const best = counts.map(() => ({ cold: Infinity, warm: Infinity }));
    // The sizes alternate, so that both meet the same load of the machine.
    for (let index = 0; index < SESSIONS; index++) {
      for (const [size, times] of best.entries()) {
        const session = made[size]?.[index] as LongSession;
        times.cold = Math.min(times.cold, await opening(server, session));
        for (let left = WARM_RUNS; left > 0; left--) times.warm = Math.min(times.warm, await opening(server, session));
      }
    }
    const [short, long] = best as [(typeof best)[number], (typeof best)[number]];
    report('first page of a session that is loaded: 5,000 turns ÷ 50', long.warm / short.warm);
    report('first page of a session that sleeps: 5,000 turns ÷ 50', long.cold / short.cold);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}
