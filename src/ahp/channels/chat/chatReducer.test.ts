/** What the shared cases of the chat channel do not have: errors that can go on, times, and the additions of 1.0.0. */
import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import { SessionStatus } from '../../common/status.ts';
import type { ChatAction } from './actions.ts';
import { chatReducer, chatReducer11 } from './chatReducer.ts';
import type { BackgroundWork, ChatState, ErrorResponsePart } from './state.ts';

const START = '2027-01-01T00:00:00.000Z';
const message = { text: 'go', origin: { kind: 'user' as const } };
const empty: ChatState = { resource: 'c', title: 'T', status: SessionStatus.Idle + SessionStatus.IsRead, modifiedAt: '', turns: [] };
const after = (state: ChatState, ...actions: ChatAction[]): ChatState =>
  actions.reduce<ChatState>((current, action) => chatReducer(current, deepFreeze(action), 0), deepFreeze(state));

const started: ChatAction = { type: 'chat/turnStarted', turnId: 't', startedAt: START, message };
const errorPart: ErrorResponsePart = { kind: 'error', error: { errorType: 'x', message: 'no' }, resumable: true };
const failed: ChatAction = { type: 'chat/error', turnId: 't', duration: 1500, part: errorPart };

describe('chatReducer', () => {
  it('takes its time from the turns, never from the clock, and not from a duration that is none', () => {
    const open = after(empty, started);
    assert.equal(open.modifiedAt, START);
    assert.equal(after(open, { type: 'chat/draftChanged', draft: message }).modifiedAt, START);
    const done = after(open, { type: 'chat/turnComplete', turnId: 't', duration: 1500 });
    assert.equal(done.modifiedAt, '2027-01-01T00:00:01.500Z');
    assert.equal(done.turns[0]?.duration, 1500);
    assert.equal(after(open, { type: 'chat/turnComplete', turnId: 't', duration: -5 }).modifiedAt, START);
    const timeless = after(empty, { ...started, startedAt: 'soon' }, { type: 'chat/turnComplete', turnId: 't', duration: 1 });
    assert.equal(timeless.modifiedAt, 'soon');
    assert.equal(timeless.turns[0]?.state, 'complete');
  });

  it('of 1.1 changes nothing where a turn that it knows is begun again, and begins others', () => {
    const after11 = (state: ChatState, ...actions: ChatAction[]) => actions.reduce((now, action) => chatReducer11(now, action, 0), state);
    const running = after11(empty, started, { type: 'chat/responsePart', turnId: 't', part: { kind: 'markdown', id: 'p', content: 'x' } });
    assert.deepEqual(
      running,
      after(empty, started, { type: 'chat/responsePart', turnId: 't', part: { kind: 'markdown', id: 'p', content: 'x' } }),
    );
    assert.equal(after11(running, started), running);
    assert.notEqual(after(running, started), running);
    const done = after11(running, { type: 'chat/turnComplete', turnId: 't', duration: 1 });
    assert.equal(after11(done, started), done);
    assert.equal(after11(done, { ...started, turnId: 'u' }).activeTurn?.id, 'u');
  });

  it('ends a turn with its error, and goes on with it when that is possible', () => {
    const ended = after(empty, started, failed);
    assert.equal(ended.status, SessionStatus.Error);
    assert.deepEqual(ended.turns[0], {
      id: 't',
      startedAt: START,
      message,
      responseParts: [errorPart],
      duration: 1500,
      state: 'error',
    });
    const again = after(ended, { type: 'chat/turnResume', turnId: 't' });
    assert.deepEqual(again.activeTurn, { id: 't', startedAt: START, message, responseParts: [errorPart] });
    assert.deepEqual(again.turns, []);
    assert.equal(again.status, SessionStatus.InProgress);
  });

  it('opens no other turn again: one that is not the last, has not failed, or cannot go on; none beside an active one', () => {
    const resume: ChatAction = { type: 'chat/turnResume', turnId: 't' };
    const ended = after(empty, started, failed);
    const later = after(ended, { ...started, turnId: 'u' });
    for (const state of [
      empty,
      later,
      after(later, { type: 'chat/turnComplete', turnId: 'u', duration: 1 }),
      after(empty, started, { type: 'chat/turnCancelled', turnId: 't', duration: 1 }),
      after(empty, started, { ...failed, part: { ...errorPart, resumable: false } }),
    ]) {
      assert.equal(after(state, resume), state);
    }
  });

  it('takes an error with the end of its turn only', () => {
    const open = after(empty, started);
    assert.equal(after(open, { type: 'chat/responsePart', turnId: 't', part: errorPart }), open);
  });

  it('marks a chat as read and archived, and as unread when something comes', () => {
    const open = after(empty, started);
    assert.equal(open.status, SessionStatus.InProgress, 'a turn is something new');
    const read = after(open, { type: 'chat/isReadChanged', isRead: true }, { type: 'chat/isArchivedChanged', isArchived: true });
    assert.equal(read.status, SessionStatus.InProgress + SessionStatus.IsRead + SessionStatus.IsArchived);
    const done = after(read, { type: 'chat/turnComplete', turnId: 't', duration: 1 });
    assert.equal(done.status, SessionStatus.Idle + SessionStatus.IsRead + SessionStatus.IsArchived);
    const asked = after(read, { type: 'chat/inputRequested', request: { id: 'r' } });
    assert.equal(asked.status, SessionStatus.InputNeeded + SessionStatus.IsArchived);
    assert.equal(after(read, { type: 'chat/isReadChanged', isRead: false }).status, SessionStatus.InProgress + SessionStatus.IsArchived);
  });

  it('lists background work by id, also of later kinds, and keeps an emptied list', () => {
    const shell: BackgroundWork = { kind: 'shell', id: 'a', label: 'Build', startedAt: START, command: 'make' };
    const later = { kind: 'dream', id: 'b', label: 'Sleep', startedAt: START } as unknown as BackgroundWork;
    const both = after(empty, { type: 'chat/backgroundWorkSet', work: shell }, { type: 'chat/backgroundWorkSet', work: later });
    assert.deepEqual(both.backgroundWork, [shell, later]);
    const renamed = { ...shell, label: 'Test' };
    assert.deepEqual(after(both, { type: 'chat/backgroundWorkSet', work: renamed }).backgroundWork, [renamed, later]);
    assert.equal(after(both, { type: 'chat/backgroundWorkRemoved', id: 'x' }), both);
    const none = after(both, { type: 'chat/backgroundWorkRemoved', id: 'a' }, { type: 'chat/backgroundWorkRemoved', id: 'b' });
    assert.deepEqual(none.backgroundWork, []);
    assert.equal(after(empty, { type: 'chat/backgroundWorkRemoved', id: 'a' }), deepFreeze(empty));
  });

  it('replaces its changesets and canvases, and has none without a list', () => {
    const changesets = [{ label: 'All', uriTemplate: 'x:/all', changeKind: 'session' }];
    const canvases = [{ resource: 'ahp-canvas:/1' }];
    const full = after(empty, { type: 'chat/changesetsChanged', changesets }, { type: 'chat/canvasesChanged', canvases });
    assert.deepEqual(full, { ...empty, changesets, canvases });
    assert.deepEqual(after(full, { type: 'chat/changesetsChanged', changesets: [] }).changesets, []);
    assert.deepEqual(after(full, { type: 'chat/changesetsChanged' }, { type: 'chat/canvasesChanged' }), empty);
  });

  it('says whether it can be moved', () => {
    assert.equal(after(empty, { type: 'chat/movableChanged', movable: true }).movable, true);
    assert.equal(after({ ...empty, movable: true }, { type: 'chat/movableChanged', movable: false }).movable, false);
  });

  it('completes a question with the answers that were there, and asks no more', () => {
    const answer = { state: 'draft' as const, value: { kind: 'text' as const, value: 'x' } };
    const asked = after(
      empty,
      started,
      { type: 'chat/inputRequested', request: { id: 'r' } },
      { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'a', answer },
    );
    assert.equal(asked.status, SessionStatus.InputNeeded);
    const answered = after(asked, { type: 'chat/inputCompleted', requestId: 'r', response: 'accept', answers: { b: answer } });
    assert.equal(answered.status, SessionStatus.InProgress);
    assert.deepEqual(answered.activeTurn?.responseParts, [
      { kind: 'inputRequest', request: { id: 'r', answers: { a: answer, b: answer } }, response: 'accept' },
    ]);
    assert.equal(after(answered, { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'a' }), answered);
  });

  it('leaves the status alone when a question is completed that it does not have', () => {
    const ended = after(empty, started, failed);
    assert.equal(after(ended, { type: 'chat/inputCompleted', requestId: 'r', response: 'cancel' }), ended);
  });

  it('takes answers away with the last of them, also where there was none', () => {
    const asked = after(empty, started, { type: 'chat/inputRequested', request: { id: 'r', answers: {} } });
    const cleared = after(asked, { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'a' });
    assert.deepEqual(cleared.activeTurn?.responseParts, [{ kind: 'inputRequest', request: { id: 'r' } }]);
  });

  it('drops a text for a part whose id an earlier tool call has', () => {
    const text = { kind: 'markdown' as const, id: 'x', content: 'a' };
    const thought = { kind: 'reasoning' as const, id: 'x', content: 'b' };
    const call: ChatAction = { type: 'chat/toolCallStart', turnId: 't', toolCallId: 'x', toolName: 'n', displayName: 'N' };
    for (const [type, part] of [['chat/delta', text] as const, ['chat/reasoning', thought] as const]) {
      const appended: ChatAction = { type: 'chat/responsePart', turnId: 't', part };
      const more: ChatAction = { type, turnId: 't', partId: 'x', content: '!' };
      const behind = after(empty, started, call, appended);
      assert.equal(after(behind, more), behind, 'the call comes first');
      const before = after(empty, started, appended, call, more);
      assert.deepEqual(before.activeTurn?.responseParts[0], { ...part, content: `${part.content}!` });
    }
  });
});
