/** The requests of `tapline.hooks` and their results, for the sides that make and answer them. */
import * as z from 'zod/mini';
import { id, listOf, recordOf } from '../common/schemas.ts';

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
