/** Terminal resources (`agenthost-terminal:/<id>`): a pty of the host and what it printed. */
import type { UnknownTag, URI } from './common.ts';
import { createReducer, isAbsent, isRecord, listOf, omitAbsent, peek, setField, textOf } from './reducer.ts';

export interface TerminalState {
  title: string;
  /** A URI by the types; real 1.117 hosts send a plain path. */
  cwd?: URI;
  cols?: number;
  rows?: number;
  /** In order; joining every part's text gives the raw VT stream. */
  content: TerminalContentPart[];
  /** Set when the process has exited. */
  exitCode?: number;
  claim: TerminalClaim;
  /** True when the host tells commands and their output apart. */
  supportsCommandDetection?: boolean;
}

/** Who holds a terminal: a client, or a session (for one of its tool calls). */
export type TerminalClaim = TerminalClientClaim | TerminalSessionClaim | UnknownTerminalClaim;
export interface TerminalClientClaim {
  kind: 'client';
  clientId: string;
}
export interface TerminalSessionClaim {
  kind: 'session';
  session: URI;
  turnId?: string;
  toolCallId?: string;
}
export interface UnknownTerminalClaim {
  kind: UnknownTag;
}

export type TerminalContentPart = TerminalUnclassifiedPart | TerminalCommandPart | UnknownTerminalPart;
/** Output that belongs to no command. */
export interface TerminalUnclassifiedPart {
  type: 'unclassified';
  value: string;
}
/** One command line and what it printed; grows until `isComplete`. */
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

interface TerminalActionBase {
  terminal: URI;
}
/** Output of the pty. */
export interface TerminalDataAction extends TerminalActionBase {
  type: 'terminal/data';
  data: string;
}
/** Keystrokes for the pty; changes no state. Client-dispatchable. */
export interface TerminalInputAction extends TerminalActionBase {
  type: 'terminal/input';
  data: string;
}
/** Client-dispatchable. */
export interface TerminalResizedAction extends TerminalActionBase {
  type: 'terminal/resized';
  cols: number;
  rows: number;
}
/** Client-dispatchable. */
export interface TerminalClaimedAction extends TerminalActionBase {
  type: 'terminal/claimed';
  claim: TerminalClaim;
}
/** Client-dispatchable. */
export interface TerminalTitleChangedAction extends TerminalActionBase {
  type: 'terminal/titleChanged';
  title: string;
}
export interface TerminalCwdChangedAction extends TerminalActionBase {
  type: 'terminal/cwdChanged';
  cwd: URI;
}
export interface TerminalExitedAction extends TerminalActionBase {
  type: 'terminal/exited';
  exitCode?: number;
}
/** Client-dispatchable. */
export interface TerminalClearedAction extends TerminalActionBase {
  type: 'terminal/cleared';
}
export interface TerminalCommandDetectionAvailableAction extends TerminalActionBase {
  type: 'terminal/commandDetectionAvailable';
}
export interface TerminalCommandExecutedAction extends TerminalActionBase {
  type: 'terminal/commandExecuted';
  commandId: string;
  commandLine: string;
  timestamp: number;
}
export interface TerminalCommandFinishedAction extends TerminalActionBase {
  type: 'terminal/commandFinished';
  commandId: string;
  exitCode?: number;
  durationMs?: number;
}

export type TerminalAction =
  | TerminalDataAction
  | TerminalInputAction
  | TerminalResizedAction
  | TerminalClaimedAction
  | TerminalTitleChangedAction
  | TerminalCwdChangedAction
  | TerminalExitedAction
  | TerminalClearedAction
  | TerminalCommandDetectionAvailableAction
  | TerminalCommandExecutedAction
  | TerminalCommandFinishedAction;

/** The scheme of terminal resources. */
export const TERMINAL_SCHEME = 'agenthost-terminal:';

/** Reduces a terminal (design/agent-host.md, "Reducers"). */
export const terminalReducer = createReducer<TerminalState, TerminalAction>((draft, action) => {
  switch (action.type) {
    case 'terminal/data':
      if (typeof action.data === 'string') draft.content = withOutput(contentOf(draft), action.data);
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
    case 'terminal/exited':
      if (isAbsent(action.exitCode) || typeof action.exitCode === 'number') setField(draft, 'exitCode', action.exitCode);
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
      draft.content = [...contentOf(draft), { type: 'command', commandId, commandLine, output: '', timestamp, isComplete: false }];
      setField(draft, 'supportsCommandDetection', true);
      break;
    }
    case 'terminal/commandFinished': {
      const content = contentOf(draft);
      const { exitCode, durationMs } = action;
      // Every command of that id, also one that is complete; a value that is absent takes the earlier one away.
      setField(
        draft,
        'content',
        content.map((part) =>
          isCommand(part) && part.commandId === action.commandId ? omitAbsent({ ...part, isComplete: true, exitCode, durationMs }) : part,
        ),
      );
      break;
    }
    default: // `terminal/input` too: keystrokes show in what the pty answers
  }
});

function contentOf(draft: TerminalState): readonly TerminalContentPart[] {
  return listOf(peek(draft, 'content'));
}

function isCommand(part: TerminalContentPart | undefined): part is TerminalCommandPart {
  return isRecord(part) && part.type === 'command';
}

function isRunningCommand(part: TerminalContentPart | undefined): part is TerminalCommandPart {
  return isCommand(part) && !part.isComplete;
}

/** Only the last part grows: joining the parts must give the stream, and a command's late output comes after its end (real-hosts.md, 7). */
function withOutput(content: readonly TerminalContentPart[], data: string): TerminalContentPart[] {
  const last = content.at(-1);
  if (data === '' && (isRunningCommand(last) || last?.type === 'unclassified')) return content as TerminalContentPart[];
  if (isRunningCommand(last)) return content.with(-1, { ...last, output: textOf(last.output) + data });
  if (isRecord(last) && last.type === 'unclassified') return content.with(-1, { ...last, value: textOf(last.value) + data });
  return [...content, { type: 'unclassified', value: data }];
}
