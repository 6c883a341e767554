import assert from 'node:assert/strict';
import { MOOD_WORDS, sessionItem, type SessionMood } from './sessionItem.ts';
import { hostIcon, sessionIcon } from './treeIcons.ts';

const summary = { resource: 'demo:/1', provider: 'demo', title: 'x', status: 1, createdAt: '', modifiedAt: '' };
const item = (mood: SessionMood) => ({ ...sessionItem(summary, 0), mood });

describe('Icons of the tree', () => {
  it('turn for a session that runs, but not for one that did when its host was last there', () => {
    assert.equal(sessionIcon({ item: item('running'), stale: false }).id, 'loading~spin');
    for (const mood of Object.keys(MOOD_WORDS) as SessionMood[]) {
      assert.doesNotMatch(sessionIcon({ item: item(mood), stale: true }).id, /spin|loading/, mood);
    }
  });

  it('do not turn for a host that is away', () => {
    const away = { connected: false, failed: false, text: 'reconnecting in 4 s', retryIn: 4 };
    assert.equal(hostIcon(away).id, 'vm-connect');
    assert.equal(hostIcon({ ...away, failed: true }).id, 'vm-outline');
    assert.equal(hostIcon({ connected: true, failed: false, text: 'connected' }).id, 'vm-active');
  });
});
