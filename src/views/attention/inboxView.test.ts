import assert from 'node:assert/strict';
import type { HostInput } from '../sessionList/sessionTree.ts';
import { inShownOrder, unknownHosts } from './inboxView.ts';

describe('inShownOrder', () => {
  const item = (id: string, since: number) => ({ id, since });
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).join('');

  it('begins with what has waited longest', () => {
    assert.equal(ids(inShownOrder([item('a', 3), item('b', 1), item('c', 2)], [])), 'bca');
  });
  it('keeps the place of what was there, whatever appears or goes', () => {
    assert.equal(ids(inShownOrder([item('a', 3), item('b', 1), item('c', 2), item('d', 0)], ['a', 'x', 'b'])), 'abdc');
    assert.equal(ids(inShownOrder([item('b', 1), item('a', 3)], ['a', 'b'])), 'ab');
  });
  it('keeps the order of the hosts among what began to wait at the same time', () => {
    assert.equal(ids(inShownOrder([item('a', 1), item('b', 1), item('c', 1)], [])), 'abc');
  });
});

describe('unknownHosts', () => {
  const host = (label: string, changes: Partial<HostInput>): HostInput => ({
    id: label,
    label,
    connection: { connected: true, failed: false, text: '' },
    sessions: [],
    listed: true,
    topSession: (uri) => uri,
    ...changes,
  });
  const offline = { connected: false, failed: false, text: '' };
  const problem = { brief: '', message: '' } as never;

  it('knows what waits at hosts that are connected and have listed their sessions', () => {
    assert.deepEqual(unknownHosts([host('a', {}), host('b', { listed: false, needsSignIn: true, listError: 'x' })]), {
      isLoading: false,
      away: [],
    });
  });
  it('does not know it yet of those that are connecting or listing', () => {
    assert.equal(unknownHosts([host('a', { connection: offline })]).isLoading, true);
    assert.equal(unknownHosts([host('a', { listed: false })]).isLoading, true);
  });
  it('names those that cannot be reached or do not list', () => {
    const away = [
      host('a', { connection: { ...offline, failed: true } }),
      host('b', { connection: { ...offline, problem } }),
      host('c', { listError: 'no' }),
    ];
    assert.deepEqual(unknownHosts([...away, host('d', {})]), { isLoading: false, away: ['a', 'b', 'c'] });
  });
});
