/**
 * The messages between the session webview and the extension. Both sides use these types; what comes from the webview is
 * checked by `parseWebviewMessage` before anything is done with it.
 *
 * The extension posts lists of messages, in order (a slow page gets fewer, longer ones); the webview posts one at a time.
 * The webview keeps no truth: it persists which session it shows, drafts and folds only, and may send `ready` at any time to get everything anew.
 */
import type { StateAction } from '../../ahp/v1/actions.ts';
import type { ContentEncoding, ResourceReadResult, ResourceState } from '../../ahp/v1/commands.ts';
import type { FileEdit, MessageAttachment, URI } from '../../ahp/v1/common.ts';
import type { SessionInputAnswerChangedAction, SessionInputCompletedAction } from '../../ahp/v1/inputRequest.ts';
import type {
  SessionConfigChangedAction,
  SessionModelChangedAction,
  SessionPendingMessageRemovedAction,
  SessionPendingMessageSetAction,
  SessionQueuedMessagesReorderedAction,
  SessionTitleChangedAction,
  SessionTurnCancelledAction,
  SessionTurnStartedAction,
} from '../../ahp/v1/session.ts';
import type { SessionToolCallConfirmedAction, SessionToolCallResultConfirmedAction } from '../../ahp/v1/toolCall.ts';

/** The session that the view shows. */
export interface ShownSession {
  /** Of the host in this window; with `uri` it makes the session's identity. */
  hostId: string;
  uri: URI;
  /** How the user calls the host: "This computer", "build-box". */
  hostLabel: string;
  /** Why nothing may be sent or answered here; absent when it may. */
  readOnly?: string;
  /** Set for Tapline's own host: the only one that is given the user's own models. */
  ownHost?: true;
}

/** Words of the user that were not sent. */
export interface Draft {
  text: string;
  attachments: MessageAttachment[];
}

/** An action of this client that the host has not settled, in the order of dispatch. */
export interface PendingAction {
  clientSeq: number;
  action: StateAction;
  /** The connection was lost before the host answered: it may have happened or not. */
  outcome?: 'unknown';
  /** Nothing of it was sent yet, because the host is away. */
  held?: true;
}

/** How far a resource's copy can be trusted. Times are ms since the epoch. */
export type ResourceStatus =
  | { kind: 'loading' }
  | { kind: 'live' }
  /** The state is as of `since`; the host cannot be reached. */
  | { kind: 'stale'; since: number }
  /** The host does not have it any more. `canReopen`: it is still in the host's list, so that it may give it once more. */
  | { kind: 'removed'; canReopen: boolean }
  /** It cannot be read at all; `message` is for the user. `needsSignIn`: because the host wants a GitHub account first. */
  | { kind: 'failed'; message: string; needsSignIn?: true };

/** What a button of the webview may ask VS Code to do: ids of our commands, called with the shown session. */
export const webviewCommands = [
  'newSession',
  'addHost',
  'editHost',
  'enterHostToken',
  'updateTapline',
  'showHostLog',
  'showLog',
  'reconnectHost',
  'startDemo',
  'signInToGitHub',
  'addModel',
] as const;
export type WebviewCommand = (typeof webviewCommands)[number];

/** The connection of the shown session's host. The webview shows a banner once it is not connected for 0.7 s. */
export interface ConnectionInfo {
  kind: 'connected' | 'connecting' | 'reconnecting' | 'failed' | 'closed';
  /** For the user: what happened and what it means. */
  message?: string;
  /** The same in a few words, for a narrow view. */
  brief?: string;
  /** Whole seconds to the next attempt; told anew with each. */
  retryIn?: number;
  action?: { label: string; command: WebviewCommand };
}

/** Palette commands and keybindings. */
export type ViewCommand = 'approve' | 'deny' | 'jumpToLatest' | 'focusNextWaiting';

/** Shows a session, or the empty state without one. `draft` replaces the composer's words when they are of another session. */
export interface ShowMessage {
  type: 'show';
  session?: ShownSession;
  draft?: Draft;
}
/** The whole state of a watched resource: the session, `agenthost:/root`, a terminal, a subagent's session. */
export interface SnapshotMessage {
  type: 'snapshot';
  uri: URI;
  /** As the host said it, without what is pending; undefined until it is known. */
  confirmed?: ResourceState;
  pending: PendingAction[];
  status: ResourceStatus;
}
/** Actions that the host has confirmed, in order. */
export interface ActionsMessage {
  type: 'actions';
  uri: URI;
  actions: StateAction[];
  /** The clock that the reducers were given, ms since the epoch. */
  now: number;
  /** All that is pending now; absent when it did not change. An own new action comes as `actions: []` with `pending`. */
  pending?: PendingAction[];
}
export interface StatusMessage {
  type: 'status';
  uri: URI;
  status: ResourceStatus;
}
export interface ConnectionMessage {
  type: 'connection';
  connection: ConnectionInfo;
}
/** An action of the user was refused or not sent; shown where it was done, and its words go back to where they were typed. */
export interface RejectedMessage {
  type: 'rejected';
  clientSeq: number;
  reason: string;
  action: StateAction;
  /** It was sent, and what it was meant for is over: nobody knows whether it had a part in that. */
  outcome?: 'unknown';
}
/** Answers a request of the webview. */
export type ResponseMessage = { type: 'response'; id: number; result: unknown } | { type: 'response'; id: number; error: string };
export interface FocusMessage {
  type: 'focus';
  target: 'composer' | 'needsYou';
}
export interface CommandMessage {
  type: 'command';
  command: ViewCommand;
  /** An answer key was pressed: it is for the card that has the focus. Without, it is for that or for the first that waits. */
  byKey?: true;
}
/** Adds files to the composer ("Add to Session" of the explorer and of editors). */
export interface AttachMessage {
  type: 'attach';
  attachments: MessageAttachment[];
}

