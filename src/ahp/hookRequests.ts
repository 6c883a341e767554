/**
 * A vendor extension between our host and a client that lends tools to its sessions: the host asks the session's active client before it runs
 * a call, and for what providers add to the system message. Both sides announce it in `_meta` of `initialize`; without it nothing is asked.
 */
import * as z from 'zod/mini';
import { isRecord } from '../base/isRecord.ts';
import { count, id, listOf, recordOf } from './common/schemas.ts';

/** Key in `_meta` of the parameters of `initialize` and of its result. The value is the version of this extension. */
const HOOKS = 'tapline.hooks';
const VERSION = 1;

/** For `_meta` of `initialize`, from either side. */
export const hooksMeta: Readonly<Record<string, unknown>> = { [HOOKS]: VERSION };

export function hasHooks(meta: unknown): boolean {
  return isRecord(meta) && meta[HOOKS] === VERSION;
}

/** The host's requests to a client. */
export const hookRequests = {
  /** May this call run? Asked once for each call, with its final input, and again when the user has changed the input. */
  'tapline/evaluateHooks': z.object({
    /** The session that the client lends tools to. Calls of its subagents are asked about there too. */
    session: id,
    turnId: id,
    toolCallId: id,
    toolName: id,
    /** Usually JSON. */
    input: z.optional(z.string()),
    /** There were rules about the last call of the session. If there are none now, their provider may be starting again. */
    wasGuarded: z.optional(z.boolean()),
  }),
  /** What is added to the system message of this turn. `sections` holds the agent's own sections, as far as it has any. */
  'tapline/sections': z.object({ session: id, turnId: id, sections: recordOf(z.string()) }),
};
export type HookRequest = keyof typeof hookRequests;
export type HookParams<M extends HookRequest> = z.infer<(typeof hookRequests)[M]>;

const providerText = z.object({ provider: z.string(), content: z.string() });
/** Text of a provider, untrusted. */
export type ProviderText = z.infer<typeof providerText>;

export const hookResults = {
  'tapline/evaluateHooks': z.object({
    decision: z.enum(['allow', 'deny']),
    /** For the model and the user. */
    reason: z.optional(z.string()),
    /** For the model, with the result. */
    context: z.optional(listOf(providerText)),
    /** False: there are no rules about calls. The host does not wait for such a client when it disconnects. */
    guarded: z.optional(z.boolean()),
  }),
  'tapline/sections': z.object({
    /** Sections with their new text, and what each provider has done: `append`, `prepend`, `replace` or `callback`. */
    sections: listOf(z.object({ section: z.string(), content: z.string(), parts: listOf(z.extend(providerText, { action: z.string() })) })),
    context: listOf(providerText),
    startup: listOf(providerText),
  }),
};
export type HookResult<M extends HookRequest> = z.infer<(typeof hookResults)[M]>;

/** What was added to the system message in some turns, for the user. In a session's `_meta`, newest last. */
export const SECTIONS = 'tapline.sections';
const part = z.object({
  kind: z.enum(['context', 'startup', 'section']),
  /** Untrusted, like the content. */
  provider: z.string(),
  /** Of the section, and what was done to it: `append`, `prepend`, `replace` or `callback`. */
  name: z.optional(z.string()),
  action: z.optional(z.string()),
  /** Its beginning, where `length` is greater. */
  content: z.string(),
  length: count,
});
const record = z.object({ turns: listOf(z.string()), parts: listOf(part) });
export type SectionPart = z.infer<typeof part>;
export type SectionsRecord = z.infer<typeof record>;

/** Of a state from any host. */
export function sectionRecords(meta: unknown): SectionsRecord[] {
  return (isRecord(meta) && listOf(record).safeParse(meta[SECTIONS]).data) || [];
}

/** What was added, by turn. */
export function sectionsByTurn(meta: unknown): ReadonlyMap<string, readonly SectionPart[]> {
  return new Map(sectionRecords(meta).flatMap(({ turns, parts }) => turns.map((turn) => [turn, parts] as const)));
}
