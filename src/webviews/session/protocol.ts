/**
 * The messages between the session webview and the extension. Both sides use these types. What comes from the webview is checked by
 * `parseWebviewMessage` before anything is done with it.
 *
 * The extension posts lists of messages, in order; a slow page gets fewer and longer ones. The webview posts one message at a time.
 * The webview persists only which session it shows, drafts and folds. It may send `ready` at any time to get everything again.
 */
import * as z from 'zod/mini';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import type { PendingAction as Pending } from '../../ahp/client/resources/pending.ts';
import type { DialectName, ResourceKind } from '../../ahp/dialects/dialect.ts';
import type { CommandResult } from '../../ahp/channels/commands.ts';
import { type ModelSelection, modelSelection } from '../../ahp/channels/shapes/basic.ts';
import { type MessageAttachment, messageAttachment } from '../../ahp/channels/shapes/message.ts';
import { fileEdit, type URI } from '../../ahp/common/shapes.ts';
import { MAX_CHAT_NAME } from '../../ahp/chatNames.ts';
import { grant } from '../../ahp/schemas/grantSchemas.ts';
import { anyObject, id, listOf, recordOf, uri } from '../../ahp/common/schemas.ts';
import { focusPlace } from '../focus/focusPlace.ts';
import { emitterRequest, newEmitter } from '../../views/emitters/emitterRequest.ts';
import { sessionGesture } from '../../views/session/gestureSchema.ts';
import type { SessionGesture } from '../../views/session/sessionGesture.ts';
import type { FileAttachment } from '../../views/session/composer/attachments.ts';
import type { OfferedPrompt } from '../../views/session/composer/promptFiles.ts';
import type { ContextItem } from '../../views/session/composer/contextItems.ts';
import type { Lending } from '../../views/session/composer/lentFile.ts';
import type { ImageType } from '../../views/session/composer/imageTypes.ts';
import { wayBackKinds } from '../../views/session/wayBack/wayBack.ts';
import { chatOffers } from '../../views/session/chatOffers.ts';
import type { SessionConfigState } from '../../ahp/channels/shapes/config.ts';
import type { ConfigOption } from '../../views/configForm/configFields.ts';
import type { StartFolder, StartOffer } from '../../views/newSession/startOffer.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { PendingPairing } from '../../views/pairing/pairingView.ts';
import type { CardPlace } from '../../views/session/waiting/waiting.ts';
import type { CallProvider } from '../../views/session/toolCall/callProvider.ts';
import type { CallDecision } from '../../views/session/trail/callDecision.ts';
import type { TimelineRow } from '../../views/session/transcript/timelineRows.ts';

/** The session that the view shows. */
export interface ShownSession extends SessionRef {
  /** The host's name, such as "This computer" or "build-box". */
  hostLabel: string;
  /** Why the session is read-only; absent when it is not. */
  readOnly?: string;
  /** It is read-only, and its host can be asked for older turns all the same. */
  readsOn?: boolean;
  /** Other clients of a chat see what the user types. */
  sharesDrafts?: true;
  /** A key in the empty composer answers the call that waits. */
  composerAnswers?: true;
  /** Set for Tapline's own host, the only one that is given the user's own models. */
  ownHost?: true;
}

const contextItem: z.ZodMiniType<ContextItem> = z.object({
  provider: z.string(),
  title: z.string(),
  text: z.string(),
  file: z.optional(uri),
});
const draft = z.object({ text: z.string(), attachments: listOf(messageAttachment), items: z.optional(listOf(contextItem)) });
const mention = z.object({
  /** As the settings name it. */
  provider: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  uri: z.string(),
  data: z.optional(recordOf(z.unknown())),
});
/** Something that a context provider lets the user attach. */
export interface Mention extends z.infer<typeof mention> {}
/** What the user has typed and not sent. */
export interface Draft extends z.infer<typeof draft> {}

export type { SessionGesture };

/** What was done and is not settled: as the dialect of the host has it and, where the user did it, `asked` in that of the model. */
export type PendingAction = Pending<ActionLike>;

