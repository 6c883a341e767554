/** The portal's HTTP interface, as its page uses it. */
import * as l10n from '../../base/l10n.ts';
import * as z from 'zod/mini';
import { errorText } from '../../views/portal/errorText.ts';
import { pageFetch } from '../pageSession/pageSession.ts';
import { PortalCalls, type PortalJson, type PortalProblem, type PortalRequest, type Shape } from '../../views/portal/portalCalls.ts';

// Otherwise it makes functions of texts, which the policy of the page forbids.
z.config({ jitless: true });

/** The start of a session is answered once its agent has started. */
const TIMEOUT_MS = 180_000;

export type Json = PortalJson;

/** Does something, and says why when it could not be done. `done` is called when it was. */
export type Act = (path: string, body?: string, done?: (answer: Json) => void, headers?: Record<string, string>) => void;

const calls = new PortalCalls({ url: '', token: '', fetch: pageFetch, timeoutMs: TIMEOUT_MS }, (problem) => new Error(wordsOf(problem)));

/** Does something. Resolves with what the portal answers, and rejects when it cannot be reached or refuses the request, also by `{error}`, with words for the user. */
export function call(path: string, body?: string, headers: Record<string, string> = {}): Promise<Json> {
  return calls.call(path, { headers, isDeed: true, ...(body !== undefined && { body }) });
}

/** An answer of the shape. Rejects like {@link call}, and with words for another shape. */
export function read<T>(path: string, shape: Shape<T>, signal?: AbortSignal): Promise<T> {
  return calls.read(path, shape, signal && { signal });
}

/** Like {@link read}, with all that the request says. */
export function ask<T>(path: string, shape: Shape<T>, request: PortalRequest): Promise<T> {
  return calls.read(path, shape, request);
}

function wordsOf(problem: PortalProblem): string {
  switch (problem.kind) {
    case 'unreachable':
      return l10n.t('The portal cannot be reached. Start it again, and open the address that it prints.');
    case 'unknownOutcome':
      return l10n.t(
        'The portal has not answered, so it is not known whether it was done. Look at it again. If the portal does not run, start it again, and open the address that it prints.',
      );
    case 'unreadable':
      return l10n.t('The portal did not answer as a portal does. Load the page again.');
    case 'tooLong':
      return l10n.t('The portal’s answer is too long.');
    case 'unknownShape':
      return l10n.t('The portal has another version than this page. Load the page again.');
    case 'refused':
      return problem.status === 200 ? errorText({ ...problem }) : (problem.message ?? String(problem.status));
  }
}
