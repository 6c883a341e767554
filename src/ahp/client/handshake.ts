/** How a line becomes good for use: `initialize` for a host that does not know us, `reconnect` for one that may. */
import { TimeoutError } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { type Command, type CommandParams, PROTOCOL_VERSION, type ReconnectResult, type Snapshot } from '../v1/commands.ts';
import type { URI } from '../v1/common.ts';
import { ErrorCode } from '../v1/errors.ts';
import { ConnectionError, type ConnectionFailure } from './connectionState.ts';
import type { HostConnection } from './hostConnection.ts';
import { describeHostError } from './hostError.ts';
import type { ResourceStore } from './resourceStore.ts';
import { isObject, parseReconnectResult, parseSnapshot, parseSnapshots } from './wireChecks.ts';

/** A host that drops a request without a word must not hold the connection up for long. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

export interface HandshakeOptions {
  readonly clientId: string;
  /** How the host is called in messages. */
  readonly hostName: string;
  readonly store: ResourceStore;
}

export interface InitializedHost {
  readonly defaultDirectory?: URI;
}

/** Attaches the line to the store, with the snapshots of `initialSubscriptions` that the host gave. Rejects with a {@link ConnectionError}. */
export async function initialize(line: HostConnection, options: HandshakeOptions, initialSubscriptions: URI[]): Promise<InitializedHost> {
  const { clientId, hostName, store } = options;
  const failed = (kind: ConnectionFailure['kind'], message: string) => new ConnectionError({ kind, message });
  let result: unknown;
  try {
    result = await line.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientId, initialSubscriptions }, HANDSHAKE_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    if (error instanceof RpcError && error.code === ErrorCode.UnsupportedProtocolVersion) {
      throw failed('version', versionMessage(hostName, supportedVersions(error.data), describeHostError(error).message));
    }
    const why =
      error instanceof RpcError
        ? `it refused to start ("${describeHostError(error).message}")`
        : 'it did not answer the first request in time';
    throw failed('handshake', `${hostName} accepted the connection, but ${why}. See the host’s log.`);
  }
  const { protocolVersion, serverSeq, snapshots, defaultDirectory } = isObject(result) ? result : {};
  const version = String(protocolVersion);
  if (protocolVersion !== undefined && version !== String(PROTOCOL_VERSION)) {
    throw failed('version', versionMessage(hostName, [version]));
  }
  if (typeof serverSeq !== 'number' || !Array.isArray(snapshots)) {
    throw failed('handshake', `${hostName} answered, but not as an agent host does. Check the address, and the version of the host.`);
  }
  store.attachNew(line, serverSeq, parseSnapshots(snapshots));
  return typeof defaultDirectory === 'string' ? { defaultDirectory } : {};
}

/**
 * Takes up the work of a lost line, and attaches the new one to the store. False when that cannot be: the host refuses, or is not the one
 * it was. Then the line is of no use, and another one has to be initialized.
 */
export async function reconnect(line: HostConnection, { clientId, store }: HandshakeOptions): Promise<boolean> {
  const lastSeenServerSeq = store.lastSeenServerSeq ?? 0;
  const subscriptions = store.uris(({ hasState }) => hasState);
  const result = await ask(line, 'reconnect', { clientId, lastSeenServerSeq, subscriptions }, parseReconnectResult);
  if (!result || isStepBack(result, lastSeenServerSeq)) return false;
  if (result.type === 'snapshot') {
    store.attachSnapshots(line, result.snapshots);
    return true;
  }
  // Some hosts "replay" something to a client of an earlier run of theirs, and nothing in the answer shows it, not even its numbers when the
  // new run has passed the old one. Only what the host has now, of each resource, is proof.
  const checks = await Promise.all(
    subscriptions.map((resource) =>
      ask(line, 'subscribe', { resource }, (answer) => parseSnapshot(isObject(answer) ? answer['snapshot'] : undefined)),
    ),
  );
  const snapshots = checks.filter((snapshot) => snapshot !== undefined && snapshot.fromSeq >= lastSeenServerSeq) as Snapshot[];
  if (snapshots.length < subscriptions.length) return false;
  store.attachReplay(line, result.actions, snapshots);
  return true;
}

/** Undefined when the host refuses, is silent, or answers what cannot be read. */
async function ask<M extends Command, T>(
  line: HostConnection,
  method: M,
  params: CommandParams<M>,
  parse: (result: unknown) => T | undefined,
): Promise<T | undefined> {
  try {
    return parse(await line.request(method, params, HANDSHAKE_TIMEOUT_MS));
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
  const versions = isObject(data) ? data['supportedVersions'] : undefined;
  return Array.isArray(versions) ? versions.map(String) : [];
}

/** Versions written with dots came after version 1. */
function versionMessage(hostName: string, versions: string[], said?: string): string {
  const theirs =
    versions.length > 0 ? `speaks version ${versions.join(', ')}` : `refuses version ${PROTOCOL_VERSION}${said ? ` ("${said}")` : ''}`;
  const isNewer = versions.some((version) => version.includes('.') || Number(version) > PROTOCOL_VERSION);
  const advice =
    versions.length === 0
      ? 'Update whichever of the two is older.'
      : isNewer
        ? 'Update Tapline, or connect to a host with version 1.'
        : 'Update the agent host.';
  return `${hostName} ${theirs} of the Agent Host Protocol; this client speaks version ${PROTOCOL_VERSION}. ${advice}`;
}
