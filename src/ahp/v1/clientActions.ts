/** The actions that clients may dispatch: the schema of each, and its type. Hosts send them too, once they have applied them. */
import * as z from 'zod/mini';
import { modelSelection, stringOrMarkdown, terminalClaim, userMessage } from './common.ts';
import { inputAnswer } from './inputRequest.ts';
import { action, anyObject, id, listOf, openEnum, recordOf, uri } from '../common/schemas.ts';
import { activeClient, confirmationReason, toolCallResult, toolDefinition, toolResultContent } from './toolCall.ts';

const inSession = { session: uri };
const inTurn = { ...inSession, turnId: id };
const inCall = { ...inTurn, toolCallId: id, _meta: z.optional(anyObject) };

export const approval = action('session/toolCallConfirmed', {
  ...inCall,
  approved: z.literal(true),
  confirmed: confirmationReason,
  editedToolInput: z.optional(z.string()),
  selectedOptionId: z.optional(id),
});
export interface SessionToolCallApprovedAction extends z.infer<typeof approval> {}

export const denial = action('session/toolCallConfirmed', {
  ...inCall,
  approved: z.literal(false),
  reason: openEnum('denied', 'skipped'),
  reasonMessage: z.optional(stringOrMarkdown),
  userSuggestion: z.optional(userMessage),
  selectedOptionId: z.optional(id),
});
export interface SessionToolCallDeniedAction extends z.infer<typeof denial> {}

export type SessionToolCallConfirmedAction = SessionToolCallApprovedAction | SessionToolCallDeniedAction;

const pendingMessage = { ...inSession, kind: openEnum('steering', 'queued'), id };

/** By type. Actions of all other types come from the host only. */
export const clientActions = {
  /** Merges into the values, or replaces them all with `replace: true`. */
  'root/configChanged': action('root/configChanged', { config: anyObject, replace: z.optional(z.boolean()) }),

  /** The host sends it with `queuedMessageId` when it takes a message from the queue. */
  'session/turnStarted': action('session/turnStarted', { ...inTurn, userMessage, queuedMessageId: z.optional(id) }),
  'session/turnCancelled': action('session/turnCancelled', inTurn),
  'session/titleChanged': action('session/titleChanged', { ...inSession, title: z.string() }),
  /** During a turn it waits for the turn's end. */
  'session/modelChanged': action('session/modelChanged', { ...inSession, model: modelSelection }),
  /** `null` unsets. */
  'session/activeClientChanged': action('session/activeClientChanged', { ...inSession, activeClient: z.nullable(activeClient) }),
  'session/activeClientToolsChanged': action('session/activeClientToolsChanged', { ...inSession, tools: listOf(toolDefinition) }),
  'session/pendingMessageSet': action('session/pendingMessageSet', { ...pendingMessage, userMessage }),
  'session/pendingMessageRemoved': action('session/pendingMessageRemoved', pendingMessage),
  'session/queuedMessagesReordered': action('session/queuedMessagesReordered', { ...inSession, order: listOf(id) }),
  'session/customizationToggled': action('session/customizationToggled', { ...inSession, uri: id, enabled: z.boolean() }),
  /** Keeps the turns up to `turnId`, or none. */
  'session/truncated': action('session/truncated', { ...inSession, turnId: z.optional(id) }),
  'session/isReadChanged': action('session/isReadChanged', { ...inSession, isRead: z.boolean() }),
  'session/isArchivedChanged': action('session/isArchivedChanged', { ...inSession, isArchived: z.boolean() }),
  'session/configChanged': action('session/configChanged', { ...inSession, config: anyObject, replace: z.optional(z.boolean()) }),

  'session/toolCallConfirmed': z.discriminatedUnion('approved', [approval, denial]),
  /** By the client that owns the call. */
  'session/toolCallComplete': action('session/toolCallComplete', {
    ...inCall,
    result: toolCallResult,
    requiresResultConfirmation: z.optional(z.boolean()),
  }),
  'session/toolCallResultConfirmed': action('session/toolCallResultConfirmed', { ...inCall, approved: z.boolean() }),
  /** By the client that owns the call. */
  'session/toolCallContentChanged': action('session/toolCallContentChanged', { ...inCall, content: listOf(toolResultContent) }),

  /** Sets an answer, or clears it when there is none. */
  'session/inputAnswerChanged': action('session/inputAnswerChanged', {
    ...inSession,
    requestId: id,
    questionId: id,
    answer: z.optional(inputAnswer),
  }),
  'session/inputCompleted': action('session/inputCompleted', {
    ...inSession,
    requestId: id,
    response: openEnum('accept', 'decline', 'cancel'),
    answers: z.optional(recordOf(inputAnswer)),
  }),

  /** Keystrokes for the pty. Changes no state. */
  'terminal/input': action('terminal/input', { terminal: uri, data: z.string() }),
  'terminal/resized': action('terminal/resized', { terminal: uri, cols: z.number(), rows: z.number() }),
  'terminal/claimed': action('terminal/claimed', { terminal: uri, claim: terminalClaim }),
  'terminal/titleChanged': action('terminal/titleChanged', { terminal: uri, title: z.string() }),
  'terminal/cleared': action('terminal/cleared', { terminal: uri }),
};
export type ClientActionType = keyof typeof clientActions;
type ClientAction<T extends ClientActionType> = z.infer<(typeof clientActions)[T]>;

