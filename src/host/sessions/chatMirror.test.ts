import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StateAction } from '../../ahp/channels/actions.ts';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import { activityOf, SessionStatus } from '../../ahp/common/status.ts';
import { isRead } from '../state/listedSession.ts';
import { StateStore } from '../state/stateStore.ts';
import { ChatMirror, neededIn } from './chatMirror.ts';

const uri = 'demo:/1';
const [first, second, helper, changes] = ['ahp-chat://1', 'ahp-chat://2', 'ahp-chat://helper', 'ahp-changeset://1'];
const { Idle, Error: Failed, InProgress, InputNeeded, IsRead, IsArchived } = SessionStatus;

describe('what a session says of its chats', () => {
  let now: number;
  let store: StateStore;
  let mirror: ChatMirror;
  let said: StateAction[];

  const summary = (resource: string, status: number = Idle): ChatSummary => ({
    resource,
    title: '',
    status,
    modifiedAt: '2027-01-01T00:00:00.000Z',
    ...(resource === helper && { origin: { kind: 'tool', chat: first, toolCallId: 'c' }, interactivity: 'read-only' }),
  });
  const open = (session: Partial<SessionState> = {}, chats: Record<string, Partial<ChatState>> = {}, uris = [first, second, helper]) => {
    now = Date.parse('2027-01-01T00:00:00.000Z');
    store = new StateStore({ now: () => now });
    const state = { provider: 'demo', title: '', status: Idle, lifecycle: 'ready' as const, activeClients: [], defaultChat: first };
    store.add(
      { channel: uri, kind: 'session', state: { ...state, chats: uris.map((chat) => summary(chat, chats[chat]?.status)), ...session } },
      uri,
    );
    for (const chat of uris) store.add({ channel: chat, kind: 'chat', state: { ...summary(chat), turns: [], ...chats[chat] } }, uri);
    store.add({ channel: changes, kind: 'changeset', state: { status: 'ready', files: [] } }, uri);
    mirror = new ChatMirror(store);
    said = [];
    store.onDidDispatch(({ envelope }) => {
      if (envelope.channel === uri) said.push(envelope.action);
    });
  };
  afterEach(() => mirror.dispose());

  const session = (): SessionState => {
    const state = store.session(uri);
    assert.ok(state);
    return state;
  };
  const listed = (chat: string) => session().chats.find(({ resource }) => resource === chat);
  const time = () => new Date((now += 1000)).toISOString();
  const act = (chat: string, ...actions: ChatAction[]) => {
    for (const action of actions) store.dispatch(chat, action);
  };
  const started = (turnId = 't'): ChatAction => ({
    type: 'chat/turnStarted',
    turnId,
    startedAt: time(),
    message: { text: 'go', origin: { kind: 'user' } },
  });
  const complete = (turnId = 't'): ChatAction => ({ type: 'chat/turnComplete', turnId, duration: 10 });
  const inCall = (toolCallId: string) => ({ turnId: 't', toolCallId });
  const callStarted = (toolCallId: string, clientId?: string): ChatAction => ({
    ...inCall(toolCallId),
    type: 'chat/toolCallStart',
    toolName: 'x',
    displayName: 'X',
    ...(clientId !== undefined && { contributor: { kind: 'client', clientId } }),
  });
  const asks = (toolCallId: string, invocationMessage = 'x'): ChatAction => ({
    ...inCall(toolCallId),
    type: 'chat/toolCallReady',
    invocationMessage,
  });
  const runs = (toolCallId: string): ChatAction => ({
    ...inCall(toolCallId),
    type: 'chat/toolCallReady',
    invocationMessage: 'x',
    confirmed: 'setting',
  });
  const approved = (toolCallId: string): ChatAction => ({
    ...inCall(toolCallId),
    type: 'chat/toolCallConfirmed',
    approved: true,
    confirmed: 'user-action',
  });
  const completes = (toolCallId: string, requiresResultConfirmation = false): ChatAction => ({
    ...inCall(toolCallId),
    type: 'chat/toolCallComplete',
    result: { success: true, pastTenseMessage: 'done' },
    requiresResultConfirmation,
  });
  const question = (id: string): ChatAction => ({ type: 'chat/inputRequested', request: { id, message: 'which?' } });
  const needed = () => (session().inputNeeded ?? []).map(({ kind, id }) => [kind, id]);

  describe('is in step after each action of a chat:', () => {
    beforeEach(() => open());

    it('a turn that begins and ends, and when', () => {
      act(second, started());
      const begun = new Date(now).toISOString();
      assert.deepEqual([listed(second)?.status, listed(second)?.modifiedAt], [InProgress, begun]);
      act(second, complete());
      assert.deepEqual([listed(second)?.status, listed(second)?.modifiedAt], [Idle, new Date(now + 10).toISOString()]);
      act(second, started('u'), {
        type: 'chat/error',
        turnId: 'u',
        duration: 1,
        part: { kind: 'error', error: { errorType: 'x', message: 'y' } },
      });
      assert.equal(listed(second)?.status, Failed);
      act(second, { type: 'chat/truncated' });
      assert.equal(listed(second)?.status, Idle);
      assert.deepEqual(listed(first), summary(first));
    });

    it('a call that waits for the user, that runs at a client, and that is over', () => {
      act(second, started(), callStarted('c', 'me'));
      assert.deepEqual(needed(), []);
      act(second, asks('c'));
      assert.deepEqual(needed(), [['toolConfirmation', `${second}#c`]]);
      assert.deepEqual([listed(second)?.status, session().status], [InputNeeded, InputNeeded]);
      act(second, approved('c'));
      assert.deepEqual(needed(), [['toolClientExecution', `${second}#c`]]);
      assert.equal(listed(second)?.status, InProgress);
      const [entry] = session().inputNeeded ?? [];
      assert.ok(entry?.kind === 'toolClientExecution');
      assert.deepEqual([entry.clientId, entry.chat, entry.turnId, entry.toolCall.status], ['me', second, 't', 'running']);
      const content = [{ type: 'text' as const, text: 'so far' }];
      act(second, { ...inCall('c'), type: 'chat/toolCallContentChanged', content });
      const [shown] = session().inputNeeded ?? [];
      assert.ok(shown?.kind === 'toolClientExecution');
      assert.equal(shown.toolCall.content, undefined, 'the chat says it already');
      act(second, completes('c', true));
      assert.deepEqual(needed(), [['toolConfirmation', `${second}#c`]]);
      act(second, { ...inCall('c'), type: 'chat/toolCallResultConfirmed', approved: true });
      assert.deepEqual([needed(), 'inputNeeded' in session()], [[], false]);
    });

    it('a call that asks something else now', () => {
      act(first, started(), callStarted('c'), asks('c', 'read it'), asks('c', 'delete it'));
      const [entry] = session().inputNeeded ?? [];
      assert.ok(entry?.kind === 'toolConfirmation');
      assert.deepEqual([needed().length, entry.toolCall.invocationMessage], [1, 'delete it']);
    });

    it('a call of the host that runs, which waits for nobody', () => {
      act(first, started(), callStarted('c'), runs('c'));
      assert.deepEqual(needed(), []);
    });

    it('questions, with their answers so far, until they are answered', () => {
      act(helper, started(), question('r'), question('s'));
      assert.deepEqual(needed(), [
        ['chatInput', `${helper}#r`],
        ['chatInput', `${helper}#s`],
      ]);
      const answer = { state: 'draft' as const, value: { kind: 'text' as const, value: 'so' } };
      act(helper, { type: 'chat/inputAnswerChanged', requestId: 's', questionId: 'q', answer });
      const [, open] = session().inputNeeded ?? [];
      assert.ok(open?.kind === 'chatInput');
      assert.deepEqual(open.request.answers, { q: answer });
      act(helper, { type: 'chat/inputCompleted', requestId: 'r', response: 'decline' });
      assert.deepEqual(needed(), [['chatInput', `${helper}#s`]]);
      act(helper, { type: 'chat/turnCancelled', turnId: 't', duration: 0 });
      assert.deepEqual(needed(), []);
    });

    it('what waits in several chats under the same ids', () => {
      for (const chat of [first, second, helper]) act(chat, started(), callStarted('c'), asks('c'));
      assert.deepEqual(
        needed().map(([, id]) => id),
        [`${first}#c`, `${second}#c`, `${helper}#c`],
      );
      act(second, complete());
      assert.deepEqual(
        needed().map(([, id]) => id),
        [`${first}#c`, `${helper}#c`],
      );
      assert.equal(session().status, InputNeeded);
    });

    it('an activity, also one that ends; the session has that of its first chat', () => {
      act(second, { type: 'chat/activityChanged', activity: 'thinking' });
      assert.deepEqual([listed(second)?.activity, session().activity], ['thinking', undefined]);
      act(first, { type: 'chat/activityChanged', activity: 'reading' });
      assert.deepEqual([listed(first)?.activity, session().activity], ['reading', 'reading']);
      store.dispatch(uri, { type: 'session/chatUpdated', chat: second, changes: { title: 'Second' } });
      for (const chat of [first, second]) act(chat, { type: 'chat/activityChanged' });
      for (const chat of [first, second]) assert.equal('activity' in (listed(chat) ?? {}), false);
      assert.deepEqual([session().activity, listed(second)?.title], [undefined, 'Second']);
    });

    it('folders that change', () => {
      act(second, { type: 'chat/workingDirectorySet', directory: 'file:///a' });
      assert.deepEqual(listed(second)?.workingDirectories, ['file:///a']);
    });
  });

  it('is not said again for what only adds text, nor for what was refused', () => {
    open();
    act(first, started(), callStarted('c'));
    said.length = 0;
    act(
      first,
      { type: 'chat/responsePart', turnId: 't', part: { kind: 'markdown', id: 'p', content: '' } },
      { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' },
      { ...inCall('c'), type: 'chat/toolCallDelta', content: '{' },
      { type: 'chat/usage', turnId: 't', usage: { inputTokens: 1 } },
      { type: 'chat/draftChanged', draft: { text: 'x', origin: { kind: 'user' } } },
      { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q', message: { text: 'x', origin: { kind: 'user' } } },
      { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'q' },
    );
    store.reject(first, complete(), { clientId: 'a', clientSeq: 1 }, 'no');
    act(first, complete('other'));
    assert.deepEqual(said, []);
  });

  it('is said after the action of the chat, and no more of it than has changed', () => {
    open();
    const heard: [string, string][] = [];
    store.onDidDispatch(({ envelope: { channel, action } }) => heard.push([channel, action.type]));
    act(first, started());
    assert.deepEqual(heard, [
      [first, 'chat/turnStarted'],
      [uri, 'session/chatUpdated'],
    ]);
    const [update] = said;
    assert.ok(update?.type === 'session/chatUpdated');
    assert.deepEqual(Object.keys(update.changes), ['status', 'modifiedAt']);
  });

  it('ends with the mirror, and for a chat that the session does not list', () => {
    open({ chats: [summary(first)] });
    act(second, started(), question('r'));
    assert.deepEqual([said, needed()], [[], []]);
    mirror.dispose();
    act(first, started());
    assert.deepEqual(said, []);
  });

  describe('what a session and its chats have in common', () => {
    it('a session is unread when one of the user’s chats is, and reading it reads them all', () => {
      const read = { status: Idle + IsRead };
      open({ ...read, status: Idle + IsRead + IsArchived }, { [first]: read, [second]: read, [helper]: read });
      act(helper, started());
      assert.equal(isRead(session().status), true, 'what a subagent does is no news');
      act(second, started());
      assert.equal(session().status, Idle + IsArchived);
      store.dispatch(uri, { type: 'session/isReadChanged', isRead: true });
      assert.deepEqual(
        [first, second, helper].map((chat) => [isRead(store.chat(chat)?.status ?? 0), isRead(listed(chat)?.status ?? 0)]),
        [
          [true, true],
          [true, true],
          [false, false],
        ],
      );
      assert.equal(isRead(session().status), true);
      store.dispatch(uri, { type: 'session/isReadChanged', isRead: false });
      assert.equal(isRead(store.chat(first)?.status ?? 0), true, 'marking a session as unread marks no chat');
      act(first, { type: 'chat/isReadChanged', isRead: false });
      assert.equal(isRead(listed(first)?.status ?? IsRead), false);
    });

    it('the title of the session is that of its first chat, and no other’s', () => {
      open();
      store.dispatch(uri, { type: 'session/titleChanged', title: 'New' });
      assert.deepEqual(
        session().chats.map(({ title }) => title),
        ['New', '', ''],
      );
      said.length = 0;
      store.dispatch(uri, { type: 'session/titleChanged', title: 'New' });
      assert.equal(said.length, 1);
    });

    it('the files that the session has changed are counted at its first chat', () => {
      open();
      const files = [{ id: 'a', edit: { diff: { added: 3, removed: 1 } } }];
      store.dispatch(changes, { type: 'changeset/contentChanged', files });
      assert.deepEqual(listed(first)?.changes, { additions: 3, deletions: 1, files: 1 });
      assert.equal(listed(second)?.changes, undefined);
      said.length = 0;
      store.dispatch(changes, { type: 'changeset/filesReviewChanged', files: ['a'], reviewed: true });
      assert.deepEqual(said, [], 'a review changes no count');
      store.dispatch(changes, { type: 'changeset/cleared' });
      assert.deepEqual(listed(first)?.changes, { additions: 0, deletions: 0, files: 0 });
    });
  });

  it('can be made anew, where the host ended between the action of a chat and that of its session', () => {
    const before = { ...summary(second, InputNeeded), activity: 'reading' };
    const waits = { kind: 'chatInput' as const, id: `${second}#r`, chat: second, request: { id: 'r' } };
    open(
      { title: 'Given', status: InputNeeded, inputNeeded: [waits], activity: 'reading', chats: [summary(first), before, summary(helper)] },
      { [second]: { modifiedAt: '2027-01-01T00:00:01.000Z' } },
    );
    mirror.refresh(uri);
    assert.deepEqual(listed(second), { ...summary(second), modifiedAt: '2027-01-01T00:00:01.000Z' });
    assert.deepEqual([needed(), session().activity, listed(first)?.title], [[], undefined, 'Given']);
    said.length = 0;
    mirror.refresh(uri);
    mirror.refresh('demo:/none');
    assert.deepEqual(said, []);
  });

  describe('after any actions', () => {
    const chat = fc.constantFrom(first, second, helper);
    const call = fc.constantFrom('c', 'd');
    const ofChat: fc.Arbitrary<(state: ChatState) => ChatAction[]> = fc.oneof(
      { weight: 3, arbitrary: fc.constant((state: ChatState) => (state.activeTurn ? [] : [started()])) },
      fc.constantFrom(complete(), { type: 'chat/turnCancelled', turnId: 't', duration: 5 } as ChatAction).map((action) => () => [action]),
      fc.constant(() => [
        { type: 'chat/error', turnId: 't', duration: 1, part: { kind: 'error', error: { errorType: 'x', message: 'y' } } } as ChatAction,
      ]),
      {
        weight: 3,
        arbitrary: fc.tuple(call, fc.option(fc.constant('me'), { nil: undefined })).map(
          ([id, client]) =>
            (state: ChatState) =>
              hasCall(state, id) ? [] : [callStarted(id, client)],
        ),
      },
      { weight: 3, arbitrary: fc.tuple(call, fc.constantFrom('x', 'y')).map(([id, text]) => () => [asks(id, text)]) },
      ...[runs, approved, completes, (id: string) => completes(id, true)].map((make) => ({
        weight: 2,
        arbitrary: call.map((id) => () => [make(id)]),
      })),
      call.map((id) => () => [{ ...inCall(id), type: 'chat/toolCallResultConfirmed', approved: true } as ChatAction]),
      call.map((id) => () => [{ ...inCall(id), type: 'chat/toolCallContentChanged', content: [] } as ChatAction]),
      call.map((id) => () => [{ ...inCall(id), type: 'chat/toolCallDelta', content: 'x' } as ChatAction]),
      { weight: 2, arbitrary: fc.constantFrom('r', 's').map((id) => () => [question(id)]) },
      fc.constantFrom('r', 's').map((id) => () => [{ type: 'chat/inputCompleted', requestId: id, response: 'accept' } as ChatAction]),
      fc
        .constantFrom(undefined, 'reading')
        .map((activity) => () => [{ type: 'chat/activityChanged', ...(activity && { activity }) } as ChatAction]),
      fc.boolean().map((read) => () => [{ type: 'chat/isReadChanged', isRead: read } as ChatAction]),
      fc.constantFrom(undefined, 'old').map((turnId) => () => [{ type: 'chat/truncated', ...(turnId && { turnId }) } as ChatAction]),
    );
    const step: fc.Arbitrary<() => void> = fc.oneof(
      {
        weight: 12,
        arbitrary: fc.tuple(chat, ofChat).map(
          ([of, make]) =>
            () =>
              act(of, ...make(store.chat(of) as ChatState)),
        ),
      },
      fc.boolean().map((read) => () => store.dispatch(uri, { type: 'session/isReadChanged', isRead: read })),
      fc.boolean().map((isArchived) => () => store.dispatch(uri, { type: 'session/isArchivedChanged', isArchived })),
      fc.constantFrom('', 'a', 'b').map((title) => () => store.dispatch(uri, { type: 'session/titleChanged', title })),
      fc
        .nat(2)
        .map(
          (added) => () => store.dispatch(changes, { type: 'changeset/contentChanged', files: [{ id: 'a', edit: { diff: { added } } }] }),
        ),
    );
    const hasCall = ({ activeTurn }: ChatState, id: string) =>
      activeTurn?.responseParts.some((part) => part.kind === 'toolCall' && part.toolCall.toolCallId === id);

    it('its chats, and what waits in them, are those that the chats have', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
          open();
          for (const take of steps) {
            take();
            const { chats, inputNeeded = [], title, status, activity, defaultChat } = session();
            for (const known of chats) {
              const { title: own, changes: counted, ...rest } = known;
              const state = store.chat(known.resource) as ChatState;
              const { resource, status: now, activity: does, modifiedAt, origin, interactivity } = state;
              const expected = { resource, status: now, activity: does, modifiedAt, origin, interactivity };
              assert.deepEqual(rest, JSON.parse(JSON.stringify(expected)));
              if (resource === defaultChat) assert.deepEqual([own, activity], [title, does]);
              else assert.deepEqual([own, counted], ['', undefined]);
              const waiting = inputNeeded.filter((entry) => entry.chat === resource);
              assert.deepEqual(new Set(waiting), new Set(neededIn(resource, state)));
              assert.equal(
                waiting.some(({ kind }) => kind !== 'toolClientExecution'),
                activityOf(now) === InputNeeded,
              );
              assert.ok(!isRead(status) || isRead(now) || resource === helper, 'a session that is read has no news');
            }
            assert.equal(new Set(inputNeeded.map(({ id }) => id)).size, inputNeeded.length);
            assert.equal(
              activityOf(status) === InputNeeded,
              inputNeeded.some(({ kind }) => kind !== 'toolClientExecution'),
            );
            const from = store.serverSeq;
            mirror.refresh(uri);
            assert.equal(store.serverSeq, from, 'there is nothing left to say');
          }
          mirror.dispose();
        }),
        { numRuns: 150 },
      );
    });
  });
});
