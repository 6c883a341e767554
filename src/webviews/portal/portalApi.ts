/** The portal's HTTP interface, as its page uses it. */
import * as z from 'zod';
import { errorText } from '../../views/portal/errorText.ts';

// Otherwise it makes functions of texts, which the policy of the page forbids.
z.config({ jitless: true });

export type Json = Record<string, unknown>;

/** Does something, and says why when it could not be done. `done` is called when it was. */
export type Act = (path: string, body?: string, done?: (answer: Json) => void, headers?: Record<string, string>) => void;

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
  if (!response.ok) throw new Error(String(answer['message'] ?? response.status));
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
