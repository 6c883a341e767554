/** Small shapes of AHP 1.0. What the dialects share is in `ahp/common`. */
import * as z from 'zod/mini';
import { id, openEnum, recordOf, tagged, type UnknownTag, uri } from '../../common/schemas.ts';
import type { StringOrMarkdown, URI } from '../../common/shapes.ts';

/** A free object for extensions, by keys of their own. */
export type Meta = Record<string, unknown>;
export type JsonPrimitive = string | number | boolean | null;

const textPosition = z.object({
  /** From 0. */
  line: z.number(),
  /** From 0, in UTF-16 units. */
  character: z.number(),
});
export const textRange = z.object({ start: textPosition, end: textPosition });
export interface TextRange extends z.infer<typeof textRange> {}

export const textSelection = z.object({ range: textRange });
export interface TextSelection extends z.infer<typeof textSelection> {}

const jsonPrimitive = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const modelSelection = z.object({ id, config: z.optional(recordOf<JsonPrimitive>(jsonPrimitive)) });
/** A model and the values for its `configSchema`. */
export interface ModelSelection extends z.infer<typeof modelSelection> {}

export const agentSelection = z.object({ uri });
/** A custom agent, by the URI of its customization. */
export interface AgentSelection extends z.infer<typeof agentSelection> {}

export interface Implementation {
  name: string;
  version?: string;
  title?: string;
}

export interface ProjectInfo {
  uri: URI;
  displayName: string;
}

/** Lines added and deleted, files changed. */
export interface ChangesSummary {
  additions?: number;
  deletions?: number;
  files?: number;
}

/** A changeset as a session or chat lists it. Its files are the state of the expanded `uriTemplate`. */
export interface Changeset {
  label: string;
  uriTemplate: string;
  description?: string;
  /** For example `session`, `branch`, `uncommitted`, `turn`. */
  changeKind: string;
  /** `review`: files can be marked as reviewed. */
  capabilities?: { review?: object };
}

export interface AnnotationsSummary {
  resource: URI;
  annotationCount: number;
  entryCount: number;
}

const clientClaim = z.object({ kind: z.literal('client'), clientId: id });
const sessionClaim = z.object({
  kind: z.literal('session'),
  session: uri,
  chat: uri,
  turnId: z.optional(id),
  toolCallId: z.optional(id),
});
/** Who holds a terminal: a client, or a chat (for one of its tool calls). */
export type TerminalClaim = z.infer<typeof clientClaim> | z.infer<typeof sessionClaim> | { kind: UnknownTag };
/** A claim of a kind that is known to this version. */
export const knownTerminalClaim = z.discriminatedUnion('kind', [clientClaim, sessionClaim]);
export const terminalClaim: z.ZodMiniType<TerminalClaim> = tagged('kind', [clientClaim, sessionClaim]);

export type TerminalLifecycle = { status: 'running' } | { status: 'exited'; exitCode?: number } | { status: UnknownTag };

/** A terminal as the root lists it. */
export interface TerminalInfo {
  resource: URI;
  title: string;
  claim: TerminalClaim;
  lifecycle: TerminalLifecycle;
}

export const inputResponse = openEnum('accept', 'decline', 'cancel');
export type { StringOrMarkdown, URI, UnknownTag };
