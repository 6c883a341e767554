/** Providers that are HTTP endpoints. */
import { isPrivateUrl } from '../../base/connection/privateUrl.ts';
import { messageOf } from '../../base/errors.ts';
import { type RequestMessage, responseMessage } from '../protocol/messages.ts';
import { cancelled, type OpenCtxLimits, ProviderFailure, type Transport } from './openCtxTransport.ts';

const MAX_REDIRECTS = 3;
/** Those that keep the method and the body. */
const FOLLOWED = new Set([307, 308]);
const QUOTED = 500;
const MAX_CODE = 50;

export interface HttpTransportOptions {
  url: URL;
  /** Such as `Authorization`. They are not sent without encryption to another computer. */
  headers?: Readonly<Record<string, string>>;
  limits: OpenCtxLimits;
}

export class HttpTransport implements Transport {
  readonly #disposed = new AbortController();

  constructor(private readonly options: HttpTransportOptions) {}

  async request(message: RequestMessage, signal?: AbortSignal): Promise<unknown> {
    const { timeoutMs, maxBytes } = this.options.limits;
    const body = JSON.stringify(message);
    if (Buffer.byteLength(body) > maxBytes) throw new ProviderFailure('The document is too large for a provider.', 'refused');
    const tooLate = AbortSignal.timeout(timeoutMs);
    let text: string;
    try {
      const response = await this.#post(body, AbortSignal.any([tooLate, this.#disposed.signal, ...(signal ? [signal] : [])]));
      if (!response.ok) {
        void response.body?.cancel();
        throw new ProviderFailure(
          `The provider answered with HTTP status ${response.status}.`,
          response.status < 500 ? 'refused' : 'broken',
        );
      }
      text = await readText(response, maxBytes);
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      if (signal?.aborted) throw cancelled();
      if (tooLate.aborted) throw new ProviderFailure(`The provider did not answer within ${timeoutMs / 1000} s.`, 'silent');
      throw new ProviderFailure(`The provider cannot be reached: ${causeOf(error)}`, 'silent');
    }
    return resultOf(text);
  }

  dispose(): void {
    this.#disposed.abort();
  }

  async #post(body: string, signal: AbortSignal): Promise<Response> {
    let { url } = this.options;
    const { origin } = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', ...(isPrivateUrl(url) && this.options.headers) };
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', credentials: 'omit', signal });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      void response.body?.cancel();
      if (!FOLLOWED.has(response.status) || !URL.canParse(location, url.href))
        throw new ProviderFailure(`The provider answered with a redirect (${response.status}) that a POST does not follow.`, 'broken');
      url = new URL(location, url);
      if (url.origin !== origin)
        throw new ProviderFailure(`The provider wants to send the request to another place (${url.origin}).`, 'broken');
    }
    throw new ProviderFailure(`The provider answered with more than ${MAX_REDIRECTS} redirects.`, 'broken');
  }
}

/** Throws a {@link ProviderFailure} for an error, and for what is no answer. */
export function resultOf(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProviderFailure('The provider did not answer with JSON.', 'broken');
  }
  const { success, data } = responseMessage.safeParse(value);
  if (!success) throw new ProviderFailure('The provider’s answer is none of OpenCtx.', 'broken');
  const { result, error } = data;
  if (error) {
    const { message, code } = error;
    const numbered = code === undefined ? '' : ` (${String(code).slice(0, MAX_CODE)})`;
    throw new ProviderFailure(`The provider says: ${message?.slice(0, QUOTED) || 'nothing of its error'}${numbered}`, 'refused');
  }
  if (result === undefined || result === null)
    throw new ProviderFailure('The provider’s answer has neither a result nor an error.', 'refused');
  return result;
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += (part as Uint8Array).byteLength;
    if (length > maxBytes) throw new ProviderFailure(`The provider’s answer has more than ${maxBytes} bytes.`, 'broken');
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** `fetch` says “fetch failed”, and why in its cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown; message?: unknown } | undefined) : undefined;
  return String(cause?.code ?? cause?.message ?? messageOf(error));
}
