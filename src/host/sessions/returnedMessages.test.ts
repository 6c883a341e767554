import assert from 'node:assert/strict';
import type { PendingMessage, SessionState } from '../../ahp/v1/session.ts';
import { StateStore } from '../state/stateStore.ts';
import { returnMessages } from './returnedMessages.ts';
import { UNHEARD } from './sessionMeta.ts';

describe('returnMessages', () => {
  const uri = 'fake:/1';
  const message = (id: string, text = id): PendingMessage => ({ id, userMessage: { text } });
  function returned(fields: Partial<SessionState>, unheard: PendingMessage[]): [string | undefined, string][] {
    const store = new StateStore();
    store.add(uri, {
      summary: { resource: uri, provider: 'fake', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
      lifecycle: 'ready',
      turns: [],
      ...(unheard.length > 0 && { _meta: { [UNHEARD]: unheard } }),
      ...fields,
    });
    returnMessages(store, uri, true);
    const after = store.session(uri);
    assert.equal(after?.steeringMessage, undefined);
    assert.equal(after?._meta?.[UNHEARD], undefined);
    return (after?.queuedMessages ?? []).map(({ id, userMessage }) => [id, userMessage.text]);
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
});
