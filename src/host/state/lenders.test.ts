import assert from 'node:assert/strict';
import type { SessionState } from '../../ahp/v1/session.ts';
import { Lenders } from './lenders.ts';
import { StateStore } from './stateStore.ts';

const uri = 't:/1';
const session: SessionState = {
  summary: { resource: uri, provider: 'test', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [],
};
const entry = (clientId: string, ...tools: string[]) => ({ clientId, tools: tools.map((name) => ({ name })) });

describe('lenders', () => {
  let store: StateStore;
  let lenders: Lenders;
  let changed: string[];
  const ids = (of = uri) => lenders.of(of).map(({ clientId, tools }) => [clientId, ...tools.map(({ name }) => name)].join(' '));

  beforeEach(() => {
    store = new StateStore();
    store.add(uri, session);
    lenders = new Lenders(store);
    changed = [];
    lenders.onDidChange((of) => changed.push(of));
  });
  afterEach(() => lenders.dispose());

  it('are that of version 1 first, then the others in the order in which they came', () => {
    lenders.set(uri, entry('a', 'one'));
    lenders.set(uri, entry('b', 'two'));
    store.dispatch({ type: 'session/activeClientChanged', session: uri, activeClient: entry('older', 'three') });
    assert.deepEqual(ids(), ['older three', 'a one', 'b two']);
    assert.deepEqual(changed, [uri, uri, uri]);
    assert.deepEqual(store.session(uri)?.activeClient, entry('older', 'three'));
  });

  it('change their tools where they stand', () => {
    lenders.set(uri, entry('a', 'one'));
    lenders.set(uri, entry('b'));
    lenders.set(uri, entry('a', 'four', 'five'));
    assert.deepEqual(ids(), ['a four five', 'b']);
  });

  it('have one place, also when they come back with the other protocol', () => {
    const older = (activeClient: ReturnType<typeof entry>) =>
      store.dispatch({ type: 'session/activeClientChanged', session: uri, activeClient });
    lenders.set(uri, entry('a', 'one'));
    older(entry('a', 'two'));
    assert.deepEqual([ids(), lenders.beside(uri)], [['a two'], []]);
    lenders.set(uri, entry('a', 'three'));
    assert.deepEqual([ids(), store.session(uri)?.activeClient], [['a three'], undefined]);
    const refused = { type: 'session/activeClientChanged' as const, session: uri, activeClient: entry('a') };
    store.reject(refused, { clientId: 'a', clientSeq: 1 }, 'no');
    assert.deepEqual(ids(), ['a three']);
  });

  it('go one by one, from all sessions when the client leaves, and with the session', () => {
    const other = 't:/2';
    store.add(other, { ...session, summary: { ...session.summary, resource: other } });
    for (const of of [uri, other]) for (const clientId of ['a', 'b']) lenders.set(of, entry(clientId));
    changed = [];
    lenders.remove(uri, 'nobody');
    assert.deepEqual(changed, []);
    lenders.remove(uri, 'b');
    assert.deepEqual([ids(), ids(other)], [['a'], ['a', 'b']]);
    lenders.left('a');
    assert.deepEqual([ids(), ids(other), changed], [[], ['b'], [uri, uri, other]]);
    store.delete(other);
    assert.deepEqual(lenders.beside(other), []);
  });
});
