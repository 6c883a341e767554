/** The output of a terminal as one VT stream. */
import type { TerminalCore } from '../../../ahp/common/terminal.ts';

const cache = new WeakMap<TerminalCore['content'], string>();

/** Parts of unknown kinds are left out. */
export function terminalText(state: Pick<TerminalCore, 'content'>): string {
  let text = cache.get(state.content);
  if (text === undefined) {
    text = state.content.map((part) => (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : '')).join('');
    cache.set(state.content, text);
  }
  return text;
}
