import * as z from 'zod/mini';
import { listedItem } from '../../attention/listedItem.ts';

/** Something that waits for a person. `id`: the same for as long as it waits. `revision`: of exactly what is listed. */
export const waitingItem = z.extend(listedItem, { id: z.string(), revision: z.string() });
export type WaitingItem = z.infer<typeof waitingItem>;

/** Of `attention`, and of each event of `attention/events`. */
export const attentionList = z.object({ items: z.array(waitingItem), isComplete: z.boolean() });
export type AttentionList = z.infer<typeof attentionList>;
