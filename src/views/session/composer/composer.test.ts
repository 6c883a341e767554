import assert from 'node:assert/strict';
import type { ChatState, ResponsePart } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { withContext } from '../../../base/text/contextBlock.ts';
import { chatState, said, sessionState } from '../../../../test/fakes/models.ts';
import {
  chooseModel,
  composerState,
  messageOf,
  moveQueued,
  moveQueuedTo,
  nextModel,
  reworded,
  send as sendAt,
  sendLater as sendLaterAt,
  sendNow as sendNowAt,
  sentMessages,
  steerQueued,
  stopTurn,
  wordsOf,
} from './composer.ts';

const NOW = '2026-11-23T10:00:00.000Z';
const send = (chat: ChatState, message: Parameters<typeof sendAt>[1], how: 'send' | 'steer', id: string) =>
  sendAt(chat, message, how, id, NOW);
const sendLater = (chat: ChatState, action: Parameters<typeof sendLaterAt>[1]) => sendLaterAt(chat, action, NOW);
const stateOf = (chat: ChatState, readOnly?: string, session: Partial<SessionState> = {}) =>
  composerState({ session: sessionState(session), chat }, readOnly);
const idle = chatState({ turns: [{ id: 't0', message: said('First'), responseParts: [], state: 'complete' }] });
const running: ChatState = { ...idle, activeTurn: { id: 't1', message: said('Second'), responseParts: [] } };

