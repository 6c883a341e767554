import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepFreeze } from '../../../test/support/deepFreeze.ts';
import { reduceAll } from '../common/reducers/reduceAll.ts';
import type { StateAction } from './actions.ts';
import { sessionReducer } from './reducers/sessionReducer.ts';
import type { SessionState } from './session.ts';
import { upgradedChanges, upgradedChat, upgradedRoot, upgradedSession, upgradedSummary, upgradedTerminal } from './upgrade.ts';
import { runs } from '../../../test/support/runs.ts';

const session = 'copilot:/1';
const state: SessionState = deepFreeze({
  summary: {
    resource: session,
    provider: 'copilot',
    title: 'T',
    status: 8 + 32,
    createdAt: Date.UTC(2027, 0, 1),
    modifiedAt: Date.UTC(2027, 0, 2),
    model: { id: 'm' },
    workingDirectory: 'file:///w',
    diffs: [{ after: { uri: 'file:///w/a', content: { uri: 'x:/a' } }, diff: { added: 2, removed: 1 } }],
  },
  lifecycle: 'ready',
  activeClient: { clientId: 'me', tools: [{ name: 'look' }], customizations: [{ uri: 'x:/p', displayName: 'P', nonce: '1' }] },
  turns: [
    {
      id: 'old',
      userMessage: { text: 'Look', attachments: [{ type: 'file', uri: 'file:///w/a', displayName: 'a' }] },
      responseParts: [{ kind: 'markdown', id: 'p', content: 'Done' }],
      state: 'error',
      error: { errorType: 'x', message: 'no' },
    },
  ],
  activeTurn: {
    id: 't',
    userMessage: { text: 'Go' },
    responseParts: [
      { kind: 'markdown', id: 'm', content: 'I will' },
      {
        kind: 'toolCall',
        toolCall: { status: 'pending-confirmation', toolCallId: 'c', toolName: 'rm', displayName: 'rm', invocationMessage: 'rm' },
      },
      {
        kind: 'toolCall',
        toolCall: {
          status: 'running',
          toolCallId: 'd',
          toolName: 'look',
          displayName: 'Look',
          toolClientId: 'me',
          invocationMessage: 'Looking',
          confirmed: 'not-needed',
        },
      },
    ],
  },
  steeringMessage: { id: 's', userMessage: { text: 'Stop' } },
  queuedMessages: [{ id: 'q', userMessage: { text: 'Then' } }],
  inputRequests: [{ id: 'r', message: 'Which?' }],
  customizations: [
    { customization: { uri: 'x:/p', displayName: 'P' }, enabled: false, clientId: 'me', status: 'degraded', statusMessage: 'half' },
  ],
});
const user = { kind: 'user' };
const pending = state.activeTurn?.responseParts[1];
const running = {
  status: 'running',
  toolCallId: 'd',
  toolName: 'look',
  displayName: 'Look',
  contributor: { kind: 'client', clientId: 'me' },
  invocationMessage: 'Looking',
  confirmed: 'not-needed',
};

