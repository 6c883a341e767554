/** The commands (requests) of AHP 1.0 and the notifications of clients: parameters and results by method. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import { anyObject, count, id, listOf, tagged, type UnknownTag, uri } from '../common/schemas.ts';
import type { ContentRef, ProtectedResourceMetadata } from '../common/shapes.ts';
import type { ActionEnvelope, StateAction } from './actions.ts';
import type { ChannelState } from './channelReducers.ts';
import { type Implementation, type StringOrMarkdown, terminalClaim, textRange, type URI } from './shapes/basic.ts';
import type { ConfigSchema, SessionConfigSchema } from './shapes/config.ts';
import { message, type MessageAttachment } from './shapes/message.ts';
import type { SessionSummary } from './shapes/summaries.ts';
import { activeClient } from './session/state.ts';

/** The versions that this code speaks, the newest first. 0.10.0 is another name for what 1.0.0 says. */
export const PROTOCOL_VERSIONS = ['1.0.0', '0.10.0', '0.9.0'] as const;

/** In development. Spoken only where both sides are told to. */
export const VERSION_11 = '1.1.0';

/** A channel's state as of `fromSeq`. Only envelopes with a greater `serverSeq` apply to it. */
export interface Snapshot {
  resource: URI;
  state: ChannelState;
  fromSeq: number;
}

const encoding = z.enum(['base64', 'utf-8']);
/** The name of an existing channel may be any string, since the host has an error for one that it does not have. */
const onChannel = { channel: z.string(), _meta: z.optional(anyObject) };
/** A channel that the command makes. Its URI is chosen by the client. */
const ofNew = { channel: uri, _meta: z.optional(anyObject) };
const globs = z.optional(z.object({ items: listOf(z.string()) }));
const transfer = z.object({ ...onChannel, source: uri, destination: uri, failIfExists: z.optional(z.boolean()) });
const configQuery = { ...onChannel, provider: z.optional(id), workingDirectory: z.optional(uri), config: z.optional(anyObject) };
const workingDirectories = z.optional(listOf(uri));

const selection = z.object({ text: z.string(), responsePartId: z.optional(id) });
const chatSource = tagged('kind', [
  z.object({ kind: z.literal('fork'), chat: uri, turnId: id }),
  z.object({ kind: z.literal('sideChat'), chat: uri, turnId: id, selection: z.optional(selection) }),
]);
const side = z.optional(z.enum(['before', 'after']));
const operationTarget = tagged('kind', [
  z.object({ kind: z.literal('resource'), resource: uri, side }),
  z.object({ kind: z.literal('range'), resource: uri, side, range: textRange }),
]);
const destination = tagged('kind', [
  /** `after`: the chat that it comes behind. Without it, the chat is the first. */
  z.object({ kind: z.literal('session'), session: uri, after: z.optional(uri) }),
  z.object({ kind: z.literal('newSession') }),
]);

