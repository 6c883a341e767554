/** The dialect of OpenCtx 0.1: `capabilities`, and the `items` of a resource. */
import * as z from 'zod/mini';
import { itemFields, range } from './messages.ts';

/** Each selector is checked where it is used, so that a wrong one does not fail the provider. */
export const capabilitiesResult = z.object({ selector: z.optional(z.array(z.unknown())) });
export type CapabilitiesResult = z.infer<typeof capabilitiesResult>;

export const seedItem = z.object({ ...itemFields, range: z.optional(range) });
