/** The host asks the active client before it runs anything: with clients that answer, that are silent, that go, and that cannot be asked. */
import assert from 'node:assert/strict';
import { sectionsByTurn } from '../../../src/ahp/hookRequests.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCallState } from '../../../src/ahp/v1/toolCall.ts';
import { eventually } from '../../fakes/eventually.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { callsOf, DemoConversation, DemoHost, textOf } from './demoHarness.ts';
import { allow, deny, Guard, never, type Question } from './hookHarness.ts';
import { gate } from './hostHarness.ts';

describe('the host, before it runs a call', function () {
  this.timeout(30_000);
  let host: DemoHost;
  let owner: V1Client;
  let guard: Guard;
  beforeEach(async () => {
    host = new DemoHost();
    owner = await host.start({ hookDecisionMs: 700 });
    guard = await new Guard().connect(host);
  });
  afterEach(() => host.stop());

  const guarded = async (approvals: 'ask' | 'auto' = 'auto', tools?: string[]) => {
    const { uri } = await host.session(owner, { config: { approvals } });
    return guard.guard(uri, tools);
  };
  /** What a command would leave behind. */
  const ran = () => existsSync(join(host.directory, 'ran'));
  const runIt = 'run touch ran';
  const onlyCall = async (turn: Promise<{ responseParts: Parameters<typeof callsOf>[0] }>): Promise<ToolCallState> => {
    const calls = callsOf((await turn).responseParts);
    assert.equal(calls.length, 1);
    return calls[0] as ToolCallState;
  };
  const assertDenied = (call: ToolCallState, reason: RegExp) => {
    assert.ok(call.status === 'cancelled', call.status);
    assert.equal(call.reason, 'denied');
    assert.match(String(call.reasonMessage), reason);
    assert.equal(ran(), false, 'nothing was run');
  };

  it('asks once, with what the tool gets, and goes on when it is allowed', async () => {
    const chat = await guarded();
    const call = await onlyCall(chat.say(runIt));
    assert.ok(call.status === 'completed' && call.success);
    assert.equal(ran(), true);
    const { turnId, toolCallId, ...question } = guard.asked[0] as Question;
    assert.deepEqual(question, { session: chat.uri, toolName: 'run_command', input: 'touch ran' });
    assert.deepEqual([turnId, toolCallId], [chat.state.turns[0]?.id, call.toolCallId]);
    assert.equal(guard.asked.length, 1);
  });

  it('denies what runs without asking the user, and what the user has allowed for the session', async () => {
    const auto = await guarded();
    guard.answer = () => deny('not today');
    assertDenied(await onlyCall(auto.say(runIt)), /^not today$/);
    assert.match(textOf(auto.state.turns[0] as never), /A rule of this session does not allow it: not today/);

    guard.answer = () => allow;
    const asking = await guarded('ask');
    const first = await asking.send('run true');
    await asking.confirm({ approved: true, selectedOptionId: 'session' });
    await asking.ended(first);
    guard.answer = () => deny('not today');
    assertDenied(await onlyCall(asking.say(runIt)), /^not today$/);
  });

  it('denies before the user is asked, and asks again about the input that the user has changed', async () => {
    const chat = await guarded('ask');
    guard.answer = ({ input }) => (input === 'true' ? allow : deny('only true'));
    const asked = new Set<string>();
    chat.subscription.onDidChange(() => {
      for (const call of callsOf(chat.state.activeTurn?.responseParts)) asked.add(call.status);
    });
    assertDenied(await onlyCall(chat.say(runIt)), /^only true$/);
    assert.ok(!asked.has('running'));

    const turnId = await chat.send('run true');
    await chat.confirm({ approved: true, editedToolInput: 'touch ran' });
    const [call] = callsOf((await chat.ended(turnId)).responseParts);
    assert.ok(call?.status === 'completed' && !call.success);
    assert.deepEqual(call.error, { message: 'only true', code: 'denied' });
    assert.equal(ran(), false);
    assert.deepEqual(
      guard.asked.map(({ input }) => input),
      ['touch ran', 'true', 'touch ran'],
    );
  });

  it('asks about every tool: reads, edits, waits, subagents and their calls, and those of clients', async () => {
    const chat = await guarded('auto', ['work']);
    guard.answer = ({ toolName }) => deny(`no ${toolName}`);
    for (const text of ['read', 'edit', 'wait 1', 'subagent', 'client work']) await chat.say(text);
    const calls = chat.state.turns.flatMap(({ responseParts }) => callsOf(responseParts));
    const names = ['read_file', 'edit_file', 'wait', 'start_subagent', 'work'];
    assert.deepEqual(
      calls.map((call) => call.status === 'cancelled' && call.reasonMessage),
      names.map((name) => `no ${name}`),
    );
    guard.answer = ({ toolName }) => (toolName === 'list_files' ? deny('no list') : allow);
    assert.match(textOf(await chat.say('subagent')), /may not list/);
    assert.ok(guard.asked.every(({ session }) => session === chat.uri));
  });

  it('cuts names that are longer than any of a provider, for the model and in what is kept', async () => {
    const chat = await guarded();
    const provider = 'p'.repeat(10_000);
    const part = { provider, content: 'x' };
    guard.answer = () => ({ decision: 'allow', context: [part] });
    guard.sections = async () => ({
      sections: [
        { section: 'tone', content: 'x', parts: [{ ...part, action: 'a'.repeat(10_000) }] },
        { section: 's'.repeat(10_000), content: 'x', parts: [{ ...part, action: 'append' }] },
      ],
      context: [part],
      startup: [part],
    });
    const call = await onlyCall(chat.say('run true'));
    const last = call.status === 'completed' ? call.content?.at(-1) : undefined;
    assert.ok(last?.type === 'text');
    assert.match(last.text, /provider="p{200}"/);
    const kept = sectionsByTurn(chat.state._meta).get(chat.state.turns[0]?.id ?? '') ?? [];
    assert.deepEqual(
      kept.map(({ kind, provider: { length }, name, action }) => [kind, length, name, action?.length]),
      [
        ['startup', 200, undefined, undefined],
        ['section', 200, 'tone', 200],
        ['context', 200, undefined, undefined],
      ],
    );
  });

  it('gives what the rules add to the model with the result', async () => {
    const chat = await guarded();
    guard.answer = () => ({ decision: 'allow', context: [{ provider: 'ci', content: 'commands are </part> logged' }] });
    const call = await onlyCall(chat.say('run true'));
    assert.ok(call.status === 'completed');
    const last = call.content?.at(-1);
    assert.ok(last?.type === 'text');
    assert.match(last.text, /^<tapline-context>\n<part kind="hook" provider="ci">\ncommands are &lt;\/part> logged\n<\/part>/);
  });

  it('denies what a client does not decide: it is silent, or gives no sensible answer', async () => {
    const chat = await guarded();
    guard.answer = never;
    assertDenied(await onlyCall(chat.say(runIt)), /could not be asked about it: .* did not answer within 0\.7 s/);
    guard.answer = () => ({ decision: 'perhaps' }) as never;
    assertDenied(await onlyCall(chat.say(runIt)), /cannot be read: result\.decision/);
    guard.answer = () => {
      throw new Error('it is broken');
    };
    assertDenied(await onlyCall(chat.say(runIt)), /it is broken/);
  });

  it('lets the turn be cancelled while it waits', async () => {
    const chat = await guarded();
    guard.answer = never;
    const turnId = await chat.send(runIt);
    await eventually(() => guard.asked.length === 1, 'the question');
    await chat.dispatch({ type: 'session/turnCancelled', turnId });
    assert.equal((await chat.ended(turnId)).state, 'cancelled');
    assert.equal(ran(), false);
  });

  it('denies when the client goes while it is asked, and asks nobody in the next turn', async () => {
    const chat = await guarded();
    const watched = new DemoConversation(owner, chat.uri, 5);
    const isAsked = gate();
    guard.answer = async () => {
      isAsked.open();
      return never();
    };
    const turnId = await watched.send(runIt);
    await isAsked.promise;
    guard.client.close();
    assertDenied(await onlyCall(watched.ended(turnId)), /has gone, and no other has taken its place/);
    // Nobody has rules about this turn.
    const call = await onlyCall(watched.say(runIt));
    assert.ok(call.status === 'completed' && call.success);
  });

  it('does not let a turn go on without the rules that it had', async () => {
    const chat = await guarded();
    const watched = new DemoConversation(owner, chat.uri, 5);
    guard.answer = ({ toolName }) => {
      assert.equal(toolName, 'start_subagent');
      // Once the answer is on its way.
      setImmediate(() => guard.client.close());
      return allow;
    };
    const turn = await watched.say('subagent');
    assert.match(textOf(turn), /may not list the working directory/);
    const [call] = callsOf(turn.responseParts);
    const link = call?.status === 'completed' && call.content?.find(({ type }) => type === 'subagent');
    assert.ok(link && link.type === 'subagent');
    const [listing] = callsOf((await new DemoConversation(owner, link.resource).until('its turn', ({ turns }) => turns[0])).responseParts);
    assertDenied(listing as ToolCallState, /has gone, and no other has taken its place/);
  });

  it('keeps asking for the rules in a turn whose client was lost, and takes the next one’s word', async () => {
    const chat = await guarded();
    const watched = new DemoConversation(owner, chat.uri, 5);
    const isAsked = gate();
    guard.answer = async () => {
      isAsked.open();
      return never();
    };
    const turnId = await watched.send(runIt);
    await isAsked.promise;
    guard.client.close();
    await watched.until('the lost client', ({ activeClient }) => !activeClient);
    const next = await new Guard().connect(host);
    next.answer = () => deny('said the next one');
    await next.guard(chat.uri);
    assertDenied(await onlyCall(watched.ended(turnId)), /^said the next one$/);
  });

  it('does not keep a turn for a client without rules', async () => {
    const chat = await guarded();
    const watched = new DemoConversation(owner, chat.uri, 5);
    guard.answer = () => ({ decision: 'allow', guarded: false });
    const turnId = await watched.send('subagent');
    await watched.ended(turnId);
    guard.client.close();
    await watched.until('the lost client', ({ activeClient }) => !activeClient);
    const call = await onlyCall(watched.say(runIt));
    assert.ok(call.status === 'completed' && call.success);
  });

  it('asks the client that is active: the one that has taken over, and nobody where it cannot be asked', async () => {
    const chat = await guarded();
    const isAsked = gate();
    guard.answer = async () => {
      isAsked.open();
      return never();
    };
    const next = await new Guard().connect(host);
    next.answer = () => deny('said the next one');
    const turnId = await chat.send(runIt);
    await isAsked.promise;
    await chat.dispatch({ type: 'session/activeClientChanged', activeClient: null });
    await next.guard(chat.uri);
    assertDenied(await onlyCall(chat.ended(turnId)), /^said the next one$/);

    // A client without this extension, such as VS Code's own.
    const plain = await host.connect();
    await chat.dispatch({ type: 'session/activeClientChanged', activeClient: null });
    const seen = new DemoConversation(plain, chat.uri, 9);
    await seen.until('the session', () => true);
    await seen.dispatch({ type: 'session/activeClientChanged', activeClient: { clientId: plain.clientId, tools: [] } });
    const before = guard.asked.length + next.asked.length;
    assert.deepEqual(plain.hostMeta, {}, 'it is not told of what it does not know');
    const call = await onlyCall(seen.say(runIt));
    assert.ok(call.status === 'completed' && call.success);
    assert.equal(guard.asked.length + next.asked.length, before);
  });
});
