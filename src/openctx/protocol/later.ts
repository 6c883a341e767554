/** The dialect of the published packages: `meta`, `mentions`, the `items` of a message or a mention, and `annotations` of a resource. */
import * as z from 'zod/mini';
import { itemFields, range, selector } from './messages.ts';

export const metaResult = z.object({
  name: z.string(),
  items: z.nullish(z.object({ messageSelectors: z.nullish(z.array(z.object({ pattern: z.string() }))) })),
  mentions: z.nullish(z.object({ label: z.nullish(z.string()), autoInclude: z.nullish(z.boolean()) })),
  annotations: z.nullish(z.object({ selectors: z.nullish(z.array(selector)) })),
});
export type MetaResult = z.infer<typeof metaResult>;

export const mention = z.object({
  title: z.string(),
  description: z.optional(z.string()),
  uri: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
});
export type Mention = z.infer<typeof mention>;
export const mentions = z.array(mention);

const item = z.object(itemFields);
export type Item = z.infer<typeof item>;
export const laterItems = z.array(item);

export const annotations = z.array(
  z.object({ uri: z.string(), range: z.nullish(range), item, presentationHints: z.optional(z.array(z.string())) }),
);
