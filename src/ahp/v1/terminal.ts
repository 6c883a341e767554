/** Terminal resources (`agenthost-terminal:/<id>`): a pty of the host and what it printed. */
import type {
  TerminalClaimedAction,
  TerminalClearedAction,
  TerminalInputAction,
  TerminalResizedAction,
  TerminalTitleChangedAction,
} from './clientActions.ts';
import type { TerminalClaim, UnknownTag, URI } from './common.ts';

export interface TerminalState {
  title: string;
  /** A URI by the specification. VS Code 1.117 sends a plain path. */
  cwd?: URI;
  cols?: number;
  rows?: number;
  /** In order. The joined text of all parts is the raw VT stream. */
  content: TerminalContentPart[];
  /** Set when the process has exited. */
  exitCode?: number;
  claim: TerminalClaim;
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

interface TerminalActionBase {
  terminal: URI;
}
/** Output of the pty. */
export interface TerminalDataAction extends TerminalActionBase {
  type: 'terminal/data';
  data: string;
}
export interface TerminalCwdChangedAction extends TerminalActionBase {
  type: 'terminal/cwdChanged';
  cwd: URI;
}
export interface TerminalExitedAction extends TerminalActionBase {
  type: 'terminal/exited';
  exitCode?: number;
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
