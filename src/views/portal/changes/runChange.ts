/** What a person does to a run, in words of the portal's interface. */
import * as z from 'zod/mini';

/** `workIdInJob`, and how often it ran before. */
const step = z.string().check(z.regex(/^\d{1,10}#\d{1,10}$/));
/** The portal has a lower limit, and says so. */
const text = z.string().check(z.maxLength(1_000_000));

/** `kind` is its name in the portal's interface, and the rest what is sent. */
export const runChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stop') }),
  /** Starts nothing new. */
  z.object({ kind: z.literal('pause') }),
  /** From the steps that failed or never ended, or without the pause that was to come. `loopCap`: how often a loop may go round then. */
  z.object({ kind: z.literal('continue'), loopCap: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))) }),
  /** The step counts as done. */
  z.object({ kind: z.literal('skip'), step }),
  /** Tells the agent of a step that runs something. */
  z.object({ kind: z.literal('steer'), step, text }),
  /** Goes on from a step. `edit`: what another one, or the same, gets from then on. */
  z.object({
    kind: z.literal('retry'),
    from: step,
    edit: z.optional(z.object({ step, userInput: z.optional(text), prompt: z.optional(text) })),
  }),
]);
export type RunChange = z.infer<typeof runChange>;
