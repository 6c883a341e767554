import assert from 'node:assert/strict';
import { SessionStatus, type SessionState, type SessionSummary } from '../../ahp/v1/session.ts';
import { v1Dialect } from '../../ahp/dialects/v1/v1Dialect.ts';
import type { ToolCallState } from '../../ahp/v1/toolCall.ts';
import type { SessionState as ModelState } from '../../ahp/channels/session/state.ts';
import { sessionState } from '../../../test/fakes/models.ts';
import { channelDialect } from '../../ahp/dialects/channels/channelDialect.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';
import { upgradedSession, upgradedSummary } from '../../ahp/v1/upgrade.ts';
import { attentionItems, attentionText } from './attentionItems.ts';

const summary = (changes: Partial<SessionSummary> = {}): SessionSummary => ({
  resource: 'demo:/1',
  provider: 'demo',
  title: 'Fix it',
  status: SessionStatus.InputNeeded,
  createdAt: 0,
  modifiedAt: 0,
  ...changes,
});
const host = (sessions: SessionSummary[], changes: Partial<HostInput> = {}): HostInput => ({
  id: 'embedded',
  label: 'This computer',
  connection: { connected: true, failed: false, text: 'connected' },
  sessions: sessions.map(upgradedSummary),
  listed: true,
  topSession: v1Dialect.topSession,
  ...changes,
});
const call: ToolCallState = {
  status: 'pending-confirmation',
  toolCallId: 'c',
  toolName: 'bash',
  displayName: 'Run command',
  invocationMessage: 'Something harmless',
  toolInput: '{"command":"rm -rf build"}',
};
const state = (changes: Partial<SessionState> = {}, about: Partial<SessionSummary> = {}): SessionState => ({
  summary: summary(about),
  lifecycle: 'ready',
  turns: [],
  activeTurn: { id: 't', userMessage: { text: '' }, responseParts: [{ kind: 'toolCall', toolCall: call }] },
  ...changes,
});
const states = (...all: SessionState[]) => new Map(all.map((one) => [one.summary.resource, upgradedSession(one)]));
const brief = (items: ReturnType<typeof attentionItems>) => items.map(({ kind, uri, title, what }) => [kind, uri, title, what]);

