/** The laws of all channels' reducers, on random actions. */
import fc from 'fast-check';
import { type AnyReducer, bool, describeLaws, type Fields, id, maybe, text, turnId, values } from '../../../test/support/reducerLaws.ts';
import type { ActionType } from './actions.ts';
import { type ChannelKind, channelReducers } from './channelReducers.ts';

const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 });
const oneOf = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

const message = fc.record({ text, origin: fc.record({ kind: oneOf('user', 'later') }) });
const option = fc.record({ id, label: text, kind: oneOf('approve', 'deny', 'later') });
const toolContent = few(fc.record({ type: oneOf('text', 'hologram'), text }));
const contributor = fc.oneof(
  fc.record({ kind: fc.constant('client'), clientId: id }),
  fc.record({ kind: oneOf('mcp', 'mcp', 'later'), customizationId: id }),
);
const error = fc.record({ errorType: text, message: text });
const errorPart = fc.record({ kind: fc.constant('error'), error, resumable: maybe(bool) });
const toolInput = fc.oneof(text, fc.record({ uri: text }));
const toolCall = fc.record({
  status: oneOf('streaming', 'pending-confirmation', 'running', 'auth-required', 'pending-result-confirmation', 'completed', 'paused'),
  toolCallId: id,
  toolName: text,
  displayName: text,
  contributor: maybe(contributor),
  invocationMessage: text,
  toolInput: maybe(toolInput),
});
const answer = fc.record({ state: oneOf('draft', 'submitted', 'later'), value: fc.record({ kind: fc.constant('text'), value: text }) });
const answers = fc.dictionary(id, answer, { maxKeys: 2 });
const request = fc.record({ id, message: text, answers: maybe(answers) });
const part = fc.oneof(
  fc.record({ kind: oneOf('markdown', 'reasoning', 'hologram'), id, content: text }),
  fc.record({ kind: fc.constant('toolCall'), toolCall }),
  fc.record({ kind: fc.constant('inputRequest'), request }),
  errorPart,
);
const startedAt = oneOf('2027-01-01T00:00:00.000Z', 'no time');
const turn = fc.record({ id: turnId, startedAt: maybe(startedAt), message, responseParts: few(part), state: oneOf('complete', 'error') });
const tools = few(fc.record({ name: id }));
const status = fc.constantFrom(1, 2, 8, 24, 40, 2 ** 40 + 1);
const summary = fc.record({ resource: id, title: text, status, modifiedAt: text });
const enablement = few(fc.record({ kind: oneOf('global', 'session', 'later'), enabled: bool }));
const serverState = fc.record({ kind: oneOf('starting', 'ready', 'stopped', 'later'), blocking: maybe(bool) });
const server = fc.record({ type: fc.constant('mcpServer'), id, uri: id, name: text, state: serverState, channel: maybe(text) });
const child = fc.oneof(server, fc.record({ type: oneOf('skill', 'later'), id, uri: id, name: text }));
const customization = fc.oneof(
  server,
  fc.record({ type: oneOf('plugin', 'directory', 'later'), id, uri: id, name: text, children: maybe(few(child)) }),
);
const inputNeeded = fc.record({ kind: oneOf('chatInput', 'toolClientExecution', 'later'), id, chat: id });
const changeset = fc.record({ label: text, uriTemplate: id, changeKind: text });
const file = fc.record({ id, edit: fc.constant({}), reviewed: maybe(bool) });
const operation = fc.record({ id, label: text, scopes: fc.constant([]), status: oneOf('idle', 'later') });
const entry = fc.record({ id, text });
const annotation = fc.record({ id, origin: fc.record({ session: id }), resource: id, resolved: bool, entries: few(entry) });
const automation = fc.record({ resource: id, runs: fc.constant([]), operations: fc.constant([]), createdAt: text, modifiedAt: text });
const work = fc.record({ id, label: text, startedAt, kind: oneOf('shell', 'later') });

const inTurn = { turnId, _meta: maybe(values) };
const inCall = { ...inTurn, toolCallId: id };
const duration = fc.constantFrom(0, 5, -1);

