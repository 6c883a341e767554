/** What is served, whichever dialect a client speaks. */
import type { Item, Mention } from '../openctx/protocol/later.ts';
import type { Range, Resource } from '../openctx/protocol/messages.ts';

/** Without a range it is of the whole resource. */
export type ResourceItem = Item & { range?: Range };

export interface MentionQuery {
  query?: string;
  uri?: string;
}

/** Its methods reject with a `UserError` whose text is for the client. */
export interface ServedProvider {
  /** For people. */
  readonly name: string;
  /** Where it is served, without a slash at either end. */
  readonly path: string;
  itemsOf(resource: Resource, signal: AbortSignal): Promise<ResourceItem[]>;
  mentions(query: MentionQuery, signal: AbortSignal): Promise<Mention[]>;
  /** Of something that can be mentioned. */
  itemsOfMention(mention: Mention, signal: AbortSignal): Promise<Item[]>;
}
