/**
 * Types that several resources of the Agent Host Protocol share.
 * Source: the state types of 27 April 2026 (AHP v1). Wire names and values are theirs.
 */
import * as z from 'zod/mini';
import { icon } from '../common/shapes.ts';
import { id, listOf, openEnum, recordOf, tagged, type UnknownTag, uri } from '../common/schemas.ts';

export type { UnknownTag };

export { contentRef, fileEdit, stringOrMarkdown } from '../common/shapes.ts';
export type {
  ContentRef,
  ErrorInfo,
  FileEdit,
  FileEditSide,
  Icon,
  ProtectedResourceMetadata,
  StringOrMarkdown,
  URI,
  UsageInfo,
} from '../common/shapes.ts';

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
