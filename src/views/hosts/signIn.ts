/** The user's GitHub account: for which rights the agents of a host want it, and which hosts get it when the user signs in without choosing one. */
import type { AgentInfo } from '../../ahp/channels/root.ts';
import type { ProtectedResourceMetadata } from '../../ahp/common/shapes.ts';
import { GITHUB_RESOURCE } from './agentModels.ts';
import { type SignInRequest, signInRequest } from './signInRequest.ts';

const DEFAULT_SCOPES = ['read:user'];

/** What the agents ask for; undefined when none of them takes a GitHub token. */
export function accountRequest(agents: readonly AgentInfo[]): SignInRequest | undefined {
  const resource = agents.flatMap(({ protectedResources }) => protectedResources ?? []).find((one) => one.resource === GITHUB_RESOURCE);
  return resource && signInRequest({ resource: { ...resource, scopes_supported: resource.scopes_supported ?? DEFAULT_SCOPES } }, false);
}

/** True where the token for the agents is one for this, with all rights that it needs. */
export function isCovered({ resource, scopes_supported: scopes = [] }: ProtectedResourceMetadata, agents: readonly AgentInfo[]): boolean {
  const request = accountRequest(agents);
  return request !== undefined && resource === GITHUB_RESOURCE && scopes.every((scope) => request.scopes.includes(scope));
}

export interface SignInCandidate {
  connected: boolean;
  /** It has an agent that uses a GitHub account. */
  takesAccount: boolean;
  /** It refused something because no account was given. */
  isRefusing: boolean;
  /** It got one over the current connection. */
  isGiven: boolean;
}

/** The hosts that ask for an account. If none does, all that use one, because the user may want to change it. */
export function signInTargets<H extends SignInCandidate>(hosts: readonly H[]): H[] {
  const able = hosts.filter(({ connected, takesAccount }) => connected && takesAccount);
  const asking = able.filter(({ isRefusing, isGiven }) => isRefusing || !isGiven);
  return asking.length > 0 ? asking : able;
}
