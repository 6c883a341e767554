import * as z from 'zod/mini';
import { listedItem } from '../../attention/listedItem.ts';

/** Something that waits for a person. `id`: the same for as long as it waits. `revision`: of exactly what is listed. */
export const waitingItem = z.extend(listedItem, { id: z.string(), revision: z.string() });
export type WaitingItem = z.infer<typeof waitingItem>;

/** Of `attention`, and of each event of `attention/events`. */
export const attentionList = z.object({ items: z.array(waitingItem), isComplete: z.boolean() });
export type AttentionList = z.infer<typeof attentionList>;

/** Of `attention/ID`, with what says why it was not answered. Errors of other versions are shown as they are. */
export const attentionAnswer = z.object({
  result: z.optional(z.string()),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  /** By the ids of questions. */
  problems: z.optional(z.record(z.string(), z.string())),
});
