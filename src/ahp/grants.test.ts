import assert from 'node:assert/strict';
import { dropGrants, type Grant, grantsMeta, grantsMetaFor, grantsOf, hasGrants, keepGrant } from './grants.ts';
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
    { kind: 'lentTool', name: 'lookup', provider: 'zoo', trust: 'external', origin: 'https://zoo.example', digest: 'd' },
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
      ['command', 'write', 'url', 'lentTool', 'everyCommand'],
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
    later.push({ kind: 'lentTool', name: 'x' } as never, { kind: 'lentTool', name: 'x', digest: 'd', also: 'y' } as never);
    assert.deepEqual(grantsOf({ _meta: { 'tapline.grants': [...damaged, ...later] } }), []);
    assert.deepEqual(grantsOf({ _meta: { 'tapline.grants': 'all' } }), []);
    assert.deepEqual(grantsOf({}), []);
  });

  it('is agreed upon with older and newer sides', () => {
    assert.deepEqual(grantsMetaFor(grantsMeta), grantsMeta);
    assert.deepEqual(grantsMetaFor({ 'tapline.grants': 1 }), { 'tapline.grants': 1 }, 'an older client can take back what it knows');
    assert.deepEqual(grantsMetaFor({ 'tapline.grants': 9 }), grantsMeta);
    for (const version of [1, 2, 9]) assert.equal(hasGrants({ 'tapline.grants': version }), true);
    for (const meta of [undefined, {}, { 'tapline.grants': 0 }, { 'tapline.grants': '1' }]) {
      assert.equal(hasGrants(meta), false);
      assert.deepEqual(grantsMetaFor(meta), {});
    }
  });
});