describe('attentionItems', () => {
  it('names what a call gets, not what the host says of it', () => {
    assert.deepEqual(brief(attentionItems(host([summary()]), states(state()))), [
      ['call', 'demo:/1', 'Fix it', 'Approve or deny: Run command rm -rf build'],
    ]);
  });

  it('says where it waits and since when, and has what a card needs', () => {
    const about = { workingDirectory: 'file:///w', modifiedAt: 7 };
    const [item] = attentionItems(host([summary(about)]), states(state({}, about)));
    assert.deepEqual([item?.folder, item?.since, item?.waiting], ['file:///w', 7, { kind: 'call', turnId: 't', call }]);
    const [later] = attentionItems(host([summary(about)]), states(state({}, about)), {
      sinceWhen: (id, changed) => (id === item?.id ? 5 : changed),
    });
    assert.equal(later?.since, 5);
  });

  it('has an item for a call that waits for a sign-in, which names to what', () => {
    const auth = { reason: 'required' as const, resource: { resource: 'https://mcp.example', resource_name: 'Tickets' } };
    const contributor = { kind: 'mcp' as const, customizationId: 's' };
    const waits = { ...call, contributor, status: 'auth-required' as const, auth } as never;
    const needs = { kind: 'toolAuthentication' as const, id: 'n', chat: 'chat:/1', turnId: 't', toolCall: waits };
    const known = new Map<string, ModelState>([['demo:/1', sessionState({ title: 'Fix it', inputNeeded: [needs] })]]);
    const [item, ...more] = attentionItems(host([summary()]), known);
    assert.deepEqual(
      [item?.kind, item?.what, item?.chat, item?.waiting?.kind, more],
      ['signIn', 'Sign in to Tickets', 'chat:/1', 'signIn', []],
    );
  });

  it('has an item for each call, result and question, each with its own identity', () => {
    const result: ToolCallState = { ...call, toolCallId: 'r', status: 'pending-result-confirmation', confirmed: 'setting', success: true, pastTenseMessage: '' }; // prettier-ignore
    const edit: ToolCallState = {
      ...call,
      toolCallId: 'e',
      displayName: 'Edit',
      toolInput: '{}',
      edits: { items: [{ after: { uri: 'file:///w/a.ts', content: { uri: 'x:1' } } }] },
    };
    const items = attentionItems(
      host([summary()]),
      states(
        state({
          activeTurn: { id: 't', userMessage: { text: '' }, responseParts: [call, result, edit].map((toolCall) => ({ kind: 'toolCall', toolCall })) },
          inputRequests: [{ id: 'q', message: 'Which one?' }, { id: 'p', questions: [{ kind: 'text', id: 'x', message: 'Your name?' }] }],
        }),
      ), // prettier-ignore
    );
    assert.deepEqual(
      items.map(({ what }) => what),
      [
        'Answer: Which one?',
        'Answer: Your name?',
        'Approve or deny: Run command rm -rf build',
        'Share or withhold the result: Run command rm -rf build',
        'Approve or deny: Edit /w/a.ts',
      ],
    );
    assert.equal(new Set(items.map(({ id }) => id)).size, 5);
  });

  it('says of a session whose state is not known yet only that it waits', () => {
    const items = attentionItems(host([summary({ activity: 'Waiting' })]), new Map());
    assert.deepEqual(brief(items), [['unknown', 'demo:/1', 'Fix it', 'Needs you: Waiting']]);
  });

  it('tells calls with one id in two turns apart, and says when a state is still to come', () => {
    const idIn = (turnId: string) => {
      const responseParts = [{ kind: 'toolCall' as const, toolCall: call }];
      const [item] = attentionItems(
        host([summary()]),
        states(state({ activeTurn: { id: turnId, userMessage: { text: '' }, responseParts } })),
      );
      return item?.id;
    };
    assert.notEqual(idIn('t'), idIn('u'));
    assert.equal(attentionItems(host([summary()]), new Map())[0]?.isLoading, true);
    assert.equal(attentionItems(host([summary()]), states(state({ activeTurn: undefined })))[0]?.isLoading, undefined);
  });

  it('has another identity when the call asks for something else', () => {
    const idOf = (fields: object) => {
      const responseParts = [{ kind: 'toolCall' as const, toolCall: { ...call, ...fields } }];
      return attentionItems(host([summary()]), states(state({ activeTurn: { id: 't', userMessage: { text: '' }, responseParts } })))[0]?.id;
    };
    assert.equal(idOf({ confirmationTitle: 'Read /a?' }), idOf({ confirmationTitle: 'Read /a?' }));
    assert.notEqual(idOf({ confirmationTitle: 'Read /a?' }), idOf({ confirmationTitle: 'Read /b?' }));
  });

  it('believes a state more than the summary of a list', () => {
    const answered = state({ activeTurn: undefined }, { status: SessionStatus.Idle });
    assert.deepEqual(attentionItems(host([summary()]), states(answered)), []);
  });

  it('counts archived sessions, and those that need nothing not at all', () => {
    const archived = summary({ status: SessionStatus.InputNeeded | SessionStatus.IsArchived });
    const idle = summary({ resource: 'demo:/2', status: SessionStatus.Idle });
    const running = summary({ resource: 'demo:/3', status: SessionStatus.InProgress });
    assert.deepEqual(
      attentionItems(host([archived, idle, running]), new Map()).map(({ uri }) => uri),
      ['demo:/1'],
    );
  });

  it('counts what waits in a subagent once, under the title of the session that the user knows', () => {
    const uri = 'demo:/1/subagent/c9';
    const parent = summary({ status: SessionStatus.InProgress });
    const below = state({}, { resource: uri, title: 'Searcher' });
    const items = attentionItems(host([parent]), states(state({ activeTurn: undefined }, parent), below));
    assert.deepEqual(brief(items), [['call', uri, 'Fix it', 'Approve or deny: Run command rm -rf build']]);
    assert.equal(items[0]?.topSession, 'demo:/1');
    const listed = host([parent, summary({ resource: uri, title: 'Searcher' })]);
    assert.deepEqual(brief(attentionItems(listed, states(below))), brief(items));
  });

  it('takes a session for one that the user started, where subagents have none, whatever it is called', () => {
    const failed = summary({ resource: 'ahp-session:/a/subagent/b', status: SessionStatus.Error, activity: 'Away' });
    const { topSession } = channelDialect;
    const items = attentionItems(
      host([summary({ resource: 'ahp-session:/a', status: SessionStatus.Idle }), failed], { topSession }),
      new Map(),
    );
    assert.deepEqual(brief(items), [['failed', failed.resource, 'Fix it', 'Failed: Away']]);
    assert.equal(items[0]?.topSession, undefined);
  });

  it('shows a turn that failed until it is seen', () => {
    const failed = summary({ status: SessionStatus.Error, activity: 'The model is away' });
    assert.deepEqual(brief(attentionItems(host([failed]), new Map())), [['failed', 'demo:/1', 'Fix it', 'Failed: The model is away']]);
    assert.deepEqual(attentionItems(host([{ ...failed, status: SessionStatus.Error | SessionStatus.IsRead }]), new Map()), []);
  });

  it('shows a sign-in that a host waits for', () => {
    assert.deepEqual(brief(attentionItems(host([], { needsSignIn: true }), new Map())), [
      ['signIn', undefined, 'This computer', 'Sign in to GitHub'],
    ]);
  });

  it('has nothing of a host that is away', () => {
    const away = host([summary()], { connection: { connected: false, failed: false, text: 'reconnecting' }, needsSignIn: true });
    assert.deepEqual(attentionItems(away, states(state())), []);
  });
});

