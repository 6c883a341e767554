import assert from 'node:assert/strict';
import type { RootState } from '../../v1/root.ts';
import type { SessionState } from '../../v1/session.ts';
import type { TerminalState } from '../../v1/terminal.ts';
import { sameState } from './sameState.ts';

const session = (more: object = {}): SessionState => ({
  summary: { resource: 't:/1', provider: 't', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [],
  ...more,
});

describe('sameState', () => {
  it('compares values, but not the times, and takes undefined for absent', () => {
    assert.ok(sameState(session({ _meta: { a: [1, { b: 2 }] } }), session({ _meta: { a: [1, { b: 2 }] }, activeTurn: undefined })));
    assert.ok(sameState(session(), { ...session(), summary: { ...session().summary, modifiedAt: 9 } }));
    assert.ok(!sameState(session({ _meta: { a: [1, { b: 2 }] } }), session({ _meta: { a: [1, { b: 3 }] } })));
    assert.ok(!sameState(session({ _meta: {} }), session({ _meta: [] })));
  });

  it('leaves out what only hosts of another version keep', () => {
    const old = session();
    const theirs = (fields: object) => ({ ...old, summary: { ...old.summary, ...fields } }) as SessionState;
    assert.ok(sameState(old, theirs({ isRead: false, isDone: true })));
    assert.ok(sameState(old, { ...old, somethingNew: 1 } as SessionState));
    assert.ok(sameState({ agents: [] }, { agents: [], somethingNew: 1 } as RootState));
    const terminal: TerminalState = { title: '', content: [], claim: { kind: 'client', clientId: 'c' } };
    assert.ok(sameState(terminal, { ...terminal, somethingNew: 1 } as TerminalState));
    for (const fields of [{ status: 8 }, { title: 'x' }, { diffs: [] }]) assert.ok(!sameState(old, theirs(fields)));
    assert.ok(!sameState({ agents: [] }, { agents: [], activeSessions: 1 }));
    assert.ok(!sameState(terminal, { ...terminal, exitCode: 0 }));
  });

  it('takes a nesting that is too deep for a difference, and does not fail', () => {
    const deep = () => session(JSON.parse(`{"_meta":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`) as object);
    assert.equal(sameState(deep(), deep()), false);
  });
});
