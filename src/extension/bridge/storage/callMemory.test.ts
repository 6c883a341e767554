import assert from 'node:assert/strict';
import { MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import { CallMemory } from './callMemory.ts';

describe('The memory of calls', () => {
  const id = (callId: string, chat?: string) => ({ session: 'host\nx:/1', chat, turnId: 'turn', callId });
  const result = (length: number): ToolCallResult => ({
    success: true,
    pastTenseMessage: 'Called work',
    content: [{ type: 'text', text: 'x'.repeat(length) }],
  });

  it('keeps what became of a call until it is settled, also for the next window', async () => {
    const storage = new MemoryStorage();
    const memory = new CallMemory(storage);
    await memory.sent(id('a'));
    await memory.answered(id('b'), result(3));
    const next = new CallMemory(storage);
    assert.deepEqual([next.get(id('a')), next.get(id('b'))], [{ kind: 'sent' }, { kind: 'answered', result: result(3) }]);
    await next.forget(id('b'));
    assert.deepEqual(new CallMemory(storage).of('host\nx:/1'), [id('a')]);
  });

  it('tells calls of several chats apart', async () => {
    const memory = new CallMemory(new MemoryStorage());
    await memory.sent(id('a'));
    await memory.sent(id('a', 'ahp-chat:/1'));
    await memory.answered(id('a', 'ahp-chat:/2'), result(1));
    assert.equal(memory.get(id('a', 'ahp-chat:/1'))?.kind, 'sent');
    await memory.forget(id('a', 'ahp-chat:/1'));
    assert.deepEqual(memory.of('host\nx:/1'), [id('a'), id('a', 'ahp-chat:/2')]);
  });

  it('is bounded: the oldest results go, and the calls are still known', async () => {
    const storage = new MemoryStorage();
    const memory = new CallMemory(storage);
    for (let call = 0; call < 40; call++) await memory.answered(id(String(call)), result(150_000));
    assert.ok(JSON.stringify(storage.get('tapline.clientToolCalls')).length < 2_500_000);
    assert.deepEqual(memory.get(id('0')), { kind: 'answered' });
    assert.deepEqual(memory.get(id('39')), { kind: 'answered', result: result(150_000) });
    await memory.answered(id('huge'), result(300_000));
    assert.deepEqual(memory.get(id('huge')), { kind: 'answered' });
  });
});
