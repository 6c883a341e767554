import { inEnglish } from '../../../../test/support/inEnglish.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sessionState } from '../../../../test/fakes/fakeHost.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { StateAction } from '../../v1/actions.ts';
import type { SessionState } from '../../v1/session.ts';
import { judgePending, type PendingVerdict, sendAgainAs } from '../../common/pending/pendingPolicy.ts';
import { UnsettledActions } from './unsettled.ts';

const session = 'demo:/1';
const titled = (title: string): StateAction => ({ type: 'session/titleChanged', session, title });
const started = (turnId: string): StateAction => ({ type: 'session/turnStarted', session, turnId, userMessage: { text: turnId } });

const mayGo = () => undefined;
const asIs = (state: object) => state;

describe('UnsettledActions', () => {
  it('accepts no more than a thousand, and says so', async () => {
    const unsettled = new UnsettledActions(() => undefined);
    for (let clientSeq = 1; clientSeq <= 1_000; clientSeq++)
      void unsettled.add(clientSeq, titled('x'), { predicted: true, delivery: 'sent' });
    const refused = await unsettled.add(1_001, titled('x'), { predicted: true, delivery: 'held' });
    assert.deepEqual(inEnglish(refused), { kind: 'rejected', reason: 'Not sent. Too many actions wait for the host already.' });
    assert.equal(unsettled.pending.length, 1_000);
    unsettled.echoed(1, undefined);
    void unsettled.add(1_002, titled('x'), { predicted: true, delivery: 'sent' });
    assert.equal(unsettled.pending.length, 1_000);
  });

  it('settles the oldest of those that are not listed', async () => {
    const unsettled = new UnsettledActions(() => undefined);
    const outcomes = Array.from({ length: 1_001 }, (_, index) =>
      unsettled.add(index + 1, titled('x'), { predicted: false, delivery: 'sent' }),
    );
    assert.deepEqual(inEnglish(await outcomes[0]), { kind: 'unknown', reason: 'The host did not reply.' });
    unsettled.echoed(2, undefined);
    assert.deepEqual(await outcomes[1], { kind: 'confirmed' });
  });

  it('knows an action by each number that it was sent under', async () => {
    const unsettled = new UnsettledActions(() => undefined);
    const settled = unsettled.add(1, titled('x'), { predicted: true, delivery: 'sent' });
    unsettled.connectionLost();
    unsettled.resume(sessionState(session), () => 7, asIs, mayGo);
    unsettled.connectionLost();
    unsettled.resume(sessionState(session), () => 9, asIs, mayGo);
    unsettled.echoed(7, undefined);
    assert.deepEqual(await settled, { kind: 'confirmed' });
    unsettled.echoed(9, 'no');
    assert.deepEqual(unsettled.pending, []);
  });

  it('sends nothing late, or once more, that may not be sent any more', async () => {
    const unsettled = new UnsettledActions(() => undefined);
    let why = undefined as string | undefined;
    const add = (clientSeq: number, delivery: 'held' | 'sent') =>
      unsettled.add(clientSeq, titled('x'), { predicted: true, delivery, whyNot: () => why });
    const outcomes = [add(1, 'held'), add(2, 'sent'), unsettled.add(3, titled('x'), { predicted: true, delivery: 'held' })];
    unsettled.connectionLost();
    unsettled.withdraw();
    assert.equal(unsettled.pending.length, 3, 'all of it may go');
    why = 'It has ended.';
    const sent: ActionLike[] = [];
    unsettled.resume(sessionState(session), (action) => sent.push(action), asIs, mayGo);
    assert.deepEqual(inEnglish(await outcomes[0]), { kind: 'rejected', reason: 'Not sent. It has ended.' });
    assert.deepEqual(inEnglish(await outcomes[1]), {
      kind: 'unknown',
      reason: 'The connection was lost before the host replied. It has ended.',
    });
    assert.equal(sent.length, 1, 'what anybody may send late');
  });

  it('takes back at once what waits and may not be sent any more', async () => {
    const unsettled = new UnsettledActions(() => undefined);
    const settled = unsettled.add(1, titled('x'), { predicted: true, delivery: 'held', whyNot: () => 'It has ended.' });
    void unsettled.add(2, titled('y'), { predicted: true, delivery: 'sent', whyNot: () => 'It has ended.' });
    unsettled.withdraw();
    assert.deepEqual(inEnglish(await settled), { kind: 'rejected', reason: 'Not sent. It has ended.' });
    assert.deepEqual(
      unsettled.pending.map(({ clientSeq }) => clientSeq),
      [2],
    );
  });

  it('lists a message that was written behind a turn that has ended as the turn that it starts', () => {
    const unsettled = new UnsettledActions(() => undefined);
    const message = { text: 'words', origin: { kind: 'user' } };
    const queued = (id: string) => ({ type: 'chat/pendingMessageSet', kind: 'queued', id, message }) as ActionLike;
    void unsettled.add(1, queued('m'), { predicted: true, delivery: 'held', asked: queued('m') });
    void unsettled.add(2, queued('n'), { predicted: true, delivery: 'held' });
    unsettled.resume(
      { turns: [] },
      () => 7,
      (_state, { type }) => (type === 'chat/turnStarted' ? { activeTurn: { id: 'm' } } : {}),
      mayGo,
    );
    const [first, second] = unsettled.pending;
    for (const one of [first?.action, first?.asked] as (Record<string, unknown> & ActionLike)[])
      assert.deepEqual([one.type, one.turnId, one.message], ['chat/turnStarted', 'm', message]);
    assert.deepEqual(second?.action, queued('n'));
  });

  it('tells apart what is held and what was sent', () => {
    const unsettled = new UnsettledActions(() => undefined);
    const held = () => unsettled.pending.map(({ held }) => held === true);
    void unsettled.add(1, started('t1'), { predicted: true, delivery: 'held' });
    void unsettled.add(2, titled('x'), { predicted: true, delivery: 'sent' });
    assert.deepEqual(held(), [true, false]);
    unsettled.connectionLost();
    assert.deepEqual(held(), [true, false], 'it may have arrived');
    unsettled.resume(sessionState(session), () => 7, asIs, mayGo);
    assert.deepEqual(held(), [false, false]);
  });

  it('keeps what cannot be sent for the next time', () => {
    const unsettled = new UnsettledActions(() => undefined);
    void unsettled.add(1, started('t1'), { predicted: true, delivery: 'held' });
    unsettled.resume(sessionState(session), () => undefined, asIs, mayGo);
    const sent: ActionLike[] = [];
    unsettled.resume(sessionState(session), (action) => sent.push(action), asIs, mayGo);
    assert.deepEqual(sent, [started('t1')]);
  });

  it('returns only what is of unknown outcome, and once', () => {
    const unsettled = new UnsettledActions(() => undefined);
    void unsettled.add(1, started('t1'), { predicted: true, delivery: 'sent' });
    assert.equal(unsettled.takeUnknown(1), undefined);
    unsettled.connectionLost();
    assert.equal(unsettled.takeUnknown(1), undefined, 'the host may still reply');
    unsettled.resume(sessionState(session), () => 2, asIs, mayGo);
    assert.deepEqual(unsettled.takeUnknown(1), { action: started('t1') });
    assert.equal(unsettled.takeUnknown(1), undefined);
  });
});

