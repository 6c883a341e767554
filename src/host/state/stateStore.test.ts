import assert from 'node:assert/strict';
import type { ActionEnvelope } from '../../ahp/v1/actions.ts';
import { ROOT_URI } from '../../ahp/v1/root.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { StateStore } from './stateStore.ts';

const newSession = (resource: string): SessionState => ({
  summary: { resource, provider: 'test', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [],
});
const origin = { clientId: 'a', clientSeq: 1 };
const title = (session: string, text: string) => ({ type: 'session/titleChanged' as const, session, title: text });
const titles = (envelopes: ActionEnvelope[] | undefined) => envelopes?.map(({ action }) => (action as { title?: string }).title);

describe('state store', () => {
  it('numbers over all resources, keeps states and announces', () => {
    const store = new StateStore({ now: () => 42 });
    store.add('t:/1', newSession('t:/1'));
    store.add('t:/2', newSession('t:/2'));
    const heard: [string, ActionEnvelope][] = [];
    store.onDidDispatch(({ resource, envelope }) => heard.push([resource, envelope]));
    const from = store.serverSeq;
    store.dispatch(title('t:/1', 'one'), origin);
    store.dispatch(title('t:/2', 'two'));
    store.dispatch({ type: 'root/activeSessionsChanged', activeSessions: 3 });
    assert.deepEqual(
      heard.map(([resource, { serverSeq }]) => [resource, serverSeq]),
      [
        ['t:/1', from + 1],
        ['t:/2', from + 2],
        [ROOT_URI, from + 3],
      ],
    );
    assert.deepEqual(heard[0]?.[1].origin, origin);
    assert.equal('origin' in (heard[1]?.[1] ?? {}), false);
    assert.deepEqual([store.session('t:/1')?.summary.title, store.session('t:/1')?.summary.modifiedAt], ['one', 42]);
    assert.equal(store.root.activeSessions, 3);
    assert.deepEqual(store.snapshot('t:/2'), { resource: 't:/2', state: store.get('t:/2'), fromSeq: from + 3 });
    assert.equal(store.terminal('t:/1'), undefined);
    assert.equal(store.snapshot('t:/none'), undefined);
  });

  it('keeps no more for a replay than its limits, in number and in size', () => {
    const store = new StateStore({ replayLimit: 3, replaySizeLimit: 1000 });
    store.add('t:/1', newSession('t:/1'));
    const of = new Set(['t:/1']);
    const seqs: number[] = [];
    const say = (text: string) => {
      seqs.push(store.serverSeq);
      store.dispatch(title('t:/1', text));
    };
    for (const text of ['a', 'b', 'c', 'd']) say(text);
    assert.equal(store.replay(seqs[0] ?? 0, of), undefined);
    assert.deepEqual(titles(store.replay(seqs[1] ?? 0, of)), ['b', 'c', 'd']);
    say('e'.repeat(800));
    assert.equal(store.replay(seqs[3] ?? 0, of), undefined);
    assert.equal(store.replay(seqs[4] ?? 0, of)?.length, 1);
    say('f'.repeat(2000));
    assert.equal(store.replay(seqs[5] ?? 0, of), undefined);
    assert.deepEqual(store.replay(store.serverSeq, of), []);
    say('g');
    assert.deepEqual(titles(store.replay(seqs[6] ?? 0, of)), ['g']);
  });

  it('goes on above the numbers of earlier runs', () => {
    const store = new StateStore({ afterSeq: 41 });
    assert.equal(store.serverSeq, 42);
    assert.equal(store.replay(41, new Set([ROOT_URI])), undefined);
    assert.deepEqual(store.replay(42, new Set([ROOT_URI])), []);
  });

  it('drops actions for what is not there', () => {
    const store = new StateStore();
    const from = store.serverSeq;
    store.onDidDispatch(() => assert.fail('nothing may be announced'));
    store.dispatch(title('t:/none', 'x'));
    store.dispatch({ type: 'later/action' } as never);
    assert.equal(store.serverSeq, from);
  });

  it('announces a rejection and changes nothing', () => {
    const store = new StateStore();
    store.add('t:/1', newSession('t:/1'));
    const before = store.get('t:/1');
    const heard: ActionEnvelope[] = [];
    store.onDidDispatch(({ envelope }) => heard.push(envelope));
    store.reject(title('t:/1', 'x'), origin, 'no');
    assert.deepEqual(heard, [{ action: title('t:/1', 'x'), serverSeq: store.serverSeq, origin, rejectionReason: 'no' }]);
    assert.equal(store.get('t:/1'), before);
  });

  it('delivers in order also when a listener dispatches', () => {
    const store = new StateStore();
    store.add('t:/1', newSession('t:/1'));
    const first: number[] = [];
    const second: number[] = [];
    store.onDidDispatch(({ envelope }) => {
      first.push(envelope.serverSeq);
      if (envelope.action.type === 'session/titleChanged') store.dispatch({ type: 'session/ready', session: 't:/1' });
    });
    store.onDidDispatch(({ envelope }) => second.push(envelope.serverSeq));
    store.dispatch(title('t:/1', 'x'));
    assert.equal(second.length, 2);
    assert.deepEqual(second, first);
    assert.ok(second[0] !== undefined && second[1] === second[0] + 1);
  });

  it('says when a resource goes, once', () => {
    const store = new StateStore();
    store.add('t:/1', newSession('t:/1'));
    assert.throws(() => store.add('t:/1', newSession('t:/1')), /exists/);
    const gone: string[] = [];
    store.onDidDelete((resource) => gone.push(resource));
    store.delete('t:/1');
    store.delete('t:/1');
    assert.deepEqual(gone, ['t:/1']);
    assert.equal(store.get('t:/1'), undefined);
  });

  describe('replay', () => {
    const fill = (replayLimit: number | undefined, count: number) => {
      const store = new StateStore({ replayLimit });
      store.add('t:/1', newSession('t:/1'));
      store.add('t:/2', newSession('t:/2'));
      const from = store.serverSeq;
      for (let i = 1; i <= count; i++) store.dispatch(title(`t:/${1 + (i % 2)}`, String(i)));
      return { store, from };
    };

    it('gives what was missed of the resources asked for', () => {
      const { store, from } = fill(10, 6);
      assert.deepEqual(titles(store.replay(from, new Set(['t:/1']))), ['2', '4', '6']);
      assert.deepEqual(titles(store.replay(from + 3, new Set(['t:/1', 't:/2']))), ['4', '5', '6']);
      assert.deepEqual(store.replay(store.serverSeq, new Set(['t:/1'])), []);
      assert.deepEqual(store.replay(from, new Set()), []);
    });

    it('reaches as far as the buffer and no further', () => {
      const { store, from } = fill(4, 6);
      assert.deepEqual(titles(store.replay(from + 2, new Set(['t:/1', 't:/2']))), ['3', '4', '5', '6']);
      assert.equal(store.replay(from + 1, new Set(['t:/1'])), undefined);
    });

    it('reaches back a thousand envelopes, or 16 MB, when nobody says otherwise', () => {
      const [enough, tooMany] = [fill(undefined, 1000), fill(undefined, 1001)];
      assert.equal(enough.store.replay(enough.from, new Set(['t:/1']))?.length, 500);
      assert.equal(tooMany.store.replay(tooMany.from, new Set(['t:/1'])), undefined);
      const { store, from } = fill(undefined, 0);
      for (let megabytes = 0; megabytes < 16; megabytes++) store.dispatch(title('t:/1', 'x'.repeat(1024 * 1024)));
      assert.equal(store.replay(from, new Set(['t:/1'])), undefined);
      assert.equal(store.replay(from + 1, new Set(['t:/1']))?.length, 15);
    });

    it('has nothing for the future, for what is gone and for what is newer', () => {
      const { store, from } = fill(10, 2);
      assert.equal(store.replay(store.serverSeq + 1, new Set(['t:/1'])), undefined);
      store.delete('t:/1');
      assert.equal(store.replay(from, new Set(['t:/1'])), undefined);
      const since = store.serverSeq;
      store.add('t:/1', newSession('t:/1'));
      assert.equal(store.replay(since, new Set(['t:/1'])), undefined);
      assert.deepEqual(store.replay(store.serverSeq, new Set(['t:/1'])), []);
    });
  });
});
