/** Rules and sections of providers at our own host, which asks before it runs anything: a real host, the real gateway and a provider of the SDK. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsByTurn } from '../../../src/ahp/hookRequests.ts';
import type { ToolCallState } from '../../../src/ahp/v1/toolCall.ts';
import type { NodeProviderOptions } from '../../../src/tap/provider/providerNode.ts';
import { eventually } from '../../fakes/eventually.ts';
import { BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { callsOf, textOf, type DemoConversation } from '../host/demoHarness.ts';
import { reached } from '../gateway/gatewayHarness.ts';
import { gate } from '../host/hostHarness.ts';

const work = { name: 'work', description: 'Works', parameters: { type: 'object' } };
const FRIDAY = 'nothing is pushed on Fridays';

describe('the bridge, at a host that asks first', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  let chat: DemoConversation;
  beforeEach(async () => {
    test = new BridgeTest();
    await test.start();
    chat = await test.session({ config: { approvals: 'auto' } });
  });
  afterEach(() => test.stop());

  const bound = async (options: NodeProviderOptions) => {
    const provider = test.provider('ci', options);
    await reached(provider, 'bound');
    // Asked again by each gateway.
    test.window.bridge.owner?.onEvent(({ event, params }) => {
      if (event === 'consent/asked') void test.window.bridge.owner?.request('consent/answer', { provider: params.provider, allow: true });
    });
    await test.window.bridge.owner?.request('consent/answer', { provider: 'ci', allow: true });
    return provider;
  };
  const gates = async (onGate: NonNullable<NodeProviderOptions['onGate']>, more: NodeProviderOptions = {}) =>
    bound({ ...more, hooks: { onPreToolUse: [{ match: {}, action: 'gate', gateId: 'all' }] }, onGate });
  const noPush =
    (asked: unknown[] = []) =>
    (use: { tool: string; args: unknown }) => {
      asked.push([use.tool, use.args]);
      return /git push/.test(JSON.stringify(use.args)) ? ({ decision: 'deny', reason: FRIDAY } as const) : ({ decision: 'allow' } as const);
    };
  const lastCall = () => callsOf(chat.state.turns.at(-1)?.responseParts).at(-1) as ToolCallState;
  const push = 'run touch ran; echo git push';
  const ran = () => existsSync(join(test.folder, 'ran'));

  it('denies what runs without asking, tells why, and asks the gate once for each call', async () => {
    const asked: unknown[] = [];
    await gates(noPush(asked));
    const turn = await chat.say(push);
    const call = lastCall();
    assert.ok(call.status === 'cancelled' && call.reason === 'denied');
    assert.equal(call.reasonMessage, `Denied by the provider ci: ${FRIDAY}`);
    assert.match(textOf(turn), /A rule of this session does not allow it: Denied by the provider ci/);
    assert.equal(ran(), false);
    const rows = test.window.session(chat.uri).timeline.rows.map(({ kind, provider, text }) => [kind, provider, text]);
    assert.deepEqual(rows, [['gate', 'ci', `Denied run_command. ${FRIDAY}`]]);

    await chat.dispatch({ type: 'session/configChanged', config: { approvals: 'ask' } });
    const waiting = await chat.send('run true');
    await chat.confirm({ approved: true, selectedOptionId: 'session' });
    await chat.ended(waiting);
    await chat.say(push);
    assert.equal(lastCall().status, 'cancelled', 'also where the user allows commands for the session');
    assert.deepEqual(asked, [
      ['run_command', { input: 'touch ran; echo git push' }],
      ['run_command', { input: 'true' }],
      ['run_command', { input: 'touch ran; echo git push' }],
    ]);
  });

  it('denies a call of a lent tool before its provider hears of it', async () => {
    const calls: unknown[] = [];
    await gates(noPush(), { tools: [work], onToolCall: ({ args }) => (calls.push(args), 'worked') });
    await untilAnnounced(chat, 'work');
    await chat.say('client work {"what":"git push"}');
    assert.equal(lastCall().status, 'cancelled');
    await chat.say('client work {"what":"git pull"}');
    assert.equal(lastCall().status, 'completed');
    assert.deepEqual(calls, [{ what: 'git pull' }]);
  });

  it('puts what providers add into the system message, shows it, and leaves the user’s words alone', async () => {
    const provider = await bound({
      context: 'main is red',
      startup_context: 'CI is at ci.example.com',
      hooks: { transforms: { custom_instructions: { action: 'append', content: 'be brief' } } },
    });
    assert.equal(await test.window.session(chat.uri).preparePrompt('context'), 'context');
    const told = textOf(await chat.say('context'));
    for (const text of ['main is red', 'CI is at ci.example.com', 'be brief']) assert.ok(told.includes(text), told);
    const partsOf = (turn: number) =>
      sectionsByTurn(chat.state._meta)
        .get(chat.state.turns[turn]?.id ?? '')
        ?.map(({ kind, name, content }) => [kind, name, content]) ?? [];
    const expected = [
      ['startup', undefined, 'CI is at ci.example.com'],
      ['section', 'custom_instructions', 'be brief'],
      ['context', undefined, 'main is red'],
    ];
    assert.deepEqual(partsOf(0), expected);
    await chat.say('help');
    assert.deepEqual(partsOf(1), expected);
    provider.close();
    const names = async () => (await test.window.bridge.owner?.request('diagnostics', {}))?.providers.map(({ name }) => name);
    while ((await names())?.includes('ci'));
    assert.match(textOf(await chat.say('context')), /No tool provider adds anything/);
    assert.deepEqual(partsOf(2), []);
    assert.deepEqual(partsOf(1), expected, 'what was said in a turn stays with it');
  });

  it('denies when the gateway goes in the middle of the question, and lets nothing pass before its rules are back', async () => {
    const isAsked = gate();
    let holds = true;
    await gates((use) => {
      if (!holds) return noPush()(use);
      isAsked.open();
      return new Promise(() => undefined);
    });
    await chat.say('help');
    const turnId = await chat.send(push);
    await isAsked.promise;
    await test.killGateway();
    await chat.ended(turnId);
    const call = lastCall();
    assert.ok(call.status === 'cancelled');
    assert.match(String(call.reasonMessage), /cannot be reached\. The call did not run/);
    holds = false;
    await chat.say(push);
    assert.match(String((lastCall() as { reasonMessage?: unknown }).reasonMessage), new RegExp(FRIDAY));
    await test.killGateway();
    await chat.say(push);
    assert.match(String((lastCall() as { reasonMessage?: unknown }).reasonMessage), new RegExp(FRIDAY));
    assert.equal(ran(), false);
  });

  it('is asked over a new connection as over the one that was lost', async () => {
    await gates(noPush());
    await chat.say('run true');
    const { client } = test.window;
    const back = new Promise<void>((resolve) => client.onDidChangeState(({ kind }) => kind === 'connected' && resolve()));
    test.window.cutHost();
    client.reconnectNow();
    await back;
    await chat.say(push);
    assert.equal(lastCall().status, 'cancelled');
    assert.equal(ran(), false);
  });

  it('ends with the host that is killed in the middle of the question, and denies in the resumed session', async () => {
    const isAsked = gate();
    let holds = true;
    await gates((use) => {
      if (!holds) return noPush()(use);
      isAsked.open();
      return new Promise(() => undefined);
    });
    await chat.send(push);
    await isAsked.promise;
    const away = new Promise<void>((resolve) => test.window.client.onDidChangeState(({ kind }) => kind === 'reconnecting' && resolve()));
    await test.killHost();
    await away;
    test.window.client.reconnectNow();
    chat = test.watch(chat.uri, 1);
    const ended = await chat.until('the end of the turn', ({ turns }) => turns[0]);
    assert.equal(ended.error?.errorType, 'hostRestarted');
    assert.equal(ran(), false);
    holds = false;
    await eventually(() => chat.subscription.state?.activeClient?.clientId === test.window.client.clientId, 'lent again', WAIT_MS);
    await chat.say(push);
    assert.equal(lastCall().status, 'cancelled');
    assert.equal(ran(), false);
  });
});
