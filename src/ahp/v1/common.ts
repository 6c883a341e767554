/**
 * Types that several resources of the Agent Host Protocol share.
 * Source: the state types of 27 April 2026 (protocol version 1). Wire names and values are theirs.
 */
import * as z from 'zod/mini';
import { id, listOf, openEnum, recordOf, tagged, type UnknownTag, uri } from './schemas.ts';

export type { UnknownTag };

/** A URI string, for example `agenthost:/root` or `copilot:/<uuid>`. */
export type URI = string;

/** A string is plain text, an object holds Markdown. */
export const stringOrMarkdown = z.union([z.string(), z.object({ markdown: z.string() })]);
export type StringOrMarkdown = string | { markdown: string };

const icon = z.object({
  src: z.string(),
  contentType: z.optional(z.string()),
  /** `WxH` strings, or `any` for scalable formats. */
  sizes: z.optional(listOf(z.string())),
  theme: z.optional(openEnum('light', 'dark')),
});
/** An icon that may be shown. Its `src` is untrusted (remote, `data:`, or an SVG with script). */
export interface Icon extends z.infer<typeof icon> {}

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

export const contentRef = z.object({
  uri,
  /** Approximate size in bytes. */
  sizeHint: z.optional(z.number()),
  contentType: z.optional(z.string()),
});
/** Content that is kept outside the state. Read it with `resourceRead`. */
export interface ContentRef extends z.infer<typeof contentRef> {}

const fileEditSide = z.object({ uri, content: contentRef });
/** Where a file is (or was) and where its content of that moment can be read. */
export interface FileEditSide extends z.infer<typeof fileEditSide> {}

export const fileEdit = z.object({
  before: z.optional(fileEditSide),
  after: z.optional(fileEditSide),
  /** Lines (or cells) added and removed. */
  diff: z.optional(z.object({ added: z.optional(z.number()), removed: z.optional(z.number()) })),
});
/** A changed file. With `after` only it was created, with `before` only deleted, with two different URIs moved. */
export interface FileEdit extends z.infer<typeof fileEdit> {}

export const modelSelection = z.object({ id, config: z.optional(recordOf(z.string())) });
/** A model and the values for its `configSchema`. */
export interface ModelSelection extends z.infer<typeof modelSelection> {}

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

export const customizationRef = z.object({
  uri: id,
  displayName: z.string(),
  description: z.optional(z.string()),
  icons: z.optional(listOf(icon)),
  /** Opaque version token. Another nonce means that the plugin has changed. */
  nonce: z.optional(z.string()),
});
/** Reference to an Open Plugins plugin. */
export interface CustomizationRef extends z.infer<typeof customizationRef> {}

export const messageAttachment = z.object({
  type: openEnum('file', 'directory', 'selection'),
  uri,
  displayName: z.optional(z.string()),
});
export interface MessageAttachment extends z.infer<typeof messageAttachment> {}

export const userMessage = z.object({ text: z.string(), attachments: z.optional(listOf(messageAttachment)) });
export interface UserMessage extends z.infer<typeof userMessage> {}

const clientClaim = z.object({ kind: z.literal('client'), clientId: id });
export interface TerminalClientClaim extends z.infer<typeof clientClaim> {}
const sessionClaim = z.object({ kind: z.literal('session'), session: uri, turnId: z.optional(id), toolCallId: z.optional(id) });
export interface TerminalSessionClaim extends z.infer<typeof sessionClaim> {}
export interface UnknownTerminalClaim {
  kind: UnknownTag;
}
/** Who holds a terminal: a client, or a session (for one of its tool calls). */
export type TerminalClaim = TerminalClientClaim | TerminalSessionClaim | UnknownTerminalClaim;
export const terminalClaim: z.ZodMiniType<TerminalClaim> = tagged('kind', [clientClaim, sessionClaim]);
/** A claim with no tag that is unknown to this version. */
export const knownTerminalClaim = z.discriminatedUnion('kind', [clientClaim, sessionClaim]);