const fieldsOf: Record<ActionType, Fields> = {
  'root/agentsChanged': { agents: few(fc.record({ provider: id })) },
  'root/activeSessionsChanged': { activeSessions: fc.nat(2) },
  'root/terminalsChanged': { terminals: few(fc.record({ resource: id })) },
  'root/configChanged': { config: values, replace: maybe(bool) },

  'session/ready': {},
  'session/creationFailed': { error },
  'session/chatAdded': { summary },
  'session/chatRemoved': { chat: id },
  'session/chatUpdated': { chat: id, changes: fc.oneof(fc.record({ title: text }), fc.record({ status }), values) },
  'session/chatsReordered': { chats: few(id) },
  'session/defaultChatChanged': { defaultChat: maybe(id) },
  'session/titleChanged': { title: text },
  'session/isReadChanged': { isRead: bool },
  'session/isArchivedChanged': { isArchived: bool },
  'session/activityChanged': { activity: maybe(text) },
  'session/changesetsChanged': { changesets: maybe(few(changeset)) },
  'session/serverToolsChanged': { tools },
  'session/activeClientSet': { activeClient: fc.record({ clientId: id, tools }) },
  'session/activeClientRemoved': { clientId: id },
  'session/workingDirectorySet': { directory: id },
  'session/workingDirectoryRemoved': { directory: id },
  'session/workingDirectoryReplaced': { directory: id, replacement: id },
  'session/inputNeededSet': { request: inputNeeded },
  'session/inputNeededRemoved': { id },
  'session/customizationsChanged': { customizations: few(customization) },
  'session/customizationToggled': { id, enablement },
  'session/customizationUpdated': { customization },
  'session/customizationRemoved': { id },
  'session/mcpServerStateChanged': { id, state: serverState, channel: maybe(text) },
  'session/mcpServerStartRequested': { id },
  'session/mcpServerStopRequested': { id },
  'session/mcpServerBackgroundRequested': { id },
  'session/configChanged': { config: values, replace: maybe(bool) },
  'session/metaChanged': { _meta: maybe(values) },

  'chat/turnStarted': { ...inTurn, startedAt, message, queuedMessageId: maybe(id) },
  'chat/delta': { ...inTurn, partId: id, content: text },
  'chat/reasoning': { ...inTurn, partId: id, content: text },
  'chat/responsePart': { ...inTurn, part },
  'chat/usage': { ...inTurn, usage: fc.record({ inputTokens: fc.nat(2) }) },
  'chat/turnComplete': { ...inTurn, duration },
  'chat/turnCancelled': { ...inTurn, duration },
  'chat/error': { ...inTurn, duration, part: errorPart },
  'chat/turnResume': { turnId },
  'chat/truncated': { turnId: maybe(turnId) },
  'chat/turnsLoaded': { turns: few(turn), turnsNextCursor: maybe(text) },
  'chat/toolCallStart': { ...inCall, toolName: text, displayName: text, intention: maybe(text), contributor: maybe(contributor) },
  'chat/toolCallDelta': { ...inCall, content: maybe(text), invocationMessage: maybe(text) },
  'chat/toolCallReady': {
    ...inCall,
    contributor: maybe(contributor),
    invocationMessage: text,
    toolInput: maybe(toolInput),
    confirmed: maybe(oneOf('not-needed', 'oracle')),
    startedAt: maybe(startedAt),
    riskAssessment: maybe(fc.record({ status: oneOf('loading', 'later') })),
    options: maybe(few(option)),
  },
  'chat/toolCallConfirmed': {
    ...inCall,
    approved: bool,
    confirmed: text,
    startedAt: maybe(startedAt),
    reason: text,
    selectedOptionId: maybe(id),
    editedToolInput: maybe(text),
  },
  'chat/toolCallComplete': {
    ...inCall,
    result: fc.record({ success: bool, pastTenseMessage: text, content: maybe(toolContent) }),
    duration: maybe(duration),
    requiresResultConfirmation: maybe(bool),
  },
  'chat/toolCallResultConfirmed': { ...inCall, approved: bool },
  'chat/toolCallContentChanged': { ...inCall, content: toolContent },
  'chat/toolCallAuthRequired': { ...inCall, auth: fc.record({ reason: oneOf('required', 'later') }) },
  'chat/toolCallAuthResolved': inCall,
  'chat/inputRequested': { request },
  'chat/inputAnswerChanged': { requestId: id, questionId: id, answer: maybe(answer) },
  'chat/inputCompleted': { requestId: id, response: oneOf('accept', 'shrug'), answers: maybe(answers) },
  'chat/pendingMessageSet': { kind: oneOf('steering', 'queued', 'later'), id, message },
  'chat/pendingMessageRemoved': { kind: oneOf('steering', 'queued', 'later'), id },
  'chat/queuedMessagesReordered': { order: fc.array(id, { maxLength: 4 }) },
  'chat/draftChanged': { draft: maybe(message) },
  'chat/activityChanged': { activity: maybe(text) },
  'chat/isReadChanged': { isRead: bool },
  'chat/isArchivedChanged': { isArchived: bool },
  'chat/movableChanged': { movable: bool },
  'chat/workingDirectorySet': { directory: id },
  'chat/workingDirectoryRemoved': { directory: id },
  'chat/backgroundWorkSet': { work },
  'chat/backgroundWorkRemoved': { id },
  'chat/changesetsChanged': { changesets: maybe(few(changeset)) },
  'chat/canvasesChanged': { canvases: maybe(few(fc.record({ resource: id }))) },

  'terminal/data': { data: text },
  'terminal/input': { data: text },
  'terminal/resized': { cols: fc.nat(2), rows: fc.nat(2) },
  'terminal/claimed': { claim: fc.record({ kind: oneOf('client', 'later'), clientId: id }) },
  'terminal/titleChanged': { title: text },
  'terminal/cwdChanged': { cwd: text },
  'terminal/exited': { exitCode: maybe(fc.nat(2)) },
  'terminal/cleared': {},
  'terminal/commandDetectionAvailable': {},
  'terminal/commandExecuted': { commandId: id, commandLine: text, timestamp: fc.nat(2) },
  'terminal/commandFinished': { commandId: id, exitCode: maybe(fc.nat(2)), durationMs: maybe(fc.nat(2)) },

  'changeset/statusChanged': { status: oneOf('ready', 'error', 'later'), error: maybe(error) },
  'changeset/fileSet': { file },
  'changeset/fileRemoved': { fileId: id },
  'changeset/filesReviewChanged': { files: few(id), reviewed: bool },
  'changeset/contentChanged': { files: few(file), operations: maybe(few(operation)) },
  'changeset/operationsChanged': { operations: maybe(few(operation)) },
  'changeset/operationStatusChanged': { operationId: id, status: oneOf('running', 'error', 'later'), error: maybe(error) },
  'changeset/cleared': {},

  'annotations/set': { annotation },
  'annotations/updated': { annotationId: id, resource: maybe(id), resolved: maybe(bool) },
  'annotations/removed': { annotationId: id },
  'annotations/entrySet': { annotationId: id, entry },
  'annotations/entryRemoved': { annotationId: id, entryId: id },

  'resourceWatch/changed': { changes: fc.record({ items: few(fc.record({ uri: id, type: oneOf('added', 'later') })) }) },

  'automation/createRequested': { resource: id, definition: fc.constant({}) },
  'automation/updateRequested': { resource: id, changes: fc.constant({}) },
  'automation/set': { automation },
  'automation/removed': { resource: id },

  'automationRun/lifecycleChanged': { lifecycle: fc.record({ status: oneOf('pending', 'later') }) },
  'automationRun/sessionSet': { session: id },
  'automationRun/sessionRemoved': { session: id },
  'automationRun/primarySessionChanged': { primarySession: maybe(id) },
  'automationRun/cancelRequested': {},

  'canvas/stateChanged': { canvas: fc.oneof(fc.record({ instanceId: id, title: maybe(text) }), values) },
};

