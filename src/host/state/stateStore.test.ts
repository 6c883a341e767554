import assert from 'node:assert/strict';
import type { ActionEnvelope } from '../../ahp/channels/actions.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { type AddedChannel, type DispatchedAction, StateStore, type StoredChannel } from './stateStore.ts';

const session = (channel: string): StoredChannel => ({
  channel,
  kind: 'session',
  state: { provider: 'test', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] },
});
const chat = (channel: string): StoredChannel => ({
  channel,
  kind: 'chat',
  state: { resource: channel, title: '', status: 1, modifiedAt: '', turns: [] },
});
const changeset = (channel: string): StoredChannel => ({ channel, kind: 'changeset', state: { status: 'ready', files: [] } });
const terminal = (channel: string): StoredChannel => ({
  channel,
  kind: 'terminal',
  state: { title: '', content: [], claim: { kind: 'client', clientId: 'a' }, lifecycle: { status: 'running' } },
});
const add = (store: StateStore, ...uris: string[]) => {
  for (const uri of uris) store.add(session(uri), uri);
};
const origin = { clientId: 'a', clientSeq: 1 };
const title = (text: string) => ({ type: 'session/titleChanged' as const, title: text });
const titles = (envelopes: readonly ActionEnvelope[] | undefined) => envelopes?.map(({ action }) => (action as { title?: string }).title);

