/** The extension's guard: turns what a webview posted into a message of the protocol, field by field, or into nothing. */
import type { FileEdit, FileEditSide, MessageAttachment, ModelSelection, UserMessage } from '../../ahp/v1/common.ts';
import type { SessionInputAnswer, SessionInputAnswerValue } from '../../ahp/v1/inputRequest.ts';
import { webviewCommands, type Draft, type SessionGesture, type WebviewMessage, type WebviewRequestMessage } from './protocol.ts';

type Fields = Record<string, unknown>;

/**
 * A fresh, exactly typed message with no member that the protocol does not know; undefined for anything malformed, for actions
 * that this view never dispatches, and for links other than http, https and mailto.
 */
export function parseWebviewMessage(value: unknown): WebviewMessage | undefined {
  try {
    return message(object(value));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** Thrown by the readers below and turned into `undefined` by the one caller. */
class Malformed extends Error {}

function message(m: Fields): WebviewMessage {
  switch (m.type) {
    case 'ready':
    case 'reopen':
      return { type: m.type };
    case 'watch':
    case 'unwatch':
    case 'openFile':
    case 'openSession':
      return { type: m.type, uri: uri(m.uri) };
    case 'dispatch':
      return { type: 'dispatch', action: gesture(object(m.action)) };
    case 'resolveUnknown':
      return { type: 'resolveUnknown', clientSeq: integer(m.clientSeq), how: oneOf(m.how, ['sendAgain', 'discard']) };
    case 'request':
      return request(m);
    case 'newSessionWith':
      return { type: 'newSessionWith', draft: draft(m.draft) };
    case 'openDiff':
      return { type: 'openDiff', edit: fileEdit(m.edit) };
    case 'openExternal':
      return { type: 'openExternal', url: externalUrl(m.url) };
    case 'copy':
      return { type: 'copy', text: string(m.text) };
    case 'draft':
      return { type: 'draft', uri: uri(m.uri), draft: draft(m.draft) };
    case 'context':
      return {
        type: 'context',
        needsYou: integer(m.needsYou),
        running: boolean(m.running),
        callFocused: boolean(m.callFocused),
        composerFocused: boolean(m.composerFocused),
      };
    case 'runCommand':
      return { type: 'runCommand', command: oneOf(m.command, webviewCommands) };
    default:
      throw new Malformed();
  }
}

function request(m: Fields): WebviewRequestMessage {
  const id = integer(m.id);
  const params = object(m.params);
  switch (m.method) {
    case 'readResource':
      return {
        type: 'request',
        id,
        method: m.method,
        params: { uri: uri(params.uri), ...optional('encoding', params.encoding, (e) => oneOf(e, ['base64', 'utf-8'])) },
      };
    case 'pickAttachments':
      return { type: 'request', id, method: m.method, params: {} };
    case 'attachDropped':
      return { type: 'request', id, method: m.method, params: { uris: array(params.uris, uri) } };
    case 'findFiles':
      return { type: 'request', id, method: m.method, params: { query: string(params.query) } };
    default:
      throw new Malformed();
  }
}

function gesture(a: Fields): SessionGesture {
  const session = uri(a.session);
  switch (a.type) {
    case 'session/turnStarted':
      return { type: a.type, session, turnId: id(a.turnId), userMessage: userMessage(a.userMessage) };
    case 'session/turnCancelled':
      return { type: a.type, session, turnId: id(a.turnId) };
    case 'session/toolCallConfirmed': {
      const call = {
        type: a.type,
        session,
        turnId: id(a.turnId),
        toolCallId: id(a.toolCallId),
        ...optional('selectedOptionId', a.selectedOptionId, id),
      };
      return boolean(a.approved)
        ? {
            ...call,
            approved: true,
            confirmed: oneOf(a.confirmed, ['user-action']),
            ...optional('editedToolInput', a.editedToolInput, string),
          }
        : {
            ...call,
            approved: false,
            reason: oneOf(a.reason, ['denied', 'skipped']),
            ...optional('reasonMessage', a.reasonMessage, string),
            ...optional('userSuggestion', a.userSuggestion, userMessage),
          };
    }
    case 'session/toolCallResultConfirmed':
      return { type: a.type, session, turnId: id(a.turnId), toolCallId: id(a.toolCallId), approved: boolean(a.approved) };
    case 'session/titleChanged':
      return { type: a.type, session, title: string(a.title) };
    case 'session/modelChanged':
      return { type: a.type, session, model: model(a.model) };
    case 'session/pendingMessageSet':
      return { type: a.type, session, kind: pendingKind(a.kind), id: id(a.id), userMessage: userMessage(a.userMessage) };
    case 'session/pendingMessageRemoved':
      return { type: a.type, session, kind: pendingKind(a.kind), id: id(a.id) };
    case 'session/queuedMessagesReordered':
      return { type: a.type, session, order: array(a.order, id) };
    case 'session/inputAnswerChanged':
      return { type: a.type, session, requestId: id(a.requestId), questionId: id(a.questionId), ...optional('answer', a.answer, answer) };
    case 'session/inputCompleted':
      return {
        type: a.type,
        session,
        requestId: id(a.requestId),
        response: oneOf(a.response, ['accept', 'decline', 'cancel']),
        ...optional('answers', a.answers, (answers) => record(answers, answer)),
      };
    case 'session/configChanged':
      return { type: a.type, session, config: record(a.config, string) };
    default:
      throw new Malformed();
  }
}

const pendingKind = (value: unknown) => oneOf(value, ['steering', 'queued']);

function userMessage(value: unknown): UserMessage {
  const m = object(value);
  return { text: string(m.text), ...optional('attachments', m.attachments, (list) => array(list, attachment)) };
}

function attachment(value: unknown): MessageAttachment {
  const a = object(value);
  // Kinds of later versions are kept: the queue's messages, edited here, may carry them.
  return {
    type: id(a.type) as MessageAttachment['type'],
    uri: uri(a.uri),
    ...optional('displayName', a.displayName, string),
  };
}

function draft(value: unknown): Draft {
  const d = object(value);
  return { text: string(d.text), attachments: array(d.attachments, attachment) };
}

function model(value: unknown): ModelSelection {
  const m = object(value);
  return { id: id(m.id), ...optional('config', m.config, (config) => record(config, string)) };
}

function answer(value: unknown): SessionInputAnswer {
  const a = object(value);
  if (a.state === 'skipped') return { state: 'skipped', ...optional('freeformValues', a.freeformValues, (v) => array(v, string)) };
  return { state: oneOf(a.state, ['draft', 'submitted']), value: answerValue(a.value) };
}

function answerValue(value: unknown): SessionInputAnswerValue {
  const v = object(value);
  const freeform = optional('freeformValues', v.freeformValues, (f) => array(f, string));
  switch (v.kind) {
    case 'text':
      return { kind: 'text', value: string(v.value) };
    case 'number':
      return { kind: 'number', value: finite(v.value) };
    case 'boolean':
      return { kind: 'boolean', value: boolean(v.value) };
    case 'selected':
      return { kind: 'selected', value: string(v.value), ...freeform };
    case 'selected-many':
      return { kind: 'selected-many', value: array(v.value, string), ...freeform };
    default:
      throw new Malformed();
  }
}

function fileEdit(value: unknown): FileEdit {
  const e = object(value);
  if (e.before === undefined && e.after === undefined) throw new Malformed();
  return {
    ...optional('before', e.before, fileEditSide),
    ...optional('after', e.after, fileEditSide),
    ...optional('diff', e.diff, (d) => {
      const diff = object(d);
      return { ...optional('added', diff.added, finite), ...optional('removed', diff.removed, finite) };
    }),
  };
}

function fileEditSide(value: unknown): FileEditSide {
  const side = object(value);
  const content = object(side.content);
  return {
    uri: uri(side.uri),
    content: {
      uri: uri(content.uri),
      ...optional('sizeHint', content.sizeHint, finite),
      ...optional('contentType', content.contentType, string),
    },
  };
}

function externalUrl(value: unknown): string {
  const text = string(value);
  if (!URL.canParse(text) || !['http:', 'https:', 'mailto:'].includes(new URL(text).protocol)) throw new Malformed();
  return text;
}

// Readers of single values.

function object(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed();
  return value as Fields;
}
function string(value: unknown): string {
  if (typeof value !== 'string') throw new Malformed();
  return value;
}
function id(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Malformed();
  return value;
}
/** Absolute, with a scheme. */
function uri(value: unknown): string {
  const text = string(value);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) throw new Malformed();
  return text;
}
function boolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Malformed();
  return value;
}
function finite(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Malformed();
  return value;
}
function integer(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new Malformed();
  return value as number;
}
function array<T>(value: unknown, item: (value: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Malformed();
  return value.map(item);
}
function record<T>(value: unknown, item: (value: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(object(value)).map(([key, member]) => [key, item(member)]));
}
function oneOf<const T extends string>(value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Malformed();
  return found;
}
/** `{[key]: read(value)}`, or nothing for an absent member, so that absent members stay absent. */
function optional<K extends string, T>(key: K, value: unknown, read: (value: unknown) => T): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: read(value) }) as { [P in K]?: T };
}
