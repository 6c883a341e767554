/** The portal's HTTP interface, for the extension. Answers are checked before anything is made of them. */
import * as l10n from '../../base/l10n.ts';
import { patientFetch } from '../../base/node/patientFetch.ts';
import { UserError } from '../../base/errors.ts';
import { errorText } from '../../views/portal/errorText.ts';
import { PortalCalls, type PortalJson, type PortalProblem, type PortalRequest, type Shape } from '../../views/portal/portalCalls.ts';
import type { PortalAddress } from './portalDaemon.ts';

const TIMEOUT_MS = 10_000;

/** Does something. Rejects with a {@link UserError} where the portal cannot be reached, refuses, or answers `{error}`. */
export function callPortal(address: PortalAddress, path: string, body?: string, headers: Record<string, string> = {}): Promise<PortalJson> {
  return callsOf(address).call(path, { headers, isDeed: true, ...(body !== undefined && { body }) });
}

/** An answer of the shape. Rejects like {@link callPortal}, also for another shape. */
export function readPortal<T>(address: PortalAddress, path: string, shape: Shape<T>, request?: PortalRequest): Promise<T> {
  return callsOf(address).read(path, shape, request);
}

function callsOf({ url, token }: PortalAddress): PortalCalls {
  const access = { url, token, timeoutMs: TIMEOUT_MS, headers: { 'User-Agent': 'tapline-vscode' }, fetch: patientFetch };
  return new PortalCalls(access, (problem) => new UserError(wordsOf(problem)));
}

function wordsOf(problem: PortalProblem): string {
  switch (problem.kind) {
    case 'unreachable':
      return l10n.t('The portal cannot be reached.');
    case 'unknownOutcome':
      return l10n.t('The portal has not answered. It is not known whether it was done.');
    case 'unreadable':
      return l10n.t('The portal did not answer as a portal does.');
    case 'tooLong':
      return l10n.t('The portal’s answer is too long.');
    case 'unknownShape':
      return l10n.t('The portal has another version than this Tapline. Stop it and open it again.');
    case 'refused':
      return errorText({ ...problem, error: problem.error ?? l10n.t`status ${problem.status}` });
  }
}
