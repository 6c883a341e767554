import assert from 'node:assert/strict';
import { WordedError } from '../../../../base/errors.ts';
import {
  type Annotation,
  type AnnotationsAction,
  annotationsReducer,
  type AnnotationsState,
} from '../../../../ahp/channels/annotations.ts';
import { annotationsProblem } from '../../../checks/annotationChecks.ts';
import { leftOff, offered } from '../engine/offeredTools.ts';
import { commentToolNames, commentTools, runCommentTool } from './commentTools.ts';

const session = 'copilot:/1';
const turn = { id: 't', chat: 'ahp-chat:1' };

describe('The tools for comments', () => {
  let state: AnnotationsState;
  const host = {
    session,
    workingDirectory: '/w',
    get annotations() {
      return state.annotations;
    },
    annotate(action: AnnotationsAction) {
      const problem = annotationsProblem(action, state, session);
      if (problem !== undefined) throw new WordedError(problem);
      state = annotationsReducer(state, action, 0);
    },
  };
  const run = (name: string, args: unknown) => runCommentTool(host, name, args, turn);
  const ofUser = (id: string, resource: string, fields: Partial<Annotation> = {}): Annotation => ({
    ...{ id, origin: { session }, resource, resolved: false, entries: [{ id: 'e', text: 'Why?' }] },
    ...fields,
  });
  beforeEach(() => {
    state = { annotations: [] };
  });

  it('add comments to lines and to whole files, as of this turn', () => {
    run('addComment', { path: 'src/a.ts', text: 'Slow', line: 3, endLine: 5 });
    run('addComment', { path: '/else/b.ts', text: 'Old', line: 2 });
    run('addComment', { path: 'c.ts', text: 'All of it' });
    assert.deepEqual(
      state.annotations.map(({ origin, resource, range, entries }) => [
        origin,
        resource,
        range?.start.line,
        range?.end.line,
        entries[0]?.text,
      ]),
      [
        [{ session, chat: 'ahp-chat:1', turnId: 't' }, 'file:///w/src/a.ts', 2, 5, { markdown: 'Slow' }],
        [{ session, chat: 'ahp-chat:1', turnId: 't' }, 'file:///else/b.ts', 1, 2, { markdown: 'Old' }],
        [{ session, chat: 'ahp-chat:1', turnId: 't' }, 'file:///w/c.ts', undefined, undefined, { markdown: 'All of it' }],
      ],
    );
  });

  it('list what is open, of one file or all, with who has said what', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    state = {
      annotations: [ofUser('a', 'file:///w/a%20b.ts', { range }), ofUser('b', 'file:///w/c.ts', { resolved: true })],
    };
    run('replyToComment', { comment: 'a', text: 'Because.' });
    assert.equal(run('listComments', {}), 'Comment `a` on line 1 of `a b.ts` (open):\n- user: Why?\n- you: Because.');
    assert.match(run('listComments', { resolved: true }), /`b` on `c\.ts` \(resolved\)/);
    assert.equal(run('listComments', { path: 'c.ts' }), 'There are no such comments.');
    assert.match(run('listComments', { path: '/w/a b.ts' }), /^Comment `a`/);
  });

  it('resolve comments', () => {
    state = { annotations: [ofUser('a', 'file:///w/a.ts'), ofUser('b', 'file:///w/a.ts')] };
    run('resolveComments', { comments: ['b'] });
    assert.deepEqual(
      state.annotations.map(({ resolved }) => resolved),
      [false, true],
    );
  });

  it('say what is wrong with a call', () => {
    assert.throws(() => run('addComment', { path: 'a.ts' }), /text is missing/);
    assert.throws(() => run('addComment', { path: 'a.ts', text: 'x', line: 0 }), /line must be/);
    assert.throws(() => run('addComment', { path: 'a.ts', text: 'x', line: 5, endLine: 3 }), /must not end before/);
    assert.throws(() => run('addComment', { path: 'a.ts', text: 'x'.repeat(70_000) }), /at most/);
    assert.throws(() => run('replyToComment', { comment: 'z', text: 'x' }), /no annotation z/);
    assert.throws(() => run('resolveComments', { comments: 'a' }), /list/);
    assert.throws(() => run('toString', {}), /no tool/);
  });

  it('have names that the engine does not have', () => {
    assert.deepEqual(
      commentTools(async () => '').map(({ name }) => name),
      commentToolNames,
    );
    for (const name of commentToolNames) assert.ok(!offered.includes(name) && !leftOff.includes(name), name);
  });
});
