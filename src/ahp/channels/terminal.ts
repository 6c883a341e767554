/** Terminal channels: a pty of the host and what it printed. */
import * as z from 'zod/mini';
import { action, type ActionsOf, type AnyOf } from '../common/schemas.ts';
import type { TerminalCore } from '../common/terminal.ts';
import { type TerminalClaim, terminalClaim, type TerminalLifecycle, type URI } from './shapes/basic.ts';

export interface TerminalState extends TerminalCore<TerminalClaim> {
  lifecycle: TerminalLifecycle;
  isPty?: boolean;
}

/** What clients may dispatch, by type. */
export const terminalClientActions = {
  /** Keystrokes for the pty. Changes no state. */
  'terminal/input': action('terminal/input', { data: z.string() }),
  'terminal/resized': action('terminal/resized', { cols: z.number(), rows: z.number() }),
  'terminal/claimed': action('terminal/claimed', { claim: terminalClaim }),
  'terminal/titleChanged': action('terminal/titleChanged', { title: z.string() }),
  'terminal/cleared': action('terminal/cleared', {}),
};

interface TerminalHostActions {
  /** Output of the pty. */
  'terminal/data': { data: string };
  'terminal/cwdChanged': { cwd: URI };
  'terminal/exited': { exitCode?: number };
  'terminal/commandDetectionAvailable': object;
  /** `timestamp`: ms since the epoch. */
  'terminal/commandExecuted': { commandId: string; commandLine: string; timestamp: number };
  'terminal/commandFinished': { commandId: string; exitCode?: number; durationMs?: number };
}
export type TerminalAction = AnyOf<typeof terminalClientActions> | ActionsOf<TerminalHostActions>;