// What streams is most of the traffic, and what keeps a turn open must outweigh what ends it.
const table = {
  fieldsOf,
  weights: {
    'chat/turnStarted': 6,
    'chat/delta': 8,
    'chat/reasoning': 4,
    'chat/responsePart': 6,
    'chat/toolCallStart': 5,
    'chat/toolCallDelta': 6,
    'chat/toolCallReady': 6,
    'chat/toolCallConfirmed': 4,
    'chat/toolCallComplete': 4,
    'chat/toolCallAuthRequired': 3,
    'chat/inputRequested': 3,
    'chat/error': 2,
    'chat/turnResume': 2,
    'terminal/data': 8,
    'terminal/commandExecuted': 3,
  },
  streams: ['chat/delta', 'chat/reasoning', 'chat/toolCallDelta', 'terminal/data'],
};

const emptyChat = { resource: 'c', title: '', status: 1, modifiedAt: '2027-01-01T00:00:00.000Z', turns: [] };
const openChat = {
  ...emptyChat,
  status: 8 + 32 + 2 ** 40,
  activeTurn: {
    id: 't1',
    startedAt: '2027-01-01T00:00:00.000Z',
    message: { text: 'go', origin: { kind: 'user' } },
    responseParts: [
      { kind: 'markdown', id: 'a', content: '' },
      { kind: 'reasoning', id: 'a', content: '' },
      { kind: 'toolCall', toolCall: { status: 'streaming', toolCallId: 'a', toolName: '', displayName: '' } },
    ],
  },
};
const session = { provider: 'p', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] };
const fullSession = {
  ...session,
  status: 8 + 32 + 2 ** 40,
  chats: [emptyChat, { ...emptyChat, resource: 'a' }],
  config: { schema: { type: 'object', properties: {} }, values: { a: 1 } },
  customizations: [
    {
      type: 'plugin',
      id: 'a',
      uri: 'a',
      name: '',
      children: [{ type: 'mcpServer', id: 'b', uri: 'b', name: '', state: { kind: 'ready' } }],
    },
    { type: 'mcpServer', id: 'constructor', uri: 'c', name: '', state: { kind: 'starting', blocking: true } },
  ],
};

