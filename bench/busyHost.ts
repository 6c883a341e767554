/**
 * The agent host of a measurement. Each turn of its agent says a few words a hundred times a second, for as many seconds as the message
 * says: paragraphs, or with `list` after the number one list.
 */
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../src/base/event.ts';
import { nullLogger } from '../src/base/log.ts';
import type { Agent, AgentTurn } from '../src/host/agents/agent.ts';
import { startHostServer } from '../src/host/server/hostServer.ts';
import type { HostAddress } from './bridgeHost.ts';

const DELTAS_A_SECOND = 100;
const TICK_MS = 20;

async function talk(turn: AgentTurn): Promise<void> {
  const [seconds, isList] = turn.message.text.split(' ');
  const wanted = Number(seconds) * DELTAS_A_SECOND;
  const start = performance.now();
  // A timer that comes late is made up for.
  for (let said = 0; said < wanted && !turn.signal.aborted; await wait(TICK_MS)) {
    const due = Math.min(wanted, ((performance.now() - start) / 1000) * DELTAS_A_SECOND);
    for (; said < due; said++) turn.markdown(isList ? item(said) : paragraph(said));
  }
}

const paragraph = (said: number) => (said % 40 === 39 ? `\n\nThe next paragraph, \`${said}\`, has ` : 'some **more** words ');
const item = (said: number) => (said % 10 === 0 ? `\n- The next item, \`${said}\`, has ` : 'some **more** words ');

const agent: Agent = {
  info: { provider: 'busy', displayName: 'Busy', description: '', models: [] },
  onDidChangeInfo: new Emitter<Agent['info']>().event,
  resolveSessionConfig: async () => ({ schema: { type: 'object', properties: {} }, values: {} }),
  sessionConfigCompletions: async () => [],
  authenticate: async () => false,
  createChat: async () => ({ runTurn: talk, truncate: () => undefined, dispose: () => undefined }),
  dispose: () => undefined,
};

process.on('disconnect', () => process.exit());
const { url, token } = await startHostServer({ agents: [agent], logger: nullLogger, defaultDirectory: pathToFileURL(tmpdir()).href });
process.send?.({ url, token } satisfies HostAddress);
