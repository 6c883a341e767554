/** What can be done about the trust in providers now. The palette offers nothing else. */
import type { GatewayHealth } from './facts.ts';

export interface ProviderDeeds {
  /** A provider waits for the user’s consent. */
  readonly canAnswer: boolean;
  /** Something was decided that can be forgotten. */
  readonly canForget: boolean;
  /** A program or a page is paired. */
  readonly canRevoke: boolean;
  /** A program was refused with the token of an earlier gateway. */
  readonly canLetIn: boolean;
}

/** `remembered`: the providers about which the user has decided, as this window knows it. */
export function providerDeeds(gateway: GatewayHealth, remembered: readonly string[]): ProviderDeeds {
  if (gateway.kind !== 'up') return { canAnswer: false, canForget: false, canRevoke: false, canLetIn: false };
  const { consents, pairings, earlierTokens = [] } = gateway.status;
  return {
    canAnswer: consents.some(({ decision }) => decision === 'asked'),
    canForget: remembered.length > 0 || consents.some(({ decision }) => decision !== 'asked'),
    canRevoke: pairings.length > 0,
    canLetIn: earlierTokens.length > 0,
  };
}
