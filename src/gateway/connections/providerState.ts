/** The states of a provider's connection, and the messages that each allows. */
import type { ProviderMessageType } from '../../tap/wire/providerMessages.ts';
import type { Claim } from '../sessions/reconnects.ts';
import type { Provider } from '../sessions/session.ts';
import type { Grant } from '../trust/tokenGrants.ts';
import type { Pairing } from '../trust/pairings.ts';

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
  'tool.ask',
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
/** From the table of states in the provider interface. Messages that authenticate are allowed once. */
export const legalMessages: Readonly<Record<ConnectionState['kind'], ReadonlySet<ProviderMessageType>>> = {
  AwaitAuth: new Set(['auth']),
  AwaitPairing: new Set(['auth.confirm']),
  AwaitHello: new Set(['hello']),
  Rebinding: new Set(),
  Bound: new Set(whenBound),
  Unbound: new Set(['hello', 'goodbye']),
  Disconnected: new Set(),
};

/** What a peer whose message is not allowed is to do, by state. */
export const nextStep: Readonly<Record<ConnectionState['kind'], string>> = {
  AwaitAuth: 'send auth with your token first',
  AwaitPairing: 'send auth.confirm with the code that your user reads in their session first',
  AwaitHello: 'send hello first',
  Rebinding: 'wait for the answer to your hello',
  Bound: 'you have authenticated already',
  Unbound: 'send hello with a session that there is first',
  Disconnected: 'connect again',
};
