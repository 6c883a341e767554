import assert from 'node:assert/strict';
import { parseWebviewMessage } from './parseWebviewMessage.ts';
import type { WebviewMessage } from './protocol.ts';

const session = 'copilot:/1';
const edit = { after: { uri: 'file:///a.ts', content: { uri: 'session-db://x/1', sizeHint: 3 } }, diff: { added: 1 } };
const file = { type: 'file', uri: 'file:///a.ts', displayName: 'a.ts' } as const;

const wellFormed: WebviewMessage[] = [
  { type: 'ready' },
  { type: 'watch', uri: 'agenthost-terminal:/1' },
  { type: 'unwatch', uri: 'agenthost-terminal:/1' },
  { type: 'openFile', uri: 'file:///a.ts' },
  { type: 'openSession', uri: 'copilot:/1/subagent/2' },
  { type: 'resolveUnknown', clientSeq: 4, how: 'sendAgain' },
  { type: 'reopen' },
  { type: 'newSessionWith', draft: { text: 'once more', attachments: [file] } },
  { type: 'request', id: 1, method: 'readResource', params: { uri: 'session-db://x/1', encoding: 'utf-8' } },
  { type: 'request', id: 2, method: 'pickAttachments', params: {} },
  { type: 'request', id: 3, method: 'findFiles', params: { query: 'src/a' } },
  { type: 'request', id: 4, method: 'attachDropped', params: { uris: ['file:///a.ts'] } },
  { type: 'openDiff', edit },
  { type: 'openExternal', url: 'https://example.com/a?b#c' },
  { type: 'openExternal', url: 'mailto:a@example.com' },
  { type: 'copy', text: '' },
  { type: 'draft', uri: session, draft: { text: 'half', attachments: [file] } },
  { type: 'context', needsYou: 1, running: true, callFocused: false, composerFocused: true },
  { type: 'runCommand', command: 'newSession' },
  { type: 'dispatch', action: { type: 'session/turnStarted', session, turnId: 't', userMessage: { text: 'hi', attachments: [file] } } },
  { type: 'dispatch', action: { type: 'session/turnCancelled', session, turnId: 't' } },
  {
    type: 'dispatch',
    action: {
      type: 'session/toolCallConfirmed',
      session,
      turnId: 't',
      toolCallId: 'c',
      selectedOptionId: 'o',
      approved: true,
      confirmed: 'user-action',
      editedToolInput: 'ls',
    },
  },
  {
    type: 'dispatch',
    action: {
      type: 'session/toolCallConfirmed',
      session,
      turnId: 't',
      toolCallId: 'c',
      approved: false,
      reason: 'denied',
      reasonMessage: 'no',
      userSuggestion: { text: 'try ls' },
    },
  },
  { type: 'dispatch', action: { type: 'session/toolCallResultConfirmed', session, turnId: 't', toolCallId: 'c', approved: false } },
  { type: 'dispatch', action: { type: 'session/titleChanged', session, title: '' } },
  { type: 'dispatch', action: { type: 'session/modelChanged', session, model: { id: 'm', config: { effort: 'high' } } } },
  { type: 'dispatch', action: { type: 'session/pendingMessageSet', session, kind: 'steering', id: 'p', userMessage: { text: 'x' } } },
  { type: 'dispatch', action: { type: 'session/pendingMessageRemoved', session, kind: 'queued', id: 'p' } },
  { type: 'dispatch', action: { type: 'session/queuedMessagesReordered', session, order: ['a', 'b'] } },
  { type: 'dispatch', action: { type: 'session/inputAnswerChanged', session, requestId: 'r', questionId: 'q' } },
  {
    type: 'dispatch',
    action: {
      type: 'session/inputAnswerChanged',
      session,
      requestId: 'r',
      questionId: 'q',
      answer: { state: 'draft', value: { kind: 'selected-many', value: ['a'], freeformValues: ['b'] } },
    },
  },
  {
    type: 'dispatch',
    action: {
      type: 'session/inputCompleted',
      session,
      requestId: 'r',
      response: 'accept',
      answers: { q: { state: 'submitted', value: { kind: 'number', value: 3 } }, o: { state: 'skipped' } },
    },
  },
  { type: 'dispatch', action: { type: 'session/configChanged', session, config: { autoApprove: 'default' } } },
];

const refused: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a string', 'ready'],
  ['a list', [{ type: 'ready' }]],
  ['an unknown type', { type: 'eval', code: '1' }],
  ['a uri without a scheme', { type: 'openFile', uri: '/etc/passwd' }],
  ['a script link', { type: 'openExternal', url: 'javascript:alert(1)' }],
  ['a command link', { type: 'openExternal', url: 'command:workbench.action.quit' }],
  ['a file link as external', { type: 'openExternal', url: 'file:///etc/passwd' }],
  ['a command outside the closed set', { type: 'runCommand', command: 'workbench.action.quit' }],
  ['a request method outside the closed set', { type: 'request', id: 1, method: 'resourceWrite', params: {} }],
  ['an inherited name as method', { type: 'request', id: 1, method: 'constructor', params: {} }],
  ['a host action', { type: 'dispatch', action: { type: 'session/delta', session, turnId: 't', partId: 'p', content: 'x' } }],
  ['a root action', { type: 'dispatch', action: { type: 'root/configChanged', config: {} } }],
  ['a turn without an id', { type: 'dispatch', action: { type: 'session/turnStarted', session, turnId: '', userMessage: { text: '' } } }],
  [
    'an answer of a number that is none',
    {
      type: 'dispatch',
      action: {
        type: 'session/inputAnswerChanged',
        session,
        requestId: 'r',
        questionId: 'q',
        answer: { state: 'draft', value: { kind: 'number', value: Number.NaN } },
      },
    },
  ],
  [
    'an approval in the name of a setting',
    {
      type: 'dispatch',
      action: { type: 'session/toolCallConfirmed', session, turnId: 't', toolCallId: 'c', approved: true, confirmed: 'setting' },
    },
  ],
  ['a diff of nothing', { type: 'openDiff', edit: {} }],
];

describe('parseWebviewMessage', () => {
  for (const message of wellFormed) {
    it(`passes ${message.type === 'dispatch' ? message.action.type : message.type} unchanged`, () => {
      assert.deepEqual(parseWebviewMessage(structuredClone(message)), message);
    });
  }
  for (const [what, value] of refused) {
    it(`refuses ${what}`, () => assert.equal(parseWebviewMessage(value), undefined));
  }
  it('drops members that the protocol does not know', () => {
    assert.deepEqual(parseWebviewMessage({ type: 'copy', text: 'a', extra: 1 }), { type: 'copy', text: 'a' });
  });
  it('lets no answer id reach a prototype', () => {
    const action = JSON.parse(
      `{"type":"session/inputCompleted","session":"${session}","requestId":"r","response":"accept","answers":{"__proto__":{"state":"skipped"}}}`,
    ) as unknown;
    const parsed = parseWebviewMessage({ type: 'dispatch', action });
    assert.ok(parsed?.type === 'dispatch' && parsed.action.type === 'session/inputCompleted' && parsed.action.answers);
    assert.equal(Object.getPrototypeOf(parsed.action.answers), Object.prototype);
  });
});
