import assert from 'node:assert/strict';
import { SessionSet } from './sessionSet.ts';

describe('a set of sessions', () => {
  const values = new Map<string, unknown>();
  const storage = {
    get: <T>(key: string, fallback?: T) => (values.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
  const session = { hostId: 'embedded', uri: 'demo:/1' };

  it('keeps a session by host, tells the change, and sees what another window wrote', async () => {
    const pinned = new SessionSet(storage, 'pinned');
    const other = new SessionSet(storage, 'pinned');
    const seen: boolean[] = [];
    pinned.onDidChange(() => seen.push(pinned.has(session)));
    await pinned.set([session], true);
    assert.equal(other.has(session), true);
    assert.equal(other.has({ ...session, hostId: 'ws://other/' }), false);
    await other.set([{ hostId: 'embedded', uri: 'demo:/2' }], true);
    await pinned.set([session], false);
    assert.deepEqual(seen, [true, false]);
    assert.deepEqual([...pinned.nodeIds], ['embedded\nsession\ndemo:/2']);
  });

  it('forgets the oldest above its limit', async () => {
    const pinned = new SessionSet(storage, 'many');
    await pinned.set([session], true);
    await pinned.set(
      Array.from({ length: 1000 }, (_, index) => ({ hostId: 'h', uri: `demo:/${index}` })),
      true,
    );
    assert.equal(pinned.nodeIds.size, 1000);
    assert.equal(pinned.has(session), false);
  });
});