export type ExtensionMessage =
  | ShowMessage
  | SnapshotMessage
  | ActionsMessage
  | StatusMessage
  | ConnectionMessage
  | RejectedMessage
  | ResponseMessage
  | FocusMessage
  | CommandMessage
  | AttachMessage;

/** The actions that this view dispatches; everything else is refused by the parser. */
export type SessionGesture =
  | SessionTurnStartedAction
  | SessionTurnCancelledAction
  | SessionToolCallConfirmedAction
  | SessionToolCallResultConfirmedAction
  | SessionTitleChangedAction
  | SessionModelChangedAction
  | SessionPendingMessageSetAction
  | SessionPendingMessageRemovedAction
  | SessionQueuedMessagesReorderedAction
  | SessionInputAnswerChangedAction
  | SessionInputCompletedAction
  | SessionConfigChangedAction;

/** Requests of the webview, with what they answer. An error answer is a text for the user. */
export interface WebviewRequests {
  /** Content of the shown session's host. */
  readResource: { params: { uri: URI; encoding?: ContentEncoding }; result: ResourceReadResult };
  /** Lets the user pick files; an empty list when the picker was left. */
  pickAttachments: { params: Record<string, never>; result: MessageAttachment[] };
  /** What was dropped on the view, as attachments: only what is there, in the order of `uris`. */
  attachDropped: { params: { uris: URI[] }; result: MessageAttachment[] };
  /** Files whose name matches, best first, for `#` in the composer; at most 20. */
  findFiles: { params: { query: string }; result: MessageAttachment[] };
}
export type WebviewRequestMethod = keyof WebviewRequests;
export type WebviewRequestMessage = {
  [M in WebviewRequestMethod]: { type: 'request'; id: number; method: M; params: WebviewRequests[M]['params'] };
}[WebviewRequestMethod];

/** The page can receive: answer with `show`, `connection`, and a snapshot of the root, the session and all that is watched. */
export interface ReadyMessage {
  type: 'ready';
}
/** Asks for a terminal's or subagent session's snapshot and actions, until `unwatch`. Said again after each `show`: the extension may have begun anew. */
export interface WatchMessage {
  type: 'watch' | 'unwatch';
  uri: URI;
}
export interface DispatchMessage {
  type: 'dispatch';
  action: SessionGesture;
}
/** What to do with a pending action whose outcome is unknown. */
export interface ResolveUnknownMessage {
  type: 'resolveUnknown';
  clientSeq: number;
  how: 'sendAgain' | 'discard';
}
/** Asks the host once more for the shown session, which it has removed. */
export interface ReopenMessage {
  type: 'reopen';
}
/** A session with the same agent in the same folder as the shown one, and these words in its composer. */
export interface NewSessionWithMessage {
  type: 'newSessionWith';
  draft: Draft;
}
export interface OpenDiffMessage {
  type: 'openDiff';
  edit: FileEdit;
}
export interface OpenMessage {
  type: 'openFile' | 'openSession';
  uri: URI;
}
/** `url` is http, https or mailto (the parser checks it). */
export interface OpenExternalMessage {
  type: 'openExternal';
  url: string;
}
export interface CopyMessage {
  type: 'copy';
  text: string;
}
/** To be kept for that session; an empty draft clears it. Sent at most every 300 ms, and at once when the page is hidden. */
export interface DraftMessage {
  type: 'draft';
  uri: URI;
  draft: Draft;
}
/** Feeds the context keys of keybindings and menus. */
export interface ContextMessage {
  type: 'context';
  /** Calls, results and questions that wait in the shown session. */
  needsYou: number;
  running: boolean;
  /** The answer keys are for a card of this page: it has the focus, and nothing is typed in it. */
  callFocused: boolean;
  composerFocused: boolean;
}
export interface RunCommandMessage {
  type: 'runCommand';
  command: WebviewCommand;
}

export type WebviewMessage =
  | ReadyMessage
  | WatchMessage
  | DispatchMessage
  | ResolveUnknownMessage
  | WebviewRequestMessage
  | ReopenMessage
  | NewSessionWithMessage
  | OpenDiffMessage
  | OpenMessage
  | OpenExternalMessage
  | CopyMessage
  | DraftMessage
  | ContextMessage
  | RunCommandMessage;
