/** The laws of all three reducers, on random actions. */
import fc from 'fast-check';
import {
  type ActionTable,
  type AnyReducer,
  bool,
  describeLaws,
  type Fields,
  id,
  maybe,
  text,
  turnId,
  values,
} from '../../../../test/support/reducerLaws.ts';
import type { ActionType } from '../actions.ts';
import { rootReducer } from './rootReducer.ts';
import { sessionReducer } from './sessionReducer.ts';
import { terminalReducer } from './terminalReducer.ts';

const userMessage = fc.record({ text });
const option = fc.record({ id, label: text, kind: fc.constantFrom('approve', 'deny', 'later') });
const toolContent = fc.array(fc.record({ type: fc.constantFrom('text', 'hologram'), text }), { maxLength: 2 });
const toolCall = fc.record({
  status: fc.constantFrom('streaming', 'pending-confirmation', 'running', 'pending-result-confirmation', 'completed', 'paused'),
  toolCallId: id,
  toolName: text,
  displayName: text,
  invocationMessage: text,
});
const part = fc.oneof(
  fc.record({ kind: fc.constantFrom('markdown', 'reasoning', 'hologram'), id, content: text }),
  fc.record({ kind: fc.constant('toolCall'), toolCall }),
);
const answer = fc.record({
  state: fc.constantFrom('draft', 'submitted', 'later'),
  value: fc.record({ kind: fc.constant('text'), value: text }),
});
const tools = fc.array(fc.record({ name: id }), { maxLength: 2 });
const customization = fc.record({ customization: fc.record({ uri: id, displayName: text }), enabled: bool });
const inTurn = { turnId };
const inCall = { turnId, toolCallId: id };
const error = fc.record({ errorType: text, message: text });

const fieldsOf: Record<ActionType, Fields> = {
  'root/agentsChanged': { agents: fc.array(fc.record({ provider: id }), { maxLength: 2 }) },
  'root/activeSessionsChanged': { activeSessions: fc.nat(2) },
  'root/terminalsChanged': { terminals: fc.array(fc.record({ resource: id }), { maxLength: 2 }) },
  'root/configChanged': { config: values, replace: maybe(bool) },
  'session/ready': {},
  'session/creationFailed': { error },
  'session/turnStarted': { ...inTurn, userMessage, queuedMessageId: maybe(id) },
  'session/delta': { ...inTurn, partId: id, content: text },
  'session/reasoning': { ...inTurn, partId: id, content: text },
  'session/responsePart': { ...inTurn, part },
  'session/usage': { ...inTurn, usage: fc.record({ inputTokens: fc.nat(2) }) },
  'session/turnComplete': inTurn,
  'session/turnCancelled': inTurn,
  'session/error': { ...inTurn, error },
  'session/toolCallStart': { ...inCall, toolName: text, displayName: text },
  'session/toolCallDelta': { ...inCall, content: text, invocationMessage: maybe(text) },
  'session/toolCallReady': {
    ...inCall,
    invocationMessage: text,
    toolInput: maybe(text),
    confirmed: maybe(fc.constantFrom('not-needed', 'oracle')),
    options: maybe(fc.array(option, { maxLength: 3 })),
  },
  'session/toolCallConfirmed': {
    ...inCall,
    approved: bool,
    confirmed: text,
    reason: text,
    selectedOptionId: maybe(id),
    editedToolInput: maybe(text),
  },
  'session/toolCallComplete': {
    ...inCall,
    result: fc.record({ success: bool, pastTenseMessage: text, content: maybe(toolContent) }),
    requiresResultConfirmation: maybe(bool),
  },
  'session/toolCallResultConfirmed': { ...inCall, approved: bool },
  'session/toolCallContentChanged': { ...inCall, content: toolContent },
  'session/titleChanged': { title: text },
  'session/modelChanged': { model: fc.record({ id }) },
  'session/serverToolsChanged': { tools },
  'session/activeClientChanged': { activeClient: fc.option(fc.record({ clientId: id, tools })) },
  'session/activeClientToolsChanged': { tools },
  'session/pendingMessageSet': { kind: fc.constantFrom('steering', 'queued', 'later'), id, userMessage },
  'session/pendingMessageRemoved': { kind: fc.constantFrom('steering', 'queued', 'later'), id },
  'session/queuedMessagesReordered': { order: fc.array(id, { maxLength: 4 }) },
  'session/inputRequested': { request: fc.record({ id, message: text, answers: maybe(fc.dictionary(id, answer, { maxKeys: 2 })) }) },
  'session/inputAnswerChanged': { requestId: id, questionId: id, answer: maybe(answer) },
  'session/inputCompleted': { requestId: id, response: fc.constantFrom('accept', 'shrug') },
  'session/customizationsChanged': { customizations: fc.array(customization, { maxLength: 2 }) },
  'session/customizationToggled': { uri: id, enabled: bool },
  'session/truncated': { turnId: maybe(turnId) },
  'session/isReadChanged': { isRead: bool },
  'session/isArchivedChanged': { isArchived: bool },
  'session/activityChanged': { activity: maybe(text) },
  'session/diffsChanged': { diffs: fc.array(fc.record({ diff: fc.record({ added: fc.nat(2) }) }), { maxLength: 2 }) },
  'session/configChanged': { config: values, replace: maybe(bool) },
  'session/metaChanged': { _meta: maybe(values) },
  'terminal/data': { data: text },
  'terminal/input': { data: text },
  'terminal/resized': { cols: fc.nat(2), rows: fc.nat(2) },
  'terminal/claimed': { claim: fc.record({ kind: fc.constantFrom('client', 'later'), clientId: id }) },
  'terminal/titleChanged': { title: text },
  'terminal/cwdChanged': { cwd: text },
  'terminal/exited': { exitCode: maybe(fc.nat(2)) },
  'terminal/cleared': {},
  'terminal/commandDetectionAvailable': {},
  'terminal/commandExecuted': { commandId: id, commandLine: text, timestamp: fc.nat(2) },
  'terminal/commandFinished': { commandId: id, exitCode: maybe(fc.nat(2)), durationMs: maybe(fc.nat(2)) },
};

