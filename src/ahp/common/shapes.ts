/** Small shapes that both dialects have. What only the later one sends is optional. */
import * as z from 'zod/mini';
import { listOf, openEnum, uri } from './schemas.ts';

/** A URI. */
export type URI = string;

/** A string is plain text, an object holds Markdown. */
export const stringOrMarkdown = z.union([z.string(), z.object({ markdown: z.string() })]);
export type StringOrMarkdown = string | { markdown: string };

export const icon = z.object({
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
  _meta?: Record<string, unknown>;
}

/** Token counts of one turn. */
export interface UsageInfo {
  inputTokens?: number;
  outputTokens?: number;
  model?: string;
  cacheReadTokens?: number;
  _meta?: Record<string, unknown>;
}

export const contentRef = z.object({
  uri,
  /** Approximate size in bytes. */
  sizeHint: z.optional(z.number()),
  contentType: z.optional(z.string()),
  /** Another nonce means other content. */
  nonce: z.optional(z.string()),
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
