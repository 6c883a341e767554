/** Signs the user in at an authorization server in the browser (OAuth 2.1 with PKCE), as the authorization of MCP says. */
import * as l10n from '../../base/l10n.ts';
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { mayName } from '../../base/connection/privateUrl.ts';
import { messageOf, TimeoutError, UserError, withTimeout } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { Logger } from '../../base/log.ts';
import type { SignInRequest } from '../../views/hosts/signInRequest.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { redirectServer } from './redirectServer.ts';

const REQUEST_TIMEOUT_MS = 15_000;
/** For the user to sign in. */
const SIGN_IN_TIMEOUT_MS = 5 * 60_000;
const MAX_ANSWER_BYTES = 256 * 1024;

export interface Browser {
  /** The address under which the user's browser reaches one of this computer. */
  reach(url: string): Promise<string>;
  /** False when the user does not want it. */
  open(url: URL): Promise<boolean>;
}

type OAuthRequest = Pick<SignInRequest, 'resource' | 'scopes' | 'client'> & { readonly server: URL };

export interface GrantedToken {
  readonly token: string;
  /** In seconds, at least one. Absent: the server has not said it. */
  readonly expiresIn?: number;
}

/** Undefined when the user does not go on. Rejects when the server refuses, does not answer in time, or `signal` is aborted. */
export async function oauthToken(
  request: OAuthRequest,
  browser: Browser,
  logger: Logger,
  signal: AbortSignal,
): Promise<GrantedToken | undefined> {
  const { server, resource, scopes } = request;
  const fetchFn = boundedFetch(server, signal);
  const redirect = await redirectServer(logger);
  try {
    let described: unknown;
    const metadata = await discoverAuthorizationServerMetadata(server, {
      fetchFn: async (url, init) => {
        const response = await fetchFn(url, init);
        described = await response
          .clone()
          .json()
          .catch(() => undefined);
        return response;
      },
    });
    // From the text, because the SDK drops it from the metadata of OpenID.
    const namesItself = isRecord(described) && described['authorization_response_iss_parameter_supported'] === true;
    if (metadata && !isSameServer(metadata.issuer, server))
      throw new UserError(l10n.t`The server at ${server.href} says that it is ${metadata.issuer}.`);
    const redirectUrl = await browser.reach(redirect.url);
    const scope = scopes.length === 0 ? undefined : scopes.join(' ');
    const clientInformation: OAuthClientInformationMixed = request.client
      ? {
          client_id: request.client.clientId,
          ...(request.client.clientSecret !== undefined && { client_secret: request.client.clientSecret }),
        }
      : await registerClient(server, {
          ...(metadata && { metadata }),
          clientMetadata: {
            client_name: 'Tapline',
            redirect_uris: [redirectUrl],
            grant_types: ['authorization_code'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
          },
          ...(scope !== undefined && { scope }),
          fetchFn,
        });
    const common = { ...(metadata && { metadata }), clientInformation, resource };
    const { authorizationUrl, codeVerifier } = await startAuthorization(server, {
      ...common,
      redirectUrl,
      state: redirect.state,
      ...(scope !== undefined && { scope }),
    });
    mustBePrivate(server, authorizationUrl);
    if (!(await browser.open(authorizationUrl))) return undefined;
    // eslint-disable-next-line texts/translated -- only for the log
    const { code, issuer } = await withTimeout(Promise.race([redirect.answer, aborted(signal)]), SIGN_IN_TIMEOUT_MS, 'The sign-in');
    if (metadata && (issuer === undefined ? namesItself : issuer !== metadata.issuer))
      throw new UserError(l10n.t('Another server answered than the one that was asked.'));
    const tokens = await exchangeAuthorization(server, {
      ...common,
      authorizationCode: code,
      codeVerifier,
      redirectUri: redirectUrl,
      fetchFn,
    });
    const expiresIn = Math.floor(tokens.expires_in ?? 0);
    return { token: tokens.access_token, ...(Number.isSafeInteger(expiresIn) && expiresIn > 0 && { expiresIn }) };
  } catch (error) {
    if (error instanceof TimeoutError)
      throw new UserError(l10n.t`The sign-in did not finish within ${l10n.countText(error.timeoutMs / 1000)} s`, { cause: error });
    // It may quote all that the server answered.
    throw new UserError(oneLine(messageOf(error)), { cause: error });
  } finally {
    redirect.dispose();
  }
}

/** The addresses are those of the host, and of the server that it named. */
function boundedFetch(server: URL, signal: AbortSignal) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    mustBePrivate(server, new URL(url));
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const { status, statusText, headers } = response;
    return new Response(await boundedBody(response), { status, statusText, headers });
  };
}

async function boundedBody({ body, status }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += (part as Uint8Array).byteLength;
    if (length > MAX_ANSWER_BYTES)
      throw new UserError(l10n.t`The server’s answer has more than ${l10n.countText(MAX_ANSWER_BYTES)} bytes.`);
    parts.push(part as Uint8Array);
  }
  return [204, 205, 304].includes(status) ? null : new Uint8Array(Buffer.concat(parts));
}

function mustBePrivate(server: URL, url: URL): void {
  if (!mayName(server, url))
    throw new UserError(l10n.t`${url.origin} is not used to sign in, because others could read along. It must begin with https:.`);
}

/** What a server says of another one is not to be believed (RFC 8414, section 3.3). */
function isSameServer(issuer: string, server: URL): boolean {
  return URL.canParse(issuer) && new URL(issuer).href.replace(/\/$/, '') === server.href.replace(/\/$/, '');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new UserError(l10n.t('The sign-in was cancelled.')));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}
