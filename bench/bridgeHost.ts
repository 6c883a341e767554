/** The agent host of a measurement. Its agent calls the tool `greet` of the session's client as often as the message says, and tells how long each call took. */
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../src/base/event.ts';
import { nullLogger } from '../src/base/log.ts';
import type { Agent, AgentTurn } from '../src/host/agents/agent.ts';
import { startHostServer } from '../src/host/server/hostServer.ts';

export interface HostAddress {
  url: string;
  token: string;
}

/** In ms: how long each call took, and processor time of this process for all of them. */
export interface CallCosts {
  times: number[];
  cpu: number;
}

async function callOften(turn: AgentTurn, clientId: string | undefined): Promise<void> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let left = Number(turn.message.text); left > 0; left--) {
    const start = performance.now();
    const call = turn.toolCall({ toolName: 'greet', displayName: 'greet', ...(clientId !== undefined && { toolClientId: clientId }) });
    call.run({ invocationMessage: 'greet', toolInput: JSON.stringify({ name: 'Alice' }) }, 'not-needed');
    const { success, error } = await call.waitForClient();
    if (!success) throw new Error(error?.message ?? 'a call failed');
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ times, cpu: (user + system) / 1000 } satisfies CallCosts);
}

const agent: Agent = {
  info: { provider: 'bench', displayName: 'Bench', description: '', models: [] },
  onDidChangeInfo: new Emitter<Agent['info']>().event,
  resolveSessionConfig: async () => ({ schema: { type: 'object', properties: {} }, values: {} }),
  sessionConfigCompletions: async () => [],
  authenticate: async () => false,
  createChat: async (host) => ({
    runTurn: (turn) => callOften(turn, host.lenders[0]?.clientId),
    truncate: () => undefined,
    dispose: () => undefined,
  }),
  dispose: () => undefined,
};

process.on('disconnect', () => process.exit());
const { url, token } = await startHostServer({ agents: [agent], logger: nullLogger, defaultDirectory: pathToFileURL(tmpdir()).href });
process.send?.({ url, token } satisfies HostAddress);