const channels: Record<ChannelKind, { prefix: string; states: object[]; fields: string[] }> = {
  root: {
    prefix: 'root/',
    states: [{ agents: [] }, { agents: [], config: { schema: {}, values: {} } }],
    fields: ['agents', 'activeSessions', 'terminals', 'config'],
  },
  session: {
    prefix: 'session/',
    states: [session, fullSession],
    fields: ['status', 'chats', 'activeClients', 'workingDirectories', 'inputNeeded', 'customizations', 'config', 'defaultChat'],
  },
  chat: {
    prefix: 'chat/',
    states: [emptyChat, openChat],
    fields: [
      'status',
      'modifiedAt',
      'turns',
      'activeTurn',
      'steeringMessage',
      'queuedMessages',
      'draft',
      'workingDirectories',
      'backgroundWork',
    ],
  },
  terminal: {
    prefix: 'terminal/',
    states: [{ title: '', content: [], lifecycle: { status: 'running' }, claim: { kind: 'client', clientId: 'a' } }],
    fields: ['title', 'content', 'claim', 'cols', 'lifecycle'],
  },
  changeset: {
    prefix: 'changeset/',
    states: [{ status: 'computing', files: [] }],
    fields: ['status', 'error', 'files', 'operations'],
  },
  annotations: { prefix: 'annotations/', states: [{ annotations: [] }], fields: ['annotations'] },
  resourceWatch: { prefix: 'resourceWatch/', states: [{ root: 'file:///', recursive: true }], fields: ['root'] },
  automations: { prefix: 'automation/', states: [{ entries: [] }], fields: ['entries'] },
  automationRun: {
    prefix: 'automationRun/',
    states: [{ resource: 'r', automation: 'a', origin: { kind: 'manual' }, lifecycle: { status: 'pending' }, sessions: [] }],
    fields: ['lifecycle', 'sessions', 'primarySession'],
  },
  canvas: { prefix: 'canvas/', states: [{ instanceId: 'i', extensionId: 'e', canvasId: 'c', title: 't' }], fields: ['title'] },
};

for (const [kind, { prefix, states, fields }] of Object.entries(channels)) {
  const reducer = channelReducers[kind as ChannelKind] as AnyReducer;
  describeLaws(table, { name: `${kind} channel`, prefix, reducer, states: fc.constantFrom(...states), fields });
}
