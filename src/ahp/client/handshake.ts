/** The handshake of a new connection: `initialize` with a host that does not know this client, `reconnect` with one that may. */
import { TimeoutError } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { type Command, type CommandParams, PROTOCOL_VERSION, type ReconnectResult, type Snapshot } from '../v1/commands.ts';
import type { URI } from '../v1/common.ts';
import { ErrorCode } from '../v1/errors.ts';
import { ConnectionError, type ConnectionFailure } from './connection/connectionState.ts';
import { type HostConnection, noAgentHost } from './connection/hostConnection.ts';
import { describeHostError } from './connection/hostError.ts';
import type { HostUrl } from './connection/hostUrl.ts';
import type { ResourceStore } from './resources/resourceStore.ts';
import { parseReconnectResult, parseSnapshot, parseSnapshots } from './connection/wireChecks.ts';

/** A host that does not answer must not delay the connection for long. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

export interface HandshakeOptions {
  readonly clientId: string;
  readonly url: HostUrl;
  readonly store: ResourceStore;
  /** Extensions that this client has. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

export interface InitializedHost {
  readonly defaultDirectory?: URI;
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
  const { clientId, url, store, meta } = options;
  const failed = (failure: ConnectionFailure) => new ConnectionError(failure);
  let result: unknown;
  try {
    result = await connection.request(
      'initialize',
      { protocolVersion: PROTOCOL_VERSION, clientId, initialSubscriptions, ...(meta && { _meta: { ...meta } }) },
      HANDSHAKE_TIMEOUT_MS,
    );
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    if (!(error instanceof RpcError)) {
      const message = `${url.name} accepted the connection, but it did not answer the first request in time. See the host’s log.`;
      throw failed({ kind: 'handshake', message, brief: 'no answer' });
    }
    const said = url.redact(describeHostError(error).message);
    if (error.code === ErrorCode.UnsupportedProtocolVersion) {
      throw failed(otherVersion(url.name, supportedVersions(error.data), said));
    }
    if (error.code === ErrorCode.MethodNotFound) throw failed(noAgentHost(url, 'what is there does not know its protocol'));
    const message = `${url.name} accepted the connection, but it refused to start ("${said}"). See the host’s log.`;
    throw failed({ kind: 'handshake', message, brief: 'refused to start' });
  }
  const { protocolVersion, serverSeq, snapshots, defaultDirectory, _meta: hostMeta } = isRecord(result) ? result : {};
  if (protocolVersion !== undefined && String(protocolVersion) !== String(PROTOCOL_VERSION)) {
    throw failed(otherVersion(url.name, [String(protocolVersion)]));
  }
  if (typeof serverSeq !== 'number' || !Array.isArray(snapshots)) {
    throw failed(noAgentHost(url, 'what is there does not answer as one'));
  }
  store.attachNew(connection, serverSeq, parseSnapshots(snapshots));
  return { ...(typeof defaultDirectory === 'string' && { defaultDirectory }), ...(isRecord(hostMeta) && { meta: hostMeta }) };
}

/**
 * Resumes after a lost connection, and attaches the new one to the store. False when the host refuses, or has restarted. The connection
 * cannot be used then, and another one must be initialized.
 */
export async function reconnect(connection: HostConnection, { clientId, store }: HandshakeOptions): Promise<boolean> {
  const lastSeenServerSeq = store.lastSeenServerSeq ?? 0;
  const subscriptions = store.uris(({ hasState }) => hasState);
  const result = await ask(connection, 'reconnect', { clientId, lastSeenServerSeq, subscriptions }, parseReconnectResult);
  if (!result || isStepBack(result, lastSeenServerSeq)) return false;
  if (result.type === 'snapshot') {
    store.attachSnapshots(connection, result.snapshots);
    return true;
  }
  // Some hosts "replay" something to a client of their earlier run. Nothing in the answer shows that, not even the sequence numbers once
  // the new run has passed the old one. Only the current state of each resource is proof.
  const checks = await Promise.all(
    subscriptions.map((resource) =>
      ask(connection, 'subscribe', { resource }, (answer) => parseSnapshot(isRecord(answer) ? answer['snapshot'] : undefined)),
    ),
  );
  const snapshots = checks.filter((snapshot) => snapshot !== undefined && snapshot.fromSeq >= lastSeenServerSeq) as Snapshot[];
  if (snapshots.length < subscriptions.length) return false;
  store.attachReplay(connection, result.actions, snapshots);
  return true;
}

/** Undefined when the host refuses, does not answer, or sends something unreadable. */
async function ask<M extends Command, T>(
  connection: HostConnection,
  method: M,
  params: CommandParams<M>,
  parse: (result: unknown) => T | undefined,
): Promise<T | undefined> {
  try {
    return parse(await connection.request(method, params, HANDSHAKE_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof RpcError || error instanceof TimeoutError) return undefined;
    throw error;
  }
}

function isStepBack(result: ReconnectResult, lastSeen: number): boolean {
  if (result.type === 'replay') return result.actions.some(({ serverSeq }) => serverSeq < lastSeen);
  return result.snapshots.length > 0 && Math.max(...result.snapshots.map(({ fromSeq }) => fromSeq)) < lastSeen;
}

function supportedVersions(data: unknown): string[] {
  const versions = isRecord(data) ? data['supportedVersions'] : undefined;
  return Array.isArray(versions) ? versions.map(String) : [];
}

/** `said`: the message of a host that names no version that it accepts. */
function otherVersion(name: string, versions: string[], said?: string): ConnectionFailure {
  const newer = versions.filter(isNewer);
  const than = 'than this Tapline';
  if (newer.length > 0) {
    const message = `${name} speaks a newer version of the protocol${inWords(newer)} ${than}. Update Tapline.`;
    return { kind: 'version', message, brief: 'newer than Tapline', outdated: 'client' };
  }
  if (versions.length > 0) {
    const message = `${name} speaks an older version of the protocol${inWords(versions)} ${than}. Update the agent host.`;
    return { kind: 'version', message, brief: 'older than Tapline', outdated: 'host' };
  }
  const message = `${name} does not speak version ${PROTOCOL_VERSION} of the protocol ("${said}"). Update whichever of the two is older.`;
  return { kind: 'version', message, brief: 'another version' };
}

/** Versions with dots came after version 1. */
function isNewer(version: string): boolean {
  return version.includes('.') || Number(version) > PROTOCOL_VERSION;
}

/** Version numbers without the signs of ranges and without a last zero: `^0.9.0` becomes 0.9. */
function inWords(versions: string[]): string {
  const numbers = versions.flatMap((version) => version.match(/\d+(\.\d+)*/)?.[0].replace(/^(\d+\.\d+)\.0$/, '$1') ?? []);
  return numbers.length > 0 ? ` (${[...new Set(numbers)].slice(0, 5).join(', ')})` : '';
}
