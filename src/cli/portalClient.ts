/** Requests to a portal. What it answers is checked by the schema of the caller. */
import { PortalCalls, type PortalProblem, type Shape } from '../views/portal/portalCalls.ts';
import { visiblePlain } from '../views/text/visibleText.ts';
import { CliError, exitCodes } from './cliError.ts';
import type { PortalAddress } from './findPortal.ts';

/** A live request is answered after 5 s at the latest, the start of a session once its agent has started. */
const TIMEOUT_MS = 180_000;

export class PortalClient {
  readonly #calls: PortalCalls;

  constructor(
    portal: PortalAddress,
    /** Aborted when the user does not want to wait any more. */
    private readonly signal: AbortSignal,
  ) {
    const access = { ...portal, timeoutMs: TIMEOUT_MS, headers: { 'User-Agent': 'tapline' } };
    this.#calls = new PortalCalls(access, (problem) => errorOf(problem, portal.url));
  }

  /** Rejects with a `CliError` when the portal answers with an error by name. `body`: an object is sent as JSON. */
  call<T>(path: string, shape: Shape<T>, body?: string | object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.#calls.read(path, shape, { ...this.#request(body), headers });
  }

  /** Like {@link call}, for answers in which an error is one of the possible ones. */
  ask<T>(path: string, shape: Shape<T>, body?: string | object): Promise<T> {
    return this.#calls.ask(path, shape, this.#request(body));
  }

  #request(body: string | object | undefined) {
    return { signal: this.signal, ...(body !== undefined && { body }) };
  }
}

/** A part of a path. */
export const part = encodeURIComponent;

function errorOf(problem: PortalProblem, url: string): CliError {
  switch (problem.kind) {
    case 'unreachable':
    case 'unreadable':
      return new CliError(exitCodes.notRunning, `No portal answers at ${url}: ${visiblePlain(problem.reason)}`);
    case 'tooLong':
      return new CliError(exitCodes.failed, `The answer of the portal at ${url} is too long.`);
    case 'unknownShape':
      return new CliError(exitCodes.failed, 'The portal has answered something that this version of tapline does not know.');
    case 'refused': {
      const { status, error = `status ${status}`, message } = problem;
      const why = visiblePlain(message === undefined ? error : `${error}: ${message}`);
      if (status === 200) return new CliError(exitCodes.refused, `The portal has refused it: ${why}`);
      const code = status === 401 ? exitCodes.notRunning : exitCodes.refused;
      return new CliError(code, `The portal at ${url} has refused the request: ${why}`);
    }
  }
}
