/** Asks a model server for its models and tests one. Its answers are untrusted. */
import * as l10n from '../../base/l10n.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { withoutEnd } from '../../base/text/ends.ts';
import type { ModelEndpoint } from '../../models/modelEndpoints.ts';

const LOCAL_TIMEOUT_MS = 1_500;
const LIST_TIMEOUT_MS = 10_000;
/** A local server may have to load the model first. */
const TEST_TIMEOUT_MS = 120_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_MODELS = 200;

/** Common local servers, at their default ports. */
const LOCAL_SERVERS = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  // eslint-disable-next-line texts/translated -- a name
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
] as const;

export type ServerType = NonNullable<ModelEndpoint['type']>;
export interface ModelServer {
  type: ServerType;
  baseUrl: string;
  apiKey?: string;
}

/** How each type of server is called. The Copilot engine does the same, so a model that passes the test works there too. */
const types: Readonly<Record<ServerType, { root(baseUrl: string): string; headers(apiKey: string): Record<string, string> }>> = {
  openai: { root: (baseUrl) => withoutEnd(baseUrl, '/'), headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }) },
  azure: { root: (baseUrl) => `${new URL(baseUrl).origin}/openai/v1`, headers: (apiKey) => ({ 'api-key': apiKey }) },
  anthropic: {
    root: (baseUrl) => `${withoutEnd(baseUrl, '/').replace(/\/v1(\/messages)?$/, '')}/v1`,
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  },
};

/** The local servers that answer. */
export async function localServers(signal: AbortSignal): Promise<{ name: string; baseUrl: string; models: string[] }[]> {
  const found = await Promise.all(
    LOCAL_SERVERS.map(async (server) => {
      try {
        return [{ ...server, models: await listModels({ ...server, type: 'openai' }, signal, LOCAL_TIMEOUT_MS) }];
      } catch {
        return []; // not running
      }
    }),
  );
  return found.flat();
}

/** Ids of the models that the server lists; throws a {@link UserError} when it has no such list. */
export async function listModels(server: ModelServer, signal: AbortSignal, timeoutMs = LIST_TIMEOUT_MS): Promise<string[]> {
  const answer = (await ask(server, '/models', undefined, signal, timeoutMs)) as { data?: unknown } | null;
  // Other programs than model servers use these ports too. An Ollama without models has null.
  if (!Array.isArray(answer?.data) && answer?.data !== null) throw new NotTheApi(l10n.t`${server.baseUrl} has no list of models.`);
  const ids = (answer.data ?? []).map((entry: unknown) => (entry as { id?: unknown } | null)?.id);
  return ids.filter((id): id is string => typeof id === 'string' && id !== '').slice(0, MAX_MODELS);
}

/**
 * The server with the address at which it has a list of models, or wants a key: users leave out the `/v1`. The address as it was given when it
 * has a list at neither. Throws a {@link UserError} when it cannot be reached.
 */
export async function locateServer(server: ModelServer, signal: AbortSignal): Promise<ModelServer> {
  // Azure lists the models that can be deployed, not those that are.
  if (server.type === 'azure') return server;
  const { baseUrl } = server;
  const addresses = server.type === 'openai' && !/\/v\d+$/.test(baseUrl) ? [baseUrl, `${baseUrl}/v1`] : [baseUrl];
  for (const address of addresses) {
    const located = { ...server, baseUrl: address };
    try {
      await listModels(located, signal);
      return located;
    } catch (error) {
      if (error instanceof RefusedKey) return located;
      if (!(error instanceof NotTheApi)) throw error;
    }
  }
  return server;
}

/** Sends the model a short prompt, and returns the interface on which it answered. Throws a {@link UserError} that says what went wrong. */
export async function testModel(server: ModelServer, model: string, signal: AbortSignal): Promise<ModelEndpoint['wireApi']> {
  // eslint-disable-next-line texts/translated -- for the model
  const messages = [{ role: 'user', content: 'Say OK.' }];
  const isAnswered = async (path: string, body: object, field: string) => {
    const answer = (await ask(server, path, { model, ...body }, signal, TEST_TIMEOUT_MS)) as Record<string, unknown> | null;
    if (!Array.isArray(answer?.[field]))
      throw new UserError(l10n.t`${server.baseUrl} answered, but not like a model. ${checkAddress(server)}`);
  };
  if (server.type === 'anthropic') {
    await isAnswered('/messages', { messages, max_tokens: 16 }, 'content');
    return 'completions'; // there is only one
  }
  try {
    await isAnswered('/chat/completions', { messages, max_tokens: 16 }, 'choices');
    return 'completions';
  } catch (error) {
    if (!(error instanceof NoSuchInterface)) throw error;
    // eslint-disable-next-line texts/translated -- for the model
    await isAnswered('/responses', { input: 'Say OK.', max_output_tokens: 16 }, 'output');
    return 'responses';
  }
}

/** Something answers at this address, but not like a model server. */
class NotTheApi extends UserError {}
class NoSuchInterface extends NotTheApi {}
/** The server wants a key, or another one. */
export class RefusedKey extends UserError {}

const checkAddress = ({ type }: ModelServer) =>
  type === 'openai' ? l10n.t('Check the address: it usually ends in /v1.') : l10n.t('Check the address.');

async function ask(server: ModelServer, path: string, body: unknown, signal: AbortSignal, timeoutMs: number): Promise<unknown> {
  const { type, baseUrl, apiKey } = server;
  const url = types[type].root(baseUrl) + path;
  let response: Response;
  try {
    response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(apiKey && types[type].headers(apiKey)) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would send the key to another server.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (error) {
    signal.throwIfAborted();
    const cause = (error as { cause?: unknown }).cause;
    throw new UserError(
      l10n.t`${baseUrl} cannot be reached: ${messageOf(cause ?? error)}. Check that the server is running and that the address is correct.`,
    );
  }
  const text = await limitedText(response);
  if (response.status === 401 || response.status === 403) {
    throw new RefusedKey(
      apiKey
        ? l10n.t`${baseUrl} refused the key (${response.status}). Check the API key.`
        : l10n.t`${baseUrl} wants a key (${response.status}). Check the API key.`,
    );
  }
  if (!response.ok) {
    const message = l10n.t`${baseUrl} answered ${response.status}: ${errorIn(text)}`;
    throw [404, 405].includes(response.status) ? new NoSuchInterface(message) : new UserError(message);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new NotTheApi(l10n.t`${baseUrl} sent an answer that is not JSON. ${checkAddress(server)}`);
  }
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new UserError(l10n.t('The server’s answer is too long for a model server.'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The message of an error response, on one line. */
function errorIn(text: string): string {
  let message: unknown = text;
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    message = typeof error === 'string' ? error : (error?.message ?? text);
  } catch {
    // Not JSON: use the text itself.
  }
  // Cut before the search, with room for the spaces that it removes.
  return String(message).slice(0, 1_000).replace(/\s+/g, ' ').slice(0, 200) || l10n.t('no reason given');
}
