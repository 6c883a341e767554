/** What is wrong with an entry of the portal, at its places in the text: what the portal would say of it. */
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { said } from '../../base/text/phrase.ts';
import { checkedEntry, type EntryWarning } from '../../portal/entry/validateEntry.ts';

/** A longer text is nobody's handwriting, and is not checked. */
export const MAX_ENTRY_LENGTH = 1_000_000;
const MAX_MARKS = 100;

export interface EntryMark {
  offset: number;
  length: number;
  message: string;
  /** The portal takes the entry. */
  isWarning?: true;
}

/** `isSchemaShown`: VS Code marks what the JSON schema says. A text that is no JSON has no marks: VS Code says that too. */
export function entryMarks(text: string, isSchemaShown: boolean): EntryMark[] {
  const tree = text.length > MAX_ENTRY_LENGTH ? undefined : parsed(text);
  if (!tree) return [];
  const { faults, unknown, warnings } = checkedEntry(JSON.parse(text));
  const marks = (found: readonly (EntryWarning & { isOfSchema?: boolean })[]): EntryMark[] =>
    found
      .filter(({ isOfSchema }) => !(isOfSchema && isSchemaShown))
      .slice(0, MAX_MARKS)
      .map(({ at, reason }) => ({ ...place(tree, at), message: said(reason) }));
  return [...marks(faults), ...marks([...unknown, ...warnings]).map((mark): EntryMark => ({ ...mark, isWarning: true }))];
}

function parsed(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  return errors.length === 0 ? tree : undefined;
}

/** Of the nearest part that is there: its value, or for an object or array what it is called. */
function place(tree: Node, at: readonly PropertyKey[]): { offset: number; length: number } {
  for (let length = at.length; length > 0; length--) {
    const path = at.slice(0, length).map((part) => (typeof part === 'number' ? part : String(part)));
    const node = findNodeAtLocation(tree, path);
    if (!node) continue;
    if (node.type !== 'object' && node.type !== 'array') return node;
    const name = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    return name ?? { offset: node.offset, length: 1 };
  }
  return { offset: tree.offset, length: 1 };
}
