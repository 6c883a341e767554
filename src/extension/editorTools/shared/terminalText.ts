/** The output of a terminal as a reader sees it, without the sequences that draw it. */
import { stripVTControlCharacters } from 'node:util';

/** VS Code's shell integration, and titles and links of programs. Node's own function leaves out those that end with ST. */
const OPERATING_SYSTEM_COMMANDS = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const OTHER_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function plainTerminalText(output: string): string {
  const text = stripVTControlCharacters(output.replace(OPERATING_SYSTEM_COMMANDS, ''));
  return text.split(/\r*\n/).map(lastState).join('\n').trim();
}

/** Programs write a line again after a carriage return, for example to show progress. */
function lastState(line: string): string {
  const states = line.replace(/\r+$/, '').split('\r');
  return (states.at(-1) ?? '').replace(OTHER_CONTROLS, '');
}
