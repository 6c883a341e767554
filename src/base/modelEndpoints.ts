/**
 * Models that the user brings, and how they get from the extension to the host: with `authenticate`, as the "token" of a protected resource
 * of our own that the Copilot agent declares. Tokens are kept in memory only and never echoed; the protocol's configuration, which every
 * client can read, would be the wrong place for keys.
 */
export const MODEL_ENDPOINTS_RESOURCE = 'https://tapline.invalid/models';

export type ReasoningEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** One model on a server with an OpenAI-, Azure- or Anthropic-like interface. The resource's token is the JSON text of a list of these. */
export interface ModelEndpoint {
  /** What the server calls the model. */
  id: string;
  /** What the user calls it. */
  name: string;
  /** Such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  wireApi: 'completions' | 'responses';
  type?: 'openai' | 'azure' | 'anthropic';
  /** Tokens. */
  contextWindow?: number;
  vision?: boolean;
  /** True when the model takes an effort; a level is the one to start with. */
  reasoningEffort?: boolean | ReasoningEffort;
  /** Never on disk in clear text, never in an argument. */
  apiKey?: string;
}
