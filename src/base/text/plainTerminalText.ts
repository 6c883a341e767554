/** The output of a program as a reader sees it, without the sequences that draw it. */
import { withoutEnd } from './ends.ts';

/**
 * ECMA-48: titles, links and other strings up to BEL or ST, then control sequences, then other escapes. Each part takes characters that the
 * next one cannot begin with, and none takes another escape, so the work grows with the length alone.
 */
const SEQUENCES = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|(?:\u001b\[|\u009b(?=[0-?]))[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;
const OTHER_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function withoutSequences(output: string): string {
  return output.replace(SEQUENCES, '');
}

/** Line feeds and tabs stay. Of a line that was overwritten, such as a progress bar, only the last text stays. */
export function plainTerminalText(output: string): string {
  return withoutSequences(output).split('\n').map(lastState).join('\n').replace(OTHER_CONTROLS, '');
}

/** A carriage return before the line feed ends the line, and any other one begins it again. */
function lastState(line: string): string {
  const ended = withoutEnd(line, '\r');
  return ended.slice(ended.lastIndexOf('\r') + 1);
}
