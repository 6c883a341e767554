import assert from 'node:assert/strict';
import type { SessionState } from '../v1/session.ts';
import { sameState } from './sameState.ts';

const session = (more: object = {}): SessionState => ({
  summary: { resource: 't:/1', provider: 't', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [],
  ...more,
});

describe('sameState', () => {
  it('compares values, whatever the clocks say and whether an absent field is named', () => {
    assert.ok(sameState(session({ _meta: { a: [1, { b: 2 }] } }), session({ _meta: { a: [1, { b: 2 }] }, activeTurn: undefined })));
    assert.ok(sameState(session(), { ...session(), summary: { ...session().summary, modifiedAt: 9 } }));
    assert.ok(!sameState(session({ _meta: { a: [1, { b: 2 }] } }), session({ _meta: { a: [1, { b: 3 }] } })));
    assert.ok(!sameState(session({ _meta: {} }), session({ _meta: [] })));
  });

  it('takes a nesting that no host needs for a difference, and does not fail on it', () => {
    const deep = () => session(JSON.parse(`{"_meta":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`) as object);
    assert.equal(sameState(deep(), deep()), false);
  });
});