export interface RootConfigChangedAction extends ClientAction<'root/configChanged'> {}
export interface SessionTurnStartedAction extends ClientAction<'session/turnStarted'> {}
export interface SessionTurnCancelledAction extends ClientAction<'session/turnCancelled'> {}
export interface SessionTitleChangedAction extends ClientAction<'session/titleChanged'> {}
export interface SessionModelChangedAction extends ClientAction<'session/modelChanged'> {}
export interface SessionActiveClientChangedAction extends ClientAction<'session/activeClientChanged'> {}
export interface SessionActiveClientToolsChangedAction extends ClientAction<'session/activeClientToolsChanged'> {}
export interface SessionPendingMessageSetAction extends ClientAction<'session/pendingMessageSet'> {}
export interface SessionPendingMessageRemovedAction extends ClientAction<'session/pendingMessageRemoved'> {}
export interface SessionQueuedMessagesReorderedAction extends ClientAction<'session/queuedMessagesReordered'> {}
export interface SessionCustomizationToggledAction extends ClientAction<'session/customizationToggled'> {}
export interface SessionTruncatedAction extends ClientAction<'session/truncated'> {}
export interface SessionIsReadChangedAction extends ClientAction<'session/isReadChanged'> {}
export interface SessionIsArchivedChangedAction extends ClientAction<'session/isArchivedChanged'> {}
export interface SessionConfigChangedAction extends ClientAction<'session/configChanged'> {}
export interface SessionToolCallCompleteAction extends ClientAction<'session/toolCallComplete'> {}
export interface SessionToolCallResultConfirmedAction extends ClientAction<'session/toolCallResultConfirmed'> {}
export interface SessionToolCallContentChangedAction extends ClientAction<'session/toolCallContentChanged'> {}
export interface SessionInputAnswerChangedAction extends ClientAction<'session/inputAnswerChanged'> {}
export interface SessionInputCompletedAction extends ClientAction<'session/inputCompleted'> {}
export interface TerminalInputAction extends ClientAction<'terminal/input'> {}
export interface TerminalResizedAction extends ClientAction<'terminal/resized'> {}
export interface TerminalClaimedAction extends ClientAction<'terminal/claimed'> {}
export interface TerminalTitleChangedAction extends ClientAction<'terminal/titleChanged'> {}
export interface TerminalClearedAction extends ClientAction<'terminal/cleared'> {}
