/**
 * The agent host of a measurement: what each action of its agent costs this process. `disk` as its argument: with sessions in a folder. Each
 * turn sends the figures when its actions are out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as next } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../src/base/event.ts';
import { nullLogger } from '../src/base/log.ts';
import type { Agent, AgentTurn } from '../src/host/agents/agent.ts';
import { startHostServer } from '../src/host/server/hostServer.ts';
import type { HostAddress } from './bridgeHost.ts';

/** Processor time of one action, in µs. */
export interface ActionCosts {
  delta: number;
  callAction: number;
  /** Writing and reading the frame of a delta as JSON, as a measure of the machine. */
  frame: number;
}

const DELTAS = 20_000;
const CALLS = 1_000;
const ACTIONS_OF_A_CALL = 3;

async function costOf(count: number, each: number, act: () => void): Promise<number> {
  const start = process.cpuUsage();
  for (let done = 1; done <= count; done++) {
    act();
    // What was sent goes out.
    if (done % each === 0) await next();
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

async function runTurn(turn: AgentTurn): Promise<void> {
  const delta = await costOf(DELTAS, 500, () => turn.markdown('word '));
  const call = await costOf(CALLS, 50, () => {
    const call = turn.toolCall({ toolName: 'look', displayName: 'Look' });
    call.run({ invocationMessage: 'Looks', toolInput: 'there' }, 'not-needed');
    call.complete({ success: true, pastTenseMessage: 'Looked' });
  });
  const action = { type: 'chat/delta', turnId: turn.id, partId: turn.id, content: 'word ' };
  const envelope = { jsonrpc: '2.0', method: 'action', params: { channel: turn.chat, serverSeq: 123_456, action } };
  const frame = await costOf(DELTAS, 500, () => void JSON.parse(JSON.stringify(envelope)));
  process.send?.({ delta, callAction: call / ACTIONS_OF_A_CALL, frame } satisfies ActionCosts);
}

const agent: Agent = {
  info: { provider: 'actions', displayName: 'Actions', description: '', models: [] },
  onDidChangeInfo: new Emitter<Agent['info']>().event,
  resolveSessionConfig: async () => ({ schema: { type: 'object', properties: {} }, values: {} }),
  sessionConfigCompletions: async () => [],
  authenticate: async () => false,
  createChat: async () => ({ runTurn, truncate: () => undefined, dispose: () => undefined }),
  dispose: () => undefined,
};

const sessionsFolder = process.argv[2] === 'disk' ? mkdtempSync(join(tmpdir(), 'tapline-actions-')) : undefined;
const host = await startHostServer({
  ...{ agents: [agent], logger: nullLogger, defaultDirectory: pathToFileURL(tmpdir()).href },
  ...(sessionsFolder !== undefined && { sessionsFolder }),
});
process.on('disconnect', async () => {
  await host.close();
  if (sessionsFolder !== undefined) rmSync(sessionsFolder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: host.url, token: host.token } satisfies HostAddress);
