/** What a card of the inbox may do: answer what waits right now, in the ways that it can be answered, and read what it shows. */
import type { FileEdit, FileEditSide, URI } from '../../ahp/common/shapes.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import { inputRef } from '../../views/session/toolCall/toolCallView.ts';
import { isOutdated, type Waiting } from '../../views/session/waiting/waiting.ts';
import type { SessionGesture, SessionMessage } from '../../webviews/session/protocol.ts';

export type CardGesture = Extract<
  SessionGesture,
  | { type: 'chat/toolCallConfirmed' }
  | { type: 'chat/toolCallResultConfirmed' }
  | { type: 'chat/inputCompleted' }
  | { type: 'chat/inputAnswerChanged' }
>;
/** What remains of what the page of a session does in it. */
export type CardMessage =
  | { type: 'dispatch'; uri: URI; action: CardGesture; asked?: string }
  | Extract<SessionMessage, { method: 'readResource' } | { type: 'watch' | 'unwatch' } | { type: 'openDiff' }>
  | { type: 'openFile'; uri: URI }
  | Extract<SessionMessage, { type: 'signIn' }>;

type Dispatch = Extract<SessionMessage, { type: 'dispatch' }>;

/** `items`: those that wait in the session that the message is for. */
export function isAllowed(message: SessionMessage, items: readonly Pick<WindowItem, 'chat' | 'waiting'>[]): message is CardMessage {
  const waiting = items.flatMap((item) => (item.waiting ? [{ uri: item.chat, ...item.waiting }] : []));
  switch (message.type) {
    case 'unwatch':
      return true;
    case 'dispatch':
      return waiting.some((one) => message.uri === one.uri && answers(message, one));
    case 'request':
      return message.method === 'readResource' && waiting.some((one) => contentsOf(one).includes(message.params.uri));
    case 'watch':
      return message.kind === 'terminal' && waiting.some((one) => terminalsOf(one).includes(message.uri));
    case 'openDiff':
      return waiting.some((one) => editsOf(one).some((edit) => isSameEdit(edit, message.edit)));
    case 'openFile':
      return waiting.length > 0;
    case 'signIn':
      return waiting.some((one) => one.uri === message.uri && one.kind === 'signIn' && isOf(message, one));
    default:
      return false;
  }
}

function answers({ action, asked }: Dispatch, waiting: Waiting): boolean {
  if (isOutdated([waiting], action, asked)) return false;
  switch (action.type) {
    case 'chat/toolCallConfirmed': {
      if (waiting.kind !== 'call' || !isOf(action, waiting)) return false;
      const { options, editable } = waiting.call;
      if (action.approved && inputRef(waiting.call)) return false;
      const { selectedOptionId } = action;
      if (action.approved && action.editedToolInput !== undefined && editable !== true) return false;
      const kind = action.approved ? 'approve' : 'deny';
      return selectedOptionId === undefined || options?.some((option) => option.id === selectedOptionId && option.kind === kind) === true;
    }
    case 'chat/toolCallResultConfirmed':
      return waiting.kind === 'result' && isOf(action, waiting);
    case 'chat/inputCompleted':
      return waiting.kind === 'question' && waiting.request.id === action.requestId;
    case 'chat/inputAnswerChanged':
      return (
        waiting.kind === 'question' &&
        waiting.request.id === action.requestId &&
        waiting.request.questions?.some(({ id }) => id === action.questionId) === true
      );
    default:
      return false;
  }
}

function isOf(action: { turnId: string; toolCallId: string }, { turnId, call }: Extract<Waiting, { turnId: string }>): boolean {
  return action.turnId === turnId && action.toolCallId === call.toolCallId;
}

function editsOf(waiting: Waiting): FileEdit[] {
  if (waiting.kind === 'question') return [];
  if (waiting.kind === 'call') return waiting.call.edits?.items ?? [];
  return (waiting.call.content ?? []).flatMap((content) => (content.type === 'fileEdit' ? [content] : []));
}

function contentsOf(waiting: Waiting): URI[] {
  return editsOf(waiting).flatMap(({ before, after }) => [before, after].flatMap((side) => side?.content.uri ?? []));
}

function terminalsOf(waiting: Waiting): URI[] {
  const content = waiting.kind === 'result' ? (waiting.call.content ?? []) : [];
  return content.flatMap((one) => (one.type === 'terminal' ? [one.resource] : []));
}

/** By where both sides are. The host may have sent more than the protocol has. */
function isSameEdit(one: FileEdit, other: FileEdit): boolean {
  const isSameSide = (a: FileEditSide | undefined, b: FileEditSide | undefined) => a?.uri === b?.uri && a?.content.uri === b?.content.uri;
  return isSameSide(one.before, other.before) && isSameSide(one.after, other.after);
}
