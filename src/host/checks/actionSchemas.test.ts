import assert from 'node:assert/strict';
import { type ActionSamples, testActionSchemas } from '../../../test/support/actionSamples.ts';
import type { ClientActionType } from '../../ahp/channels/actions.ts';
import { actionSchemas } from './actionSchemas.ts';
import { problemOf } from './problem.ts';

const turn = { turnId: 't' };
const call = { ...turn, toolCallId: 'c' };
const range = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } };
const selection = { range };
const attachments = [
  { type: 'simple', label: 'a', modelRepresentation: 'x', range, displayKind: 'x', _meta: {} },
  { type: 'embeddedResource', label: 'a', data: 'x', contentType: 'image/png', selection },
  { type: 'resource', label: 'a', uri: 'file:///a', sizeHint: 1, contentType: 'text/plain', nonce: 'x', selection },
  { type: 'annotations', label: 'a', resource: 'a:b', annotationIds: ['a'] },
  { type: 'chat', label: 'a', resource: 'a:b', endTurn: 't' },
];
const message = { text: 'x', origin: { kind: 'user' }, attachments, model: { id: 'm' }, agent: { uri: 'a:b' }, _meta: {} };
const schema = { type: 'object', properties: { a: {} }, required: ['a'] };
const hints = { title: 'x', readOnlyHint: true, destructiveHint: true, idempotentHint: true, openWorldHint: true };
const tools = [{ name: 'n', title: 't', description: 'd', inputSchema: schema, outputSchema: schema, annotations: hints, _meta: {} }];
const side = { uri: 'file:///a', content: { uri: 'file:///a', sizeHint: 1, contentType: 'text/plain' } };
const content = [
  { type: 'text', text: 'x' },
  { type: 'embeddedResource', data: 'x', contentType: 'image/png' },
  { type: 'resource', uri: 'file:///a', sizeHint: 1, contentType: 'text/plain' },
  { type: 'fileEdit', before: side, after: side, diff: { added: 1, removed: 1 } },
  { type: 'terminal', resource: 'a:b', title: 'x', isPty: true, result: { exitCode: 1, preview: 'x', truncated: true } },
  { type: 'subagent', resource: 'a:b', title: 'x', agentName: 'n', description: 'd' },
];
const answers = {
  text: { state: 'draft', value: { kind: 'text', value: 'x' } },
  number: { state: 'submitted', value: { kind: 'number', value: 1 } },
  boolean: { state: 'submitted', value: { kind: 'boolean', value: true } },
  one: { state: 'submitted', value: { kind: 'selected', value: 'a', freeformValues: ['x'] } },
  some: { state: 'submitted', value: { kind: 'selected-many', value: ['a'], freeformValues: ['x'] } },
  none: { state: 'skipped', freeformValues: ['x'] },
};
const enablement = [
  { kind: 'global', enabled: true },
  { kind: 'workspace', uri: 'file:///a', enabled: true },
  { kind: 'session', enabled: true },
];
const named = { id: 'i', uri: 'u', name: 'x' };
const children = [
  { ...named, type: 'agent', description: 'x', enabled: true, disableModelInvocation: true, model: 'x', tools: ['x'] },
  { ...named, type: 'skill', disableUserInvocation: true },
  { ...named, type: 'prompt' },
  { ...named, type: 'rule', alwaysApply: true, globs: ['x'] },
  { ...named, type: 'hook', enabled: true },
];
const customizations = [
  {
    ...{ ...named, type: 'plugin', icons: [{ src: 'x', contentType: 'x', sizes: ['any'], theme: 'dark' }], range, _meta: {} },
    ...{ clientId: 'me', load: { kind: 'error', message: 'x' }, enablement, version: 'x', children, nonce: 'x' },
    childEnablement: { i: enablement },
  },
];
const directory = { directory: 'file:///a' };
const origin = { session: 'a:b', chat: 'a:b', turnId: 't' };
const entry = { id: 'e', text: 'x', _meta: {} };
const annotation = { id: 'a', origin, resource: 'file:///a', range, resolved: true, entries: [entry], _meta: {} };
const definition = {
  title: 'x',
  message,
  session: {
    ...{ provider: 'x', model: { id: 'm' }, agent: { uri: 'a:b' }, workingDirectories: ['file:///a'], config: {} },
    customizations,
  },
  enabled: true,
  triggers: [
    { id: 'a', kind: 'schedule', schedule: { expression: 'x', timeZone: 'x' }, misfirePolicy: 'skip' },
    { id: 'b', kind: 'event', type: 'x', title: 'x', description: 'x', events: [{ id: 'e', title: 'x', description: 'x' }], config: {} },
  ],
  disableConditions: [
    { kind: 'afterRuns', max: 1 },
    { kind: 'afterDate', date: 'x' },
  ],
  _meta: {},
};

