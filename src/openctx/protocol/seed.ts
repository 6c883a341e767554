/** The dialect of OpenCtx 0.1: `capabilities`, and the `items` of a resource. */
import * as z from 'zod/mini';
import { itemFields, range, selector } from './messages.ts';

export const capabilitiesResult = z.object({ selector: z.optional(z.array(selector)) });
export type CapabilitiesResult = z.infer<typeof capabilitiesResult>;

export const seedItem = z.object({ ...itemFields, range: z.optional(range) });
