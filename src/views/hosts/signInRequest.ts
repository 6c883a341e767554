/** What a host wants the user to sign in to, for a call or a server of tools that needs a token (RFC 9728). All of it comes from the host. */
import * as l10n from '../../base/l10n.ts';
import type { McpAuthRequirement } from '../../ahp/channels/shapes/customizations.ts';
import { isPrivateUrl, isThisComputer } from '../../base/connection/privateUrl.ts';
import { oneLine } from '../text/oneLine.ts';
import { GITHUB_RESOURCE } from './agentModels.ts';

/** RFC 6749, section 3.3. Nothing else is sent, nor can be shown as it is. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** Characters that a question can show: of the rights, of an address, and of the name that the host gives. */
const MAX_RIGHTS = 1_000;
const MAX_ADDRESS = 300;
const MAX_NAME = 60;

const GITHUB_SERVER = 'https://github.com/login/oauth';

export interface SignInRequest {
  /** For whom the token is. */
  readonly resource: string;
  /** What the host calls it, where it does. */
  readonly name?: string;
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

/** `isHere`: the host is on this computer. Another one has no say about the servers here. */
export function signInRequest({ resource, requiredScopes, oauthClient }: Requirement, isHere: boolean): SignInRequest {
  const server = (resource.authorization_servers ?? []).flatMap((one) => usable(one, isHere) ?? [])[0];
  const name = oneLine(resource.resource_name, MAX_NAME);
  return {
    resource: resource.resource,
    ...(name !== '' && { name }),
    ...(server && { server }),
    isGitHub: resource.resource === GITHUB_RESOURCE || server?.href.replace(/\/$/, '') === GITHUB_SERVER,
    scopes: (requiredScopes ?? resource.scopes_supported ?? []).filter((scope) => SCOPE.test(scope)),
    ...(oauthClient && { client: oauthClient }),
  };
}

export function resourceName({ resource, resource_name: name }: McpAuthRequirement['resource']): string {
  return oneLine(name) || (URL.canParse(resource) ? new URL(resource).host : '') || oneLine(resource);
}

/**
 * The question before anything is sent, or why it cannot be asked. The addresses come first: a host may write what it likes into a name, also
 * sentences that deny them.
 */
export function signInQuestion(
  request: SignInRequest,
  hostLabel: string,
): { readonly question: string; readonly detail: string } | { readonly problem: string } {
  const { name, resource, server, isGitHub, scopes } = request;
  const rights = scopes.join(', ');
  if (!isShownWhole(resource))
    return { problem: l10n.t`${hostLabel} does not say by an address what the sign-in is for. Nothing was sent.` };
  if (rights.length > MAX_RIGHTS) return { problem: l10n.t`${hostLabel} asks for more rights than can be shown. Nothing was sent.` };
  const [question, where] = isGitHub
    ? [l10n.t`Sign in to GitHub for the agent host ${hostLabel}?`, l10n.t('The host gets a token of your GitHub account.')]
    : server
      ? [l10n.t`Sign in at ${server.origin} for the agent host ${hostLabel}?`, l10n.t`You sign in at ${server.href}`]
      : [l10n.t`Enter a token for the agent host ${hostLabel}?`, l10n.t('You enter a token. The host gets it.')];
  const detail = [
    where,
    l10n.t`The token is for ${resource}`,
    rights === '' ? l10n.t('It asks for no special rights.') : l10n.t`The rights that it asks for: ${rights}`,
    l10n.t('Whoever runs the host can use the token until it ends or you revoke it.'),
    ...(name === undefined ? [] : [l10n.t`The host calls it “${name}”.`]),
  ];
  return { question, detail: detail.join('\n') };
}

/** Of a token that the user enters. `resource` has been in the question. */
export function tokenInput({ resource }: SignInRequest, hostLabel: string): { title: string; prompt: string } {
  return { title: l10n.t`A Token for ${hostLabel}`, prompt: l10n.t`It goes to that agent host and is not stored. It is for ${resource}` };
}

const REASONS: Record<string, string> = {
  required: l10n.t('It needs you to sign in.'),
  expired: l10n.t('Your sign-in has ended.'),
  insufficientScope: l10n.t('It needs more rights than you gave it.'),
};

export function signInReason({ reason }: { reason: string }): string {
  return (Object.hasOwn(REASONS, reason) && REASONS[reason]) || l10n.t('It needs you to sign in.');
}

function usable(text: string, isHere: boolean): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && isPrivateUrl(url) && (isHere || !isThisComputer(url)) && isShownWhole(url.href) ? url : undefined;
}

/** An absolute URI (RFC 8707, section 2), which has neither spaces nor letters that look like others, and no name before its host that looks like one. */
function isShownWhole(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > MAX_ADDRESS || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
