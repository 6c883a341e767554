/** Terminal resources (`agenthost-terminal:/<id>`): a pty of the host and what it printed. */
import type {
  TerminalClaimedAction,
  TerminalClearedAction,
  TerminalInputAction,
  TerminalResizedAction,
  TerminalTitleChangedAction,
} from './clientActions.ts';
import type { TerminalCore } from '../common/terminal.ts';
import type { TerminalClaim, URI } from './common.ts';

export type { TerminalCommandPart, TerminalContentPart, TerminalUnclassifiedPart, UnknownTerminalPart } from '../common/terminal.ts';

export interface TerminalState extends TerminalCore<TerminalClaim> {
  /** Set when the process has exited. */
  exitCode?: number;
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
