/**
 * Models that the user adds. They get from the extension to the host with `authenticate`, as the "token" of a protected resource that the
 * Copilot agent declares. The protocol's configuration would be the wrong place for keys, because every client can read it. Tokens are kept
 * in memory only and never sent back.
 */
export const MODEL_ENDPOINTS_RESOURCE = 'https://tapline.invalid/models';

export type ReasoningEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/**
 * One model on a server with an API like that of OpenAI, Azure or Anthropic. The token of the resource is the JSON text of a list of these.
 */
export interface ModelEndpoint {
  /** Names the model here: each id is used once. */
  id: string;
  /** The server's name for the model, where that is not the id: two servers may have a model of the same name. */
  model?: string;
  /** The user's name for the model. */
  name: string;
  /** For example `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  wireApi: 'completions' | 'responses';
  type?: 'openai' | 'azure' | 'anthropic';
  /** In tokens. */
  contextWindow?: number;
  vision?: boolean;
  /** True when the model accepts a reasoning effort. A level is the default one. */
  reasoningEffort?: boolean | ReasoningEffort;
  /** Never written to disk in clear text or passed as an argument. */
  apiKey?: string;
}
