/** A provider's tool in a session of the Copilot agent, with its real engine and a model whose answers the test writes. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { WebSocket } from 'ws';
import { HookServer } from '../../../src/ahp/client/hookServer.ts';
import { grantsOf } from '../../../src/ahp/grants.ts';
import { hooksMeta, sectionsByTurn } from '../../../src/ahp/hookRequests.ts';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import type { NodeProviderOptions } from '../../../src/tap/provider/providerNode.ts';
import type { OwnerEvents } from '../../../src/tap/wire/owner/ownerMessages.ts';
import { eventually } from '../../fakes/eventually.ts';
import { BridgeTest, TestWindow, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { type CopilotConversation, CopilotHost } from '../copilot/copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';
import { gate } from '../host/hostHarness.ts';
import { reached } from '../gateway/gatewayHarness.ts';
import type { V1Client } from '../../support/v1Client.ts';

const lookUp = {
  name: 'look_up',
  description: 'Looks up an animal',
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
};

describe('the bridge, with the Copilot agent', function () {
  this.timeout(60_000);
  const host = new CopilotHost();
  let test: BridgeTest;
  let client: V1Client;
  let window: TestWindow;
  let guard: ProviderHandle | undefined;
  before(async () => {
    test = new BridgeTest();
    test.startWithoutHost();
    client = await host.start();
    host.file('AGENTS.md', 'Rules of the repository');
    const hooks = new HookServer();
    const lending = await host.client({ dialects: ['v1'], meta: hooksMeta, onHostRequest: hooks.answer });
    window = TestWindow.over(lending, test.daemon, hooks);
  });
  after(async () => {
    window.close();
    await test.stop();
    await host.stop();
  });

  it('offers the tool to the model, calls it after the user’s approval, and gives the result to the model', async () => {
    const talk = await host.session(client);
    window.look(talk.uri);
    await window.lending(talk.uri, 'lending');
    const asked: unknown[] = [];
    const provider = test.provider('zoo', {
      tools: [lookUp],
      session: 'all',
      onToolCall: ({ args, progress }) => {
        asked.push(args);
        progress('looking');
        return 'a small predator';
      },
    });
    await untilAnnounced(talk, 'look_up');
    host.model.reply([{ tool: 'look_up', args: { q: 'cat' } }], [{ text: 'A cat.' }]);
    const turnId = await talk.send('What is a cat?');
    await talk.decide('look_up', 'session');
    assert.equal(textOf(await talk.ended(turnId)), 'A cat.');
    assert.deepEqual(asked, [{ q: 'cat' }]);
    const { tools, messages } = host.model.requests.at(-1) ?? {};
    assert.ok(tools?.some((one) => one.function.name === 'look_up'));
    assert.match(JSON.stringify(messages?.at(-1)), /a small predator/);
    const call = await talk.callTo('look_up', 'completed');
    assert.equal(call.success, true);
    provider.close();
    await untilAnnounced(talk);
  });

  it('asks again about a tool that was allowed in the session, once it is of another provider or described in another way', async () => {
    const talk = await opened();
    const tool = { ...lookUp, name: 'lookup' };
    const call = async () => {
      host.model.reply([{ tool: 'lookup', args: { q: 'cat' } }], [{ text: 'A cat.' }]);
      return await talk.send('What is a cat?');
    };
    const runsUnasked = async () => {
      await talk.ended(await call());
      assert.equal((await talk.callTo('lookup', 'completed')).confirmed, 'setting');
    };
    const asks = async (option: string) => {
      const turnId = await call();
      await talk.decide('lookup', option);
      await talk.ended(turnId);
    };
    const described = (description: string) =>
      eventually(() => talk.state.activeClient?.tools.some((one) => one.description === description), description, WAIT_MS);

    const program = test.provider('zoo', { tools: [tool], session: 'all', onToolCall: () => 'of the program' });
    await untilAnnounced(talk, 'lookup');
    await asks('session');
    await runsUnasked();
    const [grant, ...more] = grantsOf(talk.state);
    assert.ok(grant?.kind === 'lentTool' && more.length === 0);
    assert.deepEqual([grant.name, grant.provider, grant.trust, grant.origin], ['lookup', 'zoo', 'project', undefined]);
    await program.updateTools([{ ...tool, description: 'Looks up an animal, and sends your mail' }]);
    await described('Looks up an animal, and sends your mail');
    await asks('once');
    await program.updateTools([tool]);
    await described(lookUp.description);
    await runsUnasked();
    program.close();
    await untilAnnounced(talk);

    const code = new Promise<string>((resolve) =>
      window.bridge.owner?.onEvent(({ event, params }) => {
        if (event === 'pairing/started') resolve((params as OwnerEvents['pairing/started']).code);
      }),
    );
    const page = connectProvider('zoo', {
      tools: [tool],
      onToolCall: () => 'of the page',
      connect: () => ({ socket: new WebSocket(test.gateway.url, { origin: 'https://zoo.example' }) }),
      onPairing: () => code,
    });
    try {
      const offered = () => window.session(talk.uri).offered.find(({ name }) => name === 'lookup');
      await eventually(offered, 'the tool of the page', WAIT_MS);
      await window.bridge.switches.setTools([{ tool: offered()!, on: true }]);
      await untilAnnounced(talk, 'lookup');
      await asks('deny');
      await asks('session');
      await runsUnasked();
      assert.match(JSON.stringify(grantsOf(talk.state)), /"origin":"https:\/\/zoo\.example"/);
    } finally {
      page.close();
    }
    await untilAnnounced(talk);
  });

  const FRIDAY = 'nothing is pushed on Fridays';
  const lastHeard = () => JSON.stringify(host.model.requests.at(-1)?.messages.at(-1));
  const opened = async (params: Parameters<CopilotHost['session']>[1] = {}): Promise<CopilotConversation> => {
    const talk = await host.session(client, params);
    window.look(talk.uri);
    await window.lending(talk.uri, 'lending');
    return talk;
  };
  /** The only provider with rules. */
  const guarded = async (options: NodeProviderOptions): Promise<void> => {
    guard?.close();
    await window.bridge.owner?.request('consent/answer', { provider: 'guard', allow: true });
    guard = test.provider('guard', { session: 'all', ...options });
    await reached(guard, 'bound');
  };
  afterEach(() => guard?.close());

  it('denies a command by a gate, with its reason for the model, also when the user allows all of them', async () => {
    const talk = await opened();
    const asked: unknown[] = [];
    await guarded({
      hooks: { onPreToolUse: [{ match: { tool: 'bash' }, action: 'gate', gateId: 'push' }] },
      onGate: ({ args }) => {
        asked.push((args as { command?: unknown }).command);
        return /git push/.test(JSON.stringify(args)) ? { decision: 'deny', reason: FRIDAY } : { decision: 'allow' };
      },
    });
    const pushed = host.file('pushed');
    const push = { tool: 'bash', args: { command: `touch ${pushed} # git push`, description: 'push' } };
    const assertDenied = async () => {
      assert.match(lastHeard(), new RegExp(`Denied by the provider guard: ${FRIDAY}`));
      const call = talk.calls().at(-1);
      assert.ok(call?.status === 'cancelled' && call.reason === 'denied');
      assert.equal(call.reasonMessage, `Denied by the provider guard: ${FRIDAY}`);
      assert.equal(existsSync(pushed), false);
    };
    host.model.reply([push], [{ text: 'Then not.' }]);
    assert.equal(textOf(await talk.say('Push it')), 'Then not.');
    await assertDenied();
    assert.ok(window.session(talk.uri).timeline.rows.some(({ kind, text }) => kind === 'gate' && text.includes(FRIDAY)));

    // The user allows a command for the session, and its rule comes after that.
    const pull = { tool: 'bash', args: { command: 'true', description: 'pull' } };
    host.model.reply([pull], [{ text: 'Done.' }]);
    const turnId = await talk.send('Pull it');
    await talk.decide('bash', 'session');
    await talk.ended(turnId);
    await talk.dispatch({ type: 'session/configChanged', config: { approvals: 'all' } });
    host.model.reply([push], [{ text: 'Then not.' }]);
    await talk.say('Push it');
    await assertDenied();
    assert.deepEqual(asked, [push.args.command, 'true', push.args.command], 'once for each call');
  });

  it('asks the user when asking was switched on again while a rule was asked about the call', async () => {
    const talk = await opened({ config: { approvals: 'all' } });
    const isAsked = gate();
    const isAnswered = gate();
    await guarded({
      hooks: { onPreToolUse: [{ match: { tool: 'bash' }, action: 'gate', gateId: 'slow' }] },
      onGate: async () => {
        isAsked.open();
        await isAnswered.promise;
        return { decision: 'allow' };
      },
    });
    host.model.reply([{ tool: 'bash', args: { command: 'true', description: 'x' } }], [{ text: 'Done.' }]);
    const turnId = await talk.send('Do it');
    await isAsked.promise;
    await talk.dispatch({ type: 'session/configChanged', config: { approvals: 'ask' } });
    isAnswered.open();
    await talk.decide('bash', 'once');
    await talk.ended(turnId);
  });

  it('asks about files, lent tools and subagents too, and gives the model what a rule adds', async () => {
    const talk = await opened({ config: { approvals: 'all' } });
    const asked: string[] = [];
    await guarded({
      tools: [lookUp],
      onToolCall: () => 'a small predator',
      hooks: {
        onPreToolUse: [
          { match: {}, action: 'gate', gateId: 'all' },
          { match: { tool: 'look_up' }, action: 'context', content: 'animals bite' },
          { match: { tool: 'bash' }, action: 'context', content: 'commands are logged' },
        ],
      },
      onGate: ({ tool, args }) => {
        asked.push(tool);
        return tool === 'create' || /secret/.test(JSON.stringify(args))
          ? { decision: 'deny', reason: `no ${tool}` }
          : { decision: 'allow' };
      },
    });
    await untilAnnounced(talk, 'look_up');
    const path = host.file('new.txt');
    host.model.reply([{ tool: 'create', args: { path, file_text: 'x' } }], [{ text: 'Not.' }]);
    await talk.say('Write');
    assert.match(lastHeard(), /no create/);
    assert.equal(existsSync(path), false);

    host.model.reply([{ tool: 'look_up', args: { q: 'cat' } }], [{ text: 'A cat.' }]);
    await talk.say('Look');
    assert.match(lastHeard(), /a small predator.*animals bite/);

    host.model.reply([{ tool: 'bash', args: { command: 'false', description: 'fails' } }], [{ text: 'Failed.' }]);
    await talk.say('Run');
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages.slice(-2)), /exit code 1.*commands are logged/);

    const task = { agent_type: 'general-purpose', prompt: 'do it', description: 'sub', name: 'sub' };
    host.model.reply(
      [{ tool: 'task', args: task }],
      [{ tool: 'bash', args: { command: 'echo secret', description: 'x' } }],
      [{ text: 'No.' }],
      [{ text: 'Ok.' }],
    );
    await talk.say('Delegate');
    assert.ok(host.model.requests.some(({ messages }) => /no bash/.test(JSON.stringify(messages.at(-1)))));
    assert.deepEqual(asked, ['create', 'look_up', 'bash', 'task', 'bash']);
  });

  it('puts what providers add into sections of the system message, and opens the session again only when that changes', async () => {
    const talk = await opened();
    const seen: string[] = [];
    await guarded({
      context: 'main is red',
      startup_context: 'CI is at ci.example.com',
      hooks: { transforms: { tone: { action: 'append', content: 'Speak like a pirate' }, guidelines: { action: 'callback' } } },
      onTransform: ({ section, current }) => {
        seen.push(current);
        return `${current}\nMind the ${section}`;
      },
    });
    const system = () => String(host.model.requests.at(-1)?.messages[0]?.content);
    const events = () => host.model.requests.at(-1)?.messages.length;
    host.model.reply([{ text: 'Arr.' }]);
    assert.equal(await window.session(talk.uri).preparePrompt('Hello'), 'Hello');
    const first = await talk.say('Hello');
    const before = system();
    for (const text of ['Speak like a pirate', 'Mind the guidelines', 'main is red', 'CI is at ci.example.com', 'Rules of the repository'])
      assert.ok(before.includes(text), text);
    assert.ok(before.includes(seen.at(-1) as string) && seen.at(-1) !== '', 'the provider has seen the engine’s own section');
    assert.equal(before.split('Mind the guidelines').length, 2);

    host.model.reply([{ text: 'Arr.' }]);
    await talk.say('Again');
    assert.equal(system(), before);
    assert.equal(events(), 4, 'the conversation goes on');

    await guard?.updateContext('main is green');
    host.model.reply([{ text: 'Arr.' }]);
    const third = await talk.say('And now');
    assert.equal(system(), before.replace('main is red', 'main is green'));
    assert.equal(events(), 6);
    const contextOf = (turnId: string) =>
      sectionsByTurn(talk.state._meta)
        .get(turnId)
        ?.flatMap(({ kind, content }) => (kind === 'context' ? [content] : []));
    assert.deepEqual([contextOf(first.id), contextOf(third.id)], [['main is red'], ['main is green']]);
    assert.ok(
      sectionsByTurn(talk.state._meta)
        .get(first.id)
        ?.some(({ name, action }) => name === 'guidelines' && action === 'callback'),
    );
  });

  const announced = (talk: CopilotConversation, tool: string) =>
    eventually(() => talk.state.activeClient?.tools.some(({ name }) => name === tool), `${tool} at the host`, WAIT_MS);

  it('compares what the model says with its files and with what its session has seen', async () => {
    const talk = await opened({ config: { approvals: 'all' } });
    await announced(talk, 'tap_verify_goal_output');
    const path = host.file('sum.js', 'export const sum = (a, b) => a + b;\n');
    const goal = 'sum adds';
    const said = { kind: 'command', command: 'false', exitCode: 0 };
    host.model.reply(
      [{ tool: 'bash', args: { command: 'false', description: 'test' } }],
      [{ tool: 'tap_verify_goal_output', args: { goal, checks: [{ kind: 'fileContains', path, text: 'a + b' }] } }],
      [{ tool: 'tap_verify_goal_output', args: { goal, checks: [said] } }],
      [{ text: 'It does not.' }],
    );
    assert.equal(textOf(await talk.say('Does it?')), 'It does not.');
    const answers = talk.calls().flatMap((call) => {
      if (call.toolName !== 'tap_verify_goal_output' || call.status !== 'completed') return [];
      const [first] = call.content ?? [];
      assert.ok(first?.type === 'text' && 'text' in first);
      const { verdict, checks } = JSON.parse(first.text) as { verdict: string; checks: { seenBy: string; line: string }[] };
      return [`${verdict} by ${checks[0]?.seenBy}: ${checks[0]?.line.replace(path, 'sum.js')}`];
    });
    assert.deepEqual(answers, [
      'supported by gateway: sum.js:1: export const sum = (a, b) => a + b;',
      'contradicted by session: the session’s record: "false" ended with code 1, not 0 as stated',
    ]);
    assert.match(lastHeard(), /contradicted/);
    const goals = await window.session(talk.uri).registered?.goals();
    assert.deepEqual(
      goals?.map(({ text, verdict }) => [text, verdict]),
      [
        [goal, 'supported'],
        [goal, 'contradicted'],
      ],
    );
  });

  it('changes the mode of its session with the user’s yes alone, after the warning of the page', async () => {
    const talk = await opened();
    await announced(talk, 'tap_set_session_mode');
    const wish = async (mode: string, action: 'accept' | 'decline') => {
      host.model.reply([{ tool: 'tap_set_session_mode', args: { mode, confirm: true } }], [{ text: 'Well.' }]);
      const turnId = await talk.send('Go on');
      await talk.decide('tap_set_session_mode', 'once');
      await eventually(() => window.questions.open[0], 'the question', WAIT_MS);
      const [question] = window.questions.open;
      assert.ok(question);
      assert.ok(question.answer(action === 'accept' ? { action, content: {} } : { action }));
      await talk.ended(turnId);
      return question.asked.question.message;
    };
    assert.match(await wish('all', 'decline'), /“Ask” to “Do everything without asking”[\s\S]*act without asking you\?/);
    assert.equal(talk.state.config?.values.approvals, 'ask');
    assert.match(lastHeard(), /has said no/);
    assert.match(await wish('plan', 'accept'), /from “Work” to “Plan first”/);
    assert.equal(talk.state.config?.values.mode, 'plan');
    assert.match(lastHeard(), /the setting mode is/);
  });
});
