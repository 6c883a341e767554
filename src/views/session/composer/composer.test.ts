import assert from 'node:assert/strict';
import type { ResponsePart, SessionState } from '../../../ahp/v1/session.ts';
import { composerState, messageOf, moveQueued, send, sendLater, sendNow, sentMessages } from './composer.ts';

const idle: SessionState = {
  summary: { resource: 'copilot:/1', provider: 'copilot', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [{ id: 't0', userMessage: { text: 'First' }, responseParts: [], state: 'complete' }],
};
const running: SessionState = { ...idle, activeTurn: { id: 't1', userMessage: { text: 'Second' }, responseParts: [] } };

describe('composer', () => {
  it('starts a turn when idle, queues or steers while one runs', () => {
    const message = { text: 'Hi' };
    assert.deepEqual(send(idle, message, 'send', 'x'), {
      type: 'session/turnStarted',
      session: 'copilot:/1',
      turnId: 'x',
      userMessage: message,
    });
    assert.equal(send(idle, message, 'steer', 'x').type, 'session/turnStarted');
    const base = { type: 'session/pendingMessageSet', session: 'copilot:/1', id: 'x', userMessage: message };
    assert.deepEqual(send(running, message, 'send', 'x'), { ...base, kind: 'queued' });
    assert.deepEqual(send(running, message, 'steer', 'x'), { ...base, kind: 'steering' });
    const steered = { ...running, steeringMessage: { id: 's', userMessage: { text: 'Careful' } } };
    assert.deepEqual(send(steered, message, 'steer', 'x'), { ...base, kind: 'steering', id: 's', userMessage: { text: 'Careful\n\nHi' } });
  });

  it('keeps the order where messages wait in an idle session, unless the user wants one sent now', () => {
    const waiting = { id: 'q', userMessage: { text: 'Then' } };
    for (const held of [
      { ...idle, queuedMessages: [waiting] },
      { ...idle, steeringMessage: waiting },
    ]) {
      assert.deepEqual([composerState(held, undefined).sends, composerState(held, undefined).isRunning], ['queue', false]);
      const queued = send(held, { text: 'Hi' }, 'send', 'x');
      assert.ok(queued.type === 'session/pendingMessageSet' && queued.kind === 'queued' && queued.id === 'x');
      assert.equal(send(held, { text: 'Hi' }, 'steer', 'x').type, 'session/turnStarted');
    }
    assert.deepEqual(sendNow(idle, 'queued', waiting, 'x'), [
      { type: 'session/pendingMessageRemoved', session: 'copilot:/1', kind: 'queued', id: 'q' },
      { type: 'session/turnStarted', session: 'copilot:/1', turnId: 'x', userMessage: { text: 'Then' } },
    ]);
  });

  it('sends what has waited as the session is by then', () => {
    const message = { text: 'Hi' };
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
    assert.equal(composerState(idle, undefined).blocked, undefined);
    assert.equal(composerState(idle, 'Only watched.').blocked, 'Only watched.');
    assert.match(composerState(undefined, undefined).blocked ?? '', /loading/);
    assert.match(composerState({ ...idle, lifecycle: 'creating' }, undefined).blocked ?? '', /being created/);
    assert.match(composerState({ ...idle, _meta: { 'tapline.notSaved': 'no space left' } }, undefined).blocked ?? '', /cannot be saved/);
    assert.equal(composerState({ ...idle, _meta: { 'tapline.notSaved': { a: 1 } } }, undefined).blocked, undefined);
    assert.equal(composerState({ ...idle, lifecycle: 'hibernating' as never }, undefined).blocked, undefined);
  });

  it('asks before stopping only when there is something to lose', () => {
    assert.deepEqual(composerState(idle, undefined).canStop, false);
    assert.deepEqual(composerState(running, undefined), { sends: 'queue', isRunning: true, canStop: true, stopLosesWork: false });
    const withParts = (...responseParts: ResponsePart[]) => ({
      ...running,
      activeTurn: { id: 't', userMessage: { text: '' }, responseParts },
    });
    const callOf = (status: string) => ({ kind: 'toolCall', toolCall: { toolCallId: 'c', status } }) as unknown as ResponsePart;
    const losesWork = (...parts: ResponsePart[]) => composerState(withParts(...parts), undefined).stopLosesWork;
    assert.equal(losesWork({ kind: 'markdown', id: 'm', content: 'Half of the' }), false, 'what was said stays');
    for (const status of ['streaming', 'pending-confirmation', 'completed', 'cancelled'])
      assert.equal(losesWork(callOf(status)), false, status);
    for (const status of ['running', 'pending-result-confirmation', 'of a later version'])
      assert.equal(losesWork(callOf('completed'), callOf(status)), true, status);
    assert.equal(composerState(withParts(callOf('running')), 'Only watched.').canStop, false);
  });

  it('sends no empty message, but one of attachments alone', () => {
    assert.equal(messageOf(' \n', []), undefined);
    const file = { type: 'file' as const, uri: 'file:///a' };
    assert.deepEqual(messageOf('', [file]), { text: '', attachments: [file] });
    assert.deepEqual(messageOf(' a\n', []), { text: 'a' });
  });

  it('moves queued messages by one place, within the queue', () => {
    const queued = { ...running, queuedMessages: ['a', 'b', 'c'].map((id) => ({ id, userMessage: { text: id } })) };
    assert.deepEqual(moveQueued(queued, 'a', 1)?.order, ['b', 'a', 'c']);
    assert.deepEqual(moveQueued(queued, 'c', -1)?.order, ['a', 'c', 'b']);
    assert.equal(moveQueued(queued, 'a', -1), undefined);
    assert.equal(moveQueued(queued, 'c', 1), undefined);
    assert.equal(moveQueued(queued, 'gone', 1), undefined);
  });

  it('recalls the newest first', () => {
    assert.deepEqual(
      sentMessages(running).map((message) => message.text),
      ['Second', 'First'],
    );
  });
});
