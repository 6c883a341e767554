/** The portal's HTTP interface, for the extension. Answers are checked before anything is made of them. */
import { UserError } from '../../base/errors.ts';
import { errorText } from '../../views/portal/errorText.ts';
import { PortalCalls, type PortalJson, type PortalProblem, type PortalRequest, type Shape } from '../../views/portal/portalCalls.ts';
import type { PortalAddress } from './portalDaemon.ts';

const TIMEOUT_MS = 10_000;

/** Rejects with a {@link UserError} where the portal cannot be reached, refuses, or answers `{error}`. */
export function callPortal(address: PortalAddress, path: string, body?: string, headers: Record<string, string> = {}): Promise<PortalJson> {
  return callsOf(address).call(path, { headers, ...(body !== undefined && { body }) });
}

/** An answer of the shape. Rejects like {@link callPortal}, also for another shape. */
export function readPortal<T>(
  address: PortalAddress,
  path: string,
  shape: Shape<T>,
  { timeoutMs = TIMEOUT_MS, ...request }: PortalRequest & { timeoutMs?: number } = {},
): Promise<T> {
  return callsOf(address, timeoutMs).read(path, shape, request);
}

function callsOf({ url, token }: PortalAddress, timeoutMs = TIMEOUT_MS): PortalCalls {
  const access = { url, token, timeoutMs, headers: { 'User-Agent': 'tapline-vscode' } };
  return new PortalCalls(access, (problem) => new UserError(wordsOf(problem)));
}

function wordsOf(problem: PortalProblem): string {
  switch (problem.kind) {
    case 'unreachable':
      return 'The portal cannot be reached.';
    case 'unreadable':
      return 'The portal did not answer as a portal does.';
    case 'tooLong':
      return 'The portal’s answer is too long.';
    case 'unknownShape':
      return 'The portal has another version than this Tapline. Stop it and open it again.';
    case 'refused':
      return errorText({ ...problem, error: problem.error ?? `status ${problem.status}` });
  }
}