/** The parameters of every command. */
export const commandParams = {
  initialize: z.object({
    ...onChannel,
    clientId: id,
    protocolVersions: listOf(z.string()),
    clientInfo: z.optional(z.object({ name: z.string(), version: z.optional(z.string()), title: z.optional(z.string()) })),
    initialSubscriptions: z.optional(listOf(z.string())),
    /** BCP 47. */
    locale: z.optional(z.string()),
    capabilities: z.optional(anyObject),
  }),
  reconnect: z.object({ ...onChannel, clientId: id, lastSeenServerSeq: count, subscriptions: listOf(z.string()) }),
  ping: z.object({ channel: z.optional(z.string()), _meta: z.optional(anyObject) }),
  subscribe: z.object({
    ...onChannel,
    /** How long actions may be kept together. */
    delivery: z.optional(z.object({ maxLatencyMs: z.optional(z.number()) })),
    /** How many of the newest turns the snapshot shall have. */
    view: z.optional(z.object({ turns: z.optional(count) })),
  }),
  createSession: z.object({
    ...ofNew,
    provider: z.optional(id),
    workingDirectories,
    /** Values of the schema that `resolveSessionConfig` returned. */
    config: z.optional(anyObject),
    activeClient: z.optional(activeClient),
    /** Named by `root/progress`. */
    progressToken: z.optional(z.string()),
  }),
  disposeSession: z.object(onChannel),
  listSessions: z.object({ ...onChannel, cursor: z.optional(z.string()), limit: z.optional(count) }),
  /** `channel`: the session. */
  createChat: z.object({
    ...onChannel,
    chat: uri,
    initialMessage: z.optional(message),
    source: z.optional(chatSource),
    workingDirectories,
  }),
  disposeChat: z.object(onChannel),
  /** `channel`: the chat, which is `movable`. Since 1.0.0. */
  moveChat: z.object({ ...onChannel, destination }),
  /** The turns come as `chat/turnsLoaded`. */
  fetchTurns: z.object({ ...onChannel, cursor: z.optional(z.string()) }),
  completions: z.object({ ...onChannel, kind: z.string(), text: z.string(), offset: count }),
  createTerminal: z.object({
    ...ofNew,
    claim: terminalClaim,
    name: z.optional(z.string()),
    cwd: z.optional(uri),
    cols: z.optional(z.number()),
    rows: z.optional(z.number()),
  }),
  disposeTerminal: z.object(onChannel),
  /** `channel`: the changeset. */
  invokeChangesetOperation: z.object({ ...onChannel, operationId: id, target: z.optional(operationTarget) }),
  createResourceWatch: z.object({ ...onChannel, uri, recursive: z.optional(z.boolean()), includes: globs, excludes: globs }),
  authenticate: z.object({
    ...onChannel,
    /** A `ProtectedResourceMetadata.resource`. */
    resource: id,
    /** An empty one revokes. */
    token: z.string(),
    scopes: z.optional(listOf(z.string())),
    /** Seconds from now. Since 1.0.0. */
    expiresIn: z.optional(z.int().check(z.gte(1))),
  }),
  resolveSessionConfig: z.object(configQuery),
  sessionConfigCompletions: z.object({ ...configQuery, property: id, query: z.optional(z.string()) }),
  listAutomationTriggerDefinitions: z.object({
    ...onChannel,
    provider: z.optional(id),
    workingDirectories,
    sessionConfig: z.optional(anyObject),
  }),
  /** The same `requestId` gives the same run. */
  runAutomation: z.object({ ...onChannel, automation: uri, requestId: id }),
  /** The runs come as `automation/set`. */
  fetchAutomationRuns: z.object({ ...onChannel, automation: uri, cursor: z.optional(z.string()) }),
  resourceRead: z.object({ ...onChannel, uri, encoding: z.optional(encoding) }),
  resourceWrite: z.object({
    ...onChannel,
    uri,
    data: z.string(),
    encoding,
    contentType: z.optional(z.string()),
    createOnly: z.optional(z.boolean()),
    mode: z.optional(z.enum(['truncate', 'append', 'insert'])),
    /** In bytes. */
    position: z.optional(count),
    /** An `etag` of `resourceResolve`. */
    ifMatch: z.optional(z.string()),
  }),
  resourceList: z.object({ ...onChannel, uri }),
  resourceCopy: transfer,
  resourceDelete: z.object({ ...onChannel, uri, recursive: z.optional(z.boolean()) }),
  resourceMove: transfer,
  resourceResolve: z.object({ ...onChannel, uri, followSymlinks: z.optional(z.boolean()) }),
  resourceMkdir: z.object({ ...onChannel, uri }),
  resourceRequest: z.object({ ...onChannel, uri, read: z.optional(z.boolean()), write: z.optional(z.boolean()) }),
};
export type Command = keyof typeof commandParams;
export type CommandParams<M extends Command> = z.infer<(typeof commandParams)[M]>;

export interface InitializeResult {
  protocolVersion: string;
  serverSeq: number;
  serverInfo?: Implementation;
  /** Of the initial subscriptions that exist. */
  snapshots: Snapshot[];
  defaultDirectory?: URI;
  completionTriggerCharacters?: string[];
  terminalCommandPrefix?: string;
  /** Channels of OTLP notifications. */
  telemetry?: { logs?: URI; traces?: URI; metrics?: URI };
  /** What the host can do with automations. Absent where it has none. */
  automations?: {
    create?: object;
    schedules?: { minIntervalMinutes?: number };
    runCancellation?: object;
    runHistoryLimit?: number;
    customizations?: object;
  };
  _meta?: Record<string, unknown>;
}
/** `reconnect` of 1.1: how far the client is in each channel. 0: it has never had a state of it. */
export const reconnectPerChannel = z.object({
  ...onChannel,
  clientId: id,
  subscriptions: listOf(z.object({ channel: z.string(), lastSeenServerSeq: count })),
});

