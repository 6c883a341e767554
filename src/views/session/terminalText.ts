/** What a terminal printed, as one VT stream. */
import type { TerminalState } from '../../ahp/v1/terminal.ts';

const cache = new WeakMap<TerminalState['content'], string>();

/** Parts of a later version that this one cannot read are left out. */
export function terminalText(state: TerminalState): string {
  let text = cache.get(state.content);
  if (text === undefined) {
    text = state.content.map((part) => (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : '')).join('');
    cache.set(state.content, text);
  }
  return text;
}
