/** Terminal resources (`agenthost-terminal:/<id>`): a pty of the host and what it printed. */
import type { UnknownTag, URI } from './common.ts';

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
