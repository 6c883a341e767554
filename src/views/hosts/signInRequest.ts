/** What a host wants the user to sign in to, for a call or a server of tools that needs a token (RFC 9728). All of it comes from the host. */
import type { McpAuthRequirement } from '../../ahp/channels/shapes/customizations.ts';
import { isPrivateUrl } from '../../base/connection/privateUrl.ts';
import { oneLine } from '../text/oneLine.ts';
import { GITHUB_RESOURCE } from './agentModels.ts';

/** RFC 6749, section 3.3. Nothing else is sent, nor can be shown as it is. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** Characters of the rights that a question can show. */
const MAX_RIGHTS = 1_000;

const GITHUB_SERVER = 'https://github.com/login/oauth';

export interface SignInRequest {
  /** For whom the token is. */
  readonly resource: string;
  /** What the user calls it, on one line. */
  readonly name: string;
  /** Where the user signs in. Absent when the host names no server that can be used. */
  readonly server?: URL;
  /** True where VS Code has an account for it. */
  readonly isGitHub: boolean;
  readonly scopes: readonly string[];
  /** As which program, if the server knows one already. */
  readonly client?: { readonly clientId: string; readonly clientSecret?: string };
}

/** What hosts say of it, with a call, a server or alone. */
export type Requirement = Pick<McpAuthRequirement, 'resource' | 'requiredScopes' | 'oauthClient'>;

export function signInRequest({ resource, requiredScopes, oauthClient }: Requirement): SignInRequest {
  const server = (resource.authorization_servers ?? []).flatMap((one) => usable(one) ?? [])[0];
  return {
    resource: resource.resource,
    name: resourceName(resource),
    ...(server && { server }),
    isGitHub: resource.resource === GITHUB_RESOURCE || server?.href.replace(/\/$/, '') === GITHUB_SERVER,
    scopes: (requiredScopes ?? resource.scopes_supported ?? []).filter((scope) => SCOPE.test(scope)),
    ...(oauthClient && { client: oauthClient }),
  };
}

export function resourceName({ resource, resource_name: name }: McpAuthRequirement['resource']): string {
  return oneLine(name) || (URL.canParse(resource) ? new URL(resource).host : '') || oneLine(resource);
}

/** The question before anything is sent. It names the addresses, since a host may give itself any name. Undefined where it cannot show all rights. */
export function signInQuestion(request: SignInRequest, hostLabel: string): { question: string; detail: string } | undefined {
  const { name, resource, server, isGitHub, scopes } = request;
  const what = isGitHub
    ? `The host gets a token of your GitHub account, for ${oneLine(resource)}.`
    : `The host gets a token for ${oneLine(resource)}.`;
  const where = isGitHub ? '' : server ? ` You sign in at ${oneLine(server.href)}.` : ' You enter a token.';
  const asked = scopes.join(', ');
  if (asked.length > MAX_RIGHTS) return undefined;
  const rights = scopes.length === 0 ? 'It asks for no special rights.' : `The rights that it asks for: ${asked}.`;
  return {
    question: `Sign in to ${name} for the agent host ${hostLabel}?`,
    detail: `${what}${where} ${rights} ` + 'Whoever runs the host can use the token until it ends or you revoke it.',
  };
}

const REASONS: Record<string, string> = {
  required: 'It needs you to sign in.',
  expired: 'Your sign-in has ended.',
  insufficientScope: 'It needs more rights than you gave it.',
};

export function signInReason({ reason }: { reason: string }): string {
  return (Object.hasOwn(REASONS, reason) && REASONS[reason]) || 'It needs you to sign in.';
}

function usable(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && isPrivateUrl(url) && url.username === '' && url.password === '' ? url : undefined;
}