/** How far a resource's copy can be trusted. Times are ms since the epoch. */
export type ResourceStatus =
  | { kind: 'loading' }
  | { kind: 'live' }
  /** The state is as of `since`. The host cannot be reached. */
  | { kind: 'stale'; since: number }
  /** The host does not have it any more. `canReopen`: it is still in the host's list, so it can be requested again. */
  | { kind: 'removed'; canReopen: boolean }
  /** It cannot be read at all. `message` is for the user. `needsSignIn`: the host needs a GitHub account first. */
  | { kind: 'failed'; message: string; needsSignIn?: true };

const webviewCommand = z.enum([
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
  'lendToolsHere',
  'reviewTools',
  'showProviders',
  'showCustomizations',
  'showSessionTerminals',
  'answerConsent',
  'showLent',
  'watchSomething',
  'openControlTower',
]);
/** What a button of the webview may ask VS Code to do: ids of our commands, called with the shown session. */
export type WebviewCommand = z.infer<typeof webviewCommand>;

/** The connection of the shown session's host. The webview shows a banner once it is not connected for 0.7 s. */
export interface ConnectionInfo {
  kind: 'connected' | 'connecting' | 'reconnecting' | 'failed' | 'closed';
  /** For the user: what happened and what it means. */
  message?: string;
  /** A short form of it, for a narrow view. */
  brief?: string;
  /** Whole seconds to the next attempt, of which a message is sent each time. */
  retryIn?: number;
  action?: { label: string; command: WebviewCommand };
  /** The host that is connected can give a chat another name. */
  renamesChats?: true;
}

/** Palette commands and keybindings. */
export type ViewCommand =
  | 'approve'
  | 'deny'
  | 'find'
  | 'jumpToLatest'
  | 'copyAnswer'
  | 'focusNextWaiting'
  | 'newChat'
  | 'chooseChat'
  | 'loadOlderTurns'
  | 'sendDraft'
  | 'showTurn'
  | 'goBack'
  | 'editMessage'
  | 'retryTurn';

/** What not every place can do in which the page is shown: groups of its services (`pages/session/sessionPageServices.ts`). */
export type PageAbility = 'commands' | 'start' | 'editor' | 'attaching' | 'context' | 'chats' | 'terminals' | 'signIn' | 'emitters';

/** What is asked, or waited for, in front of everything else, where the shell has no dialogs of its own. */
export type PageQuestion =
  /** Enter takes the first answer, which changes nothing. */
  | { id: string; kind: 'choose'; title: string; detail: string; answers: readonly string[] }
  /** The user may leave it. */
  | { id: string; kind: 'wait'; title: string };
/** Replaces what was asked before. Without `question`, nothing is asked any more. */
export interface QuestionMessage {
  type: 'question';
  question?: PageQuestion;
}

