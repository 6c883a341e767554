/** Requests to a portal. What it answers is checked by the schema of the caller. */
import * as z from 'zod/mini';
import { messageOf } from '../base/errors.ts';
import { CliError, exitCodes } from './cliError.ts';
import type { PortalAddress } from './findPortal.ts';
import { visiblePlain } from '../views/text/visibleText.ts';

/** A live request is answered after 5 s at the latest, the start of a session once its agent has started. */
const TIMEOUT_MS = 180_000;
const refusal = z.object({ error: z.string(), message: z.optional(z.string()) });

export class PortalClient {
  constructor(
    private readonly portal: PortalAddress,
    /** Aborted when the user does not want to wait any more. */
    private readonly signal: AbortSignal,
  ) {}

  /** Rejects with a `CliError` when the portal answers with an error by name. `body`: an object is sent as JSON. */
  async call<S extends z.ZodMiniType>(path: string, schema: S, body?: string | object): Promise<z.output<S>> {
    const value = await this.#fetch(path, body);
    const refused = refusal.safeParse(value).data;
    if (refused) throw new CliError(exitCodes.refused, `The portal has refused it: ${visiblePlain(named(refused))}`);
    return checked(schema, value);
  }

  /** Like {@link call}, for answers in which an error is one of the possible ones. */
  async ask<S extends z.ZodMiniType>(path: string, schema: S, body?: string | object): Promise<z.output<S>> {
    return checked(schema, await this.#fetch(path, body));
  }

  async #fetch(path: string, body: string | object | undefined): Promise<unknown> {
    this.signal.throwIfAborted();
    const { url, token } = this.portal;
    const isJson = typeof body === 'object';
    let status: number;
    let value: unknown;
    try {
      const response = await fetch(`${url}/api/${path}`, {
        // GET changes nothing where the portal has no token.
        method: 'POST',
        headers: {
          'User-Agent': 'tapline',
          ...(token !== '' && { Authorization: `Bearer ${token}` }),
          ...(isJson && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
        redirect: 'error',
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      ({ status } = response);
      value = await response.json();
    } catch (error) {
      this.signal.throwIfAborted();
      const { cause } = error as { cause?: unknown };
      throw new CliError(exitCodes.notRunning, `No portal answers at ${url}: ${visiblePlain(messageOf(cause ?? error))}`);
    }
    if (status === 200) return value;
    const refused = refusal.safeParse(value).data ?? { error: `status ${status}` };
    const code = status === 401 ? exitCodes.notRunning : exitCodes.refused;
    throw new CliError(code, `The portal at ${url} has refused the request: ${visiblePlain(named(refused))}`);
  }
}

/** A part of a path. */
export const part = encodeURIComponent;

function named({ error, message }: z.output<typeof refusal>): string {
  return message === undefined ? error : `${error}: ${message}`;
}

function checked<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new CliError(exitCodes.failed, 'The portal has answered something that this version of tapline does not know.');
}
