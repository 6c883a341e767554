import assert from 'node:assert/strict';
import { dropGrants, type Grant, grantsOf, keepGrant } from './grants.ts';
import type { SessionState } from './v1/session.ts';

/** A fake session that has nothing but its `_meta`. */
function session(meta: Record<string, unknown> = {}) {
  const state = { _meta: meta } as unknown as SessionState;
  const setMeta = (key: string, value: unknown) => (state._meta = { ...state._meta, [key]: value });
  return { state, setMeta };
}

describe('what was allowed for a session', () => {
  const grants: Grant[] = [
    { kind: 'command', text: 'npm test' },
    { kind: 'read', root: '/a' },
    { kind: 'write', root: '/a/b' },
    { kind: 'url', origin: 'https://pages.example' },
    { kind: 'tool', name: 'shop/order' },
    { kind: 'everyCommand', turnId: 't' },
  ];

  it('is kept, each thing once and the newest last', () => {
    const host = session({ other: 1 });
    for (const grant of [...grants, grants[0]!]) keepGrant(host, grant);
    assert.deepEqual(grantsOf(host.state), [...grants.slice(1), grants[0]]);
    assert.equal(host.state._meta?.other, 1);
  });

  it('can be taken back', () => {
    const host = session();
    for (const grant of grants) keepGrant(host, grant);
    dropGrants(host, ({ kind }) => kind === 'read' || kind === 'tool');
    assert.deepEqual(
      grantsOf(host.state).map(({ kind }) => kind),
      ['command', 'write', 'url', 'everyCommand'],
    );
    dropGrants(host, () => true);
    assert.deepEqual(grantsOf(host.state), []);
  });

  it('does not grow without end', () => {
    const host = session();
    for (let number = 0; number < 600; number++) keepGrant(host, { kind: 'command', text: String(number) });
    const kept = grantsOf(host.state);
    assert.deepEqual([kept.length, kept.at(-1)], [500, { kind: 'command', text: '599' }]);
  });

  it('is nothing that is not understood', () => {
    const damaged = [null, 1, {}, { kind: 'everything', text: 'x' }, { kind: 'read', text: '/' }, { kind: 'read', root: '' }];
    const later = [{ kind: 'command', text: 'x', also: 'y' }, { kind: 'write', root: 1 }, { kind: 'url' }];
    assert.deepEqual(grantsOf({ _meta: { 'tapline.grants': [...damaged, ...later] } }), []);
    assert.deepEqual(grantsOf({ _meta: { 'tapline.grants': 'all' } }), []);
    assert.deepEqual(grantsOf({}), []);
  });
});