/** Shows a session, or the empty state without one. */
export interface ShowMessage {
  type: 'show';
  session?: ShownSession;
  /** What is kept for its host, by session and chat. Which chats the session has may not be known yet. */
  drafts?: Readonly<Record<URI, Draft>>;
  /** Without a session: what one can be begun with. */
  start?: StartOffer;
  /** Absent: nothing. What needs it is not offered. */
  lacks?: readonly PageAbility[];
  /** Absent: nothing is asked. */
  question?: PageQuestion;
}
/** What came of `startSession`. */
export interface StartEndedMessage {
  type: 'startEnded';
  /** Absent: none. */
  session?: SessionRef;
}
/** The whole state of a watched resource: the session, one of its chats, the root, a terminal. */
export interface SnapshotMessage {
  type: 'snapshot';
  uri: URI;
  /** As the resource is held: in AHP v1 a session holds its chat. */
  kind: ResourceKind;
  /** In which the state and the actions are. Absent until it is known. */
  dialect?: DialectName;
  /** As the host sent it, without what is pending; undefined until it is known. */
  confirmed?: object;
  pending: readonly PendingAction[];
  status: ResourceStatus;
}
/** Actions that the host has confirmed, in order. */
export interface ActionsMessage {
  type: 'actions';
  uri: URI;
  actions: readonly ActionLike[];
  /** The time for the reducers, ms since the epoch. */
  now: number;
  /** All that is pending now; absent when it did not change. A new action of this client comes as `actions: []` with `pending`. */
  pending?: readonly PendingAction[];
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
/** Whether this window lends tools to the session, in one line. */
export interface LendingInfo {
  tone: 'fine' | 'problem';
  text: string;
  action?: { label: string; command: WebviewCommand };
}
/** What this window's bridge between the shown session and its tool providers knows. Nothing of it comes from the host, except the name of another client. */
export interface BridgeInfo {
  /** Who this window is to the host. The calls of tools that it lends have this id. */
  clientId: string;
  lending?: LendingInfo;
  /** Which programs serve the session, in words. */
  serving?: string;
  /** Programs whose rules about calls wait for the user's consent. Absent: none. */
  waitingChecks?: number;
  /** What is watched for the session. Absent: nothing. */
  emitters?: { active: number; all: number };
  rows: readonly TimelineRow[];
  calls: readonly CallProvider[];
  /** Codes with which a page or program could connect to this session. */
  pairings: readonly PendingPairing[];
}
/** Replaces what was sent before. Without `bridge`, nothing joins the session with providers. */
export interface BridgeMessage {
  type: 'bridge';
  uri: URI;
  bridge?: BridgeInfo;
}
/** Replaces what was sent before. */
export interface DecisionsMessage {
  type: 'decisions';
  session: SessionRef;
  /** Who decided about calls of the session and of its subagents, as this window saw it. Oldest first. */
  decisions: readonly CallDecision[];
}
/** An action of the user was refused or not sent. It is shown where it was done, and its text goes back to where it was typed. */
export interface RejectedMessage {
  type: 'rejected';
  /** The session in which it was done. */
  session: SessionRef;
  /** Of the session or the chat. */
  uri: URI;
  clientSeq: number;
  reason: string;
  /** As the user did it. */
  action: ActionLike;
  /** It was sent, and what it was meant for is over. Whether it had a part in that is not known. */
  outcome?: 'unknown';
}
/** The reply to a request of the webview. An error is a text for the user. */
export type ResponseMessage = { type: 'response'; id: number; result: unknown } | { type: 'response'; id: number; error: string };
export interface FocusMessage {
  type: 'focus';
  /** Absent `card`: `needsYou` is the first that waits in the chat that is shown. */
  target: 'composer' | 'needsYou';
  /** The only card that may get the focus. Its chat is shown for it. When it waits no more, the composer gets the focus. */
  card?: CardPlace;
}
export interface CommandMessage {
  type: 'command';
  command: ViewCommand;
  /** The command comes from an answer key and is for the card that has the focus. Otherwise it may also be for the first card that waits. */
  byKey?: true;
  /** For `chooseChat` and `showTurn`. A turn without it is one of the default chat. */
  chat?: URI;
  /** For `showTurn`. */
  turn?: string;
  /** For `showTurn`: a call in the turn. */
  call?: string;
  /** For `newChat`. Absent: an empty one. */
  source?: ChatSource;
  /** For `sendDraft`: the model of the message. */
  model?: ModelSelection;
}
/** What is added to the composer. */
export interface Attached {
  attachments: FileAttachment[];
  context?: FoundContext;
}
/** Adds to the composer ("Add to Session" of the explorer and of editors). */
export interface AttachMessage extends Attached {
  type: 'attach';
}

/** The file of the active editor, which the composer suggests. Absent: none that the session's host has. */
export interface CurrentFileMessage {
  type: 'currentFile';
  session: SessionRef;
  file?: FileAttachment;
}

/** What this window lends to the host of the session. Sent again whenever that changes. */
export interface LendingMessage {
  type: 'lending';
  session: SessionRef;
  lending: Lending;
}

export type ExtensionMessage =
  | ShowMessage
  | SnapshotMessage
  | ActionsMessage
  | StatusMessage
  | ConnectionMessage
  | BridgeMessage
  | DecisionsMessage
  | RejectedMessage
  | ResponseMessage
  | FocusMessage
  | CommandMessage
  | AttachMessage
  | CurrentFileMessage
  | LendingMessage
  | QuestionMessage
  | StartEndedMessage;

const readParams = z.object({ uri, encoding: z.optional(z.enum(['base64', 'utf-8'])) });
const chatSource = z.object({
  ...{ kind: z.enum(['fork', 'sideChat']), chat: uri, turnId: id },
  /** What a side chat is about. */
  selection: z.optional(z.object({ text: z.string() })),
});
/** What a chat is made from. */
export interface ChatSource extends z.infer<typeof chatSource> {}
const editorThing = z.object({ kind: z.enum(['symbol', 'problems']), uri, label: z.string(), line: z.int().check(z.nonnegative()) });
/** What `#` has found in the editor. `line`: counted from 0. */
export interface EditorThing extends z.infer<typeof editorThing> {}
const requestBase = { type: z.literal('request'), id: z.int() };
const webviewRequest = z.discriminatedUnion('method', [
  /** Content of the shown session's host. */
  z.object({ ...requestBase, method: z.literal('readResource'), params: readParams }),
  /** Lets the user pick files. */
  z.object({ ...requestBase, method: z.literal('pickAttachments'), params: z.object({}) }),
  /** What was dropped on the view, as attachments. */
  z.object({ ...requestBase, method: z.literal('attachDropped'), params: z.object({ uris: listOf(uri) }) }),
  /** A file of which the page has only what is in it, as base64: it was pasted, dropped or picked in a browser. */
  z.object({ ...requestBase, method: z.literal('attachContent'), params: z.object({ name: z.string(), data: z.string() }) }),
  /** An image of a message, to show it. */
  z.object({ ...requestBase, method: z.literal('readImage'), params: z.object({ uri }) }),
  /** The text of a symbol or of the problems of a file. */
  z.object({ ...requestBase, method: z.literal('contextOfEditor'), params: editorThing }),
  /** Files, folders, symbols and problems whose name matches, for `#` in the composer. */
  z.object({ ...requestBase, method: z.literal('findFiles'), params: z.object({ query: z.string() }) }),
  /** Prompt files whose name matches, for `/` at the beginning of the composer, and the text of one. */
  z.object({ ...requestBase, method: z.literal('findPrompts'), params: z.object({ query: z.string() }) }),
  z.object({ ...requestBase, method: z.literal('readPrompt'), params: z.object({ path: z.string() }) }),
  /** What context providers let the user attach, for `@` in the composer. */
  z.object({ ...requestBase, method: z.literal('findMentions'), params: z.object({ query: z.string() }) }),
  /** What context providers say of a mention, or of a file that was attached. */
  z.object({ ...requestBase, method: z.literal('contextOfMention'), params: z.object({ mention }) }),
  z.object({ ...requestBase, method: z.literal('contextOfFiles'), params: z.object({ uris: listOf(uri) }) }),
  /** Makes a chat in the session: an empty one, or one from a turn of another. */
  z.object({ ...requestBase, method: z.literal('createChat'), params: z.object({ source: z.optional(chatSource) }) }),
  /** The user has decided it in the page, where the shell `lacks` the question. */
  z.object({
    ...requestBase,
    method: z.literal('nameChat'),
    params: z.object({ chat: uri, title: z.string().check(z.regex(/\S/), z.maxLength(MAX_CHAT_NAME)) }),
  }),
  z.object({ ...requestBase, method: z.literal('removeChat'), params: z.object({ chat: uri }) }),
  /** Older turns of a chat, which come as actions. */
  z.object({ ...requestBase, method: z.literal('fetchTurns'), params: z.object({ chat: uri }) }),
  /** Takes away the turn of a message and all after it, after a question, and sends the message again where that is meant. `words`: of the edited message. */
  z.object({
    ...requestBase,
    method: z.literal('goBack'),
    params: z.object({ chat: uri, turnId: id, how: z.enum(wayBackKinds), words: z.optional(z.string()) }),
  }),
  /** What is watched for the session. The answer is that of its deed. */
  z.object({ ...requestBase, method: z.literal('emitters'), params: emitterRequest }),
]);
export type WebviewRequestMessage = z.infer<typeof webviewRequest>;
export type WebviewRequestMethod = WebviewRequestMessage['method'];
export type WebviewRequestParams<M extends WebviewRequestMethod> = Extract<WebviewRequestMessage, { method: M }>['params'];

/** The result of each request. */
export interface WebviewRequestResults {
  readResource: CommandResult<'resourceRead'>;
  /** Nothing when the picker was left. */
  pickAttachments: Attached;
  /** Only what is there, in the order of `uris`. */
  attachDropped: Attached;
  attachContent: MessageAttachment;
  readImage: ShownImage;
  /** Best first, at most 20. `displayKind` is `symbol` or `problems` for what is asked of the editor. */
  findFiles: FileAttachment[];
  findPrompts: OfferedPrompt[];
  readPrompt: { text: string };
  /** At most 20. */
  findMentions: Mention[];
  contextOfEditor: FoundContext;
  contextOfMention: FoundContext;
  contextOfFiles: FoundContext;
  createChat: { uri: URI };
  nameChat: Record<string, never>;
  removeChat: Record<string, never>;
  fetchTurns: Record<string, never>;
  /** False: the user has left the question, or has been told why nothing was done. */
  goBack: { isDone: boolean };
  emitters: unknown;
}

export interface ShownImage {
  contentType: ImageType;
  /** Base64. */
  data: string;
}

const startWhere = { hostId: z.string(), provider: z.string(), workingDirectory: z.optional(uri) };
const startRequest = z.discriminatedUnion('method', [
  /** The settings that a session can have at its host. Without `config`, with what was chosen last. */
  z.object({
    ...requestBase,
    method: z.literal('resolveStart'),
    params: z.object({ ...startWhere, config: z.optional(anyObject) }),
  }),
  /** Values of a setting that has too many to list. */
  z.object({
    ...requestBase,
    method: z.literal('completeStart'),
    params: z.object({ ...startWhere, config: anyObject, property: id, query: z.string() }),
  }),
  /** Lets the user choose a folder of the host. */
  z.object({
    ...requestBase,
    method: z.literal('chooseStartFolder'),
    params: z.object({ hostId: z.string(), provider: z.string() }),
  }),
]);
/** What the page asks without a session. */
export type StartRequestMessage = z.infer<typeof startRequest>;
export type StartRequestMethod = StartRequestMessage['method'];
export type StartRequestParams<M extends StartRequestMethod> = Extract<StartRequestMessage, { method: M }>['params'];
export interface StartRequestResults {
  resolveStart: SessionConfigState;
  completeStart: ConfigOption[];
  /** Undefined when the question was left. */
  chooseStartFolder: StartFolder | undefined;
}

export interface FoundContext {
  items: ContextItem[];
  /** Of all items of a message together, in tokens. */
  budget: number;
  /** Providers that failed, as texts for the user. */
  problems: string[];
}

/** Characters of one message. */
const MAX_TYPED = 10_000;

const externalProtocols = ['http:', 'https:', 'mailto:'];
const externalUrl = z.string().check(z.refine((url) => URL.canParse(url) && externalProtocols.includes(new URL(url).protocol)));

const resolveUnknown = z.object({ type: z.literal('resolveUnknown'), clientSeq: z.int(), how: z.enum(['sendAgain', 'discard']) });
/** What to do with a pending action whose outcome is unknown. */
export interface ResolveUnknownMessage extends z.infer<typeof resolveUnknown> {}

const context = z.object({
  type: z.literal('context'),
  /** Calls, results and questions that wait in the shown chat and in its subagents. */
  needsYou: z.int(),
  running: z.boolean(),
  /** The chats of which the page shows what waits: first the chat that is shown, then those of its subagents. */
  chats: listOf(uri),
  /** What can be done with the chats of the session now. */
  offers: listOf(z.enum(chatOffers)),
});
/** Feeds the context keys of menus, and tells which chats are on screen. */
export interface ContextMessage extends z.infer<typeof context> {}

const sessionRef = z.object({ hostId: z.string(), uri });
const runCommand = z.object({ type: z.literal('runCommand'), command: webviewCommand });

/** What a page posts about one session. */
export const sessionMessage = z.discriminatedUnion('type', [
  /** Requests the snapshot and the actions of a terminal or of a chat, until `unwatch`. Sent again after each `show`, since the extension may have restarted. */
  z.object({ type: z.literal('watch'), uri, kind: z.enum(['chat', 'terminal']) }),
  z.object({ type: z.literal('unwatch'), uri }),
  /** `uri`: of the session for what begins with `session/`, otherwise of a chat. */
  z.object({
    type: z.literal('dispatch'),
    uri,
    action: sessionGesture,
    /** Of answers to a question: its `questionKey`, as the user has seen it. It is not sent to the host. */
    asked: z.optional(z.string()),
  }),
  resolveUnknown,
  webviewRequest,
  /** A file that was lent with a message (`ahp/lentFiles`), and was removed from it before it was sent. */
  z.object({ type: z.literal('releaseLent'), uri }),
  /** Requests the shown session again, which the host has removed. */
  z.object({ type: z.literal('reopen') }),
  /** Opens a session with the same agent in the same folder as the shown one, and this draft in its composer. */
  z.object({ type: z.literal('newSessionWith'), draft }),
  z.object({
    type: z.literal('openDiff'),
    edit: fileEdit.check(z.refine(({ before, after }) => before !== undefined || after !== undefined)),
  }),
  /** All that a turn of a chat changed. */
  z.object({ type: z.literal('showTurnChanges'), chat: uri, turnId: id }),
  z.object({ type: z.literal(['openFile', 'openSession']), uri }),
  /** Puts a block of code at the cursor, or into a terminal without running it. */
  z.object({ type: z.literal('useCode'), how: z.enum(['insert', 'terminal']), code: z.string() }),
  /** Shows what a file would be with a block of code, and asks whether it is to be. `info` and `before` may name the file. */
  z.object({ type: z.literal('applyCode'), code: z.string(), info: z.string(), before: z.string() }),
  /** Deletes a chat of the session, after a question. */
  z.object({ type: z.literal('renameChat'), chat: uri }),
  z.object({ type: z.literal('deleteChat'), chat: uri }),
  /** Opens a terminal of the host as one of VS Code, to type into it. */
  z.object({ type: z.literal('openTerminal'), uri }),
  /** Types into a terminal that the page shows, where there is no other one to type into. */
  z.object({ type: z.literal('typeIntoTerminal'), uri, text: z.string().check(z.maxLength(MAX_TYPED)) }),
  /** Signs in to what a call of a chat waits for. */
  z.object({ type: z.literal('signIn'), uri, turnId: id, toolCallId: id }),
  /** Takes back what the user has allowed for the session. */
  z.object({ type: z.literal('revokeGrants'), grants: listOf(grant) }),
  /** To be kept. An empty draft clears it. Sent at most every 300 ms, and at once when the page is hidden. */
  z.object({ type: z.literal('draft'), draft }),
  context,
  runCommand,
]);
export type SessionMessage = z.infer<typeof sessionMessage>;

/** Names the session, since the extension may have shown another one in the meantime. */
export const inSession = z.object({ type: z.literal('inSession'), session: sessionRef, message: sessionMessage });
/** An action of the page, whether or not the protocol has it. */
export const anyDispatch = z.object({
  type: z.literal('inSession'),
  session: sessionRef,
  message: z.object({ type: z.literal('dispatch'), uri: z.string(), action: z.looseObject({ type: z.string() }) }),
});
export const openExternal = z.object({ type: z.literal('openExternal'), url: externalUrl });
export const copy = z.object({ type: z.literal('copy'), text: z.string() });

/** Everything that the webview posts. */
export const webviewMessage = z.discriminatedUnion('type', [
  /**
   * The page can receive. To be followed by `show`, `connection`, and a snapshot of the root, the session and all that is watched. `told`: it has them
   * already, as the shell sent them while it loaded.
   */
  z.object({ type: z.literal('ready'), told: z.optional(z.boolean()) }),
  inSession,
  openExternal,
  copy,
  /** What of the page has the keyboard focus now. Only after a change. */
  z.object({ type: z.literal('focus'), place: focusPlace }),
  /** Of a question that the page was given. Without `answer`, the index of one, the user has left it. */
  z.object({ type: z.literal('answerQuestion'), id, answer: z.optional(z.int().check(z.nonnegative())) }),
  z.object({ type: z.literal('denyPairing'), pairingId: z.string() }),
  /** Without a session. */
  runCommand,
  startRequest,
  /**
   * Creates a session and sends the draft as its first message, or watches the emitter for it instead. Without `config`, the user is asked about the
   * host's settings.
   */
  z.object({
    type: z.literal('startSession'),
    ...startWhere,
    config: z.optional(anyObject),
    model: z.optional(modelSelection),
    draft,
    emitter: z.optional(newEmitter),
  }),
]);
export type WebviewMessage = z.infer<typeof webviewMessage>;
