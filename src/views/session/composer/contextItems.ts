/** What the user attaches of context providers to a message: exactly the texts that the model gets, within a budget. */
import type { ContextPart } from '../../../base/text/contextBlock.ts';

/** As providers of models say it for English text and code. What a model really counts differs a little. */
export const CHARACTERS_A_TOKEN = 4;

export interface ContextItem {
  /** As the settings name it. */
  provider: string;
  title: string;
  /** All that the model gets. */
  text: string;
  /** The attached file that it is about. */
  file?: string | undefined;
}

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}

/** Where an item is from, short: the host of an address and what it ends with, without what a path in between may keep secret; the name of a file. */
export function sourceOf(provider: string): string {
  const isAddress = /^https?:/i.test(provider) && URL.canParse(provider);
  const { host, pathname } = isAddress ? new URL(provider) : { host: undefined, pathname: provider };
  const last = pathname.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return [host, last].filter(Boolean).join('/');
}

export interface Budgeted {
  items: ContextItem[];
  /** What had no room. */
  leftOut: ContextItem[];
}

/** The items with those that are added, each once, as far as they have room. `budget`: in tokens. */
export function withItems(items: readonly ContextItem[], added: readonly ContextItem[], budget: number): Budgeted {
  const result: Budgeted = { items: [...items], leftOut: [] };
  const keyOf = ({ provider, title, text }: ContextItem) => JSON.stringify([provider, title, text]);
  const known = new Set(items.map(keyOf));
  let left = budget - items.reduce((sum, { text }) => sum + tokensOf(text), 0);
  for (const item of added) {
    const key = keyOf(item);
    if (known.has(key)) continue;
    const tokens = tokensOf(item.text);
    if (tokens > left) {
      result.leftOut.push(item);
      continue;
    }
    left -= tokens;
    known.add(key);
    result.items.push(item);
  }
  return result;
}

export function partsOf(items: readonly ContextItem[]): ContextPart[] {
  return items.map(({ provider, title, text }) => ({ kind: 'item', provider, name: title, content: text }));
}

/** Of a message that goes back into the composer. */
export function itemsOf(parts: readonly ContextPart[]): ContextItem[] {
  return parts.flatMap(({ kind, provider, name = '', content }) => (kind === 'item' ? [{ provider, title: name, text: content }] : []));
}