/** What became of one channel, in the answer of 1.1 to `reconnect`. */
export type ReconnectOutcome =
  | { kind: 'replay'; channel: URI; actions: readonly ActionEnvelope[] }
  | { kind: 'snapshot'; channel: URI; snapshot: Snapshot }
  /** It is gone, or this client may not see it any more. */
  | { kind: 'missing'; channel: URI };

/** One outcome for each channel of the request. */
export interface PerChannelReconnectResult {
  channels: ReconnectOutcome[];
}

export type ReconnectResult = { type: 'replay'; actions: ActionEnvelope[]; missing: URI[] } | { type: 'snapshot'; snapshots: Snapshot[] };

export interface CompletionItem {
  insertText: string;
  rangeStart?: number;
  rangeEnd?: number;
  attachment: MessageAttachment;
}
export interface ChangesetOperationResult {
  message?: StringOrMarkdown;
  /** What to show afterwards. */
  followUp?: { content: ContentRef; external?: boolean };
}
export interface AutomationTriggerDefinition {
  type: string;
  title: string;
  description?: string;
  events: { id: string; title: string; description?: string }[];
  configSchema?: ConfigSchema;
}
export interface ResolvedResource {
  uri: URI;
  type: 'file' | 'directory' | 'symlink' | UnknownTag;
  /** Bytes. */
  size?: number;
  mtime?: string;
  ctime?: string;
  contentType?: string;
  etag?: string;
}

type Empty = Record<string, never>;

/** The result of every command. */
export interface CommandResults {
  initialize: InitializeResult;
  reconnect: ReconnectResult;
  ping: null;
  subscribe: { snapshot?: Snapshot };
  createSession: null;
  disposeSession: null;
  listSessions: { items: SessionSummary[]; nextCursor?: string };
  createChat: null;
  disposeChat: null;
  moveChat: { session: URI };
  fetchTurns: Empty;
  completions: { items: CompletionItem[] };
  createTerminal: null;
  disposeTerminal: null;
  invokeChangesetOperation: ChangesetOperationResult;
  createResourceWatch: { channel: URI };
  authenticate: Empty;
  resolveSessionConfig: { schema: SessionConfigSchema; values: Record<string, unknown> };
  sessionConfigCompletions: { items: { value: string; label: string; description?: string }[] };
  listAutomationTriggerDefinitions: { items: AutomationTriggerDefinition[] };
  runAutomation: { resource: URI };
  fetchAutomationRuns: Empty;
  resourceRead: { data: string; encoding: z.infer<typeof encoding>; contentType?: string };
  resourceWrite: Empty;
  resourceList: { entries: { name: string; type: 'file' | 'directory' | UnknownTag }[] };
  resourceCopy: Empty;
  resourceDelete: Empty;
  resourceMove: Empty;
  resourceResolve: ResolvedResource;
  resourceMkdir: Empty;
  resourceRequest: Empty;
}
export type CommandResult<M extends Command> = CommandResults[M];

/** The parameters of the notifications from client to host. */
export const clientNotificationParams = {
  dispatchAction: z.object({ ...onChannel, clientSeq: count, action: z.custom<StateAction>(isRecord, 'an object') }),
  unsubscribe: z.object(onChannel),
};
/** Notifications from client to host. */
export type ClientNotifications = { [M in keyof typeof clientNotificationParams]: z.infer<(typeof clientNotificationParams)[M]> };

/** The `data` of errors that have some, by the name of their code. */
export interface ErrorData {
  UnsupportedProtocolVersion: { supportedVersions: string[] };
  AuthRequired: { resources: ProtectedResourceMetadata[] };
  PermissionDenied: { request?: CommandParams<'resourceRequest'> };
}
