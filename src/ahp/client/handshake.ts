/** The handshake of a new connection: `initialize` with a host that does not know this client, `reconnect` with one that may. */
import { TimeoutError } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { phrase } from '../../base/text/phrase.ts';
import { PROTOCOL_VERSIONS, VERSION_11 } from '../channels/commands.ts';
import { ROOT_CHANNEL } from '../channels/root.ts';
import { ErrorCode } from '../common/errors.ts';
import { ROOT_URI } from '../common/root.ts';
import type { URI } from '../common/shapes.ts';
import type { Dialect, DialectName, Snapshot } from '../dialects/dialect.ts';
import { PROTOCOL_VERSION } from '../v1/commands.ts';
import { ConnectionError, type ConnectionFailure, connectionFailure } from './connection/connectionState.ts';
import { type HostConnection, noAgentHost } from './connection/hostConnection.ts';
import { describeHostError } from './connection/hostError.ts';
import type { HostUrl } from './connection/hostUrl.ts';
import type { ResourceStore } from './resources/resourceStore.ts';
import { parseReconnectResult, parseSnapshot, parseSnapshots } from './connection/wireChecks.ts';
import { dialectOf, otherVersion, supportedVersions } from './versions.ts';

/** A host that does not answer must not delay the connection for long. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Characters of the channel that a host names. */
const MAX_CHANNEL = 1_000;

export interface HandshakeOptions {
  readonly clientId: string;
  /** For the host's own list of its clients. */
  readonly clientInfo: { readonly name: string; readonly version?: string } | undefined;
  readonly locale: string | undefined;
  /** The host chooses one. */
  readonly offered: readonly DialectName[];
  /** Version 1.1 is offered too. */
  readonly speaks11: boolean;
  readonly url: HostUrl;
  readonly store: ResourceStore;
  /** Extensions that this client has. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

export interface AutomationSupport {
  /** A run can be ended. */
  readonly canStop: boolean;
}

