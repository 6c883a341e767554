import assert from 'node:assert/strict';
import { atRest, eventually } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { aCall, aTurn, FakeHostSession } from '../../../../test/fakes/fakeHostSession.ts';
import { keptIn, MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import type { Settlement } from '../../../ahp/client/resources/subscription.ts';
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { nullLogger } from '../../../base/log.ts';
import { NoLinkError } from '../../../tap/owner/ownerClient.ts';
import type { ToolOutcome } from '../../../tap/wire/owner/ownerMessages.ts';
import { CallMemory } from '../storage/callMemory.ts';
import { CallError, CallRelay, type LentTools, type Pause } from './callRelay.ts';

interface RelayedCall {
  tool: string;
  args: unknown;
  signal: AbortSignal;
  pause: Pause;
  progress(message: string): void;
  end(outcome: ToolOutcome): void;
  lose(error: Error): void;
}

class Test {
  readonly host = new FakeHostSession();
  readonly clock = new FakeClock();
  readonly storage = new MemoryStorage();
  readonly asked: RelayedCall[] = [];
  /** As a gateway that keeps nothing. */
  resume: LentTools['resume'] = async () => undefined;
  readonly settled: string[] = [];
  ready: LentTools['ready'] = async () => ({ timeoutMs: 1_000 });
  call: LentTools['call'] = ({ toolName: tool }, args, pause, _keptAs, signal, onProgress) =>
    new Promise((end, lose) => this.asked.push({ tool, args, signal, pause, end, lose, progress: (said) => onProgress(said, 'p') }));
  memory = new CallMemory(keptIn(this.storage, this.clock));
  relay = this.restart();

  /** As after a reload of the window, or in a new one after it was killed. */
  restart(): CallRelay {
    this.relay?.dispose();
    this.memory.dispose();
    this.memory = new CallMemory(keptIn(this.storage, this.clock));
    const relay = new CallRelay({
      session: 'host\ndemo:/1',
      host: this.host,
      memory: this.memory,
      clock: this.clock,
      logger: nullLogger,
      tools: {
        ready: (call, signal) => this.ready(call, signal),
        call: (...call) => this.call(...call),
        resume: (...call) => this.resume(...call),
        settled: (keptAs) => void this.settled.push(keptAs),
      },
      onProgress: () => undefined,
      onTakenUp: () => undefined,
    });
    this.relay = relay;
    return relay;
  }
  async show(...calls: Parameters<FakeHostSession['show']>): Promise<void> {
    this.host.show(...calls);
    this.relay.update();
    await atRest();
  }
  get completed(): ToolCallResult[] {
    return this.host.did.flatMap((did) => ((did as unknown[])[0] === 'complete' ? [(did as unknown[])[2] as ToolCallResult] : []));
  }
  get kept(): object {
    return (this.storage.get('tapline.clientToolCalls') ?? {}) as object;
  }
}

describe('The relay of calls', () => {
  let test: Test;
  beforeEach(() => (test = new Test()));
  const ok: ToolOutcome = { ok: true, data: 'done' };

  it('asks once for a call of ours that runs, and for no other', async () => {
    await test.show(aCall({ status: 'starting' }));
    await test.show(
      aCall({ status: 'waiting' }),
      aCall({ callId: 'theirs', clientId: 'they' }),
      aCall({ callId: 'own', clientId: undefined }),
    );
    assert.equal(test.asked.length, 0);
    await test.show(aCall({ input: '{"a":1}' }));
    await test.show(aCall({ input: '{"a":1}' }), { kind: 'text', text: 'x' });
    assert.deepEqual(
      test.asked.map(({ tool, args }) => [tool, args]),
      [['work', { a: 1 }]],
    );
    assert.equal(Object.keys(test.kept).length, 1, 'it is kept before it is asked');
    test.asked[0]?.end(ok);
    await atRest();
    await test.show(aCall({ input: '{"a":1}' }));
    assert.deepEqual(test.completed, [{ success: true, pastTenseMessage: 'Called work', content: [{ type: 'text', text: 'done' }] }]);
    await test.show(aCall({ status: 'done' }));
    test.clock.advance(250);
    assert.deepEqual(test.kept, {});
  });

  it('needs the calls that run, and none that was answered, ended elsewhere or stopped', async () => {
    const [first, second, third] = [aCall(), aCall({ callId: 'c2' }), aCall({ callId: 'c3' })];
    await test.show(first, second, third);
    assert.equal(test.relay.needed?.length, 3);
    const restarted = test.restart();
    assert.equal(restarted.needed?.length, 3, 'also before the window has seen the session');
    test.resume = () => new Promise(() => undefined);
    await test.show(first, second, third);
    await test.show(first, second);
    assert.deepEqual([restarted.needed?.length, test.settled.length], [2, 1]);
    assert.equal(restarted.needed?.includes(test.settled[0] ?? ''), false);
    restarted.stop('off');
    assert.deepEqual(restarted.needed, []);
  });

  it('needs also a call that it does not remember, and says nothing before the host has said what runs', async () => {
    await test.show(aCall());
    await test.storage.update('tapline.clientToolCalls', {});
    const restarted = test.restart();
    assert.equal(restarted.needed?.length, 1);
    test.host.set({ status: 'loading' });
    assert.equal(restarted.needed, undefined);
  });

  it('needs what it was told too much to keep, until the host has it', async () => {
    await test.show(aCall());
    test.asked[0]?.end({ ok: true, data: 'x'.repeat(300_000) });
    await atRest();
    assert.equal(test.relay.needed?.length, 1);
    await test.show(aCall({ status: 'done' }));
    assert.deepEqual(test.relay.needed, []);
  });

  it('asks nothing when the call cannot be kept, or its arguments are no object', async () => {
    test.storage.failure = new Error('the disk is full');
    await test.show(aCall());
    assert.match(test.completed[0]?.error?.message ?? '', /the disk is full/);
    for (const input of ['[1]', '"x"', 'rm -rf', 'null']) {
      test = new Test();
      await test.show(aCall({ input }));
      assert.equal(test.completed[0]?.error?.code, 'INVALID_ARGUMENTS', input);
    }
    assert.equal(test.asked.length, 0);
  });

  it('asks nothing when the arguments are not in the call', async () => {
    await test.show(aCall({ isInputElsewhere: true }));
    assert.equal(test.asked.length, 0);
    assert.match(test.completed[0]?.error?.message ?? '', /only a reference .* was not called/);
  });

  it('tells calls of several chats apart, and gives up none of a chat that is not known', async () => {
    const other = aCall({ chat: 'ahp-chat:/2' });
    test.host.otherCalls = [other];
    await test.show(aCall());
    assert.deepEqual([test.asked.length, test.relay.needed?.length], [2, 2]);
    test.host.otherCalls = [];
    test.host.set({ unknownChats: new Set(['ahp-chat:/2']) });
    await test.show(aCall());
    assert.deepEqual([test.asked[1]?.signal.aborted, test.relay.needed, test.settled], [false, undefined, []]);
    const restarted = test.restart();
    test.resume = () => new Promise(() => undefined);
    await test.show(aCall());
    assert.equal(Object.keys(test.kept).length, 2, 'it is still remembered');
    test.host.set({ unknownChats: new Set() });
    await test.show(aCall());
    test.clock.advance(250);
    assert.deepEqual([Object.keys(test.kept).length, test.settled.length, restarted.needed?.length], [1, 1, 1]);
  });

  it('says why a tool cannot be called', async () => {
    test.ready = async () => {
      throw new CallError('it has gone', 'NOT_FOUND');
    };
    await test.show(aCall());
    assert.deepEqual(test.completed[0]?.error, { message: 'it has gone', code: 'NOT_FOUND' });
  });

  it('does not make a call again that the host shows as running after its end', async () => {
    await test.show(aCall());
    test.asked[0]?.end(ok);
    await atRest();
    await test.show(aCall({ status: 'done' }));
    await test.show(aCall());
    assert.equal(test.asked.length, 1);
    assert.match(test.completed[1]?.error?.message ?? '', /was over already/);
  });

  it('says why a tool cannot be called any more once the call is kept', async () => {
    test.call = () => {
      throw new CallError('it is another tool now', 'UNAUTHORIZED');
    };
    await test.show(aCall());
    assert.deepEqual(test.completed[0]?.error, { message: 'it is another tool now', code: 'UNAUTHORIZED' });
  });

  it('ends a call whose gateway is lost, and says that it may have had an effect', async () => {
    await test.show(aCall());
    test.asked[0]?.lose(new Error('the gateway closed the link (1006)'));
    await atRest();
    const message =
      'The tap gateway was lost before the tool had answered: the gateway closed the link (1006). Whether the call has had an effect is not known: check before calling it again.';
    assert.deepEqual(test.completed[0]?.error, { message, code: 'DISCONNECTED' });
  });

  it('says nothing of an effect where the gateway has refused the call, or never got it', async () => {
    await test.show(aCall());
    test.asked[0]?.lose(new RpcError(-32001, 'this owner has no session "a"'));
    await atRest();
    assert.deepEqual(test.completed[0]?.error, { message: 'this owner has no session "a"', code: 'DISCONNECTED' });
    await test.show(aCall({ callId: 'second' }));
    test.asked[1]?.lose(new NoLinkError());
    await atRest();
    assert.deepEqual(test.completed[1]?.error, {
      message: 'The tap gateway, which runs this tool, cannot be reached. The tool was not called.',
      code: 'DISCONNECTED',
    });
  });

  it('says that a call may have had an effect which nobody answers in time', async () => {
    await test.show(aCall());
    test.clock.advance(11_999);
    await atRest();
    assert.equal(test.completed.length, 0);
    test.clock.advance(1);
    await atRest();
    assert.equal(test.completed[0]?.error?.code, 'TIMEOUT');
    assert.match(test.completed[0]?.error?.message ?? '', /Whether the call has had an effect is not known/);
    // The provider may still work on it.
    assert.equal(test.asked[0]?.signal.aborted, false);
    await test.show(aCall({ status: 'done' }));
    assert.equal(test.asked[0]?.signal.aborted, true);
    test.asked[0]?.progress('still at it');
    test.clock.advance(1_000);
    assert.ok(!test.host.did.some((did) => (did as unknown[])[0] === 'report'));
  });

  it('gives a call time while its user is asked, as the gateway does', async () => {
    await test.show(aCall());
    const paused = test.asked[0]?.pause();
    test.clock.advance(60_000);
    paused?.dispose();
    test.clock.advance(11_999);
    await atRest();
    assert.equal(test.completed.length, 0);
    test.clock.advance(1);
    await atRest();
    assert.equal(test.completed[0]?.error?.code, 'TIMEOUT');
  });

  for (const [title, end] of [
    ['was ended by somebody else', (host: FakeHostSession) => host.show(aCall({ status: 'failed' }))],
    ['is of a turn that was cut away', (host: FakeHostSession) => ((host.turns = []), host.set({}))],
    ['is of a turn that has ended', (host: FakeHostSession) => ((host.turns = [aTurn({ isOver: true, parts: [] })]), host.set({}))],
    ['is of a session that has gone', (host: FakeHostSession) => host.set({ status: 'gone' })],
  ] as const) {
    it(`cancels a call that ${title}, and tells its result to nobody`, async () => {
      await test.show(aCall());
      end(test.host);
      test.relay.update();
      assert.equal(test.asked[0]?.signal.aborted, true);
      test.asked[0]?.end(ok);
      await atRest();
      assert.deepEqual(test.completed, []);
    });
  }

  it('begins and gives up nothing while the host is away', async () => {
    await test.show(aCall());
    test.host.set({ status: 'stale' });
    await test.show(aCall({ callId: 'second' }));
    assert.deepEqual([test.asked.length, test.asked[0]?.signal.aborted], [1, false]);
    test.host.set({ status: 'live' });
    await test.show(aCall(), aCall({ callId: 'second' }));
    assert.deepEqual([test.asked.length, test.asked[0]?.signal.aborted], [2, false]);
  });

  it('does not repeat a call of a session that the host gives again', async () => {
    await test.show(aCall());
    test.host.set({ status: 'gone' });
    test.relay.update();
    test.host.set({ status: 'live' });
    await test.show(aCall());
    assert.equal(test.asked.length, 1);
    assert.equal(test.completed[0]?.error?.code, 'DISCONNECTED');
  });

  it('ends after a reload what was asked before and the gateway does not have, and does not ask again', async () => {
    await test.show(aCall());
    test.restart();
    await test.show(aCall());
    assert.equal(test.asked.length, 1);
    assert.match(test.completed[0]?.error?.message ?? '', /loaded again/);
  });

  it('takes up after a reload what was asked before, with its progress, and says when it needs it no more', async () => {
    const keptAs: string[] = [];
    const { call } = test;
    test.call = (...asked) => {
      keptAs.push(asked[3]);
      return call(...asked);
    };
    await test.show(aCall());
    test.restart();
    assert.equal(test.asked[0]?.signal.aborted, false, 'the call goes on');
    test.asked[0]?.progress('to nobody');
    test.asked[0]?.lose(new Error('the window has gone'));
    await atRest();
    assert.deepEqual([test.host.did.length, test.completed], [0, []], 'the window before says nothing any more');
    let end: (outcome: ToolOutcome) => void = () => undefined;
    test.resume = (kept, _signal, onProgress) => {
      keptAs.push(kept);
      onProgress('half', 'p');
      return new Promise((resolve) => (end = resolve));
    };
    await test.show(aCall());
    assert.deepEqual(test.host.did.at(-1), ['report', 'call', 'half']);
    end(ok);
    await atRest();
    assert.deepEqual(test.completed[0]?.content, [{ type: 'text', text: 'done' }]);
    assert.deepEqual(test.settled, []);
    await test.show(aCall({ status: 'done' }));
    assert.equal(test.asked.length, 1);
    assert.deepEqual([...new Set([...keptAs, ...test.settled])].length, 1, 'always by the same id');
    assert.equal(test.settled.length, 1);
  });

  it('takes up a call whose gateway was out of reach for a while', async () => {
    await test.show(aCall());
    test.resume = async () => ok;
    test.asked[0]?.lose(new Error('the connection was lost'));
    await atRest();
    assert.deepEqual(test.completed[0]?.content, [{ type: 'text', text: 'done' }]);
  });

  it('asks the gateway for a result that was too large to be kept', async () => {
    test.host.answer = () => new Promise<Settlement>(() => undefined);
    await test.show(aCall());
    test.asked[0]?.end({ ok: true, data: 'x'.repeat(300_000) });
    await atRest();
    test.restart();
    test.resume = async () => ok;
    await test.show(aCall());
    assert.deepEqual(test.completed.at(-1)?.content, [{ type: 'text', text: 'done' }]);
  });

  it('does not make a call after a reload that it has refused before', async () => {
    test.host.answer = () => new Promise<Settlement>(() => undefined);
    test.ready = () => Promise.reject(new RpcError(-32000, 'not this provider', { code: 'UNAUTHORIZED' }));
    await test.show(aCall());
    const [refused] = test.completed;
    assert.equal(refused?.success, false);
    test.ready = async () => ({ timeoutMs: 1_000 });
    test.restart();
    await test.show(aCall());
    assert.deepEqual([test.asked, test.completed.at(-1)], [[], refused]);
  });

  it('ends after a reload also a call under another client id', async () => {
    await test.show(aCall());
    test.restart();
    await test.show(aCall({ clientId: 'me before' }));
    assert.equal(test.completed.length, 1);
  });

  it('hands over after a reload what was answered before, if it was small', async () => {
    for (const [data, result] of [
      ['small', { content: [{ type: 'text', text: 'small' }] }],
      ['x'.repeat(300_000), { success: false }],
    ] as const) {
      test = new Test();
      test.host.answer = () => new Promise<Settlement>(() => undefined);
      await test.show(aCall());
      test.asked[0]?.end({ ok: true, data });
      await atRest();
      test.restart();
      await test.show(aCall());
      assert.equal(test.asked.length, 1);
      const { content, success } = test.completed.at(-1) as ToolCallResult;
      assert.deepEqual('content' in result ? { content } : { success }, result);
    }
  });

  it('tells the model when the host refuses its result, and does not try for ever', async () => {
    test.host.answer = () => ({ kind: 'rejected', reason: 'too large' });
    await test.show(aCall());
    test.asked[0]?.end(ok);
    await eventually(() => test.completed.length === 3, 'three tries');
    await test.show(aCall());
    assert.equal(test.completed.length, 3);
    assert.match(test.completed[1]?.error?.message ?? '', /could not be handed over: too large/);
  });

  it('ends what runs when nothing is lent any more', async () => {
    await test.show(aCall());
    test.relay.stop('switched off');
    await atRest();
    assert.deepEqual(test.completed[0]?.error, { message: 'switched off', code: 'CANCELLED' });
    assert.equal(test.asked[0]?.signal.aborted, true);
    test.asked[0]?.end(ok);
    await atRest();
    assert.equal(test.completed.length, 1);
  });

  it('tells progress at once, and of more the last lines together', async () => {
    await test.show(aCall());
    const said = () => test.host.did.filter((did) => (did as unknown[])[0] === 'report').map((did) => (did as unknown[])[2]);
    test.asked[0]?.progress('one');
    assert.deepEqual(said(), ['one']);
    for (const line of ['two', 'three']) test.asked[0]?.progress(line);
    assert.deepEqual(said(), ['one']);
    test.clock.advance(250);
    assert.deepEqual(said(), ['one', 'one\ntwo\nthree']);
    test.clock.advance(1_000);
    for (let line = 0; line < 1_000; line++) test.asked[0]?.progress(`line ${line}`);
    test.clock.advance(250);
    assert.match(String(said().at(-1)), /^line 980\n[^]*line 999$/);
  });
});
