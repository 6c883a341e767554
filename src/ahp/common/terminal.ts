/** What the terminals of both dialects have in common: a pty of the host, what it printed, and how it is reduced. */
import { isRecord } from '../../base/isRecord.ts';
import { listIn, listOf, placesWhere, type Recipe, setField, textOf } from './reducers/reducer.ts';
import type { UnknownTag } from './schemas.ts';
import type { URI } from './shapes.ts';

/** `Claim`: who holds the terminal. */
export interface TerminalCore<Claim extends object = object> {
  title: string;
  /** A URI by the specification. VS Code 1.117 sends a plain path. */
  cwd?: URI;
  cols?: number;
  rows?: number;
  /** In order. The joined text of all parts is the raw VT stream. */
  content: TerminalContentPart[];
  claim: Claim;
  /** True when the host detects commands and their output. */
  supportsCommandDetection?: boolean;
}

export type TerminalContentPart = TerminalUnclassifiedPart | TerminalCommandPart | UnknownTerminalPart;
/** Output that belongs to no command. */
export interface TerminalUnclassifiedPart {
  type: 'unclassified';
  value: string;
}
/** A command line and its output, which grows until `isComplete`. */
export interface TerminalCommandPart {
  type: 'command';
  commandId: string;
  commandLine: string;
  /** VT output, without the shell integration's own sequences. */
  output: string;
  /** Start, in ms since the epoch, by the host's clock. */
  timestamp: number;
  isComplete: boolean;
  exitCode?: number;
  /** Wall-clock milliseconds. */
  durationMs?: number;
}
export interface UnknownTerminalPart {
  type: UnknownTag;
}

type TerminalCoreAction =
  | { type: 'terminal/data' | 'terminal/input'; data: string }
  | { type: 'terminal/resized'; cols: number; rows: number }
  | { type: 'terminal/claimed'; claim: object }
  | { type: 'terminal/titleChanged'; title: string }
  | { type: 'terminal/cwdChanged'; cwd: URI }
  | { type: 'terminal/cleared' | 'terminal/commandDetectionAvailable' }
  | { type: 'terminal/commandExecuted'; commandId: string; commandLine: string; timestamp: number }
  | CommandFinished;
interface CommandFinished {
  type: 'terminal/commandFinished';
  commandId: string;
  exitCode?: number;
  durationMs?: number;
}

/** Reduces all of a terminal but its end. */
export const terminalRecipe: Recipe<TerminalCore, TerminalCoreAction> = (draft, action) => {
  switch (action.type) {
    case 'terminal/data':
      if (typeof action.data === 'string') appendOutput(draft, action.data);
      break;
    case 'terminal/resized':
      if (typeof action.cols === 'number') setField(draft, 'cols', action.cols);
      if (typeof action.rows === 'number') setField(draft, 'rows', action.rows);
      break;
    case 'terminal/claimed':
      if (isRecord(action.claim)) setField(draft, 'claim', action.claim);
      break;
    case 'terminal/titleChanged':
      if (typeof action.title === 'string') setField(draft, 'title', action.title);
      break;
    case 'terminal/cwdChanged':
      if (typeof action.cwd === 'string') setField(draft, 'cwd', action.cwd);
      break;
    case 'terminal/cleared':
      setField(draft, 'content', []);
      break;
    case 'terminal/commandDetectionAvailable':
      setField(draft, 'supportsCommandDetection', true);
      break;
    case 'terminal/commandExecuted': {
      const { commandId, commandLine, timestamp } = action;
      if (typeof commandId !== 'string') break;
      listIn(draft, 'content').push({ type: 'command', commandId, commandLine, output: '', timestamp, isComplete: false });
      setField(draft, 'supportsCommandDetection', true);
      break;
    }
    case 'terminal/commandFinished':
      finishCommand(draft, action);
      break;
    default: // `terminal/input` too: keystrokes show in the output of the pty
  }
};

function isCommand(part: TerminalContentPart | undefined): part is TerminalCommandPart {
  return isRecord(part) && part.type === 'command';
}

function isRunningCommand(part: TerminalContentPart | undefined): part is TerminalCommandPart {
  return isCommand(part) && !part.isComplete;
}

/** Only the last part grows. The joined parts must give the stream, and hosts send late output of a command after its end. */
function appendOutput(draft: TerminalCore, data: string): void {
  const last = listOf(draft.content).at(-1);
  const isText = isRecord(last) && last.type === 'unclassified';
  if (data === '' && (isRunningCommand(last) || isText)) return;
  if (isRunningCommand(last)) last.output = textOf(last.output) + data;
  else if (isText) (last as TerminalUnclassifiedPart).value = textOf(last.value) + data;
  else listIn(draft, 'content').push({ type: 'unclassified', value: data });
}

/** Every command of that id, also a complete one. An absent value removes the earlier one. */
function finishCommand(draft: TerminalCore, { commandId, exitCode, durationMs }: CommandFinished): void {
  const content = listOf(draft.content);
  for (const place of placesWhere(content, (part) => isCommand(part) && part.commandId === commandId)) {
    const command = content[place] as TerminalCommandPart;
    command.isComplete = true;
    setField(command, 'exitCode', exitCode);
    setField(command, 'durationMs', durationMs);
  }
}
