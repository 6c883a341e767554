import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { keptIn, MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import { CallMemory, sessionsWithCalls } from './callMemory.ts';

describe('The memory of calls', () => {
  let storage: MemoryStorage;
  let memory: CallMemory;
  let clock: FakeClock;
  const load = () => (memory = new CallMemory(keptIn(storage, (clock = new FakeClock()))));
  beforeEach(() => {
    storage = new MemoryStorage();
    load();
  });
  /** As after a reload of the window. */
  const reload = () => {
    memory.dispose();
    return load();
  };
  const id = (callId: string, chat?: string) => ({ session: 'host\nx:/1', chat, turnId: 'turn', callId });
  const result = (length: number): ToolCallResult => ({
    success: true,
    pastTenseMessage: 'Called work',
    content: [{ type: 'text', text: 'x'.repeat(length) }],
  });

  it('keeps what became of a call until it is settled, also for the next window', async () => {
    await memory.sent(id('a'));
    memory.answered(id('b'), result(3));
    reload();
    assert.deepEqual([memory.get(id('a')), memory.get(id('b'))], [{ kind: 'sent' }, { kind: 'answered', result: result(3) }]);
    memory.forget(id('b'));
    clock.advance(250);
    assert.deepEqual(reload().of('host\nx:/1'), [id('a')]);
    assert.deepEqual([...memory.sessions, ...sessionsWithCalls(storage)], ['host\nx:/1', 'host\nx:/1']);
  });

  it('tells calls of several chats apart', async () => {
    await memory.sent(id('a'));
    await memory.sent(id('a', 'ahp-chat:/1'));
    memory.answered(id('a', 'ahp-chat:/2'), result(1));
    assert.equal(memory.get(id('a', 'ahp-chat:/1'))?.kind, 'sent');
    memory.forget(id('a', 'ahp-chat:/1'));
    assert.deepEqual(memory.of('host\nx:/1'), [id('a'), id('a', 'ahp-chat:/2')]);
  });

  it('is bounded: the oldest results go, and the calls are still known', () => {
    for (let call = 0; call < 40; call++) memory.answered(id(String(call)), result(150_000));
    reload();
    assert.ok(JSON.stringify(storage.get('tapline.clientToolCalls')).length < 2_500_000);
    assert.deepEqual(memory.get(id('0')), { kind: 'answered' });
    assert.deepEqual(memory.get(id('39')), { kind: 'answered', result: result(150_000) });
    memory.answered(id('huge'), result(300_000));
    assert.deepEqual(memory.get(id('huge')), { kind: 'answered' });
  });
});
