/** Every phase of a turn of the Copilot agent, and in each: the engine is killed, the turn is cancelled, the host ends. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilGone } from '../../support/processes.ts';
import { lastUserText, type ReplyPiece } from '../../fixtures/modelServer.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotConversation, CopilotHost, gate } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

/** Settles never, as long as the test runs. */
const never = gate().promise;
const bash = (command: string): ReplyPiece => ({ tool: 'bash', args: { command, description: 'x' } });
const task: ReplyPiece = {
  tool: 'task',
  args: { agent_type: 'explore', name: 'finder', description: 'Find it', prompt: 'look around' },
};
const form = { message: 'Tell me', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };

interface Phase {
  name: string;
  /** What the model says first. */
  replies: (readonly ReplyPiece[])[];
  config?: Record<string, unknown>;
  /** Waits until the turn has come that far. */
  reached(talk: CopilotConversation, client: V1Client): Promise<unknown>;
  /** What stays of the answer. */
  kept?: string;
}

const asks = (talk: CopilotConversation) => talk.until('the question', ({ inputRequests }) => inputRequests?.[0]);
const subagentOf = async (talk: CopilotConversation, client: V1Client): Promise<CopilotConversation> => {
  const resource = await talk.until('the subagent', () => {
    const call = talk.calls().at(-1);
    const [content] = (call?.status === 'running' && call.content) || [];
    return content?.type === 'subagent' && content.resource;
  });
  return new CopilotConversation(client, resource);
};

