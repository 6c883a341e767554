import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { StateAction } from '../../ahp/v1/actions.ts';
import { SentPrompts } from './sentPrompts.ts';

class MemoryMemento implements vscode.Memento {
  readonly values = new Map<string, unknown>();
  updates = 0;
  keys(): readonly string[] {
    return [...this.values.keys()];
  }
  get<T>(key: string, fallback?: T): T | undefined {
    return (this.values.get(key) as T | undefined) ?? fallback;
  }
  async update(key: string, value: unknown): Promise<void> {
    this.updates++;
    this.values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

const ref = { hostId: 'embedded', uri: 'demo:/1' };
const prompt = (turnId: string): StateAction => ({ type: 'session/turnStarted', session: ref.uri, turnId, userMessage: { text: turnId } });
const queued = (id: string): StateAction => ({
  type: 'session/pendingMessageSet',
  session: ref.uri,
  kind: 'queued',
  id,
  userMessage: { text: id },
});

/** A window that is loaded with this storage, and what it gives its client. */
function load(storage: MemoryMemento) {
  const prompts = new SentPrompts(storage);
  const restored: [string, StateAction][] = [];
  const client = {
    restorePending(uri: string, action: StateAction) {
      restored.push([uri, action]);
      return { clientSeq: restored.length, settled: Promise.resolve({ kind: 'confirmed' as const }) };
    },
  };
  return { prompts, client, restored };
}

describe('SentPrompts', () => {
  it('gives the client of the next window what was not settled, and only of that session', async () => {
    const storage = new MemoryMemento();
    await load(storage).prompts.store(ref, [
      { clientSeq: 1, action: prompt('a') },
      { clientSeq: 2, action: { type: 'session/titleChanged', session: ref.uri, title: 'no prompt' } },
      { clientSeq: 3, action: queued('b'), outcome: 'unknown' },
      { clientSeq: 4, action: queued('c') },
    ]);
    const next = load(storage);
    next.prompts.restore({ hostId: 'another', uri: ref.uri }, next.client, []);
    assert.deepEqual(next.restored, []);
    next.prompts.restore(ref, next.client, [{ clientSeq: 9, action: queued('b') }]);
    assert.deepEqual(next.restored, [
      [ref.uri, prompt('a')],
      [ref.uri, queued('c')],
    ]);
  });

  it('forgets what is settled, and writes only what changed', async () => {
    const storage = new MemoryMemento();
    const { prompts } = load(storage);
    await prompts.store(ref, []);
    assert.equal(storage.updates, 0);
    await prompts.store(ref, [{ clientSeq: 1, action: prompt('a') }]);
    await prompts.store(ref, [{ clientSeq: 1, action: prompt('a'), outcome: 'unknown' }]);
    assert.equal(storage.updates, 1);
    await prompts.store(ref, []);
    const next = load(storage);
    next.prompts.restore(ref, next.client, []);
    assert.deepEqual(next.restored, []);
  });
});
