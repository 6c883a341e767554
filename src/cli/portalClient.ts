/** Requests to a portal. What it answers is checked by the schema of the caller. */
import { patientFetch } from '../base/node/patientFetch.ts';
import { PortalCalls, type PortalProblem, type PortalRequest, type Shape } from '../views/portal/portalCalls.ts';
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
    const access = { ...portal, timeoutMs: TIMEOUT_MS, headers: { 'User-Agent': 'tapline' }, fetch: patientFetch };
    this.#calls = new PortalCalls(access, (problem) => errorOf(problem, portal.url));
  }

  /** Rejects with a `CliError` when the portal answers with an error by name. `body`: an object is sent as JSON. */
  call<T>(path: string, shape: Shape<T>, body?: string | object): Promise<T> {
    return this.#calls.read(path, shape, this.#request(body));
  }

  /** Like {@link call}, for what does something: where no answer comes, the error says that it may have been done. */
  do<T>(path: string, shape: Shape<T>, body: string | object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.#calls.read(path, shape, { ...this.#request(body), headers, isDeed: true });
  }

  /** Like {@link call}, with all that the request says. */
  send<T>(path: string, shape: Shape<T>, request: PortalRequest): Promise<T> {
    return this.#calls.read(path, shape, { ...request, signal: this.signal });
  }

  /** Like {@link call}, for answers in which an error is one of the possible ones. */
  ask<T>(path: string, shape: Shape<T>, body?: string | object, how: Pick<PortalRequest, 'isDeed'> = {}): Promise<T> {
    return this.#calls.ask(path, shape, { ...this.#request(body), ...how });
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
    case 'unknownOutcome':
      return new CliError(
        exitCodes.failed,
        `It is not known whether it was done, because the portal at ${url} has not answered: ${visiblePlain(problem.reason)}`,
      );
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
