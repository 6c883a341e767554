import assert from 'node:assert/strict';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ChatOrigin, ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { FileEdit } from '../../ahp/common/shapes.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { annotationsUri } from './chatUris.ts';
import { changesOf, isRead, listedSession, type SessionFacts } from './listedSession.ts';

const { Idle, Error: Failed, InProgress, InputNeeded, IsRead, IsArchived } = SessionStatus;
const CREATED = Date.parse('2027-01-01T00:00:00.000Z');
const facts: SessionFacts = { uri: 'demo:/1', workingDirectory: '/work', createdAt: CREATED };
const chat = (resource: string, status: number, fields: Partial<ChatSummary> = {}): ChatSummary => ({
  resource,
  title: '',
  status,
  modifiedAt: '2027-01-01T00:00:00.000Z',
  ...fields,
});
const subagent: ChatOrigin = { kind: 'tool', chat: 'c:/1', toolCallId: 'c' };
const session = (chats: ChatSummary[], fields: Partial<SessionState> = {}): SessionState => ({
  provider: 'demo',
  title: 'Title',
  status: Idle,
  lifecycle: 'ready',
  activeClients: [],
  chats,
  defaultChat: 'c:/1',
  ...fields,
});
const listed = (state: SessionState, edits: FileEdit[] = [], defaultChat?: ChatState) =>
  listedSession(facts, state, { defaultChat, edits });
const edit = (name: string, diff?: FileEdit['diff']): FileEdit => ({
  after: { uri: `file:///${name}`, content: { uri: `file:///${name}` } },
  ...(diff && { diff }),
});

describe('sessions as lists show them', () => {
  it('have what the session says, and leave out what there is not', () => {
    const own = chat('c:/1', Idle);
    assert.deepEqual(listed(session([own])), {
      summary: {
        resource: 'demo:/1',
        provider: 'demo',
        title: 'Title',
        status: Idle,
        createdAt: '2027-01-01T00:00:00.000Z',
        modifiedAt: '2027-01-01T00:00:00.000Z',
        annotations: { resource: annotationsUri('demo:/1'), annotationCount: 0, entryCount: 0 },
        defaultChat: 'c:/1',
      },
      chats: [own],
      edits: [],
    });
    const project = { uri: 'file:///work', displayName: 'work' };
    const full = listed(session([own], { activity: 'reading', project, workingDirectories: ['file:///work'] }), [edit('a')]);
    assert.deepEqual(
      [full.summary.activity, full.summary.project, full.summary.workingDirectories, full.summary.changes, full.edits],
      ['reading', project, ['file:///work'], { additions: 0, deletions: 0, files: 1 }, [edit('a')]],
    );
  });

  it('count the comments of the session', () => {
    const entry = { id: 'e', text: 'Why?' };
    const one = {
      id: 'c',
      origin: { session: 'demo:/1' },
      resource: 'file:///a',
      resolved: false,
      entries: [entry, { ...entry, id: 'f' }],
    };
    const { annotations } = listedSession(facts, session([chat('c:/1', Idle)]), { annotations: [one] }).summary;
    assert.deepEqual(annotations, { resource: annotationsUri('demo:/1'), annotationCount: 1, entryCount: 2 });
  });

  it('go on to the model that the next message of the first chat goes to', () => {
    const own: ChatState = { ...chat('c:/1', Idle), turns: [] };
    const draft = { text: '', origin: { kind: 'user' as const }, model: { id: 'm' } };
    assert.deepEqual(listed(session([own]), [], { ...own, draft }).model, { id: 'm' });
    assert.equal('model' in listed(session([own]), [], own), false);
  });

  it('were modified when the newest of their chats was, and not before they were created', () => {
    const at = (...times: string[]) =>
      listed(session(times.map((modifiedAt, index) => chat(`c:/${index + 1}`, Idle, { modifiedAt })))).summary.modifiedAt;
    assert.equal(at('2027-01-01T00:00:02.000Z', '2027-01-01T00:00:03.000Z', '2027-01-01T00:00:01.000Z'), '2027-01-01T00:00:03.000Z');
    assert.equal(at('2026-12-31T00:00:00.000Z'), '2027-01-01T00:00:00.000Z');
    assert.equal(at(), '2027-01-01T00:00:00.000Z');
  });

  describe('status', () => {
    const status = (first: number, others: [status: number, origin?: ChatOrigin][] = [], own: number = Idle) =>
      listed(
        session([chat('c:/1', first), ...others.map(([of, origin], at) => chat(`c:/${at + 2}`, of, { ...(origin && { origin }) }))], {
          status: own,
        }),
      ).summary.status;

    it('has the flags of the session, with what its first chat does', () => {
      for (const activity of [Idle, Failed, InProgress, InputNeeded]) {
        assert.equal(status(activity), activity);
        assert.equal(status(activity, [], Idle + IsRead + IsArchived), activity + IsRead + IsArchived);
        assert.equal(status(activity + IsRead, [], Idle), activity, 'the flags of the chat are its own');
      }
      assert.equal(status(InProgress, [], Idle + 2 ** 40), InProgress + 2 ** 40, 'flags of later versions stay');
    });

    it('waits when any chat does, that of a subagent too', () => {
      assert.equal(status(InProgress, [[InputNeeded]]), InputNeeded);
      assert.equal(
        status(InProgress, [
          [InProgress, subagent],
          [InputNeeded, subagent],
        ]),
        InputNeeded,
      );
      assert.equal(status(Failed, [[InputNeeded]]), InputNeeded);
      assert.equal(status(Idle, [[Idle], [InputNeeded, { kind: 'user' }]]), InputNeeded);
    });

    it('is busy while another chat of the user is, and not for what a subagent does alone', () => {
      assert.equal(status(Idle, [[InProgress]]), InProgress);
      assert.equal(status(Failed, [[InProgress, { kind: 'fork', chat: 'c:/1', turnId: 't' }]]), InProgress);
      assert.equal(status(Idle, [[InProgress, subagent]]), Idle);
      assert.equal(status(InProgress, [[Idle]]), InProgress);
    });

    it('has no error of a subagent, nor of another chat', () => {
      assert.equal(status(Idle, [[Failed, subagent]]), Idle);
      assert.equal(status(InProgress, [[Failed, subagent]]), InProgress);
      assert.equal(status(Idle, [[Failed]]), Idle);
      assert.equal(status(Failed, [[Idle]]), Failed);
    });

    it('is idle where the first chat is not known', () => {
      assert.equal(listed(session([], { status: InProgress + IsRead })).summary.status, Idle + IsRead);
      assert.equal(listed(session([chat('c:/2', InProgress)])).summary.status, InProgress);
      assert.equal(listed(session([chat('c:/1', -1)], { status: Number.NaN })).summary.status, 0);
    });
  });

  it('count the lines and files that were changed', () => {
    assert.deepEqual(changesOf([edit('a', { added: 2, removed: 1 }), edit('b', { added: 3 }), edit('c')]), {
      additions: 5,
      deletions: 1,
      files: 3,
    });
    assert.deepEqual(changesOf([]), { additions: 0, deletions: 0, files: 0 });
  });

  it('are read where the flag says so', () => {
    assert.deepEqual([Idle, Idle + IsRead, InputNeeded + IsRead + IsArchived, InputNeeded, 0].map(isRead), [
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});
