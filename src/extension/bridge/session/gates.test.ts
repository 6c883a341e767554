import assert from 'node:assert/strict';
import { atRest } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { aCall, FakeHostSession } from '../../../../test/fakes/fakeHostSession.ts';
import type { HookDecision } from '../../../tap/wire/owner/ownerMessages.ts';
import { Gates } from './gates.ts';

describe('Gates', () => {
  const waiting = aCall({ status: 'waiting', input: '{"a":1}' });
  const setUp = () => {
    const host = new FakeHostSession();
    const asked: unknown[] = [];
    const denied: unknown[] = [];
    const context: HookDecision['context'][] = [];
    const decision: { next: Promise<HookDecision | undefined> } = { next: Promise.resolve({ decision: 'allow', context: [] }) };
    const clock = new FakeClock();
    const gates = new Gates({
      host,
      clock,
      evaluate: ({ toolName }, args) => {
        asked.push([toolName, args]);
        return decision.next;
      },
      onDenied: ({ callId }, { reason }, inTime) => denied.push([callId, reason, inTime]),
      onContext: (given) => void context.push(given),
    });
    const show = async (...calls: Parameters<FakeHostSession['show']>) => {
      host.show(...calls);
      gates.update();
      await atRest();
    };
    const say = (next: HookDecision | undefined) => (decision.next = Promise.resolve(next));
    return { clock, host, asked, denied, context, decision, gates, show, say };
  };

  it('ask once for each call that comes to wait, with what it would get', async () => {
    const { asked, show, host } = setUp();
    await show(waiting);
    await show(waiting, { kind: 'text', text: 'x' });
    await show(waiting, aCall({ callId: 'shell', toolName: 'run', status: 'waiting', input: 'rm -rf /' }));
    assert.deepEqual(asked, [
      ['work', { a: 1 }],
      ['run', { input: 'rm -rf /' }],
    ]);
    await show(aCall({ status: 'running' }));
    await show(waiting);
    await show({ ...waiting, input: '{"a":2}' });
    assert.equal(asked.length, 4, 'again when it waits again, and when its input is another');
    assert.deepEqual(host.did, [], 'what is allowed is left to the user');
  });

  it('deny with the reason and who said so', async () => {
    const { host, denied, show, say } = setUp();
    say({ decision: 'deny', reason: 'not today', provider: 'ci', context: [] });
    await show(waiting);
    assert.deepEqual(host.did, [['deny', 'call', 'Denied by the provider ci: not today']]);
    assert.deepEqual(denied, [['call', 'not today', true]]);
  });

  it('say that they came too late for a call that runs', async () => {
    const { host, denied, show, say } = setUp();
    say({ decision: 'deny', context: [] });
    host.answer = () => {
      host.show(aCall({ status: 'running' }));
      return { kind: 'rejected', reason: 'it does not wait' };
    };
    await show(waiting);
    assert.deepEqual(denied, [['call', undefined, false]]);
  });

  it('answer a host that asks first, and do not judge that call again when it waits', async () => {
    const { asked, denied, gates, host, show, say } = setUp();
    say({ decision: 'allow', context: [{ provider: 'ci', content: 'careful' }] });
    assert.deepEqual(await gates.mayRun(waiting), { allowed: true, context: [{ provider: 'ci', content: 'careful' }], isGuarded: true });
    await show(waiting);
    assert.equal(asked.length, 1);
    say({ decision: 'deny', reason: 'not today', provider: 'ci', context: [] });
    assert.deepEqual(await gates.mayRun(waiting), { allowed: false, reason: 'Denied by the provider ci: not today' });
    assert.deepEqual([denied, host.did], [[['call', 'not today', true]], []]);
  });

  it('judge calls of all chats, each by itself', async () => {
    const { asked, denied, host, say, show } = setUp();
    host.otherCalls = [{ ...waiting, chat: 'ahp-chat:/2', input: '{"a":2}' }];
    await show(waiting);
    await show(waiting, { kind: 'text', text: 'x' });
    assert.deepEqual(asked, [
      ['work', { a: 1 }],
      ['work', { a: 2 }],
    ]);
    say({ decision: 'deny', reason: 'no', context: [] });
    host.otherCalls = [{ ...waiting, chat: 'ahp-chat:/3' }];
    await show(waiting);
    assert.deepEqual([host.did, denied], [[['deny', 'call', 'no']], [['call', 'no', true]]]);
  });

  it('allow no call whose input they are not told, unless there are no rules', async () => {
    const { host, say, show } = setUp();
    const unknown = { ...waiting, input: undefined, isInputElsewhere: true };
    say({ decision: 'allow', context: [], guarded: false });
    await show(unknown);
    assert.deepEqual(host.did, []);
    say({ decision: 'allow', context: [] });
    await show({ ...unknown, callId: 'second' });
    assert.match(String(host.did[0]), /deny,second,.*could not be asked/);
  });

  it('deny what cannot be decided, unless there are no rules', async () => {
    const { gates, say } = setUp();
    say(undefined);
    const verdict = await gates.mayRun(waiting);
    assert.match(verdict.allowed ? '' : verdict.reason, /cannot be reached/);
    say({ decision: 'allow', context: [], guarded: false });
    await gates.mayRun(waiting);
    say(undefined);
    assert.deepEqual(await gates.mayRun(waiting), { allowed: true, context: [], isGuarded: false });
  });

  it('wait a moment for rules that were there before, whoever knows of them', async () => {
    const { asked, clock, gates, say } = setUp();
    say({ decision: 'allow', context: [], guarded: false });
    const verdict = gates.mayRun(waiting, true);
    await atRest();
    assert.equal(asked.length, 1);
    say({ decision: 'deny', reason: 'not today', context: [] });
    clock.advance(250);
    assert.deepEqual(await verdict, { allowed: false, reason: 'not today' });

    say({ decision: 'allow', context: [], guarded: false });
    const late = gates.mayRun(waiting);
    for (let passed = 0; passed <= 10_000; passed += 250) {
      await atRest();
      clock.advance(250);
    }
    assert.equal((await late).allowed, true, 'they have not come back');
  });

  it('count the wait for rules from when the gateway answers', async () => {
    const { clock, decision, gates, say } = setUp();
    let answer: (decision: HookDecision) => void = () => undefined;
    decision.next = new Promise((resolve) => (answer = resolve));
    const verdict = gates.mayRun(waiting, true);
    clock.advance(12_000);
    answer({ decision: 'allow', context: [], guarded: false });
    say({ decision: 'deny', reason: 'not today', context: [] });
    await atRest();
    clock.advance(250);
    assert.deepEqual(await verdict, { allowed: false, reason: 'not today' });
  });

  it('keep context for later, and ask again when nobody could be asked', async () => {
    const { asked, context, show, say } = setUp();
    say(undefined);
    await show(waiting);
    say({ decision: 'allow', context: [{ provider: 'ci', content: 'careful' }] });
    await show(waiting);
    await show(waiting);
    assert.equal(asked.length, 2);
    assert.deepEqual(context, [[{ provider: 'ci', content: 'careful' }]]);
  });
});