const phases: Phase[] = [
  {
    name: 'the model thinks',
    replies: [[{ reasoning: 'Hm ' }, { wait: never }]],
    reached: (talk) => talk.until('a thought', ({ activeTurn }) => activeTurn && textOf(activeTurn, 'reasoning') === 'Hm '),
  },
  {
    name: 'the model speaks',
    replies: [[{ text: 'Half ' }, { wait: never }]],
    reached: (talk) => talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Half '),
    kept: 'Half ',
  },
  {
    name: 'the model writes a call',
    replies: [[{ text: 'I run it. ' }, { tool: 'bash', args: { command: 'echo', description: 'x' }, between: never }]],
    reached: (talk) => talk.callTo('bash', 'streaming'),
    kept: 'I run it. ',
  },
  {
    name: 'a permission is asked for',
    replies: [[{ text: 'I run it. ' }, bash('echo')]],
    reached: (talk) => talk.callTo('bash', 'pending-confirmation'),
    kept: 'I run it. ',
  },
  {
    name: 'a command runs',
    replies: [[bash('sleep 300')]],
    config: { approvals: 'all' },
    reached: (talk) => talk.callTo('bash', 'running'),
  },
  {
    name: 'a tool of the client runs',
    replies: [[{ tool: 'lent', args: {} }]],
    config: { approvals: 'all' },
    reached: (talk) => talk.callTo('lent', 'running'),
  },
  {
    name: 'the model waits for an answer',
    replies: [[{ tool: 'ask_user', args: { question: 'Which?', choices: ['red', 'green'] } }]],
    reached: asks,
  },
  {
    name: 'an MCP server waits for an answer',
    replies: [[{ tool: 'asking-ask', args: { request: form } }]],
    config: { approvals: 'all' },
    reached: asks,
  },
  {
    name: 'a plan is to be agreed to',
    replies: [[{ tool: 'exit_plan_mode', args: { summary: 'First this.' } }]],
    config: { mode: 'plan' },
    reached: asks,
  },
  {
    name: 'a subagent speaks',
    replies: [[task], [{ text: 'I look ' }, { wait: never }]],
    reached: async (talk, client) => {
      const sub = await subagentOf(talk, client);
      await sub.until('its text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'I look ');
    },
  },
  {
    name: 'a subagent asks for a permission',
    replies: [[task], [bash('echo')]],
    reached: async (talk, client) => {
      const sub = await subagentOf(talk, client);
      await sub.callTo('bash', 'pending-confirmation');
    },
  },
  {
    name: 'the engine waits to ask a model again that failed',
    replies: Array.from({ length: 6 }, () => [{ status: 500, message: 'overloaded' }]),
    reached: (talk) => talk.until('the news of it', ({ summary }) => summary.activity?.includes('status 500')),
  },
  {
    name: 'the conversation is compacted',
    // Too much for the window of this model: a summary comes first.
    replies: [],
    reached: (talk) => talk.until('the news of it', ({ summary }) => summary.activity === 'Compacting the conversation'),
  },
];

describe('a turn of the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  let talk: CopilotConversation;
  let turnId: string;

  before(async () => {
    mkdirSync(host.home, { recursive: true });
    const server = fileURLToPath(new URL('../../fixtures/askingServer.mjs', import.meta.url));
    const asking = { type: 'local', command: process.execPath, args: [server], tools: ['*'] };
    writeFileSync(join(host.home, 'mcp-config.json'), JSON.stringify({ mcpServers: { asking } }));
    client = await host.start({ endpoints: [] });
    useModels();
  });
  after(() => host.stop());

  const useModels = () => host.agent.setEndpoints([host.endpoint(), host.endpoint({ id: 'small', name: 'Small', contextWindow: 20_000 })]);

  /** A session with a past, and a turn in that phase. */
  const begin = async ({ replies, config, reached, name }: Phase) => {
    host.model.clear();
    host.model.script = ({ messages }) =>
      lastUserText(messages).includes('create a detailed summary') ? [{ wait: never }] : [{ text: 'Blue.' }];
    const isCompacting = name === 'the conversation is compacted';
    const tools = [{ name: 'lent', description: 'Lent', inputSchema: { type: 'object' as const, properties: {} } }];
    talk = await host.session(client, {
      ...(config && { config }),
      activeClient: { clientId: client.clientId, tools },
      model: { id: isCompacting ? 'small' : 'scripted' },
    });
    await talk.say(isCompacting ? `My colour is blue ${'word '.repeat(4_500)}` : 'My colour is blue');
    host.model.reply(...replies);
    turnId = await talk.send(isCompacting ? 'word '.repeat(4_500) : 'Do it');
    await reached(talk, client);
  };
  /** Nothing of the turn waits or runs any more, in its session or below. */
  const isClosed = async () => {
    const { activeTurn, inputRequests, summary } = talk.state;
    assert.deepEqual([activeTurn, inputRequests, summary.activity], [undefined, undefined, undefined]);
    for (const call of talk.calls()) assert.ok(call.status === 'completed' || call.status === 'cancelled', call.status);
    const { items } = await client.request('listSessions', {});
    for (const { resource } of items.filter((other) => other.resource.startsWith(`${talk.uri}/subagent/`))) {
      const sub = new CopilotConversation(client, resource);
      await sub.until('its end', (state) => state.turns.length === 1 && !state.activeTurn);
    }
  };
  const goesOn = async () => {
    host.model.clear();
    host.model.script = () => [{ text: 'Blue.' }];
    await talk.dispatch({ type: 'session/configChanged', config: { mode: 'interactive' } });
    await talk.dispatch({ type: 'session/modelChanged', model: { id: 'scripted' } });
    const turn = await talk.say('Which colour?');
    assert.equal(turn.state, 'complete', turn.error?.message);
    assert.equal(textOf(turn).replace(/^\*The conversation[^]*\*\s+/, ''), 'Blue.');
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /My colour is blue/);
  };
  const keeps = ({ kept }: Phase) => {
    const turn = talk.state.turns.find(({ id }) => id === turnId);
    if (kept !== undefined) assert.equal(turn && textOf(turn), kept);
  };

  for (const phase of phases)
    describe(`in which ${phase.name}`, () => {
      beforeEach(() => begin(phase));

      it('ends as an error that says so when the engine is killed, and the session goes on', async () => {
        const pid = host.agent.enginePid!;
        process.kill(pid, 'SIGKILL');
        const turn = await talk.ended(turnId);
        assert.deepEqual([turn.state, turn.error?.errorType], ['error', 'EngineDied']);
        await untilGone(pid);
        keeps(phase);
        await isClosed();
        await goesOn();
      });

      it('is cancelled at once, and the session goes on', async () => {
        assert.equal((await talk.cancel(turnId)).state, 'cancelled');
        keeps(phase);
        await isClosed();
        await goesOn();
      });

      it('is there when the host was started again, closed, and the session goes on', async () => {
        await host.stopHost();
        client = await host.start({ endpoints: [] });
        useModels();
        talk = await host.reopened(client, talk.uri);
        const turn = talk.state.turns.find(({ id }) => id === turnId);
        assert.deepEqual([turn?.state, turn?.error?.errorType], ['error', 'hostRestarted']);
        keeps(phase);
        await isClosed();
        await goesOn();
      });
    });
});
