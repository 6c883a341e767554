/**
 * Types that several resources of the Agent Host Protocol share.
 * Source: the state types of 27 April 2026 (protocol version 1). Wire names and values are theirs.
 */

/** A URI string, for example `agenthost:/root` or `copilot:/<uuid>`. */
export type URI = string;

/**
 * Stands in the types for every tag or enum value that this version does not know. On the wire it is any other string;
 * here it is one literal, because only literals let a `switch` over a union narrow and leave what is unknown to `default`.
 * Such values are kept in the state as they came and shown as unknown. Never compare with it.
 */
export type UnknownTag = '(unknown)';

/** A plain string is text as it is; an object asks for Markdown rendering. */
export type StringOrMarkdown = string | { markdown: string };

/** An icon that may be shown; its `src` is untrusted (remote, `data:`, or an SVG with script). */
export interface Icon {
  src: URI;
  contentType?: string;
  /** `WxH` strings, or `any` for scalable formats. */
  sizes?: string[];
  theme?: 'light' | 'dark' | UnknownTag;
}

/** OAuth 2.0 Protected Resource Metadata (RFC 9728), snake_case as there, with AHP's `required`. */
export interface ProtectedResourceMetadata {
  /** Identifier of the resource, an `https` URL without fragment. */
  resource: string;
  resource_name?: string;
  authorization_servers?: string[];
  jwks_uri?: string;
  scopes_supported?: string[];
  bearer_methods_supported?: string[];
  resource_signing_alg_values_supported?: string[];
  resource_encryption_alg_values_supported?: string[];
  resource_encryption_enc_values_supported?: string[];
  resource_documentation?: string;
  resource_policy_uri?: string;
  resource_tos_uri?: string;
  /** Absent means true: without a token the agent cannot be used. */
  required?: boolean;
}

export interface ErrorInfo {
  errorType: string;
  message: string;
  stack?: string;
}

/** Token counts of one turn. */
export interface UsageInfo {
  inputTokens?: number;
  outputTokens?: number;
  model?: string;
  cacheReadTokens?: number;
}

/** Content that is kept outside the state tree; read with `resourceRead`. */
export interface ContentRef {
  uri: URI;
  /** Approximate size in bytes. */
  sizeHint?: number;
  contentType?: string;
}

/** Where a file is (or was) and where its content of that moment can be read. */
export interface FileEditSide {
  uri: URI;
  content: ContentRef;
}

/** A changed file. Only `after`: created; only `before`: deleted; two different URIs: moved. */
export interface FileEdit {
  before?: FileEditSide;
  after?: FileEditSide;
  /** Lines (or cells) added and removed. */
  diff?: { added?: number; removed?: number };
}

/** A model and the values for its `configSchema`. */
export interface ModelSelection {
  id: string;
  config?: Record<string, string>;
}

export type ConfigPropertyType = 'string' | 'number' | 'boolean' | 'array' | 'object' | UnknownTag;

/** One property of a configuration: the JSON Schema subset of AHP and its display extensions. */
export interface ConfigPropertySchema {
  type: ConfigPropertyType;
  title: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  /** Parallel to `enum`. */
  enumLabels?: string[];
  /** Parallel to `enum`. */
  enumDescriptions?: string[];
  readOnly?: boolean;
  items?: ConfigPropertySchema;
  properties?: Record<string, ConfigPropertySchema>;
  required?: string[];
}

export interface ConfigSchema {
  type: 'object';
  properties: Record<string, ConfigPropertySchema>;
  required?: string[];
}

/** Reference to an Open Plugins plugin. */
export interface CustomizationRef {
  uri: URI;
  displayName: string;
  description?: string;
  icons?: Icon[];
  /** Opaque version token: a new nonce means that the plugin changed. */
  nonce?: string;
}

export interface UserMessage {
  text: string;
  attachments?: MessageAttachment[];
}
export interface MessageAttachment {
  type: 'file' | 'directory' | 'selection' | UnknownTag;
  uri: URI;
  displayName?: string;
}
