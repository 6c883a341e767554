import assert from 'node:assert/strict';
import type { AttentionItem, AttentionKind } from './attentionItems.ts';
import { remembered, unnotified } from './unnotified.ts';

const item = (id: string, kind: AttentionKind, isLoading?: true): AttentionItem => ({
  id,
  hostId: 'embedded',
  hostLabel: 'This computer',
  kind,
  uri: 'demo:/1',
  title: 'Fix it',
  what: 'x',
  since: 0,
  ...(isLoading && { isLoading }),
});
const ids = (items: readonly AttentionItem[]) => items.map(({ id }) => id);

describe('unnotified', () => {
  it('is each item once, also after a reload', () => {
    const call = item('c', 'call');
    const first = unnotified([], [call], []);
    const kept = remembered(first.known, first.fresh);
    assert.deepEqual([ids(first.fresh), kept], [['c'], ['c']]);
    assert.deepEqual(ids(unnotified([call], [call, item('q', 'question')], kept).fresh), ['q']);
    assert.deepEqual(ids(unnotified([], [call], kept).fresh), []);
  });

  it('waits for the state that tells what it is', () => {
    const loading = item('u', 'unknown', true);
    assert.deepEqual(unnotified([], [loading], ['c']), { fresh: [], known: ['c'] });
    assert.deepEqual(ids(unnotified([loading], [item('c', 'call')], ['c']).fresh), []);
    assert.deepEqual(ids(unnotified([loading], [item('u', 'unknown')], ['c']).fresh), ['u']);
  });

  it('is a failure again once the one before was seen, and no call that is only out of reach for a while', () => {
    for (const kind of ['failed', 'signIn', 'unknown'] as const) {
      const again = unnotified([item('f', kind)], [], ['f']);
      assert.deepEqual(ids(unnotified([], [item('f', kind)], again.known).fresh), ['f']);
    }
    const turn = { id: 't', kind: 'finished' } as const;
    assert.deepEqual(unnotified([turn], [], ['t']).known, ['t'], 'a turn finishes once');
    const away = unnotified([item('c', 'call')], [], ['c']);
    assert.deepEqual(ids(unnotified([], [item('c', 'call')], away.known).fresh), []);
  });

  it('remembers a bounded number', () => {
    const many = Array.from({ length: 600 }, (_, index) => item(`c${index}`, 'call'));
    assert.equal(remembered([], many).length, 500);
  });
});
