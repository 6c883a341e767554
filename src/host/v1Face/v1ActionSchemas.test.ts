import { type ActionSamples, testActionSchemas } from '../../../test/support/actionSamples.ts';
import type { ClientActionType } from '../../ahp/v1/clientActions.ts';
import { actionSchemas } from './v1ActionSchemas.ts';

const session = { session: 'test:/1' };
const turn = { ...session, turnId: 't' };
const call = { ...turn, toolCallId: 'c' };
const terminal = { terminal: 'agenthost-terminal:/1' };
const userMessage = { text: 'x', attachments: [{ type: 'file', uri: 'file:///a', displayName: 'a' }] };
const schema = { type: 'object', properties: { a: {} }, required: ['a'] };
const tools = [{ name: 'n', title: 't', description: 'd', inputSchema: schema, outputSchema: schema, annotations: {}, _meta: {} }];
const side = { uri: 'file:///a', content: { uri: 'file:///a', sizeHint: 1, contentType: 'text/plain' } };
const content = [
  { type: 'text', text: 'x' },
  { type: 'embeddedResource', data: 'x', contentType: 'image/png' },
  { type: 'resource', uri: 'file:///a', sizeHint: 1, contentType: 'text/plain' },
  { type: 'fileEdit', before: side, after: side, diff: { added: 1, removed: 1 } },
  { type: 'terminal', resource: 'agenthost-terminal:/1', title: 'x' },
  { type: 'subagent', resource: 'test:/1/subagent/c', title: 'x', agentName: 'n', description: 'd' },
];
const answers = {
  text: { state: 'draft', value: { kind: 'text', value: 'x' } },
  number: { state: 'submitted', value: { kind: 'number', value: 1 } },
  boolean: { state: 'submitted', value: { kind: 'boolean', value: true } },
  one: { state: 'submitted', value: { kind: 'selected', value: 'a', freeformValues: ['x'] } },
  some: { state: 'submitted', value: { kind: 'selected-many', value: ['a'], freeformValues: ['x'] } },
  none: { state: 'skipped', freeformValues: ['x'] },
};
const customizations = [{ uri: 'a:b', displayName: 'x', description: 'x', icons: [{ src: 'x' }], nonce: 'x' }];

/** For each type: the fields that it needs, and those that it may have. */
const samples: ActionSamples<ClientActionType> = [
  ['root/configChanged', { config: {} }, { replace: true }],
  ['session/turnStarted', { ...turn, userMessage }, { queuedMessageId: 'q' }],
  ['session/turnCancelled', turn],
  [
    'session/toolCallConfirmed',
    { ...call, approved: true, confirmed: 'user-action' },
    { _meta: {}, editedToolInput: 'x', selectedOptionId: 'o' },
  ],
  [
    'session/toolCallConfirmed',
    { ...call, approved: false, reason: 'denied' },
    { _meta: {}, reasonMessage: 'x', userSuggestion: userMessage, selectedOptionId: 'o' },
  ],
  [
    'session/toolCallComplete',
    { ...call, result: { success: true, pastTenseMessage: 'x', content, structuredContent: {}, error: { message: 'x', code: 'y' } } },
    { _meta: {}, requiresResultConfirmation: true },
  ],
  ['session/toolCallResultConfirmed', { ...call, approved: true }, { _meta: {} }],
  ['session/toolCallContentChanged', { ...call, content }, { _meta: {} }],
  ['session/titleChanged', { ...session, title: 'x' }],
  ['session/modelChanged', { ...session, model: { id: 'm', config: { effort: 'low' } } }],
  ['session/activeClientChanged', { ...session, activeClient: { clientId: 'me', tools, displayName: 'x', customizations } }],
  ['session/activeClientToolsChanged', { ...session, tools }],
  ['session/pendingMessageSet', { ...session, kind: 'queued', id: 'q', userMessage }],
  ['session/pendingMessageRemoved', { ...session, kind: 'queued', id: 'q' }],
  ['session/queuedMessagesReordered', { ...session, order: ['q'] }],
  ['session/inputAnswerChanged', { ...session, requestId: 'r', questionId: 'q' }, { answer: answers.text }],
  ['session/inputCompleted', { ...session, requestId: 'r', response: 'accept' }, { answers }],
  ['session/customizationToggled', { ...session, uri: 'a:b', enabled: true }],
  ['session/truncated', session, { turnId: 't' }],
  ['session/isReadChanged', { ...session, isRead: true }],
  ['session/isArchivedChanged', { ...session, isArchived: true }],
  ['session/configChanged', { ...session, config: {} }, { replace: true }],
  ['terminal/input', { ...terminal, data: 'x' }],
  ['terminal/resized', { ...terminal, cols: 80, rows: 24 }],
  ['terminal/claimed', { ...terminal, claim: { kind: 'client', clientId: 'me' } }],
  ['terminal/claimed', { ...terminal, claim: { kind: 'session', session: 'test:/1', turnId: 't', toolCallId: 'c' } }],
  ['terminal/titleChanged', { ...terminal, title: 'x' }],
  ['terminal/cleared', terminal],
];

describe('the schemas of actions', () => {
  testActionSchemas(samples, actionSchemas);
});
