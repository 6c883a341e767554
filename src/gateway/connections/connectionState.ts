/** The states of a provider's connection, and which messages each allows. */
import type { ProviderMessageType } from '../../tap/wire/providerMessages.ts';
import type { Grant } from '../trust/grants.ts';
import type { Pairing } from '../trust/pairings.ts';
import type { Provider } from '../sessions/provider.ts';
import type { Claim } from '../trust/reconnects.ts';

export type ConnectionState =
  | { kind: 'AwaitAuth' }
  | { kind: 'AwaitPairing'; pairing: Pairing }
  | { kind: 'AwaitHello'; grant: Grant; claim?: Claim }
  | { kind: 'Rebinding'; grant: Grant }
  | { kind: 'Bound'; grant: Grant; provider: Provider }
  | { kind: 'Unbound'; grant: Grant }
  | { kind: 'Disconnected' };

const whenBound: readonly ProviderMessageType[] = [
  'hello',
  'goodbye',
  'session.ready',
  'tool.result',
  'tool.progress',
  'gate.result',
  'transform.result',
  'push',
  'tools.update',
  'hooks.update',
  'context.update',
  'filter.set',
  'stream.query',
  'shutdown.ready',
];
/** The interface's table. What authenticates is legal once. */
export const legalMessages: Readonly<Record<ConnectionState['kind'], ReadonlySet<ProviderMessageType>>> = {
  AwaitAuth: new Set(['auth']),
  AwaitPairing: new Set(['auth.confirm']),
  AwaitHello: new Set(['hello']),
  Rebinding: new Set(),
  Bound: new Set(whenBound),
  Unbound: new Set(['hello', 'goodbye']),
  Disconnected: new Set(),
};
