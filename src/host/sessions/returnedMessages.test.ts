import assert from 'node:assert/strict';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { PendingMessage } from '../../ahp/channels/shapes/message.ts';
import { StateStore } from '../state/stateStore.ts';
import { keepUnheard, returnMessages, unheardMessages } from './returnedMessages.ts';
import { UNHEARD } from '../state/sessionMeta.ts';

describe('returnMessages', () => {
  const uri = 'fake:/1';
  const [first, second] = ['ahp-chat://1', 'ahp-chat://2'];
  const message = (id: string, text = id): PendingMessage => ({ id, message: { text, origin: { kind: 'user' } } });
  const waiting = (store: StateStore, chat: string) =>
    (store.chat(chat)?.queuedMessages ?? []).map(({ id, message: { text } }) => [id, text]);
  const unheardIn = (store: StateStore, chat: string) => {
    const session = store.session(uri);
    assert.ok(session);
    return unheardMessages(session, chat).map(({ id }) => id);
  };

  function started(chats: Record<string, Partial<ChatState>>, unheard: object[] = []): StateStore {
    const store = new StateStore();
    const summaries = Object.keys(chats).map((resource) => ({ resource, title: '', status: 1, modifiedAt: '' }));
    const _meta = { other: 'kept', ...(unheard.length > 0 && { [UNHEARD]: unheard }) };
    const state = { provider: 'fake', title: '', status: 1, lifecycle: 'ready' as const, activeClients: [], chats: summaries };
    store.add({ channel: uri, kind: 'session', state: { ...state, defaultChat: first, _meta } }, uri);
    for (const summary of summaries)
      store.add({ channel: summary.resource, kind: 'chat', state: { ...summary, turns: [], ...chats[summary.resource] } }, uri);
    return store;
  }
  function returned(fields: Partial<ChatState>, unheard: PendingMessage[]): (string | undefined)[][] {
    const store = started({ [first]: fields }, unheard);
    returnMessages(store, uri, first, true);
    assert.equal(store.chat(first)?.steeringMessage, undefined);
    assert.deepEqual(store.session(uri)?._meta, { other: 'kept' });
    return waiting(store, first);
  }

  it('puts what was not heard and what no turn took before what waits', () => {
    const waits = returned({ steeringMessage: message('b'), queuedMessages: [message('c')] }, [message('a')]);
    assert.deepEqual(waits, [
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
  });

  it('has a message once that a kill has left in two places', () => {
    // It was noted as taken, and the host was killed before it was removed as a steering message.
    assert.deepEqual(returned({ steeringMessage: message('a') }, [message('a')]), [['a', 'a']]);
    // It was queued again, and the host was killed before the rest was done.
    assert.deepEqual(returned({ queuedMessages: [message('a')] }, [message('a')]), [['a', 'a']]);
    assert.deepEqual(returned({ steeringMessage: message('a'), queuedMessages: [message('a')] }, []), [['a', 'a']]);
  });

  it('keeps messages apart to which a client gave the same id', () => {
    const waits = returned({ steeringMessage: message('a', 'second'), queuedMessages: [message('a', 'third')] }, [message('a', 'first')]);
    assert.deepEqual(
      waits.map(([, text]) => text),
      ['first', 'second', 'third'],
    );
    assert.equal(new Set(waits.map(([id]) => id)).size, 3);
  });

  it('leaves the steering message where the turn that comes may take it', () => {
    const store = started({ [first]: { steeringMessage: message('b') } }, [message('a')]);
    returnMessages(store, uri, first, false);
    assert.deepEqual([store.chat(first)?.steeringMessage, waiting(store, first)], [message('b'), [['a', 'a']]]);
  });

  it('says nothing where nothing is to be returned', () => {
    const store = started({ [first]: { queuedMessages: [message('a')] } });
    store.onDidDispatch(() => assert.fail('nothing is to be done'));
    returnMessages(store, uri, first, true);
    returnMessages(store, uri, 'ahp-chat://none', true);
    returnMessages(store, 'fake:/none', first, true);
  });

  it('knows each chat’s own, in a session with two', () => {
    const store = started({ [first]: { steeringMessage: message('c') }, [second]: { steeringMessage: message('d') } });
    keepUnheard(store, uri, first, [message('a')]);
    keepUnheard(store, uri, second, [message('a', 'b')]);
    assert.deepEqual([unheardIn(store, first), unheardIn(store, second)], [['a'], ['a']]);
    returnMessages(store, uri, second, true);
    assert.deepEqual(
      [waiting(store, second), store.chat(second)?.steeringMessage],
      [
        [
          ['a', 'b'],
          ['d', 'd'],
        ],
        undefined,
      ],
    );
    assert.deepEqual([unheardIn(store, first), unheardIn(store, second)], [['a'], []]);
    assert.deepEqual([waiting(store, first), store.chat(first)?.steeringMessage?.id], [[], 'c']);
    returnMessages(store, uri, first, true);
    assert.deepEqual(waiting(store, first), [
      ['a', 'a'],
      ['c', 'c'],
    ]);
    assert.deepEqual(store.session(uri)?._meta, { other: 'kept' });
  });

  it('takes what was kept without a chat for the first one’s, and what is no list for nothing', () => {
    const store = started({ [first]: {}, [second]: {} }, [message('a'), { ...message('b'), chat: second }]);
    assert.deepEqual([unheardIn(store, first), unheardIn(store, second)], [['a'], ['b']]);
    keepUnheard(store, uri, second, [message('b'), message('c')]);
    assert.deepEqual(store.session(uri)?._meta?.[UNHEARD], [
      message('a'),
      { ...message('b'), chat: second },
      { ...message('c'), chat: second },
    ]);
    store.dispatch(uri, { type: 'session/metaChanged', _meta: { [UNHEARD]: 'x' } });
    assert.deepEqual(unheardIn(store, first), []);
  });

  it('keeps nothing where nothing is left, or the session is gone', () => {
    const store = started({ [first]: {} }, [message('a')]);
    keepUnheard(store, uri, first, []);
    assert.deepEqual(store.session(uri)?._meta, { other: 'kept' });
    keepUnheard(store, 'fake:/none', first, [message('a')]);
    assert.equal(store.session('fake:/none'), undefined);
  });
});