describe('what is done about an action after a lost connection', () => {
  const call = (status: string) => ({ kind: 'toolCall', toolCall: { toolCallId: 'c', toolName: 't', displayName: 't', status } });
  const running = (status: string) =>
    ({
      ...sessionState(session),
      activeTurn: { id: 't1', userMessage: { text: 'x' }, responseParts: [call(status)] },
    }) as unknown as SessionState;
  const idle = sessionState(session);
  const asking = { ...idle, inputRequests: [{ id: 'q' }] } as unknown as SessionState;
  const waiting: SessionState = { ...idle, queuedMessages: [{ id: 'q', userMessage: { text: 'x' } }] };
  const ofCall = { session, turnId: 't1', toolCallId: 'c' };

  for (const [action, state, verdict] of [
    [{ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'x' } }, running('running'), 'done'],
    [{ type: 'session/turnStarted', session, turnId: 't2', userMessage: { text: 'x' } }, running('running'), 'unknown'],
    [{ type: 'session/turnCancelled', session, turnId: 't1' }, running('running'), 'again'],
    [{ type: 'session/turnCancelled', session, turnId: 't1' }, idle, 'moot'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: true }, running('pending-confirmation'), 'again'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: true }, running('completed'), 'done'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: true }, running('cancelled'), 'moot'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: true, editedToolInput: 'ls' }, running('completed'), 'moot'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: false }, running('cancelled'), 'done'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: false }, running('running'), 'moot'],
    [{ type: 'session/toolCallConfirmed', ...ofCall, approved: true }, idle, 'moot'],
    [{ type: 'session/toolCallResultConfirmed', ...ofCall, approved: true }, running('pending-result-confirmation'), 'again'],
    [{ type: 'session/toolCallResultConfirmed', ...ofCall, approved: true }, running('running'), 'moot'],
    [{ type: 'session/toolCallComplete', ...ofCall, result: {} }, running('running'), 'again'],
    [{ type: 'session/toolCallComplete', ...ofCall, result: {} }, running('completed'), 'moot'],
    [{ type: 'session/inputCompleted', session, requestId: 'q', response: 'accept' }, asking, 'again'],
    [{ type: 'session/inputCompleted', session, requestId: 'q', response: 'accept' }, idle, 'moot'],
    [{ type: 'session/pendingMessageSet', session, kind: 'queued', id: 'q', userMessage: { text: 'x' } }, waiting, 'done'],
    [{ type: 'session/pendingMessageSet', session, kind: 'queued', id: 'q', userMessage: { text: 'other text' } }, waiting, 'again'],
    [{ type: 'session/pendingMessageSet', session, kind: 'queued', id: 'q', userMessage: { text: 'x' } }, idle, 'unknown'],
    [{ type: 'session/truncated', session }, idle, 'unknown'],
    [{ type: 'session/ofALaterVersion', session }, idle, 'unknown'],
    [titled('x'), idle, 'again'],
  ] as unknown as [StateAction, SessionState, PendingVerdict][]) {
    it(`${action.type} is ${verdict} ${state.activeTurn ? 'in a turn' : 'in an idle session'}`, () => {
      assert.equal(
        judgePending(action, state, undefined, () => state),
        verdict,
      );
    });
  }

  it('only a prompt is sent again as something else', () => {
    const newId = () => 'new';
    assert.deepEqual(sendAgainAs(started('t1'), idle, newId), { ...started('t1'), turnId: 'new' });
    assert.deepEqual(sendAgainAs(started('t2'), running('running'), newId), {
      type: 'session/pendingMessageSet',
      session,
      kind: 'queued',
      id: 'new',
      userMessage: { text: 't2' },
    });
    assert.deepEqual(sendAgainAs(titled('x'), idle, newId), titled('x'));
  });
});
