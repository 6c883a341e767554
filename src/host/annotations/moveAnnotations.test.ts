import assert from 'node:assert/strict';
import type { Annotation } from '../../ahp/channels/annotations.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { ContentStore } from '../files/contentStore.ts';
import { annotationsUri } from '../state/chatUris.ts';
import { StateStore } from '../state/stateStore.ts';
import { moveAnnotations } from './moveAnnotations.ts';
import { annotationsSummary } from '../state/listedSession.ts';
import { annotate, openAnnotations, withAnnotations } from './sessionAnnotations.ts';

const session = 'demo:/1';
const file = 'file:///w/a.ts';

describe('Annotations of a session', () => {
  let store: StateStore;
  let contents: ContentStore;
  beforeEach(() => {
    store = new StateStore();
    contents = new ContentStore();
    const state = { provider: 'demo', title: '', status: SessionStatus.Idle, lifecycle: 'ready', activeClients: [], chats: [] };
    store.add({ channel: session, kind: 'session', state: state as SessionState }, session);
  });

  const lines = (start: number, end: number) => ({ start: { line: start, character: 0 }, end: { line: end, character: 0 } });
  const set = (id: string, fields: Partial<Annotation> = {}) =>
    annotate(store, session, {
      type: 'annotations/set',
      annotation: { ...{ id, origin: { session }, resource: file, resolved: false, entries: [{ id: 'e', text: 'Why?' }] }, ...fields },
    });
  const side = (text: string, uri = file) => ({ uri, content: contents.put(session, text, 'text/plain') });
  const shown = () =>
    store
      .annotations(annotationsUri(session))
      ?.annotations.map(({ id, resource, range }) => [id, resource, range?.start.line, range?.end.line]);

  it('move with the text of their file, and no others', () => {
    set('a', { range: lines(1, 2) });
    set('b', { range: lines(0, 1) });
    set('c');
    set('d', { resource: 'file:///w/b.ts', range: lines(1, 2) });
    const { serverSeq } = store;
    moveAnnotations(store, contents, session, { before: side('one\ntwo\n'), after: side('one\nnew\ntwo\n') });
    assert.deepEqual(shown(), [
      ['a', file, 2, 3],
      ['b', file, 0, 1],
      ['c', file, undefined, undefined],
      ['d', 'file:///w/b.ts', 1, 2],
    ]);
    assert.equal(store.serverSeq - serverSeq, 1);
  });

  it('are many, and cost one comparison of the texts', () => {
    for (let index = 0; index < 1_000; index++) set(`${index}`, { range: lines(5, 6) });
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join('');
    let reads = 0;
    const counting = { read: (uri: string) => (reads++, contents.read(uri)) };
    moveAnnotations(store, counting, session, { before: side(text), after: side(`new\n${text}`) });
    assert.deepEqual([reads, new Set(shown()?.map(([, , start]) => start))], [2, new Set([6])]);
  });

  it('go with a file that is moved, and stay where it is deleted or not kept as text', () => {
    set('a', { range: lines(1, 2) });
    moveAnnotations(store, contents, session, { before: side('one\n'), after: undefined });
    moveAnnotations(store, contents, session, { before: { uri: file, content: { uri: file } }, after: side('') });
    assert.deepEqual(shown(), [['a', file, 1, 2]]);
    moveAnnotations(store, contents, session, { before: side('one\ntwo\n'), after: side('new\none\ntwo\n', 'file:///w/c.ts') });
    assert.deepEqual(shown(), [['a', 'file:///w/c.ts', 2, 3]]);
  });

  it('have a channel once somebody looks for them', () => {
    openAnnotations(store, session);
    openAnnotations(store, session);
    assert.deepEqual(shown(), []);
    set('a');
    assert.equal(shown()?.length, 1);
    openAnnotations(store, 'demo:/2');
    assert.equal(store.annotations(annotationsUri('demo:/2')), undefined);
    assert.throws(() => set('b', { origin: { session: 'demo:/2' } }), /origin/);
  });

  it('are named by a session of an earlier version, whose channels stay the same otherwise', () => {
    const [first] = withAnnotations(store.family(session), session);
    assert.deepEqual((first?.state as SessionState).annotations, annotationsSummary(session, []));
    const again = withAnnotations(first ? [first] : [], session);
    assert.equal(again[0], first);
  });
});