describe('the upgrade of AHP v1', () => {
  it('makes a session of a session', () => {
    assert.deepEqual(upgradedSession(state), {
      provider: 'copilot',
      title: 'T',
      status: 40,
      lifecycle: 'ready',
      workingDirectories: ['file:///w'],
      activeClients: [
        {
          clientId: 'me',
          tools: [{ name: 'look' }],
          customizations: [{ type: 'plugin', id: 'x:/p', uri: 'x:/p', name: 'P', nonce: '1' }],
        },
      ],
      chats: [
        {
          resource: session,
          title: 'T',
          status: 40,
          modifiedAt: '2027-01-02T00:00:00.000Z',
          workingDirectories: ['file:///w'],
          changes: { additions: 2, deletions: 1, files: 1 },
        },
      ],
      defaultChat: session,
      customizations: [
        {
          type: 'plugin',
          id: 'x:/p',
          uri: 'x:/p',
          name: 'P',
          clientId: 'me',
          load: { kind: 'degraded', message: 'half' },
          enablement: [{ kind: 'session', enabled: false }],
        },
      ],
      inputNeeded: [
        { kind: 'chatInput', id: `${session}#r`, chat: session, request: { id: 'r', message: 'Which?' } },
        {
          kind: 'toolConfirmation',
          id: `${session}#c`,
          chat: session,
          turnId: 't',
          toolCall: pending?.kind === 'toolCall' ? pending.toolCall : undefined,
        },
        { kind: 'toolClientExecution', id: `${session}#d`, chat: session, turnId: 't', clientId: 'me', toolCall: running },
      ],
    });
  });

  it('makes a chat of a session', () => {
    const { turns, activeTurn, steeringMessage, queuedMessages, draft } = upgradedChat(state);
    assert.deepEqual(turns, [
      {
        id: 'old',
        message: {
          text: 'Look',
          origin: user,
          attachments: [{ type: 'resource', label: 'a', uri: 'file:///w/a', displayKind: 'file' }],
        },
        responseParts: [
          { kind: 'markdown', id: 'p', content: 'Done' },
          { kind: 'error', error: { errorType: 'x', message: 'no' } },
        ],
        state: 'error',
      },
    ]);
    assert.deepEqual(activeTurn, {
      id: 't',
      message: { text: 'Go', origin: user },
      responseParts: [
        { kind: 'markdown', id: 'm', content: 'I will' },
        pending,
        { kind: 'toolCall', toolCall: running },
        { kind: 'inputRequest', request: { id: 'r', message: 'Which?' } },
      ],
    });
    assert.deepEqual(steeringMessage, { id: 's', message: { text: 'Stop', origin: user } });
    assert.deepEqual(queuedMessages, [{ id: 'q', message: { text: 'Then', origin: user } }]);
    assert.deepEqual(draft, { text: '', origin: user, model: { id: 'm' } });
  });

  it('makes a chat of a tool of a subagent’s session', () => {
    const resource = `${session}/subagent/call%2F1`;
    const chat = upgradedChat({ ...state, summary: { ...state.summary, resource } });
    assert.deepEqual(chat.origin, { kind: 'tool', chat: session, toolCallId: 'call/1' });
    assert.equal(chat.activeTurn?.message.origin.kind, 'tool');
    assert.deepEqual(upgradedChat({ ...state, summary: { ...state.summary, resource: `${session}/subagent/%` } }).origin, {
      kind: 'tool',
      chat: session,
      toolCallId: '%',
    });
  });

  it('makes one changed part of an appended text, and leaves the session', () => {
    const delta: StateAction = { type: 'session/delta', session, turnId: 't', partId: 'm', content: ' go' };
    const next = reduceAll(sessionReducer, state, [delta], 0);
    assert.notEqual(next, state);
    assert.equal(upgradedSession(next), upgradedSession(state));
    const [before, after] = [upgradedChat(state), upgradedChat(next)];
    assert.equal(upgradedChat(next), after);
    assert.equal(after.turns, before.turns);
    assert.equal(after.activeTurn?.message, before.activeTurn?.message);
    const changed = after.activeTurn?.responseParts.filter((part, index) => part !== before.activeTurn?.responseParts[index]);
    assert.deepEqual(changed, [{ kind: 'markdown', id: 'm', content: 'I will go' }]);
  });

  it('leaves what is left when a turn ends', () => {
    const ended = reduceAll(sessionReducer, state, [{ type: 'session/turnComplete', session, turnId: 't' }], 0);
    const [before, after] = [upgradedChat(state), upgradedChat(ended)];
    assert.equal(after.turns[0], before.turns[0]);
    assert.equal(after.turns[1]?.message, before.activeTurn?.message);
    assert.equal(upgradedSession(ended).inputNeeded, undefined);
  });

  it('knows a read and a done session of an older host', () => {
    const summary = { ...state.summary, status: 1, isRead: true, isDone: true };
    assert.equal(upgradedSummary(summary).status, 1 + 32 + 64);
    assert.equal(upgradedSummary({ ...summary, isDone: false } as typeof summary).status, 1 + 32);
  });

  it('has no changes where the list of diffs is empty', () => {
    const without = upgradedSummary({ ...state.summary, diffs: [] });
    assert.deepEqual([without.changes, upgradedSummary(state.summary).changes?.files], [undefined, 1]);
  });

  it('makes a changeset of the diffs', () => {
    assert.deepEqual(upgradedChanges(state.summary), { status: 'ready', files: [{ id: 'file:///w/a', edit: state.summary.diffs?.[0] }] });
  });

  it('says of a terminal that it has ended, and which chat holds it', () => {
    const claim = { kind: 'session' as const, session };
    assert.deepEqual(upgradedTerminal({ title: '', content: [], exitCode: 0, claim }), {
      title: '',
      content: [],
      claim: { ...claim, chat: session },
      lifecycle: { status: 'exited', exitCode: 0 },
    });
    const below = { ...claim, session: `${session}/subagent/c1` };
    assert.deepEqual(upgradedTerminal({ title: '', content: [], claim: below }).claim, { ...claim, chat: below.session });
    assert.deepEqual(upgradedRoot({ agents: [], terminals: [{ resource: 't:/1', title: '', claim }] }).terminals, [
      { resource: 't:/1', title: '', claim: { ...claim, chat: session }, lifecycle: { status: 'running' } },
    ]);
  });

  it('throws at nothing that a host can send', () => {
    const garbage = fc.constantFrom<unknown>(
      ...[null, undefined, 0, 'x', true, [], [null], [[]], {}, ['x'], [{}]],
      ...[
        '{"__proto__":{"id":"a"}}',
        '{"toString":1,"valueOf":1}',
        '[{"toolCall":{"toString":1}}]',
        '[{"kind":"toolCall","toolCall":{}}]',
      ].map((json) => JSON.parse(json) as unknown),
    );
    /** The value with something else at one or more places. */
    const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
      if (typeof value !== 'object' || value === null) return fc.oneof({ weight: 20, arbitrary: fc.constant(value) }, garbage);
      if (Array.isArray(value)) return fc.oneof({ weight: 20, arbitrary: fc.tuple(...value.map(spoilt)) }, garbage);
      const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, spoilt(member)]));
      return fc.oneof({ weight: 20, arbitrary: fc.record(members) }, garbage);
    };
    const root = { agents: [{ provider: 'p', models: [], customizations: [{ uri: 'x' }] }], terminals: [{ claim: { kind: 'session' } }] };
    fc.assert(
      fc.property(spoilt(state), spoilt(root), spoilt({ content: [], claim: { kind: 'session' }, exitCode: 1 }), (any, roots, terminal) => {
        deepFreeze(any);
        upgradedChat(any as SessionState);
        upgradedSession(any as SessionState);
        const { summary } = (any ?? {}) as Partial<SessionState>;
        upgradedSummary(summary as never);
        upgradedChanges(summary as never);
        upgradedRoot(roots as never);
        upgradedTerminal(terminal as never);
      }),
      { numRuns: runs(2000) },
    );
  });
});
