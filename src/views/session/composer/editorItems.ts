/** What the user takes from the editor, as a text that goes along with a message: any agent can read it, also of what is not saved. */
import type { ContextItem } from './contextItems.ts';
import { oneLine } from '../../text/oneLine.ts';

const PROVIDER = 'the editor';

export interface Lines {
  /** From the folder of the session, where the file is in it. */
  path: string;
  /** Counted from 1; both belong to it. */
  from: number;
  to: number;
  text: string;
}

export function selectionItem({ path, from, to, text }: Lines): ContextItem {
  return { provider: PROVIDER, title: titleOf(path, from, to), text: `${linesText(from, to)} of ${path}, selected in the editor:\n\n${text}` };
}

function titleOf(path: string, from: number, to: number): string {
  return `${oneLine(path.slice(path.lastIndexOf('/') + 1))}:${from === to ? from : `${from}-${to}`}`;
}

function linesText(from: number, to: number): string {
  return from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
}
