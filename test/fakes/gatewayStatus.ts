/** What a gateway at rest says of itself, and a provider that is connected to it. */
import type { OwnerResults } from '../../src/tap/wire/owner/ownerMessages.ts';

export type GatewayStatus = OwnerResults['diagnostics'];
type Provider = GatewayStatus['providers'][number];

export const gatewayStatus = (fields: Partial<GatewayStatus> = {}): GatewayStatus => ({
  version: '1.0.0',
  pid: 1,
  uptimeMs: 1,
  sessions: [],
  providers: [],
  connections: 0,
  pairings: [],
  consents: [],
  calls: [],
  queuedCalls: 0,
  counters: {},
  lastErrors: [],
  projectProviders: [],
  ...fields,
});

export const connectedProvider = (name: string, fields: Partial<Provider> = {}): Provider => ({
  id: name,
  name,
  trust: 'project',
  sessions: [],
  tools: [],
  pendingCalls: 0,
  needsConsent: false,
  awaitsConsent: false,
  ...fields,
});