const table: ActionTable = {
  fieldsOf,
  // What streams is most of the traffic, and what keeps a turn open must outweigh what ends it.
  weights: {
    'session/turnStarted': 6,
    'session/delta': 8,
    'session/reasoning': 4,
    'session/responsePart': 6,
    'session/toolCallStart': 5,
    'session/toolCallDelta': 6,
    'session/toolCallReady': 6,
    'session/toolCallConfirmed': 4,
    'session/toolCallComplete': 4,
    'terminal/data': 8,
    'terminal/commandExecuted': 3,
  },
  streams: ['session/delta', 'session/reasoning', 'session/toolCallDelta', 'terminal/data'],
};

const emptySession = {
  summary: { resource: 'copilot:/1', provider: 'copilot', title: '', status: 1, createdAt: 1, modifiedAt: 1 },
  lifecycle: 'ready',
  turns: [],
};
const openSession = {
  ...emptySession,
  summary: { ...emptySession.summary, status: 8 + 32 + 2 ** 40 },
  activeTurn: {
    id: 't1',
    userMessage: { text: 'go' },
    responseParts: [
      { kind: 'markdown', id: 'a', content: '' },
      { kind: 'reasoning', id: 'a', content: '' },
      { kind: 'toolCall', toolCall: { status: 'streaming', toolCallId: 'a', toolName: '', displayName: '' } },
    ],
  },
  config: { schema: { type: 'object', properties: {} }, values: { a: 1 } },
};
for (const reducer of [
  {
    name: 'root',
    prefix: 'root/',
    reducer: rootReducer as AnyReducer,
    states: fc.constantFrom({ agents: [] }, { agents: [], config: { schema: {}, values: {} } }),
    fields: ['agents', 'activeSessions', 'terminals', 'config'],
  },
  {
    name: 'session',
    prefix: 'session/',
    reducer: sessionReducer as AnyReducer,
    states: fc.constantFrom(emptySession, openSession),
    fields: [
      'summary',
      'lifecycle',
      'turns',
      'activeTurn',
      'steeringMessage',
      'queuedMessages',
      'inputRequests',
      'config',
      'customizations',
      'activeClient',
    ],
  },
  {
    name: 'terminal',
    prefix: 'terminal/',
    reducer: terminalReducer as AnyReducer,
    states: fc.constantFrom({ title: '', content: [], claim: { kind: 'client', clientId: 'a' } }),
    fields: ['title', 'content', 'claim', 'cols', 'exitCode'],
  },
])
  describeLaws(table, reducer);
