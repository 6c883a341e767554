import assert from 'node:assert/strict';
import { parseWebviewMessage } from './parseWebviewMessage.ts';
import type { SessionGesture, SessionMessage, WebviewMessage } from './protocol.ts';

const session = 'copilot:/1';
const edit = { after: { uri: 'file:///a.ts', content: { uri: 'session-db://x/1', sizeHint: 3 } }, diff: { added: 1 } };
const file = { type: 'resource', uri: 'file:///a.ts', label: 'a.ts', displayKind: 'file' } as const;
const origin = { kind: 'user' } as const;
const model = { id: 'm', config: { effort: 'high' } };
const act = (action: SessionGesture, uri = session): SessionMessage => ({ type: 'dispatch', uri, action });

const ofSession: SessionMessage[] = [
  { type: 'watch', uri: 'agenthost-terminal:/1', kind: 'terminal' },
  { type: 'watch', uri: 'ahp-chat://a/1', kind: 'chat' },
  { type: 'unwatch', uri: 'agenthost-terminal:/1' },
  { type: 'openFile', uri: 'file:///a.ts' },
  { type: 'openTerminal', uri: 'agenthost-terminal:/1' },
  { type: 'typeIntoTerminal', uri: 'agenthost-terminal:/1', text: 'y\r' },
  {
    type: 'revokeGrants',
    grants: [
      { kind: 'command', text: 'npm test' },
      { kind: 'everyCommand', turnId: 't' },
    ],
  },
  { type: 'openSession', uri: 'copilot:/1/subagent/2' },
  { type: 'resolveUnknown', clientSeq: 4, how: 'sendAgain' },
  { type: 'reopen' },
  { type: 'newSessionWith', draft: { text: 'again', attachments: [file] } },
  { type: 'request', id: 1, method: 'readResource', params: { uri: 'session-db://x/1', encoding: 'utf-8' } },
  { type: 'request', id: 2, method: 'pickAttachments', params: {} },
  { type: 'request', id: 3, method: 'findFiles', params: { query: 'src/a' } },
  { type: 'request', id: 5, method: 'attachContent', params: { name: 'a.png', data: 'iVBORw0KGgo=' } },
  { type: 'request', id: 6, method: 'readImage', params: { uri: 'file:///a.png' } },
  { type: 'request', id: 7, method: 'contextOfEditor', params: { kind: 'symbol', uri: 'file:///a.ts', label: 'run', line: 0 } },
  { type: 'request', id: 4, method: 'attachDropped', params: { uris: ['file:///a.ts'] } },
  { type: 'openDiff', edit },
  { type: 'draft', draft: { text: 'half', attachments: [file] } },
  { type: 'runCommand', command: 'newSession' },
  { type: 'context', needsYou: 1, running: true, chats: ['ahp-chat://a/1'], offers: ['newChat', 'deleteChat'] },
  { type: 'renameChat', chat: 'ahp-chat://side/1' },
  { type: 'deleteChat', chat: 'ahp-chat://side/1' },
  act({
    type: 'chat/turnStarted',
    turnId: 't',
    startedAt: '2026-11-23T10:00:00.000Z',
    message: { text: 'hi', origin, attachments: [file], model },
  }),
  act({ type: 'chat/turnCancelled', turnId: 't', duration: 5 }, 'ahp-chat://a/1'),
  act({ type: 'chat/turnResume', turnId: 't' }),
  act({
    ...{ type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', selectedOptionId: 'o' },
    ...{ approved: true, confirmed: 'user-action', editedToolInput: 'ls', _meta: { 'tapline.asked': 'd1' } },
  }),
  act({
    ...{ type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: false },
    ...{ reason: 'denied', reasonMessage: 'no', userSuggestion: { text: 'try ls', origin }, _meta: { 'tapline.asked': 'd1' } },
  }),
  act({ type: 'chat/toolCallResultConfirmed', turnId: 't', toolCallId: 'c', approved: false }),
  act({ type: 'session/titleChanged', title: '' }),
  act({ type: 'chat/draftChanged', draft: { text: '', origin, model } }),
  act({ type: 'chat/pendingMessageSet', kind: 'steering', id: 'p', message: { text: 'x', origin } }),
  act({ type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'p' }),
  act({ type: 'chat/queuedMessagesReordered', order: ['a', 'b'] }),
  act({ type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q' }),
  act({
    ...{ type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q' },
    answer: { state: 'draft', value: { kind: 'selected-many', value: ['a'], freeformValues: ['b'] } },
  }),
  act({
    ...{ type: 'chat/inputCompleted', requestId: 'r', response: 'accept' },
    answers: { q: { state: 'submitted', value: { kind: 'number', value: 3 } }, o: { state: 'skipped' } },
  }),
  act({ type: 'session/configChanged', config: { autoApprove: 'default', autoApproveReads: false } }),
];
const inSession = (message: unknown) => ({ type: 'inSession', session: { hostId: 'embedded', uri: session }, message });

const wellFormed: WebviewMessage[] = [
  { type: 'ready' },
  { type: 'openExternal', url: 'https://example.com/a?b#c' },
  { type: 'openExternal', url: 'mailto:a@example.com' },
  { type: 'copy', text: '' },
  { type: 'focus', place: 'card' },
  { type: 'runCommand', command: 'newSession' },
  ...ofSession.map((message) => inSession(message) as WebviewMessage),
];

const refused: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a string', 'ready'],
  ['a list', [{ type: 'ready' }]],
  ['an unknown type', { type: 'eval', code: '1' }],
  ['a message of a session that names none', { type: 'reopen' }],
  ['a session without a host', { ...inSession({ type: 'reopen' }), session: { uri: session } }],
  ['a message about a session in another', inSession(inSession({ type: 'reopen' }))],
  ['a grant that allows more than it says', inSession({ type: 'revokeGrants', grants: [{ kind: 'command', text: 'a', also: 'b' }] })],
  ['a uri without a scheme', inSession({ type: 'openFile', uri: '/etc/passwd' })],
  ['a script link', { type: 'openExternal', url: 'javascript:alert(1)' }],
  ['a command link', { type: 'openExternal', url: 'command:workbench.action.quit' }],
  ['a file link as external', { type: 'openExternal', url: 'file:///etc/passwd' }],
  ['a command outside the closed set', { type: 'runCommand', command: 'workbench.action.quit' }],
  ['a request method outside the closed set', inSession({ type: 'request', id: 1, method: 'resourceWrite', params: {} })],
  ['an inherited name as method', inSession({ type: 'request', id: 1, method: 'constructor', params: {} })],
  ['a host action', inSession({ type: 'dispatch', uri: session, action: { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' } })],
  ['a root action', inSession({ type: 'dispatch', uri: session, action: { type: 'root/configChanged', config: {} } })],
  ['an action of nothing', inSession({ type: 'dispatch', action: { type: 'chat/turnResume', turnId: 't' } })],
  [
    'an action of the bridge',
    inSession({ type: 'dispatch', uri: session, action: { type: 'session/activeClientRemoved', clientId: 'c' } }),
  ],
  ['a root to watch', inSession({ type: 'watch', uri: 'agenthost:/root', kind: 'root' })],
  [
    'a turn without an id',
    inSession({
      type: 'dispatch',
      uri: session,
      action: { type: 'chat/turnStarted', turnId: '', startedAt: '', message: { text: '', origin } },
    }),
  ],
  [
    'an answer that is not a number',
    inSession({
      type: 'dispatch',
      uri: session,
      action: {
        type: 'chat/inputAnswerChanged',
        requestId: 'r',
        questionId: 'q',
        answer: { state: 'draft', value: { kind: 'number', value: Number.NaN } },
      },
    }),
  ],
  [
    'an approval in the name of a setting',
    inSession({
      type: 'dispatch',
      uri: session,
      action: {
        type: 'chat/toolCallConfirmed',
        turnId: 't',
        toolCallId: 'c',
        approved: true,
        confirmed: 'setting',
        _meta: { 'tapline.asked': 'd1' },
      },
    }),
  ],
  [
    'an approval that does not say of what',
    inSession({
      type: 'dispatch',
      uri: session,
      action: { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: true, confirmed: 'user-action', _meta: {} },
    }),
  ],
  ['a diff of nothing', inSession({ type: 'openDiff', edit: {} })],
];

describe('parseWebviewMessage', () => {
  for (const message of wellFormed) {
    it(`passes ${nameOf(message)} unchanged`, () => {
      assert.deepEqual(parseWebviewMessage(structuredClone(message)), message);
    });
  }
  for (const [what, value] of refused) {
    it(`refuses ${what}`, () => assert.equal(parseWebviewMessage(value), undefined));
  }
  it('drops members that the protocol does not know, at every depth', () => {
    // A grant with more members is another grant.
    const isStrict = (message: unknown) => JSON.stringify(message).includes('"revokeGrants"');
    for (const message of wellFormed.filter((one) => !isStrict(one))) assert.deepEqual(parseWebviewMessage(withMore(message)), message);
  });
  it('drops members of actions that this view does not use', () => {
    for (const more of [{ _meta: {} }, { queuedMessageId: 'q' }, { replace: true }]) {
      for (const message of ofSession) {
        if (message.type !== 'dispatch' || ('_meta' in more && '_meta' in message.action)) continue;
        const posted = inSession({ ...message, action: { ...message.action, ...more } });
        assert.deepEqual(parseWebviewMessage(posted), inSession(message));
      }
    }
  });
  it('keeps an answer to a question that is named like a prototype', () => {
    const action = JSON.parse(
      `{"type":"chat/inputCompleted","requestId":"r","response":"accept","answers":{"__proto__":{"state":"skipped"}}}`,
    ) as unknown;
    const posted = parseWebviewMessage(inSession({ type: 'dispatch', uri: session, action }));
    const parsed = posted?.type === 'inSession' ? posted.message : undefined;
    assert.ok(parsed?.type === 'dispatch' && parsed.action.type === 'chat/inputCompleted' && parsed.action.answers);
    assert.equal(Object.getPrototypeOf(parsed.action.answers), Object.prototype);
    assert.deepEqual(Object.entries(parsed.action.answers), [['__proto__', { state: 'skipped' }]]);
  });
});

function nameOf(message: WebviewMessage): string {
  if (message.type !== 'inSession') return message.type;
  return message.message.type === 'dispatch' ? message.message.action.type : `${message.message.type} in a session`;
}

/** With one member more in every object, but not in those whose keys are data. */
function withMore(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withMore(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withMore(inner, name)] as const);
  const isData = key === 'config' || key === 'answers';
  return { ...Object.fromEntries(members), ...(!isData && { extra: 1 }) };
}
