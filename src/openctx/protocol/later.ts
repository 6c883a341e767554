/** The dialect of the published packages: `meta`, `mentions`, the `items` of a message or a mention, and `annotations` of a resource. */
import * as z from 'zod/mini';
import { itemFields, range } from './messages.ts';

export const metaResult = z.object({
  name: z.string(),
  items: z.optional(z.object({ messageSelectors: z.optional(z.array(z.object({ pattern: z.string() }))) })),
  mentions: z.optional(z.object({ label: z.optional(z.string()), autoInclude: z.optional(z.boolean()) })),
  /** Each selector is checked where it is used, so that a wrong one does not fail the provider. */
  annotations: z.optional(z.object({ selectors: z.optional(z.array(z.unknown())) })),
});
export type MetaResult = z.infer<typeof metaResult>;

export const mention = z.object({
  title: z.string(),
  description: z.optional(z.string()),
  uri: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
});
export type Mention = z.infer<typeof mention>;

export const laterItem = z.object(itemFields);
export type Item = z.infer<typeof laterItem>;

export const annotation = z.object({
  uri: z.string(),
  range: z.optional(range),
  item: laterItem,
  presentationHints: z.optional(z.array(z.string())),
});
