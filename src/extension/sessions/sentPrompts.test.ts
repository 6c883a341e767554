import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { said } from '../../../test/fakes/models.ts';
import type { ClientAction } from '../../ahp/client/model/resourceModel.ts';
import type { Gesture } from '../../views/session/sessionGesture.ts';
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
const prompt = (turnId: string): Gesture => ({ type: 'chat/turnStarted', turnId, startedAt: '', message: said(turnId) });
const queued = (id: string): Gesture => ({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: said(id) });
/** What the model shows as pending. */
const pendingOf = (...actions: Gesture[]) => actions.map((action, index) => ({ clientSeq: index + 1, action }));

/** A window that is loaded with this storage, and what it gives its client. */
function load(storage: MemoryMemento) {
  const prompts = new SentPrompts(storage);
  const restored: ClientAction[] = [];
  const model = (...pending: Gesture[]) => ({
    pending: pendingOf(...pending),
    restore(action: ClientAction) {
      restored.push(action);
      return { clientSeq: restored.length, settled: Promise.resolve({ kind: 'confirmed' as const }) };
    },
  });
  return { prompts, model, restored };
}

describe('SentPrompts', () => {
  it('gives the client of the next window what was not settled, and only of that session', async () => {
    const storage = new MemoryMemento();
    await load(storage).prompts.store(ref, [
      { action: prompt('a') },
      { action: { type: 'session/titleChanged', title: 'no prompt' } as Gesture },
      { action: queued('b') },
      { action: queued('c') },
    ]);
    const next = load(storage);
    next.prompts.restore({ hostId: 'another', uri: ref.uri }, next.model());
    assert.deepEqual(next.restored, []);
    next.prompts.restore(ref, next.model(queued('b')));
    assert.deepEqual(next.restored, [prompt('a'), queued('c')]);
  });

  it('keeps what became of a message that was written while the host was away', async () => {
    const storage = new MemoryMemento();
    await load(storage).prompts.store(ref, pendingOf(queued('a')));
    await load(storage).prompts.store(ref, pendingOf(prompt('a')));
    const next = load(storage);
    next.prompts.restore(ref, next.model());
    assert.deepEqual(next.restored, [prompt('a')]);
  });

  it('forgets what is settled, and writes only what changed', async () => {
    const storage = new MemoryMemento();
    const { prompts } = load(storage);
    await prompts.store(ref, []);
    assert.equal(storage.updates, 0);
    await prompts.store(ref, pendingOf(prompt('a')));
    await prompts.store(ref, pendingOf(prompt('a')));
    assert.equal(storage.updates, 1);
    await prompts.store(ref, []);
    const next = load(storage);
    next.prompts.restore(ref, next.model());
    assert.deepEqual(next.restored, []);
  });
});
