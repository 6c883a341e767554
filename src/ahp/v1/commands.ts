/** Commands (requests) and client notifications of protocol version 1: parameters and results by method name. */
import type { ActionEnvelope, StateAction } from './actions.ts';
import type { ModelSelection, UnknownTag, URI } from './common.ts';
import type { RootState } from './root.ts';
import type { SessionActiveClient, SessionConfigSchema, SessionState, SessionSummary, Turn } from './session.ts';
import type { TerminalClaim, TerminalState } from './terminal.ts';

export const PROTOCOL_VERSION = 1;

export type ResourceState = RootState | SessionState | TerminalState;

/** A resource's state as of `fromSeq`: only envelopes with a greater `serverSeq` apply to it. */
export interface Snapshot {
  resource: URI;
  state: ResourceState;
  fromSeq: number;
}

export interface InitializeParams {
  protocolVersion: number;
  clientId: string;
  initialSubscriptions?: URI[];
  /** BCP 47. */
  locale?: string;
}
export interface InitializeResult {
  protocolVersion: number;
  serverSeq: number;
  /** Of the initial subscriptions that exist. */
  snapshots: Snapshot[];
  defaultDirectory?: URI;
}
export interface ReconnectParams {
  clientId: string;
  lastSeenServerSeq: number;
  subscriptions: URI[];
}
export type ReconnectResult = { type: 'replay'; actions: ActionEnvelope[] } | { type: 'snapshot'; snapshots: Snapshot[] };

export interface CreateSessionParams {
  /** Chosen by the client, `<provider>:/<uuid>`. */
  session: URI;
  provider?: string;
  model?: ModelSelection;
  workingDirectory?: URI;
  fork?: { session: URI; turnId: string };
  /** Values of the schema that `resolveSessionConfig` returned. */
  config?: Record<string, unknown>;
  activeClient?: SessionActiveClient;
}
export interface CreateTerminalParams {
  /** Chosen by the client. */
  terminal: URI;
  claim: TerminalClaim;
  name?: string;
  cwd?: URI;
  cols?: number;
  rows?: number;
}
export interface FetchTurnsParams {
  session: URI;
  /** Exclusive; absent means from the newest. */
  before?: string;
  limit?: number;
}
export interface FetchTurnsResult {
  /** Oldest first. */
  turns: Turn[];
  hasMore: boolean;
}

export type ContentEncoding = 'base64' | 'utf-8';
export interface ResourceReadParams {
  uri: URI;
  encoding?: ContentEncoding;
}
export interface ResourceReadResult {
  data: string;
  encoding: ContentEncoding;
  contentType?: string;
}
export interface ResourceWriteParams {
  uri: URI;
  data: string;
  encoding: ContentEncoding;
  contentType?: string;
  createOnly?: boolean;
}
export interface DirectoryEntry {
  name: string;
  type: 'file' | 'directory' | UnknownTag;
}
export interface ResourceDeleteParams {
  uri: URI;
  recursive?: boolean;
}
export interface ResourceTransferParams {
  source: URI;
  destination: URI;
  failIfExists?: boolean;
}

export interface AuthenticateParams {
  /** A `ProtectedResourceMetadata.resource`. */
  resource: string;
  token: string;
}
export interface ResolveSessionConfigParams {
  provider?: string;
  workingDirectory?: URI;
  config?: Record<string, unknown>;
}
export interface ResolveSessionConfigResult {
  schema: SessionConfigSchema;
  /** With the host's defaults filled in. */
  values: Record<string, unknown>;
}
export interface SessionConfigCompletionsParams extends ResolveSessionConfigParams {
  property: string;
  query?: string;
}
export interface SessionConfigValueItem {
  value: string;
  label: string;
  description?: string;
}

type Empty = Record<string, never>;

/** Requests that both sides may send: a host reads the files of a client with the same commands. */
export interface ResourceCommands {
  resourceRead: { params: ResourceReadParams; result: ResourceReadResult };
  resourceWrite: { params: ResourceWriteParams; result: Empty };
  resourceList: { params: { uri: URI }; result: { entries: DirectoryEntry[] } };
  resourceCopy: { params: ResourceTransferParams; result: Empty };
  resourceDelete: { params: ResourceDeleteParams; result: Empty };
  resourceMove: { params: ResourceTransferParams; result: Empty };
}

/** Requests from client to host. */
export interface Commands extends ResourceCommands {
  initialize: { params: InitializeParams; result: InitializeResult };
  reconnect: { params: ReconnectParams; result: ReconnectResult };
  subscribe: { params: { resource: URI }; result: { snapshot: Snapshot } };
  createSession: { params: CreateSessionParams; result: null };
  disposeSession: { params: { session: URI }; result: null };
  createTerminal: { params: CreateTerminalParams; result: null };
  disposeTerminal: { params: { terminal: URI }; result: null };
  listSessions: { params: { filter?: object }; result: { items: SessionSummary[] } };
  fetchTurns: { params: FetchTurnsParams; result: FetchTurnsResult };
  authenticate: { params: AuthenticateParams; result: Empty };
  resolveSessionConfig: { params: ResolveSessionConfigParams; result: ResolveSessionConfigResult };
  sessionConfigCompletions: { params: SessionConfigCompletionsParams; result: { items: SessionConfigValueItem[] } };
}
export type Command = keyof Commands;
export type CommandParams<M extends Command> = Commands[M]['params'];
export type CommandResult<M extends Command> = Commands[M]['result'];

/** Notifications from client to host. */
export interface ClientNotifications {
  dispatchAction: { clientSeq: number; action: StateAction };
  unsubscribe: { resource: URI };
}
