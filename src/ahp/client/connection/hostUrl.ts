/** The address of a host, and how to show it without its secret. */
const TOKEN_PARAMETER = 'tkn';

export interface HostUrl {
  /** With the token in its query: for the transport only. */
  readonly connect: string;
  /** `host:port/path` for messages and logs, without any query. */
  readonly display: string;
  /** The host's name in sentences: the one that the user gave it, else its address. */
  readonly name: string;
  /** The name with the address. */
  readonly place: string;
  readonly hasToken: boolean;
  /** Replaces the token in a text from elsewhere. */
  redact(text: string): string;
}

/**
 * Takes `ws:` and `wss:` URLs (`http:` and `https:` mean the same). Undefined for anything else. A token in the URL's query counts unless
 * `token` is given.
 */
export function parseHostUrl(text: string, token?: string, name?: string): HostUrl | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  if ((url.protocol !== 'ws:' && url.protocol !== 'wss:') || !url.hostname) return undefined;
  url.hash = '';
  if (token) url.searchParams.set(TOKEN_PARAMETER, token);
  const secret = url.searchParams.get(TOKEN_PARAMETER);
  const forms = secret ? [...new Set([secret, encodeURIComponent(secret), url.searchParams.toString()])] : [];
  const display = `${url.host}${url.pathname === '/' ? '' : url.pathname}`;
  return {
    connect: url.href,
    display,
    name: name ?? display,
    place: name === undefined ? display : `${name} (${display})`,
    hasToken: Boolean(secret),
    redact: (value) => forms.reduce((result, form) => result.replaceAll(form, '…'), value),
  };
}
