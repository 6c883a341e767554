import { list, may, needs, number, object, or, text, union } from './parts/shapeChecks.ts';
import type { TerminalState } from '../channels/terminal.ts';

export const lifecycle = or({ status: 'running' }, union('status', { exited: object({ exitCode: may(number) }) }));

const terminal = object({
  title: or('', text),
  lifecycle,
  content: or([], list(union('type', { unclassified: object({ value: needs(text) }), command: object({ output: needs(text) }) }))),
});

const noTerminal = { title: '', content: [], lifecycle: { status: 'running' } };

export function wellFormedTerminal(value: TerminalState): TerminalState {
  return (terminal(value) ?? noTerminal) as TerminalState;
}
