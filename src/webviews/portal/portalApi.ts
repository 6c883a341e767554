/** The portal's HTTP interface, as its page uses it. */
import { messageOf } from '../../base/errors.ts';
import * as z from 'zod';
import type { ProgramAnswer } from '../../views/attention/answerAction.ts';
import { attentionAnswer, type AttentionOutcome } from '../../views/portal/attentionData.ts';
import { errorText } from '../../views/portal/errorText.ts';

// Otherwise it makes functions of texts, which the policy of the page forbids.
z.config({ jitless: true });

export type Json = Record<string, unknown>;

/** Does something, and says why when it could not be done. `done` is called when it was. */
export type Act = (path: string, body?: string, done?: (answer: Json) => void, headers?: Record<string, string>) => void;

/** The portal has answered that it does not take the request. */
class RequestRefused extends Error {}

/** What the portal answers, also `{error}`. Rejects when it cannot be reached or refuses the request, with words for the user. */
export async function call(path: string, body?: string, signal?: AbortSignal, headers: Record<string, string> = {}): Promise<Json> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { method: 'POST', headers, ...(body !== undefined && { body }), ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error('The portal cannot be reached. Start it again, and open the address that it prints.');
  }
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new RequestRefused(String(answer['message'] ?? response.status));
  return answer;
}

/** An answer of the shape. Rejects like {@link call}, and with words for `{error}` and for another shape. */
export async function read<T>(path: string, shape: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
  const answer = await call(path, undefined, signal);
  if (answer['error'] !== undefined) throw new Error(errorText(answer));
  const { success, data } = shape.safeParse(answer);
  if (!success) throw new Error('The portal has another version than this page. Load the page again.');
  return data;
}

/**
 * Reads all responses of one queue from its beginning to its end, and resolves with the last one, such as `SessionClosed` or `SessionNotFound`.
 * Rejects like {@link call}, and when the signal is aborted.
 */
export async function follow(path: string, onResponses: (responses: readonly Json[]) => void, signal: AbortSignal): Promise<string> {
  const { token } = await call('token', undefined, signal);
  for (;;) {
    const { responses } = (await call(`copilot/${path}/live/${String(token)}`, undefined, signal)) as { responses: Json[] };
    const last = responses.findIndex(({ callback, error }) => callback === undefined && /(?:Closed|NotFound)$/.test(String(error)));
    const told = (last < 0 ? responses : responses.slice(0, last)).filter(({ error }) => error !== 'HttpRequestTimeout');
    if (told.length > 0) onResponses(told);
    if (last >= 0) return String(responses[last]?.['error']);
  }
}

/** What came of an answer to something that waits. Never rejects. */
export async function sendAnswer(id: string, revision: string, answer: ProgramAnswer): Promise<AttentionOutcome> {
  try {
    const body = JSON.stringify({ revision, ...answer });
    return attentionAnswer.parse(
      await call(`attention/${encodeURIComponent(id)}`, body, undefined, { 'Content-Type': 'application/json' }),
    );
  } catch (error) {
    const message = messageOf(error);
    // Otherwise it may have come to the portal, or not.
    return { error: error instanceof RequestRefused ? 'RequestRefused' : 'OutcomeUnknown', message };
  }
}
