import assert from 'node:assert/strict';
import {
  annotationsClientActions,
  type AnnotationsAction,
  annotationsReducer,
  type AnnotationsState,
} from '../../ahp/channels/annotations.ts';
import { annotationThreads } from './annotationThreads.ts';
import { edit, entryOf, newThread, removeComment, removeThread, reply, setResolved } from './annotationChanges.ts';

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
const empty: AnnotationsState = { annotations: [] };
const after = (state: AnnotationsState, ...actions: (AnnotationsAction | undefined)[]): AnnotationsState =>
  actions.reduce<AnnotationsState>((now, action) => {
    assert.ok(action);
    assert.ok(annotationsClientActions[action.type].safeParse(action).success, action.type);
    return annotationsReducer(now, action, 0);
  }, state);
const shown = (state: AnnotationsState) =>
  annotationThreads(state, state).threads.map(({ id, isResolved, comments }) => [id, isResolved, comments.map(({ text }) => text)]);

describe('What a client does to annotations', () => {
  const begun = after(empty, newThread('a', 's:/1', 'file:///w/a.ts', range, entryOf('e', 'Why?')));
  const answered = after(begun, reply('a', entryOf('f', 'So.')));

  it('begins a thread of the session, on lines or on the whole file', () => {
    const [thread] = begun.annotations;
    assert.deepEqual([thread?.origin, thread?.resource, thread?.range], [{ session: 's:/1' }, 'file:///w/a.ts', range]);
    const whole = after(empty, newThread('a', 's:/1', 'file:///w/a.ts', undefined, entryOf('e', 'Why?')));
    assert.equal('range' in whole.annotations[0]!, false);
  });

  it('replies, resolves and reopens', () => {
    assert.deepEqual(shown(answered), [['a', false, ['Why?', 'So.']]]);
    assert.deepEqual(shown(after(answered, setResolved('a', true))), [['a', true, ['Why?', 'So.']]]);
    assert.deepEqual(shown(after(answered, setResolved('a', true), setResolved('a', false))), shown(answered));
  });

  it('edits a comment that is there, and keeps what else it holds', () => {
    const noted = after(answered, reply('a', { ...entryOf('f', 'So.'), _meta: { by: 'x' } }));
    const edited = after(noted, edit(noted, 'a', entryOf('f', 'So!')));
    assert.deepEqual(edited.annotations[0]?.entries[1], { id: 'f', text: { markdown: 'So!' }, _meta: { by: 'x' } });
    assert.equal(edit(noted, 'a', entryOf('g', 'x')), undefined);
    assert.equal(edit(noted, 'b', entryOf('f', 'x')), undefined);
  });

  it('removes a comment, the thread with the last one, or all of a thread', () => {
    const one = after(answered, removeComment(answered, 'a', 'f'));
    assert.deepEqual(shown(one), [['a', false, ['Why?']]]);
    assert.deepEqual(after(one, removeComment(one, 'a', 'e')), empty);
    assert.deepEqual(after(answered, removeThread('a')), empty);
  });
});