/** For each type: the fields that it needs, and those that it may have. */
const samples: ActionSamples<ClientActionType> = [
  ['root/configChanged', { config: {} }, { replace: true }],

  ['session/titleChanged', { title: 'x' }],
  ['session/isReadChanged', { isRead: true }],
  ['session/isArchivedChanged', { isArchived: true }],
  ['session/configChanged', { config: {} }, { replace: true }],
  ['session/activeClientSet', { activeClient: { clientId: 'me', tools, displayName: 'x', customizations } }],
  ['session/activeClientRemoved', { clientId: 'me' }],
  ['session/workingDirectorySet', directory],
  ['session/workingDirectoryRemoved', directory],
  ['session/workingDirectoryReplaced', { ...directory, replacement: 'file:///b' }],
  ['session/customizationToggled', { id: 'x', enablement }],
  ['session/mcpServerStartRequested', { id: 'x' }],
  ['session/mcpServerStopRequested', { id: 'x' }],
  ['session/mcpServerBackgroundRequested', { id: 'x' }],

  ['chat/turnStarted', { ...turn, startedAt: 'x', message }, { queuedMessageId: 'q', _meta: {} }],
  ['chat/turnCancelled', { ...turn, duration: 1 }, { _meta: {} }],
  ['chat/turnResume', turn],
  ['chat/truncated', {}, turn],
  [
    'chat/toolCallConfirmed',
    { ...call, approved: true, confirmed: 'user-action' },
    { _meta: {}, editedToolInput: 'x', selectedOptionId: 'o' },
  ],
  [
    'chat/toolCallConfirmed',
    { ...call, approved: false, reason: 'denied' },
    { _meta: {}, reasonMessage: 'x', userSuggestion: message, selectedOptionId: 'o' },
  ],
  [
    'chat/toolCallComplete',
    { ...call, result: { success: true, pastTenseMessage: 'x', content, structuredContent: {}, error: { message: 'x', code: 'y' } } },
    { _meta: {}, requiresResultConfirmation: true },
  ],
  ['chat/toolCallResultConfirmed', { ...call, approved: true }, { _meta: {} }],
  ['chat/toolCallContentChanged', { ...call, content }, { _meta: {} }],
  ['chat/pendingMessageSet', { kind: 'queued', id: 'q', message }],
  ['chat/pendingMessageRemoved', { kind: 'queued', id: 'q' }],
  ['chat/queuedMessagesReordered', { order: ['q'] }],
  ['chat/draftChanged', {}, { draft: message }],
  ['chat/inputAnswerChanged', { requestId: 'r', questionId: 'q' }, { answer: answers.text }],
  ['chat/inputCompleted', { requestId: 'r', response: 'accept' }, { answers }],
  ['chat/workingDirectorySet', directory],
  ['chat/workingDirectoryRemoved', directory],
  ['chat/isReadChanged', { isRead: true }],
  ['chat/isArchivedChanged', { isArchived: true }],

  ['terminal/input', { data: 'x' }],
  ['terminal/resized', { cols: 80, rows: 24 }],
  ['terminal/claimed', { claim: { kind: 'client', clientId: 'me' } }],
  ['terminal/claimed', { claim: { kind: 'session', session: 'test:/1', chat: 'a:b', turnId: 't', toolCallId: 'c' } }],
  ['terminal/titleChanged', { title: 'x' }],
  ['terminal/cleared', {}],

  ['changeset/filesReviewChanged', { files: ['f'], reviewed: true }],

  ['annotations/set', { annotation }],
  ['annotations/updated', { annotationId: 'a' }, { origin, resource: 'file:///a', range, resolved: true }],
  ['annotations/removed', { annotationId: 'a' }],
  ['annotations/entrySet', { annotationId: 'a', entry }],
  ['annotations/entryRemoved', { annotationId: 'a', entryId: 'e' }],

  ['automation/createRequested', { resource: 'a:b', definition }],
  ['automation/updateRequested', { resource: 'a:b', changes: definition }],
  ['automation/removed', { resource: 'a:b' }],
  ['automationRun/cancelRequested', {}],
];

describe('the schemas of actions', () => {
  testActionSchemas(samples, actionSchemas);

  it('take the values of this version only where the host has to know what to do', () => {
    const refused: [ClientActionType, Record<string, unknown>, RegExp][] = [
      ['chat/toolCallConfirmed', { ...call, approved: true, confirmed: 'later' }, /^confirmed must be one of "not-needed", "user-action"/],
      ['chat/toolCallConfirmed', { ...call, approved: false, reason: 'later' }, /^reason must be one of "denied", "skipped"/],
      ['chat/pendingMessageSet', { kind: 'later', id: 'q', message }, /^kind must be one of "steering", "queued"/],
      ['chat/pendingMessageRemoved', { kind: 'later', id: 'q' }, /^kind must be one of/],
      ['chat/inputCompleted', { requestId: 'r', response: 'later' }, /^response must be one of "accept", "decline", "cancel"/],
      ['terminal/claimed', { claim: { kind: 'later' } }, /^claim\.kind must be one of/],
      ['terminal/claimed', { claim: { kind: 'session', session: 'test:/1' } }, /^claim\.chat is missing/],
      ['terminal/resized', { cols: 0, rows: 24 }, /^cols must be at least 1/],
      ['terminal/resized', { cols: 80, rows: 1001 }, /^rows must be at most 1000/],
      ['terminal/resized', { cols: 80, rows: 1.5 }, /^rows must be an integer/],
    ];
    for (const [type, fields, reason] of refused) assert.match(problemOf(actionSchemas[type], { type, ...fields }) ?? 'accepted', reason);
    const later: [ClientActionType, Record<string, unknown>][] = [
      ['session/customizationToggled', { id: 'x', enablement: [{ kind: 'later' }] }],
      ['chat/turnStarted', { ...turn, startedAt: '', message: { text: '', origin: { kind: 'later' }, attachments: [{ type: 'later' }] } }],
      ['chat/toolCallContentChanged', { ...call, content: [{ type: 'later' }] }],
    ];
    for (const [type, fields] of later) assert.equal(problemOf(actionSchemas[type], { type, ...fields }), undefined, type);
  });
});
