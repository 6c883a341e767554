/** What a model of the user's own must be, wherever it was written down. */
import { messageOf, UserError } from '../base/errors.ts';
import { isRecord } from '../base/isRecord.ts';
import { withoutEnd } from '../base/text/ends.ts';
import { phrase, type Words } from '../base/text/phrase.ts';
import type { ModelEndpoint, ReasoningEffort } from './modelEndpoints.ts';

export const REASONING_EFFORTS: readonly ReasoningEffort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Those of a list from the user's settings that can be used, and for each other one a text that says why it cannot. */
export function usableEndpoints(list: unknown): { endpoints: ModelEndpoint[]; problems: string[] } {
  const endpoints: ModelEndpoint[] = [];
  const problems: string[] = [];
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    const name =
      isRecord(entry) && typeof entry.name === 'string' && entry.name !== '' ? phrase`“${entry.name}”` : phrase`model ${index + 1}`;
    try {
      const endpoint = checkedEndpoint(entry, name);
      if (endpoint.apiKey !== undefined)
        throw new UserError(phrase`${name}: apiKey does not belong into the settings. Add the model again to give a key`);
      if (endpoints.some(({ id }) => id === endpoint.id))
        throw new UserError(phrase`${name}: another model has the id “${endpoint.id}” already`);
      endpoints.push(endpoint);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return { endpoints, problems };
}

/** Throws an error that begins with `what` and says what is wrong. It does not quote values, which may be secrets. */
export function checkedEndpoint(entry: unknown, what: Words): ModelEndpoint {
  if (!isRecord(entry)) throw new UserError(phrase`${what} must be an object`);
  const { type, contextWindow, vision, reasoningEffort, apiKey } = entry;
  const wrong = (property: string, must: Words) => new UserError(phrase`${what}: ${property} must be ${must}`);
  const text = (property: string): string => {
    const found = entry[property];
    if (typeof found !== 'string' || found.trim() === '') throw wrong(property, phrase`a text`);
    return found;
  };
  const baseUrl = text('baseUrl');
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) throw wrong('baseUrl', phrase`an http or https URL`);
  const wireApi = entry.wireApi ?? 'completions';
  if (wireApi !== 'completions' && wireApi !== 'responses') throw wrong('wireApi', phrase`“completions” or “responses”`);
  if (type !== undefined && type !== 'openai' && type !== 'azure' && type !== 'anthropic')
    throw wrong('type', phrase`“openai”, “azure” or “anthropic”`);
  if (contextWindow !== undefined && !(Number.isSafeInteger(contextWindow) && (contextWindow as number) > 0))
    throw wrong('contextWindow', phrase`a whole number of tokens`);
  if (vision !== undefined && typeof vision !== 'boolean') throw wrong('vision', phrase`true or false`);
  if (reasoningEffort !== undefined && typeof reasoningEffort !== 'boolean' && !isReasoningEffort(reasoningEffort))
    throw wrong('reasoningEffort', phrase`true, false or one of ${REASONING_EFFORTS.join(', ')}`);
  if (apiKey !== undefined && typeof apiKey !== 'string') throw wrong('apiKey', phrase`a text`);
  return {
    id: text('id'),
    ...(entry.model !== undefined && { model: text('model') }),
    name: text('name'),
    baseUrl: withoutEnd(baseUrl, '/'),
    wireApi,
    ...(type !== undefined && { type }),
    ...(contextWindow !== undefined && { contextWindow: contextWindow as number }),
    ...(vision !== undefined && { vision }),
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
  };
}

export function isReasoningEffort(value: unknown): value is ReasoningEffort {
  return REASONING_EFFORTS.includes(value as ReasoningEffort);
}