describe('composer', () => {
  it('starts a turn when idle, queues or steers while one runs', () => {
    const message = said('Hi');
    assert.deepEqual(send(idle, message, 'send', 'x'), {
      type: 'chat/turnStarted',
      turnId: 'x',
      startedAt: NOW,
      message,
    });
    assert.equal(send(idle, message, 'steer', 'x').type, 'chat/turnStarted');
    const base = { type: 'chat/pendingMessageSet', id: 'x', message };
    assert.deepEqual(send(running, message, 'send', 'x'), { ...base, kind: 'queued' });
    assert.deepEqual(send(running, message, 'steer', 'x'), { ...base, kind: 'steering' });
    const steered = { ...running, steeringMessage: { id: 's', message: said('Careful') } };
    assert.deepEqual(send(steered, message, 'steer', 'x'), { ...base, kind: 'steering', id: 's', message: said('Careful\n\nHi') });
  });

  it('keeps the order where messages wait in an idle session, unless the user wants one sent now', () => {
    const waiting = { id: 'q', message: said('Then') };
    for (const held of [
      { ...idle, queuedMessages: [waiting] },
      { ...idle, steeringMessage: waiting },
    ]) {
      assert.deepEqual([stateOf(held, undefined).sends, stateOf(held, undefined).isRunning], ['queue', false]);
      const queued = send(held, said('Hi'), 'send', 'x');
      assert.ok(queued.type === 'chat/pendingMessageSet' && queued.kind === 'queued' && queued.id === 'x');
      assert.equal(send(held, said('Hi'), 'steer', 'x').type, 'chat/turnStarted');
    }
    assert.deepEqual(sendNowAt('queued', waiting, 'x', NOW), [
      { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'q' },
      { type: 'chat/turnStarted', turnId: 'x', startedAt: NOW, message: said('Then') },
    ]);
  });

  it('sends what has waited as the session is by then', () => {
    const message = said('Hi');
    const [start, queue, steer] = [
      send(idle, message, 'send', 'x'),
      send(running, message, 'send', 'x'),
      send(running, message, 'steer', 'x'),
    ];
    assert.deepEqual(
      [sendLater(idle, start), sendLater(running, queue), sendLater(idle, queue), sendLater(running, steer)],
      [start, queue, queue, steer],
    );
    assert.deepEqual(sendLater(running, start), queue, 'another turn has begun');
    assert.deepEqual(sendLater(idle, steer), start, 'the turn is over');
  });

  it('says why nothing can be sent', () => {
    assert.equal(stateOf(idle, undefined).blocked, undefined);
    assert.equal(stateOf(idle, 'Only watched.').blocked, 'Only watched.');
    assert.match(composerState(undefined, undefined).blocked ?? '', /loading/);
    assert.equal(stateOf(idle, undefined, { lifecycle: 'creating' }).blocked, undefined, 'VS Code’s host makes it with the first message');
    assert.match(stateOf(idle, undefined, { lifecycle: 'failed' }).blocked ?? '', /could not be created/);
    assert.match(stateOf(idle, undefined, { _meta: { 'tapline.notSaved': 'no space left' } }).blocked ?? '', /cannot be saved/);
    assert.equal(stateOf(idle, undefined, { _meta: { 'tapline.notSaved': { a: 1 } } }).blocked, undefined);
    assert.equal(stateOf(idle, undefined, { lifecycle: 'hibernating' as never }).blocked, undefined);
  });

  it('asks before stopping only when there is something to lose', () => {
    assert.deepEqual(stateOf(idle, undefined).canStop, false);
    assert.deepEqual(stateOf(running, undefined), { sends: 'queue', isRunning: true, canStop: true, stopLosesWork: false });
    const withParts = (...responseParts: ResponsePart[]) => ({
      ...running,
      activeTurn: { id: 't', message: said(''), responseParts },
    });
    const callOf = (status: string) => ({ kind: 'toolCall', toolCall: { toolCallId: 'c', status } }) as unknown as ResponsePart;
    const losesWork = (...parts: ResponsePart[]) => stateOf(withParts(...parts), undefined).stopLosesWork;
    assert.equal(losesWork({ kind: 'markdown', id: 'm', content: 'Half of the' }), false, 'what was said stays');
    for (const status of ['streaming', 'completed', 'cancelled']) assert.equal(losesWork(callOf(status)), false, status);
    for (const status of ['running', 'pending-confirmation', 'pending-result-confirmation', 'of a later version'])
      assert.equal(losesWork(callOf('completed'), callOf(status)), true, status);
    assert.equal(stateOf(withParts(callOf('running')), 'Only watched.').canStop, false);
  });

  it('sends no empty message, but one of attachments alone', () => {
    assert.equal(messageOf(' \n', []), undefined);
    const file = { type: 'resource' as const, uri: 'file:///a', label: 'a', displayKind: 'file' };
    assert.deepEqual(messageOf('', [file]), { ...said(''), attachments: [file] });
    assert.deepEqual(messageOf(' a\n', []), said('a'));
  });

  it('moves queued messages by one place, within the queue', () => {
    const queued = { ...running, queuedMessages: ['a', 'b', 'c'].map((id) => ({ id, message: said(id) })) };
    assert.deepEqual(moveQueued(queued, 'a', 1)?.order, ['b', 'a', 'c']);
    assert.deepEqual(moveQueued(queued, 'c', -1)?.order, ['a', 'c', 'b']);
    assert.equal(moveQueued(queued, 'a', -1), undefined);
    assert.equal(moveQueued(queued, 'c', 1), undefined);
    assert.equal(moveQueued(queued, 'gone', 1), undefined);
  });

  it('moves a queued message to the place of another one', () => {
    const queued = { ...running, queuedMessages: ['a', 'b', 'c'].map((id) => ({ id, message: said(id) })) };
    assert.deepEqual(moveQueuedTo(queued, 'a', 'c')?.order, ['b', 'c', 'a']);
    assert.deepEqual(moveQueuedTo(queued, 'c', 'a')?.order, ['c', 'a', 'b']);
    for (const [id, place] of [
      ['a', 'a'],
      ['gone', 'a'],
      ['a', 'gone'],
    ] as const)
      assert.equal(moveQueuedTo(queued, id, place), undefined);
  });

  it('steers with a queued message while a turn runs, and leaves the queue only after that', () => {
    const waiting = { id: 'a', message: said('Mind the tests') };
    const removed = { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'a' };
    assert.deepEqual(steerQueued(running, waiting, 'n', NOW), [
      { type: 'chat/pendingMessageSet', kind: 'steering', id: 'n', message: waiting.message },
      removed,
    ]);
    const steered = { ...running, steeringMessage: { id: 's', message: said('First') } };
    assert.deepEqual(steerQueued(steered, waiting, 'n', NOW)?.[0], {
      type: 'chat/pendingMessageSet',
      kind: 'steering',
      id: 's',
      message: said('First\n\nMind the tests'),
    });
    assert.equal(steerQueued(idle, waiting, 'n', NOW), undefined);
  });

  it('sends with the model of the shared draft, or else of the last message', () => {
    const [gpt, opus] = [{ id: 'gpt' }, { id: 'opus', config: { effort: 'low' } }];
    assert.equal(nextModel(idle), undefined);
    const last = { ...idle, turns: [{ ...idle.turns[0]!, message: { ...said('First'), model: gpt } }] };
    assert.equal(nextModel(last), gpt);
    const chosen = chooseModel({ ...last, draft: said('half a sent') }, opus);
    assert.deepEqual(chosen.draft, { ...said('half a sent'), model: opus }, 'what others write stays');
    assert.equal(nextModel({ ...last, draft: chosen.draft }), opus);
    assert.deepEqual(messageOf('a', [], [], opus), { ...said('a'), model: opus });
  });

  it('stops a turn with its length, where the host says when it began', () => {
    assert.deepEqual(stopTurn(running, 5), { type: 'chat/turnCancelled', turnId: 't1', duration: 0 });
    const timed = { ...running, activeTurn: { ...running.activeTurn!, startedAt: NOW } };
    assert.equal(stopTurn(timed, Date.parse(NOW) + 1_500)?.duration, 1_500);
    assert.equal(stopTurn(timed, Date.parse(NOW) - 5)?.duration, 0, 'of a host whose clock is ahead');
    assert.equal(stopTurn(idle, 5), undefined);
  });

  it('recalls the newest first', () => {
    assert.deepEqual(
      sentMessages(running).map((message) => message.text),
      ['Second', 'First'],
    );
  });

  it('changes the words of a waiting message, and nothing else of it', () => {
    const parts = [{ kind: 'item' as const, provider: 'ci', content: 'failing' }];
    const attachments = [{ type: 'simple' as const, label: 'a.ts' }];
    const message = { text: withContext(parts, 'Look'), origin: { kind: 'user' as const }, attachments };
    assert.equal(wordsOf(message), 'Look');
    assert.deepEqual(reworded(message, ' Look twice\n'), { ...message, text: withContext(parts, 'Look twice') });
    assert.deepEqual(reworded(message, ''), { ...message, text: withContext(parts, '') });
    assert.equal(reworded(message, ' Look '), undefined, 'nothing has changed');
    assert.equal(reworded({ text: 'Look', origin: { kind: 'user' } }, ' '), undefined, 'nothing would be left');
  });
});
