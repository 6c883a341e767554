/**
 * The user's own models (`models/modelEndpoints`). They are checked when a client sends them, and converted for the engine and for clients.
 */
import type { SessionConfig } from '@github/copilot-sdk';
import type { ConfigSchema } from '../../../../ahp/channels/shapes/config.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { SessionModelInfo } from '../../../../ahp/channels/root.ts';
import { checkedEndpoint, REASONING_EFFORTS } from '../../../../models/endpointChecks.ts';
import type { ModelEndpoint, ReasoningEffort } from '../../../../models/modelEndpoints.ts';

const MAX_ENDPOINTS = 100;
/** The rest of the context window is for the answer. */
const PROMPT_SHARE = 0.8;

/** Throws an error that says what is wrong. It does not quote values, which may be secrets. */
export function parseEndpoints(text: string): ModelEndpoint[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw new Error('the endpoints are not JSON');
  }
  return checkedEndpoints(value);
}

export function checkedEndpoints(value: unknown): ModelEndpoint[] {
  if (!Array.isArray(value)) throw new Error('the endpoints must be a list');
  if (value.length > MAX_ENDPOINTS) throw new Error(`at most ${MAX_ENDPOINTS} endpoints are possible`);
  const endpoints = value.map((entry: unknown, index) => checkedEndpoint(entry, `endpoint ${index + 1}`));
  const ids = endpoints.map(({ id }) => id);
  const double = ids.find((id, index) => ids.indexOf(id) !== index);
  if (double !== undefined) throw new Error(`two endpoints have the id “${double}”`);
  return endpoints;
}

/** The model for clients, without its address and key. */
export function endpointModel(endpoint: ModelEndpoint, provider: string): SessionModelInfo {
  const { id, name, contextWindow, vision, reasoningEffort } = endpoint;
  return {
    id,
    provider,
    name,
    ...(contextWindow !== undefined && { maxContextWindow: contextWindow }),
    supportsVision: vision === true,
    // It costs nothing of the user's account, in the words of VS Code's agent hosts.
    _meta: { multiplierNumeric: 0 },
    ...(reasoningEffort !== undefined &&
      reasoningEffort !== false && {
        configSchema: effortSchema(REASONING_EFFORTS, typeof reasoningEffort === 'string' ? reasoningEffort : 'medium'),
      }),
  };
}

export function effortSchema(levels: readonly ReasoningEffort[], initially: ReasoningEffort): ConfigSchema {
  return {
    type: 'object',
    properties: {
      reasoningEffort: {
        type: 'string',
        title: l10n.t('Reasoning effort'),
        description: l10n.t('How much the model thinks before it answers.'),
        enum: [...levels],
        default: initially,
      },
    },
  };
}

/** The server and the model for the engine. */
export function endpointProvider(endpoint: ModelEndpoint): Pick<SessionConfig, 'provider' | 'modelCapabilities'> {
  const { baseUrl, wireApi, type = 'openai', contextWindow, vision, reasoningEffort, apiKey } = endpoint;
  const maxPromptTokens = contextWindow === undefined ? undefined : Math.floor(contextWindow * PROMPT_SHARE);
  return {
    provider: {
      type,
      // The engine adds the whole path of the API to an Anthropic address. Users often write the address with a part of it.
      baseUrl: type === 'anthropic' ? baseUrl.replace(/\/v1(\/messages)?$/, '') : baseUrl,
      wireApi,
      ...(apiKey !== undefined && { apiKey }),
      ...(maxPromptTokens !== undefined && { maxPromptTokens }),
    },
    modelCapabilities: {
      supports: { vision: vision === true, reasoningEffort: reasoningEffort !== undefined && reasoningEffort !== false },
      ...(contextWindow !== undefined && {
        limits: { max_context_window_tokens: contextWindow, max_prompt_tokens: maxPromptTokens },
      }),
    },
  };
}
