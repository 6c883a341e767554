/** The output of a terminal as one VT stream. */
import type { TerminalState } from '../../../ahp/v1/terminal.ts';

const cache = new WeakMap<TerminalState['content'], string>();

/** Parts of unknown kinds are left out. */
export function terminalText(state: TerminalState): string {
  let text = cache.get(state.content);
  if (text === undefined) {
    text = state.content.map((part) => (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : '')).join('');
    cache.set(state.content, text);
  }
  return text;
}
