/** Calls of the portal's HTTP interface, for all its clients. Each says where the portal is, and what its user is told of problems. */
import { type Phrase, phraseFrom } from '../../base/text/phrase.ts';
import { messageOf, TimeoutError } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';

/** Of an answer. */
const MAX_BYTES = 32_000_000;

export type PortalJson = Record<string, unknown>;

export interface PortalAccess {
  /** The origin of the portal. Empty: that of the page. */
  readonly url: string;
  /** Empty: the portal has none, or `fetch` does without. */
  readonly token: string;
  /** Absent: that of the platform. */
  readonly fetch?: (url: string, init: PortalInit) => Promise<Response>;
  /** Until an answer is there as a whole, where the request says nothing else. */
  readonly timeoutMs: number;
  /** Of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is asked of `fetch`. */
export interface PortalInit {
  method: 'POST';
  headers: Record<string, string>;
  body?: string;
  redirect: 'error';
  signal: AbortSignal;
}

export interface PortalRequest {
  /** An object is sent as JSON. */
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when nobody wants the answer any more. The call rejects with its reason then. */
  readonly signal?: AbortSignal;
  /** Something is done. It may be done although no answer comes. */
  readonly isDeed?: true;
  /** Absent: as for all calls. */
  readonly timeoutMs?: number;
}

/** Why there is no answer that can be used. `reason` is for the command line, and not always a sentence. */
export type PortalProblem =
  | { readonly kind: 'unreachable' | 'unreadable'; readonly reason: string }
  /** Of a deed: no answer has come. */
  | { readonly kind: 'unknownOutcome'; readonly reason: string }
  | { readonly kind: 'tooLong' | 'unknownShape' }
  /** By its HTTP status, or with the status 200 by a name that the interface gives to this call. */
  | { readonly kind: 'refused'; readonly status: number; readonly error?: string; readonly message?: string; readonly words?: Phrase };

/** A schema of Zod or of Zod Mini. */
export interface Shape<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

export class PortalCalls {
  /** `toError`: what a call rejects with. */
  constructor(
    private readonly access: PortalAccess,
    private readonly toError: (problem: PortalProblem) => Error,
  ) {}

  /** What the portal answers, also `{error}`. */
  async answer(
    path: string,
    { body, headers, signal, isDeed, timeoutMs = this.access.timeoutMs }: PortalRequest = {},
  ): Promise<PortalJson> {
    signal?.throwIfAborted();
    const { url, token, headers: always, fetch: ask = fetch } = this.access;
    const isJson = typeof body === 'object';
    const late = AbortSignal.timeout(timeoutMs);
    let status: number;
    let text: string | undefined;
    try {
      const response = await ask(`${url}/api/${path}`, {
        // GET changes nothing where the portal has no token.
        method: 'POST',
        headers: {
          ...always,
          ...headers,
          ...(token !== '' && { Authorization: `Bearer ${token}` }),
          ...(isJson && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      ({ status } = response);
      text = await boundedText(response);
    } catch (error) {
      signal?.throwIfAborted();
      const { cause = error } = error as { cause?: unknown };
      // The path may have a token in it.
      // eslint-disable-next-line texts/translated -- for the command line
      const reason = late.aborted ? new TimeoutError('The call of the portal', timeoutMs).message : messageOf(cause);
      const kind = isDeed && !isRefused(cause) ? 'unknownOutcome' : 'unreachable';
      throw this.toError({ kind, reason });
    }
    if (text === undefined) throw this.toError({ kind: 'tooLong' });
    const value = this.#parsed(text);
    if (status !== 200) throw this.toError({ kind: 'refused', status, ...named(value) });
    return value;
  }

  /** Like {@link answer}. Rejects also with `{error}`. */
  async call(path: string, request?: PortalRequest): Promise<PortalJson> {
    const value = await this.answer(path, request);
    if (value['error'] !== undefined) throw this.toError({ kind: 'refused', status: 200, ...named(value) });
    return value;
  }

  /** Like {@link call}, an answer of the shape. */
  async read<T>(path: string, shape: Shape<T>, request?: PortalRequest): Promise<T> {
    return this.#checked(shape, await this.call(path, request));
  }

  /** Like {@link answer}, for shapes in which an error is one of the possible answers. */
  async ask<T>(path: string, shape: Shape<T>, request?: PortalRequest): Promise<T> {
    return this.#checked(shape, await this.answer(path, request));
  }

  #parsed(text: string): PortalJson {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw this.toError({ kind: 'unreadable', reason: messageOf(error) });
    }
    // eslint-disable-next-line texts/translated -- for the command line
    if (!isRecord(value)) throw this.toError({ kind: 'unreadable', reason: 'it has answered with something other than an object' });
    return value;
  }

  #checked<T>(shape: Shape<T>, value: PortalJson): T {
    const result = shape.safeParse(value);
    if (result.success) return result.data;
    throw this.toError({ kind: 'unknownShape' });
  }
}

/** Of the request that starts a job. `revision`: of the job as the user has seen it. `notBefore`: in ms since the epoch. */
export function startHeaders(revision: string, notBefore: number | undefined): Record<string, string> {
  return { 'If-Match': `"${revision}"`, ...(notBefore !== undefined && { 'Not-Before': new Date(notBefore).toISOString() }) };
}

/** Nobody has heard it. A browser does not say so. */
function isRefused(cause: unknown): boolean {
  return isRecord(cause) && cause['code'] === 'ECONNREFUSED';
}

function named({ error, message, words }: PortalJson): { error?: string; message?: string; words?: Phrase } {
  const phrase = phraseFrom(words);
  return {
    ...(error !== undefined && { error: String(error) }),
    ...(message !== undefined && { message: String(message) }),
    ...(phrase && { words: phrase }),
  };
}

/** Undefined: it is too long, and the rest of it is not read. */
async function boundedText({ body }: Response): Promise<string | undefined> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