export interface InitializedHost {
  /** The version that the host chose, such as `1` or `0.9.0`. */
  readonly version: string;
  readonly defaultDirectory?: URI;
  /** What the host calls itself. */
  readonly serverInfo?: { readonly name?: string; readonly version?: string };
  /** What the host can do with automations. Absent: it has none. */
  readonly automations?: AutomationSupport;
  /** Where it tells of its spans. Absent: it does not. */
  readonly traces?: URI;
  /** Extensions that the host has. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Attaches the connection to the store, with the snapshots of `initialSubscriptions` that the host gave. Rejects with a {@link
 * ConnectionError}.
 */
export async function initialize(
  connection: HostConnection,
  options: HandshakeOptions,
  initialSubscriptions: URI[],
): Promise<InitializedHost> {
  const { url, store, offered, speaks11 } = options;
  const failed = (failure: ConnectionFailure) => new ConnectionError(failure);
  let result: unknown;
  try {
    result = await connection.request('initialize', offerOf(options, initialSubscriptions), HANDSHAKE_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    if (!(error instanceof RpcError)) {
      const message = phrase`${url.name} accepted the connection, but it did not answer the first request in time. See the host’s log.`;
      throw failed(connectionFailure('handshake', message, phrase`no answer`));
    }
    const said = url.redact(describeHostError(error).message);
    if (error.code === ErrorCode.UnsupportedProtocolVersion) {
      throw failed(otherVersion(url.name, offered, supportedVersions(error.data), said));
    }
    if (error.code === ErrorCode.MethodNotFound) throw failed(noAgentHost(url, phrase`what is there does not know its protocol`));
    const message = phrase`${url.name} accepted the connection, but it refused to start ("${said}"). See the host’s log.`;
    throw failed(connectionFailure('handshake', message, phrase`refused to start`));
  }
  const {
    protocolVersion,
    serverSeq,
    snapshots,
    defaultDirectory,
    serverInfo,
    automations,
    telemetry,
    _meta: hostMeta,
  } = isRecord(result) ? result : {};
  const dialect = dialectOf(protocolVersion);
  const isOffered = dialect && offered.includes(dialect.name) && (speaks11 || protocolVersion !== VERSION_11);
  if (!isOffered) throw failed(otherVersion(url.name, offered, [String(protocolVersion)]));
  if (typeof serverSeq !== 'number' || !Array.isArray(snapshots)) {
    throw failed(noAgentHost(url, phrase`what is there does not answer as one`));
  }
  store.attachNew(connection, dialect, serverSeq, parseSnapshots(dialect, store.kindsOf, snapshots), initialSubscriptions);
  return {
    version: String(protocolVersion ?? PROTOCOL_VERSION),
    ...(typeof defaultDirectory === 'string' && { defaultDirectory }),
    ...(isRecord(serverInfo) && { serverInfo }),
    ...(isRecord(automations) && dialect.name === 'channels' && { automations: { canStop: isRecord(automations.runCancellation) } }),
    ...(dialect.name === 'channels' && tracesChannel(telemetry)),
    ...(isRecord(hostMeta) && { meta: hostMeta }),
  };
}

function tracesChannel(telemetry: unknown): { traces?: URI } {
  const traces = isRecord(telemetry) ? telemetry['traces'] : undefined;
  return typeof traces === 'string' && traces !== '' && traces.length <= MAX_CHANNEL ? { traces } : {};
}

/** Each host takes what it knows of it: one of AHP v1 the number, one of AHP 1.0 the list of versions. */
function offerOf({ clientId, clientInfo, locale, offered, speaks11, meta }: HandshakeOptions, initialSubscriptions: URI[]): object {
  const hasRoot = initialSubscriptions.includes(ROOT_URI);
  return {
    ...(offered.includes('v1') && { protocolVersion: PROTOCOL_VERSION }),
    clientId,
    initialSubscriptions: [...initialSubscriptions, ...(offered.includes('channels') && hasRoot ? [ROOT_CHANNEL] : [])],
    ...(offered.includes('channels') && {
      channel: ROOT_CHANNEL,
      protocolVersions: speaks11 ? [VERSION_11, ...PROTOCOL_VERSIONS] : PROTOCOL_VERSIONS,
      ...(clientInfo && { clientInfo }),
    }),
    ...(locale !== undefined && { locale }),
    ...(meta && { _meta: { ...meta } }),
  };
}

/**
 * Resumes after a lost connection, and attaches the new one to the store. False when the host refuses, or has restarted. The connection
 * cannot be used then, and another one must be initialized.
 */
export async function reconnect(connection: HostConnection, dialect: Dialect, { clientId, store }: HandshakeOptions): Promise<boolean> {
  const { all, each } = store.cursors();
  const subscriptions = [...each.keys()];
  // What the host gives of a resource is proof, also when nobody reads it any more.
  const kinds = new Map(subscriptions.map((uri) => [uri, store.kindsOf(uri)]));
  const kindsOf = (uri: URI) => kinds.get(uri) ?? [];
  const result = await ask(connection, 'reconnect', dialect.params.reconnect(clientId, all, each), (answer) =>
    parseReconnectResult(dialect, kindsOf, subscriptions, answer),
  );
  if (!result) return false;
  const { replayed, actions, snapshots } = result;
  const isPerChannel = dialect.cursors === 'each';
  const askedAfter = (uri: URI | undefined) => (isPerChannel ? (each.get(uri ?? '') ?? 0) : all);
  /** The states of this run of the host are of this number or later. */
  const isOfThisRun = ({ resource, fromSeq }: Snapshot) =>
    fromSeq >= (isPerChannel ? askedAfter(resource) : (store.lastSeenServerSeq ?? 0));
  if (actions.some((envelope) => envelope.serverSeq < askedAfter(dialect.resourceOf(envelope)))) return false;
  if (snapshots.length > 0 && !snapshots.some(isOfThisRun)) return false;
  // Some hosts "replay" something to a client of their earlier run. Nothing in the answer shows that, not even the sequence numbers once
  // the new run has passed the old one. Only the current state of each resource is proof.
  const answers = await Promise.all(
    replayed.map((uri) =>
      ask(connection, 'subscribe', store.subscribeParams(dialect, uri), (answer) =>
        parseSnapshot(dialect, kindsOf, isRecord(answer) ? answer['snapshot'] : undefined),
      ),
    ),
  );
  const checks = answers.filter((snapshot) => snapshot !== undefined && isOfThisRun(snapshot)) as Snapshot[];
  if (checks.length < replayed.length) return false;
  store.attachResumed(connection, dialect, { missed: actions, checks, snapshots }, subscriptions);
  return true;
}

/** Undefined when the host refuses, does not answer, or sends something unreadable. */
async function ask<T>(
  connection: HostConnection,
  method: string,
  params: object,
  parse: (result: unknown) => T | undefined,
): Promise<T | undefined> {
  try {
    return parse(await connection.request(method, params, HANDSHAKE_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof RpcError || error instanceof TimeoutError) return undefined;
    throw error;
  }
}
