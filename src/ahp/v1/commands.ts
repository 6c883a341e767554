/** The commands (requests) of AHP v1 and the notifications of clients: parameters and results by method. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import type { ActionEnvelope, StateAction } from './actions.ts';
import { modelSelection, terminalClaim, type URI } from './common.ts';
import type { RootState } from './root.ts';
import { anyObject, count, id, listOf, type UnknownTag, uri } from '../common/schemas.ts';
import type { SessionConfigSchema, SessionState, SessionSummary, Turn } from './session.ts';
import type { TerminalState } from './terminal.ts';
import { activeClient } from './toolCall.ts';

export const PROTOCOL_VERSION = 1;

export type ResourceState = RootState | SessionState | TerminalState;

/** A resource's state as of `fromSeq`. Only envelopes with a greater `serverSeq` apply to it. */
export interface Snapshot {
  resource: URI;
  state: ResourceState;
  fromSeq: number;
}

const encoding = z.enum(['base64', 'utf-8']);
export type ContentEncoding = z.infer<typeof encoding>;
const resource = z.object({ uri });
const transfer = z.object({ source: uri, destination: uri, failIfExists: z.optional(z.boolean()) });
const configQuery = { provider: z.optional(id), workingDirectory: z.optional(uri), config: z.optional(anyObject) };

/** The parameters of every command. The name of an existing resource may be any string, since the host has an error for one that it does not have. */
export const commandParams = {
  initialize: z.object({
    protocolVersion: z.number(),
    clientId: id,
    initialSubscriptions: z.optional(listOf(z.string())),
    /** BCP 47. */
    locale: z.optional(z.string()),
    /** Extensions that the client has. */
    _meta: z.optional(anyObject),
  }),
  reconnect: z.object({ clientId: id, lastSeenServerSeq: count, subscriptions: listOf(z.string()) }),
  subscribe: z.object({ resource: z.string() }),
  createSession: z.object({
    /** Chosen by the client, `<provider>:/<uuid>`. */
    session: uri,
    provider: z.optional(id),
    model: z.optional(modelSelection),
    workingDirectory: z.optional(uri),
    fork: z.optional(z.object({ session: uri, turnId: id })),
    /** Values of the schema that `resolveSessionConfig` returned. */
    config: z.optional(anyObject),
    activeClient: z.optional(activeClient),
  }),
  disposeSession: z.object({ session: z.string() }),
  createTerminal: z.object({
    /** Chosen by the client. */
    terminal: uri,
    claim: terminalClaim,
    name: z.optional(z.string()),
    cwd: z.optional(uri),
    cols: z.optional(z.number()),
    rows: z.optional(z.number()),
  }),
  disposeTerminal: z.object({ terminal: z.string() }),
  listSessions: z.object({ filter: z.optional(anyObject) }),
  fetchTurns: z.object({
    session: z.string(),
    /** Exclusive. Without it, from the newest. */
    before: z.optional(id),
    limit: z.optional(z.int().check(z.gte(1))),
  }),
  resourceRead: z.object({ uri, encoding: z.optional(encoding) }),
  resourceWrite: z.object({
    uri,
    data: z.string(),
    encoding,
    contentType: z.optional(z.string()),
    createOnly: z.optional(z.boolean()),
  }),
  resourceList: resource,
  resourceCopy: transfer,
  resourceDelete: z.object({ uri, recursive: z.optional(z.boolean()) }),
  resourceMove: transfer,
  authenticate: z.object({
    /** A `ProtectedResourceMetadata.resource`. */
    resource: id,
    /** For our own host: an empty one takes the token back. */
    token: z.string(),
  }),
  resolveSessionConfig: z.object(configQuery),
  sessionConfigCompletions: z.object({ ...configQuery, property: id, query: z.optional(z.string()) }),
};
export type Command = keyof typeof commandParams;
export type CommandParams<M extends Command> = z.infer<(typeof commandParams)[M]>;
export interface InitializeParams extends CommandParams<'initialize'> {}
export interface ReconnectParams extends CommandParams<'reconnect'> {}
export interface CreateSessionParams extends CommandParams<'createSession'> {}
export interface CreateTerminalParams extends CommandParams<'createTerminal'> {}
export interface FetchTurnsParams extends CommandParams<'fetchTurns'> {}
export interface ResourceReadParams extends CommandParams<'resourceRead'> {}
export interface ResourceWriteParams extends CommandParams<'resourceWrite'> {}
export interface ResourceDeleteParams extends CommandParams<'resourceDelete'> {}
export interface ResourceTransferParams extends CommandParams<'resourceMove'> {}
export interface AuthenticateParams extends CommandParams<'authenticate'> {}
export interface ResolveSessionConfigParams extends CommandParams<'resolveSessionConfig'> {}
export interface SessionConfigCompletionsParams extends CommandParams<'sessionConfigCompletions'> {}

export interface InitializeResult {
  protocolVersion: number;
  serverSeq: number;
  /** Of the initial subscriptions that exist. */
  snapshots: Snapshot[];
  defaultDirectory?: URI;
  /** Extensions that the host has. */
  _meta?: Record<string, unknown>;
}
export type ReconnectResult = { type: 'replay'; actions: ActionEnvelope[] } | { type: 'snapshot'; snapshots: Snapshot[] };

export interface FetchTurnsResult {
  /** Oldest first. */
  turns: Turn[];
  hasMore: boolean;
}

export interface ResourceReadResult {
  data: string;
  encoding: ContentEncoding;
  contentType?: string;
}
export interface DirectoryEntry {
  name: string;
  type: 'file' | 'directory' | UnknownTag;
}

export interface ResolveSessionConfigResult {
  schema: SessionConfigSchema;
  /** With the host's defaults filled in. */
  values: Record<string, unknown>;
}
export interface SessionConfigValueItem {
  value: string;
  label: string;
  description?: string;
}

type Empty = Record<string, never>;

/** The result of every command. */
export interface CommandResults {
  initialize: InitializeResult;
  reconnect: ReconnectResult;
  subscribe: { snapshot: Snapshot };
  createSession: null;
  disposeSession: null;
  createTerminal: null;
  disposeTerminal: null;
  listSessions: { items: SessionSummary[] };
  fetchTurns: FetchTurnsResult;
  resourceRead: ResourceReadResult;
  resourceWrite: Empty;
  resourceList: { entries: DirectoryEntry[] };
  resourceCopy: Empty;
  resourceDelete: Empty;
  resourceMove: Empty;
  authenticate: Empty;
  resolveSessionConfig: ResolveSessionConfigResult;
  sessionConfigCompletions: { items: SessionConfigValueItem[] };
}
export type CommandResult<M extends Command> = CommandResults[M];

/** The parameters of the notifications from client to host. */
export const clientNotificationParams = {
  dispatchAction: z.object({ clientSeq: count, action: z.custom<StateAction>(isRecord, 'an object') }),
  unsubscribe: z.object({ resource: z.string() }),
};
/** Notifications from client to host. */
export type ClientNotifications = { [M in keyof typeof clientNotificationParams]: z.infer<(typeof clientNotificationParams)[M]> };
