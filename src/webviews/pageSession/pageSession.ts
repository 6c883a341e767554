/** The session of this page at its portal. `pageSessionWire.ts` says what is asked and answered. */
import * as l10n from '../../base/l10n.ts';
import { UserError } from '../../base/errors.ts';
import {
  claimText,
  keyAnswer,
  OPENING,
  PAGE_KEY_PATH,
  PAGE_SCHEME,
  PAGE_SESSION_PATH,
  proofText,
  sessionAnswer,
  sessionOf,
} from '../../views/portal/wire/pageSessionWire.ts';
import { keepKey, keptKey } from './pageKey.ts';

const TIMEOUT_MS = 10_000;
/** A session is made anew so long before its end. */
const BEFORE_END_MS = 60_000;
const algorithm = { name: 'HMAC', hash: 'SHA-256' };

interface Session {
  /** Undefined: the portal needs none, or this browser has no key for it. */
  readonly text: string | undefined;
  readonly until: number;
}

let session: Session | undefined;
let making: Promise<Session> | undefined;
/** Where the browser keeps nothing. */
let key: CryptoKey | undefined;

/** Rejects when the portal cannot be reached, or cannot prove that it is the one that the page was opened with. */
export async function pageSession(): Promise<string | undefined> {
  if (!session || Date.now() > session.until - BEFORE_END_MS) return madeAnew();
  return session.text;
}

/**
 * A request to the portal, with the session of the page. The portal may have been started again, or another tab may have been given a new key. So what is
 * refused is asked once more with a new session, where that is to be had.
 */
export async function pageFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const text = await pageSession();
  const response = await fetch(path, withSession(init, text));
  if (response.status !== 401) return response;
  const next = session && session.text !== text ? session.text : await madeAnew();
  return next === undefined || next === text ? response : fetch(path, withSession(init, next));
}

function withSession(init: RequestInit, text: string | undefined): RequestInit {
  const headers = new Headers(init.headers);
  if (text !== undefined) headers.set('Authorization', `${PAGE_SCHEME} ${text}`);
  return { ...init, headers };
}

async function madeAnew(): Promise<string | undefined> {
  making ??= make().finally(() => (making = undefined));
  session = await making;
  return session.text;
}

async function make(): Promise<Session> {
  await takeKey();
  const known = (await readKey()) ?? key;
  const none = { text: undefined, until: Infinity };
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(32)));
  // A portal without a token answers that no session is needed, so a page that has no key asks too.
  const response = await ask(PAGE_SESSION_PATH, { nonce });
  if (response.status === 204 || response.status === 401 || !known) return none;
  const answer = response.ok ? sessionAnswer.safeParse(await response.json()).data : undefined;
  const parts = answer && { nonce, ...answer };
  if (!parts || !(await crypto.subtle.verify('HMAC', known, bytesOf(parts.proof), textBytes(proofText(parts)))))
    throw new UserError(
      l10n.t('What answers at this address is not the portal that this browser knows. Open the address that the portal printed.'),
    );
  const claim = await crypto.subtle.sign('HMAC', known, textBytes(claimText(parts)));
  return { text: sessionOf(parts, base64url(new Uint8Array(claim))), until: parts.until };
}

/** Of a page that was opened with the token: its address has a code that is good for the key once. */
async function takeKey(): Promise<void> {
  const opening = new URLSearchParams(location.search).get(OPENING);
  if (opening === null) return;
  const response = await ask(PAGE_KEY_PATH, { opening });
  const url = new URL(location.href);
  url.searchParams.delete(OPENING);
  history.replaceState(history.state, '', url);
  // It was used before: this is a reload, or a page that the browser has kept. It has the key, or says that it was not opened with the token.
  if (response.status !== 200) return;
  const raw = bytesOf(keyAnswer.parse(await response.json()).key);
  key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign', 'verify']);
  try {
    await keepKey(key);
  } catch (error) {
    // The user has turned it off. Then a reload needs the address that the portal printed.
    console.warn(error);
  }
}

async function readKey(): Promise<CryptoKey | undefined> {
  try {
    return await keptKey();
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

const ask = (path: string, body: object) =>
  fetch(path, { method: 'POST', body: JSON.stringify(body), redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });

const textBytes = (text: string) => new TextEncoder().encode(text);
const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const bytesOf = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
