/** What the client needs of a dialect of the protocol, and what its pages need. Nothing in the client knows which one its host speaks. */
import type { ChannelKind, ChannelStates } from '../channels/channelReducers.ts';
import type { SessionSummary } from '../channels/shapes/summaries.ts';
import type { Decision } from '../common/pending/envelopeDecisions.ts';
import type { ActionOrigin, Envelope } from '../common/pending/envelope.ts';
import type { ActionLike } from '../common/reducers/reducer.ts';
import type { UnknownTag } from '../common/schemas.ts';
import type { ProtectedResourceMetadata, URI } from '../common/shapes.ts';

export type { ActionOrigin, Envelope };

/** `v1`: AHP v1. `channels`: AHP 1.0, which is 0.9.0 and later. */
export type DialectName = 'v1' | 'channels';

/** What a resource is. It is known from the subscription: the URIs of some hosts do not tell it. */
export type ResourceKind = ChannelKind;

/** A resource's state as of `fromSeq`. Only envelopes with a greater `serverSeq` apply to it. */
export interface Snapshot {
  resource: URI;
  state: object;
  fromSeq: number;
}

/** What a host tells all its clients, in the words of AHP v1. Summaries are those of the dialect. */
export type HostNotification =
  | { type: 'notify/sessionAdded'; summary: unknown }
  | { type: 'notify/sessionRemoved'; session: URI }
  | { type: 'notify/sessionSummaryChanged'; session: URI; changes: unknown }
  /** `metadata`: what the host says of the resource (RFC 9728). AHP v1 has none. */
  | { type: 'notify/authRequired'; resource: string; reason?: string; metadata?: ProtectedResourceMetadata }
  | ProgressNotification
  /** One of a later version. */
  | { type: UnknownTag };

/** How far the host is with what a request has named by its `progressToken`. AHP v1 has none. */
export interface ProgressNotification {
  type: 'notify/progress';
  progressToken: string;
  /** In units of the host's choice. `total`: what it will be at the end, where that is known. */
  progress: number;
  total?: number;
  message?: string;
}

/** A request as the dialect has it. */
export interface WireRequest {
  method: string;
  params: object;
}

/** What makes states well formed. A page reads only some kinds. */
export type WellFormed = { readonly [K in ChannelKind]?: (state: ChannelStates[K]) => ChannelStates[K] };

/** What a page needs of a dialect, which gets states and actions from the client: nothing of the wire, and no schemas. */
export interface StateDialect {
  readonly name: DialectName;
  /** The kind of the resource that holds this. In AHP v1 a session holds its chat, so that both are one resource. */
  kindOf(kind: ResourceKind): ResourceKind;
  reduce(kind: ResourceKind, state: object, actions: readonly ActionLike[], now: number): object;
  /** The state as it is read, in the shapes of the newest dialect and well formed, whatever the host sent. The same reference for the same state. */
  upgrade<K extends ResourceKind>(kind: K, state: object): ChannelStates[K] | undefined;
  /** True for what goes when `session` is removed. `state`: that of the session, if it is known. */
  isPartOf(uri: URI, session: URI, state: object | undefined): boolean;
}

export interface Dialect extends StateDialect {
  /** `one`: a session is its only chat, and one client at a time lends tools to it. */
  readonly sessionHolds: 'one' | 'many';
  /** A host can be told how long it may hold changes back. */
  readonly delays: boolean;
  /** What a host continues after: one number for all resources, or one for each. */
  readonly cursors: 'one' | 'each';

  // ---- The wire. The client has one name for the root, `ROOT_URI`; all other URIs are the host's own.

  /** The parameters of the requests that the client makes by itself. */
  readonly params: {
    /** `lastSeenServerSeq`: where hosts have one number for all, what is safe for each. `cursors`: how far the client is in each. */
    reconnect(clientId: string, lastSeenServerSeq: number, cursors: ReadonlyMap<URI, number>): object;
    /** `maxLatencyMs`: how long the host may hold changes back. Absent: nothing is said. AHP v1 cannot say it. */
    subscribe(uri: URI, maxLatencyMs?: number): object;
    unsubscribe(uri: URI): object;
    dispatch(uri: URI, clientSeq: number, action: ActionLike): object;
    authenticate(params: object): object;
    /** `cursor`: of the page to get. Absent: the first. */
    list(cursor?: string): object;
  };
  /** The resource that an action belongs to. Undefined when it names none, because it is unknown or malformed. */
  resourceOf(envelope: Envelope): URI | undefined;
  /** How the envelopes of a resource name it, beside their action: the counterpart of `resourceOf`. */
  placeOf(uri: URI): object;
  /** The resource of a snapshot, in the client's words. */
  nameOf(wireUri: URI): URI;
  /** Undefined for a method that the client does not know. */
  notificationOf(method: string, params: unknown): HostNotification | 'malformed' | 'unneeded' | undefined;

  // ---- States

  /** The kind of a state in a recording, where no subscription tells it. Undefined for a state of no known kind. */
  kindOfState(uri: URI, state: object): ResourceKind | undefined;
  /** True for a state that has what the reducers of its kind need. */
  isState(kind: ResourceKind, state: object): boolean;
  /** Equal, but for what each side sets by its own clock. */
  isSame(kind: ResourceKind, one: object, other: object): boolean;
  /** Well formed. Undefined for one that names no session. */
  upgradeSummary(summary: object): SessionSummary | undefined;
  /** The summary that a session's state holds, if it holds one. */
  summaryIn(uri: URI, state: object): object | undefined;
  /** The session that the user started. In AHP v1 subagents have sessions of their own, below it. */
  topSession(uri: URI): URI;
  /** What an action of a session says of one of its chats that is a resource of its own. */
  chatOf(action: ActionLike): { uri: URI; is: 'added' | 'removed' } | undefined;

  // ---- What a client does

  /** Why an action cannot be sent, as a sentence; undefined when it can. `kind` is absent where nothing is subscribed. */
  refusal(uri: URI, kind: ResourceKind | undefined, action: ActionLike): string | undefined;
  /** The decisions about calls among accepted envelopes, in order. */
  decisionsIn(kind: ResourceKind, before: object, envelopes: readonly Envelope[]): Decision[];
  /** True when the host's action does what the client has requested, where hosts need not echo the request. */
  fulfils(request: ActionLike, done: ActionLike): boolean;
  /** The entry with the tools that this client lends to a session. */
  ownEntry(state: object, clientId: string): object | undefined;
  /** The action that gives a session the entry back; undefined where that is not to be. `pending`: what is about to be done anyway. */
  rejoin(uri: URI, entry: object, state: object, pending: readonly ActionLike[]): ActionLike | undefined;
  /**
   * The actions of this dialect that do what an action of the newest one says. Undefined where the dialect cannot.
   * `state`: of the resource, as it is shown.
   */
  actionsFor(uri: URI, action: ActionLike, state: object | undefined): readonly ActionLike[] | undefined;
  /** True where the dialect has actions for a type of the newest one, if perhaps not for all that can be said with it. */
  can(type: string): boolean;
  /** The request of this dialect for a command of the newest one. Undefined where the dialect has none. */
  requestFor(method: string, params: object): WireRequest | undefined;
}
