/** The portal's HTTP interface, as its page uses it. */

export type Json = Record<string, unknown>;

/** What the portal answers, also `{error}`. Rejects when it cannot be reached or refuses the request, with words for the user. */
export async function call(path: string, body?: string, signal?: AbortSignal): Promise<Json> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { method: 'POST', ...(body !== undefined && { body }), ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error('The portal cannot be reached. Start it again, and open the address that it prints.');
  }
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error(String(answer['message'] ?? response.status));
  return answer;
}

/** In words for the user. */
export function errorText(error: unknown): string {
  const names: Record<string, string> = {
    WorkingDirectoryNotAbsolutePath: 'The folder must be an absolute path.',
    WorkingDirectoryNotExists: 'There is no such folder.',
    JobNotFound: 'There is no such job any more.',
    TaskNotFound: 'There is no such task any more.',
    SessionNotFound: 'There is no such session any more.',
    SessionBusy: 'A task uses the session. Wait for its end, or stop it.',
    ModelIdNotFound: 'The agent does not have this model.',
    JobCannotContinue: 'The job runs, or has succeeded.',
  };
  return names[String(error)] ?? String(error);
}

/** Reads all responses of one queue from its beginning to its end. Rejects like {@link call}, and when the signal is aborted. */
export async function follow(path: string, token: string, onResponse: (response: Json) => void, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { responses } = (await call(`copilot/${path}/live/${token}`, undefined, signal)) as { responses: Json[] };
    for (const response of responses) {
      const { callback, error } = response;
      if (callback === undefined && /(?:Closed|NotFound)$/.test(String(error))) return;
      if (callback !== undefined || error !== 'HttpRequestTimeout') onResponse(response);
    }
  }
}
