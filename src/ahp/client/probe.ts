/** Tries a host once, without keeping a connection: what answers at an address, or why nothing does. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import { phrase } from '../../base/text/phrase.ts';
import type { RootState } from '../channels/root.ts';
import { AgentHostClient, type AgentHostClientOptions } from './agentHostClient.ts';
import { type ConnectionFailure, connectionFailure } from './connection/connectionState.ts';
import { parseHostUrl } from './connection/hostUrl.ts';

/** For everything: a host that is slow in each of its steps must not be waited for longer. */
const PROBE_TIMEOUT_MS = 15_000;
/** A host that has accepted the client works. What it has is worth a short wait. */
const ROOT_TIMEOUT_MS = 3_000;

export interface FoundHost {
  readonly kind: 'found';
  readonly serverInfo: AgentHostClient['serverInfo'];
  /** Of the protocol, in the host's words. */
  readonly version: string;
  /** As the host sent it. Undefined where it did not in time. */
  readonly root: RootState | undefined;
}
export type ProbeResult = FoundHost | { readonly kind: 'failed'; readonly failure: ConnectionFailure } | { readonly kind: 'stopped' };

/** The client has an id of its own: with that of another client the host would end that one’s connection. Never rejects. */
export function probeHost(options: Omit<AgentHostClientOptions, 'clientId'>, signal: AbortSignal): Promise<ProbeResult> {
  const clock: Clock = options.clock ?? systemClock;
  const store = new DisposableStore();
  return new Promise<ProbeResult>((resolve) => {
    const client = store.add(AgentHostClient.create(options));
    const root = store.add(client.root());
    const found = () =>
      resolve({ kind: 'found', serverInfo: client.serverInfo, version: client.dialect?.version ?? '', root: root.confirmed });
    const look = () => {
      const { state } = client;
      if (state.kind === 'failed' || state.kind === 'reconnecting') resolve({ kind: 'failed', failure: state.reason });
      if (state.kind !== 'connected') return;
      if (root.confirmed || root.status.kind === 'failed') found();
      else store.add(clock.setTimer(found, ROOT_TIMEOUT_MS));
    };
    store.add(client.onDidChangeState(look));
    store.add(root.onDidChange(look));
    store.add(
      clock.setTimer(() => {
        const name = parseHostUrl(options.url, undefined, options.name)?.name ?? phrase`The host`;
        const message = phrase`${name} did not answer within ${PROBE_TIMEOUT_MS / 1000} s. Is the address right, and can it be reached from this computer?`;
        resolve({ kind: 'failed', failure: connectionFailure('unreachable', message, phrase`no answer`) });
      }, PROBE_TIMEOUT_MS),
    );
    const stop = () => resolve({ kind: 'stopped' });
    signal.addEventListener('abort', stop);
    store.add(toDisposable(() => signal.removeEventListener('abort', stop)));
    if (signal.aborted) stop();
  }).finally(() => store.dispose());
}
