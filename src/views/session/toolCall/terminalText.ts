/** The end of what a terminal printed, as one VT stream: what a terminal keeps in its scrollback, however much there was before it. */
import { isRecord } from '../../../base/isRecord.ts';
import type { TerminalCore } from '../../../ahp/common/terminal.ts';

/** Characters. More than the lines that a terminal keeps, with their colours. */
const MAX_TEXT = 1_000_000;

export interface TerminalText {
  /** The last characters of the output. */
  readonly text: string;
  /** How many characters the whole output has. */
  readonly end: number;
}

type Parts = TerminalCore['content'];
type Part = Parts[number];

const cache = new WeakMap<Parts, TerminalText>();

/** Parts of unknown kinds are left out. */
export function terminalText({ content }: Pick<TerminalCore, 'content'>): TerminalText {
  let known = cache.get(content);
  if (!known) {
    known = { text: tailOf(content).map(outputOf).join(''), end: content.reduce((sum, part) => sum + outputOf(part).length, 0) };
    cache.set(content, known);
  }
  return known;
}

/** What has come since, or undefined where the terminal has to be drawn anew. */
export function addedText(before: TerminalText, now: TerminalText): string | undefined {
  const count = now.end - before.end;
  const kept = now.text.length - count;
  if (count < 0 || kept < 0 || !before.text.endsWith(now.text.slice(0, kept))) return undefined;
  return now.text.slice(kept);
}

/** The state without what is not shown of a long output, for a page. Actions change it as they change the whole. May have any shape. */
export function withoutBeginning(state: object): object {
  const content: unknown = 'content' in state ? state.content : undefined;
  if (!Array.isArray(content) || !content.every(isRecord)) return state;
  const parts = content as unknown as Parts;
  const tail = tailOf(parts);
  return tail === parts ? state : { ...state, content: tail };
}

/** The same parts, or the last ones with as many characters as are shown. */
function tailOf(content: Parts): Parts {
  const tail: Part[] = [];
  let left = MAX_TEXT;
  for (const part of content.toReversed()) {
    const output = outputOf(part);
    if (output.length > left) return [...(left > 0 ? [withOutput(part, output.slice(-left))] : []), ...tail.toReversed()];
    left -= output.length;
    tail.push(part);
  }
  return content;
}

function outputOf(part: Part): string {
  const output = part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : '';
  return typeof output === 'string' ? output : '';
}

function withOutput(part: Part, output: string): Part {
  return { ...part, [part.type === 'command' ? 'output' : 'value']: output } as Part;
}