describe('attentionItems of a session with several chats', () => {
  const asks = { ...call, status: 'pending-confirmation' as const };
  const about: Partial<ModelState> = {
    title: 'Fix it',
    chats: ['ahp-chat://a/1', 'ahp-chat://b/1'].map((resource) => ({ resource, title: '', status: 24, modifiedAt: '' })),
  };
  const listed = host([summary()]);

  it('are told by the session, each with its chat', () => {
    const needed = (chat: string) => ({ kind: 'toolConfirmation' as const, id: `${chat}#c`, chat, turnId: 't', toolCall: asks });
    const known = sessionState({ ...about, inputNeeded: ['ahp-chat://a/1', 'ahp-chat://b/1'].map(needed) });
    const items = attentionItems(listed, new Map([['demo:/1', known]]));
    assert.deepEqual(
      items.map(({ kind, uri, chat }) => [kind, uri, chat]),
      [
        ['call', 'demo:/1', 'ahp-chat://a/1'],
        ['call', 'demo:/1', 'ahp-chat://b/1'],
      ],
    );
    assert.equal(new Set(items.map(({ id }) => id)).size, 2);
  });

  it('believe the chats more than the list and the session about what goes on', () => {
    const idle = sessionState({ ...about, status: 24, chats: about.chats!.map((chat) => ({ ...chat, status: 1 })) });
    assert.deepEqual(attentionItems(listed, new Map([['demo:/1', idle]])), []);
    const waits = sessionState({ ...about, status: 1 });
    assert.deepEqual(
      attentionItems(listed, new Map([['demo:/1', waits]])).map(({ kind }) => kind),
      ['unknown'],
    );
  });
});

it('attentionText counts', () => {
  assert.deepEqual([0, 1, 2].map(attentionText), [undefined, '1 thing needs you', '2 things need you']);
});
