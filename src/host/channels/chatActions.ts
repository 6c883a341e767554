/** What an action of a session in the store does to its chat. */
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import type { ModelSelection, UserMessage } from '../../ahp/v1/common.ts';
import type { SessionAction } from '../../ahp/v1/session.ts';
import { upgradedPendingMessage } from '../../ahp/v1/upgrade/parts.ts';
import { isoTime } from '../../ahp/v1/upgrade/shapes.ts';
import { messageModel } from '../state/messageModels.ts';
import { shownContent, shownPending } from './shownStates.ts';

export interface ChatContext {
  /** When the store reduced it, in ms since the epoch. */
  at: number;
  /** When the turn in progress began, in the same way. */
  startedAt: number | undefined;
  /** The model of the session, and the draft of the chat, after the action. */
  model: ModelSelection | undefined;
  draft: Message | undefined;
}

/** None for what concerns the session only. */
export function chatActionsOf(action: SessionAction, { at, startedAt = at, model, draft }: ChatContext): ChatAction[] {
  const duration = Math.max(0, at - startedAt);
  switch (action.type) {
    case 'session/turnStarted': {
      const { turnId, queuedMessageId, userMessage } = action;
      const message = omitAbsent<Message>({ ...messageOf(userMessage), model: messageModel(userMessage) ?? model });
      return [omitAbsent<ChatAction>({ type: 'chat/turnStarted', turnId, startedAt: isoTime(at), message, queuedMessageId } as ChatAction)];
    }
    case 'session/turnComplete':
      return [{ type: 'chat/turnComplete', turnId: action.turnId, duration }];
    case 'session/turnCancelled':
      return [{ type: 'chat/turnCancelled', turnId: action.turnId, duration }];
    case 'session/error':
      return [{ type: 'chat/error', turnId: action.turnId, duration, part: { kind: 'error', error: action.error } }];
    case 'session/pendingMessageSet': {
      const { kind, id, userMessage } = action;
      return [{ type: 'chat/pendingMessageSet', kind, ...shownPending({ id, userMessage }) }];
    }
    case 'session/modelChanged':
      return [{ type: 'chat/draftChanged', ...(draft && { draft }) }];
    case 'session/toolCallStart': {
      const { toolClientId, ...start } = action;
      return [named(start, toolClientId === undefined ? {} : { contributor: { kind: 'client', clientId: toolClientId } })];
    }
    case 'session/toolCallConfirmed':
      return [
        named(action, 'userSuggestion' in action && action.userSuggestion ? { userSuggestion: messageOf(action.userSuggestion) } : {}),
      ];
    case 'session/toolCallComplete': {
      const { content } = action.result;
      return [named(action, content ? { result: { ...action.result, content: shownContent(content) } } : {})];
    }
    case 'session/toolCallContentChanged':
      return [named(action, { content: shownContent(action.content) })];
    case 'session/delta':
    case 'session/reasoning':
    case 'session/responsePart':
    case 'session/usage':
    case 'session/toolCallDelta':
    case 'session/toolCallReady':
    case 'session/toolCallResultConfirmed':
    case 'session/pendingMessageRemoved':
    case 'session/queuedMessagesReordered':
    case 'session/truncated':
    case 'session/inputRequested':
    case 'session/inputAnswerChanged':
    case 'session/inputCompleted':
      return [named(action)];
    case 'session/activityChanged':
      return [named(action)];
    default:
      return [];
  }
}

/** The same, as an action of a chat: both protocols call it alike. */
function named(action: SessionAction | object, more: object = {}): ChatAction {
  const { session: _session, type, ...fields } = action as { session: string; type: string };
  return { ...fields, ...more, type: type.replace('session/', 'chat/') } as unknown as ChatAction;
}

function messageOf(userMessage: UserMessage): Message {
  return upgradedPendingMessage({ id: '', userMessage }).message;
}