describe('state store', () => {
  it('numbers over all channels, keeps states and announces', () => {
    const store = new StateStore({ now: () => 42 });
    add(store, 't:/1', 't:/2');
    const heard: DispatchedAction[] = [];
    store.onDidDispatch((dispatched) => heard.push(dispatched));
    const from = store.serverSeq;
    store.dispatch('t:/1', title('one'), origin);
    store.dispatch('t:/2', title('two'));
    store.dispatch(ROOT_CHANNEL, { type: 'root/activeSessionsChanged', activeSessions: 3 });
    assert.deepEqual(
      heard.map(({ kind, session: of, at, envelope: { channel, serverSeq } }) => [kind, of, at, channel, serverSeq]),
      [
        ['session', 't:/1', 42, 't:/1', from + 1],
        ['session', 't:/2', 42, 't:/2', from + 2],
        ['root', undefined, 42, ROOT_CHANNEL, from + 3],
      ],
    );
    assert.deepEqual(heard[0]?.envelope.origin, origin);
    assert.equal('origin' in (heard[1]?.envelope ?? {}), false);
    assert.equal(store.session('t:/1')?.title, 'one');
    assert.equal(store.now, 42);
    assert.equal(store.root.activeSessions, 3);
    assert.deepEqual(store.snapshot('t:/2'), { resource: 't:/2', state: store.get('t:/2'), fromSeq: from + 3 });
    assert.equal(store.terminal('t:/1'), undefined);
    assert.equal(store.snapshot('t:/none'), undefined);
  });

  it('holds channels of every kind, each reduced by its own rules and given by its own name', () => {
    const store = new StateStore();
    for (const one of [session('s:/1'), chat('c:/1'), changeset('f:/1')]) store.add(one, 's:/1');
    store.add(terminal('x:/1'));
    assert.deepEqual(
      [ROOT_CHANNEL, 's:/1', 'c:/1', 'f:/1', 'x:/1', 'none'].map((uri) => store.kindOf(uri)),
      ['root', 'session', 'chat', 'changeset', 'terminal', undefined],
    );
    store.dispatch('c:/1', { type: 'chat/activityChanged', activity: 'reading' });
    store.dispatch('f:/1', { type: 'changeset/contentChanged', files: [{ id: 'a', edit: {} }] });
    store.dispatch('x:/1', { type: 'terminal/data', data: 'out' });
    assert.equal(store.chat('c:/1')?.activity, 'reading');
    assert.deepEqual(store.changeset('f:/1')?.files, [{ id: 'a', edit: {} }]);
    assert.deepEqual(store.terminal('x:/1')?.content, [{ type: 'unclassified', value: 'out' }]);
    const before = store.get('c:/1');
    store.dispatch('c:/1', title('of a session'));
    assert.equal(store.get('c:/1'), before, 'an action of another kind of channel changes nothing');
    for (const wrong of [store.session('c:/1'), store.chat('s:/1'), store.changeset('c:/1'), store.terminal('f:/1')])
      assert.equal(wrong, undefined);
  });

  it('says what was before an action and what is after it: the same where it changed nothing', () => {
    const store = new StateStore();
    add(store, 't:/1');
    const heard: DispatchedAction[] = [];
    store.onDidDispatch((dispatched) => heard.push(dispatched));
    const states = [store.get('t:/1')];
    for (const text of ['a', 'a', 'b']) {
      store.dispatch('t:/1', title(text));
      states.push(store.get('t:/1'));
    }
    store.reject('t:/1', title('c'), origin, 'no');
    store.reject('t:/none', title('c'), origin, 'no');
    assert.deepEqual(
      heard.slice(0, 3).map(({ before, after }) => [states.indexOf(before), states.indexOf(after)]),
      [
        [0, 1],
        [1, 1],
        [1, 3],
      ],
    );
    const [, , , rejected, lost] = heard;
    assert.ok(rejected && lost);
    assert.deepEqual(
      [rejected.kind, rejected.session, rejected.before === states[3], rejected.after === states[3]],
      ['session', 't:/1', true, true],
    );
    assert.deepEqual([lost.kind, lost.session, lost.before, lost.after], [undefined, undefined, undefined, undefined]);
  });

  it('says the states around the action, also when a listener has dispatched another meanwhile', () => {
    const store = new StateStore();
    add(store, 't:/1');
    const seen: (string | undefined)[][] = [];
    const titleOf = (state: unknown) => (state as { title?: string } | undefined)?.title;
    store.onDidDispatch(({ after }) => {
      if (titleOf(after) === 'one') store.dispatch('t:/1', title('two'));
    });
    store.onDidDispatch(({ before, after }) => seen.push([titleOf(before), titleOf(after)]));
    store.dispatch('t:/1', title('one'));
    assert.deepEqual(seen, [
      ['', 'one'],
      ['one', 'two'],
    ]);
  });

  it('keeps no more for a replay than its limits, in number and in size', () => {
    const store = new StateStore({ replayLimit: 3, replaySizeLimit: 1000 });
    add(store, 't:/1');
    const of = 't:/1';
    const seqs: number[] = [];
    const say = (text: string) => {
      seqs.push(store.serverSeq);
      store.dispatch('t:/1', title(text));
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
    assert.equal(store.replay(41, ROOT_CHANNEL), undefined);
    assert.deepEqual(store.replay(42, ROOT_CHANNEL), []);
  });

  it('drops actions for what is not there', () => {
    const store = new StateStore();
    const from = store.serverSeq;
    store.onDidDispatch(() => assert.fail('nothing may be announced'));
    store.dispatch('t:/none', title('x'));
    store.dispatch('t:/none', { type: 'later/action' } as never);
    assert.equal(store.serverSeq, from);
  });

  it('announces a rejection and changes nothing', () => {
    const store = new StateStore();
    add(store, 't:/1');
    const before = store.get('t:/1');
    const heard: ActionEnvelope[] = [];
    store.onDidDispatch(({ envelope }) => heard.push(envelope));
    store.reject('t:/1', title('x'), origin, 'no');
    assert.deepEqual(heard, [{ channel: 't:/1', action: title('x'), serverSeq: store.serverSeq, origin, rejectionReason: 'no' }]);
    assert.equal(store.get('t:/1'), before);
  });

  it('delivers in order also when a listener dispatches', () => {
    const store = new StateStore();
    add(store, 't:/1');
    const first: number[] = [];
    const second: number[] = [];
    store.onDidDispatch(({ envelope }) => {
      first.push(envelope.serverSeq);
      if (envelope.action.type === 'session/titleChanged') store.dispatch('t:/1', { type: 'session/ready' });
    });
    store.onDidDispatch(({ envelope }) => second.push(envelope.serverSeq));
    store.dispatch('t:/1', title('x'));
    assert.equal(second.length, 2);
    assert.deepEqual(second, first);
    assert.ok(second[0] !== undefined && second[1] === second[0] + 1);
  });

  it('gives a number for what is sent besides, which no envelope has', () => {
    const store = new StateStore();
    add(store, 't:/1');
    const own = store.nextSeq();
    assert.equal(store.serverSeq, own);
    store.dispatch('t:/1', title('x'));
    assert.deepEqual(
      store.replay(own - 1, 't:/1')?.map(({ serverSeq }) => serverSeq),
      [own + 1],
    );
  });

  it('says when a channel comes, with its number, and when it goes, once', () => {
    const store = new StateStore();
    const come: AddedChannel[] = [];
    store.onDidAdd((added) => come.push(added));
    add(store, 't:/1');
    store.add(terminal('x:/1'));
    assert.throws(() => add(store, 't:/1'), /exists/);
    assert.deepEqual(come, [
      { ...session('t:/1'), session: 't:/1', seq: store.serverSeq - 1 },
      { ...terminal('x:/1'), session: undefined, seq: store.serverSeq },
    ]);
    const gone: string[] = [];
    store.onDidDelete((channel) => gone.push(channel));
    store.delete('t:/1');
    store.delete('t:/1');
    assert.deepEqual(gone, ['t:/1']);
    assert.equal(store.get('t:/1'), undefined);
  });

  describe('families', () => {
    const uris = (store: StateStore, of: string) => store.family(of).map(({ channel, kind }) => [channel, kind]);

    it('are a session and what belongs to it, in the order of their addition', () => {
      const store = new StateStore();
      add(store, 's:/1', 's:/2');
      for (const one of [chat('c:/2'), changeset('f:/1'), chat('c:/1')]) store.add(one, 's:/1');
      store.add(chat('c:/3'), 's:/2');
      store.add(terminal('x:/1'));
      assert.deepEqual(uris(store, 's:/1'), [
        ['s:/1', 'session'],
        ['c:/2', 'chat'],
        ['f:/1', 'changeset'],
        ['c:/1', 'chat'],
      ]);
      assert.deepEqual(uris(store, 's:/2'), [
        ['s:/2', 'session'],
        ['c:/3', 'chat'],
      ]);
      assert.deepEqual(
        ['s:/1', 'c:/1', 'f:/1', 'c:/3', 'x:/1', ROOT_CHANNEL, 'none'].map((uri) => store.sessionOf(uri)),
        ['s:/1', 's:/1', 's:/1', 's:/2', undefined, undefined, undefined],
      );
      assert.deepEqual([uris(store, 'c:/1'), uris(store, 'none')], [[], []]);
    });

    it('have the states of now, and not those that they were given', () => {
      const store = new StateStore();
      add(store, 's:/1');
      const given = store.family('s:/1');
      store.dispatch('s:/1', title('new'));
      assert.equal(store.family('s:/1')[0]?.state, store.get('s:/1'));
      assert.notEqual(given[0]?.state, store.get('s:/1'));
    });

    it('lose what is deleted, one by one, while they are gone through', () => {
      const store = new StateStore();
      add(store, 's:/1');
      for (const one of [chat('c:/1'), chat('c:/2')]) store.add(one, 's:/1');
      store.delete('c:/1');
      assert.deepEqual(
        uris(store, 's:/1').map(([channel]) => channel),
        ['s:/1', 'c:/2'],
      );
      assert.equal(store.sessionOf('c:/1'), undefined);
      for (const { channel } of store.family('s:/1')) store.delete(channel);
      assert.deepEqual(uris(store, 's:/1'), []);
      store.add(chat('c:/1'), 's:/1');
      assert.deepEqual(uris(store, 's:/1'), [['c:/1', 'chat']]);
    });
  });

  describe('replay', () => {
    const fill = (replayLimit: number | undefined, count: number) => {
      const store = new StateStore({ replayLimit });
      add(store, 't:/1', 't:/2');
      const from = store.serverSeq;
      for (let i = 1; i <= count; i++) store.dispatch(`t:/${1 + (i % 2)}`, title(String(i)));
      return { store, from };
    };

    it('gives what was missed of the channels asked for', () => {
      const { store, from } = fill(10, 6);
      assert.deepEqual(titles(store.replay(from, 't:/1')), ['2', '4', '6']);
      assert.deepEqual(titles(store.replay(from + 3, 't:/1')), ['4', '6']);
      assert.deepEqual(titles(store.replay(from + 3, 't:/2')), ['5']);
      assert.deepEqual(store.replay(store.serverSeq, 't:/1'), []);
    });

    it('reaches as far as the log of the channel and no further', () => {
      const { store, from } = fill(2, 6);
      assert.deepEqual(titles(store.replay(from + 2, 't:/1')), ['4', '6']);
      assert.equal(store.replay(from + 1, 't:/1'), undefined);
      assert.deepEqual(titles(store.replay(from + 1, 't:/2')), ['3', '5']);
      assert.equal(store.replay(from, 't:/2'), undefined);
    });

    it('reaches back a thousand envelopes of each channel, or 16 MB of all, when nobody says otherwise', () => {
      const [enough, tooMany] = [fill(undefined, 2000), fill(undefined, 2001)];
      assert.equal(enough.store.replay(enough.from, 't:/1')?.length, 1000);
      assert.equal(enough.store.replay(enough.from, 't:/2')?.length, 1000);
      assert.equal(tooMany.store.replay(tooMany.from, 't:/1')?.length, 1000);
      assert.equal(tooMany.store.replay(tooMany.from, 't:/2'), undefined);
      const { store, from } = fill(undefined, 0);
      for (let megabytes = 0; megabytes < 16; megabytes++) store.dispatch('t:/1', title('x'.repeat(1024 * 1024)));
      assert.equal(store.replay(from, 't:/1'), undefined);
      assert.equal(store.replay(from + 1, 't:/1')?.length, 15);
    });

    it('keeps nothing of a channel that is gone, nor of one that only a client has named', () => {
      const { store } = fill(10, 4);
      store.reject('t:/none', title('x'), origin, 'there is none');
      const since = store.serverSeq;
      add(store, 't:/none');
      assert.equal(store.replay(since, 't:/none'), undefined);
      assert.deepEqual(store.replay(store.serverSeq, 't:/none'), []);
      store.delete('t:/1');
      add(store, 't:/1');
      store.dispatch('t:/1', title('new'));
      assert.deepEqual(titles(store.replay(store.serverSeq - 1, 't:/1')), ['new']);
    });

    it('has nothing for the future, for what is gone and for what is newer', () => {
      const { store, from } = fill(10, 2);
      assert.equal(store.replay(store.serverSeq + 1, 't:/1'), undefined);
      store.delete('t:/1');
      assert.equal(store.replay(from, 't:/1'), undefined);
      const since = store.serverSeq;
      add(store, 't:/1');
      assert.equal(store.replay(since, 't:/1'), undefined);
      assert.deepEqual(store.replay(store.serverSeq, 't:/1'), []);
    });

    it('tells a channel from a later one of the same name', () => {
      const { store, from } = fill(10, 0);
      assert.deepEqual([store.wasThere('t:/1', from - 2), store.wasThere('t:/1', from - 1)], [false, true]);
      assert.deepEqual([store.wasThere('t:/2', from - 1), store.wasThere('t:/2', from)], [false, true]);
      store.delete('t:/1');
      assert.equal(store.wasThere('t:/1', store.serverSeq), false);
      add(store, 't:/1');
      assert.deepEqual([store.wasThere('t:/1', from), store.wasThere('t:/1', store.serverSeq)], [false, true]);
      assert.equal(store.wasThere('none', store.serverSeq), false);
    });
  });
});
