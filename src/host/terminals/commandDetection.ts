/** Makes commands, with ids, command lines, exit codes and durations, from the marks of a shell. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { hostname } from 'node:os';
import { withoutEnd } from '../../base/text/ends.ts';
import type { OutputPiece } from './shellIntegration/outputParser.ts';

/** The events of a terminal, in order. */
export type TerminalEvent =
  | { kind: 'data'; text: string }
  | { kind: 'title'; title: string }
  | { kind: 'cwd'; uri: string }
  | { kind: 'detectionAvailable' }
  | { kind: 'executed'; commandId: string; commandLine: string; timestamp: number }
  | { kind: 'finished'; commandId: string; exitCode: number | undefined; durationMs: number };

/** Characters of echo that are kept for a command whose text the shell does not report. */
const MAX_ECHO = 8192;

export class CommandDetection {
  #running: { commandId: string; timestamp: number } | undefined;
  /** What was echoed since the prompt. Undefined while there is no prompt. */
  #echo: string | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  accept(piece: OutputPiece): TerminalEvent[] {
    switch (piece.kind) {
      case 'data':
        if (this.#echo !== undefined && this.#echo.length < MAX_ECHO) this.#echo += piece.text;
        return [piece];
      case 'title':
        return [piece];
      case 'directory': {
        const uri = localDirectory(piece.uri);
        return uri === undefined ? [] : [{ kind: 'cwd', uri }];
      }
      case 'cwd':
        return [{ kind: 'cwd', uri: pathToFileURL(piece.path).href }];
      case 'ready':
        return [{ kind: 'detectionAvailable' }];
      case 'promptEnd':
        this.#echo = '';
        return [];
      case 'executed': {
        const commandLine = piece.commandLine ?? commandLineFromEcho(this.#echo ?? '');
        this.#echo = undefined;
        return [...this.end(undefined), this.start(commandLine)];
      }
      case 'finished':
        return this.end(piece.exitCode);
    }
  }

  /** Starts a command that is known without a mark. */
  start(commandLine: string): TerminalEvent {
    this.#running = { commandId: randomUUID(), timestamp: this.now() };
    return { kind: 'executed', commandLine, ...this.#running };
  }

  /** Ends the running command, if there is one: its shell said so, or the terminal ended. */
  end(exitCode: number | undefined): TerminalEvent[] {
    const running = this.#running;
    if (!running) return [];
    this.#running = undefined;
    return [{ kind: 'finished', commandId: running.commandId, exitCode, durationMs: Math.max(0, this.now() - running.timestamp) }];
  }
}

/**
 * An OSC 7 URI as a plain file URI. Undefined when it is invalid or names another computer, because a remote shell reports its own folders.
 */
function localDirectory(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const uri = new URL(text);
  if (uri.protocol !== 'file:') return undefined;
  if (uri.hostname !== '' && uri.hostname !== 'localhost' && uri.hostname !== hostname().toLowerCase()) return undefined;
  return `file://${uri.pathname}`;
}

/**
 * The typed line, if the echo contains nothing else. Empty when the line was edited, because only a full terminal emulator could read it
 * then.
 */
function commandLineFromEcho(echo: string): string {
  const plain = withoutEnd(echo.replace(/\x1b\[(?:\?2004[hl]|[\d;]*m)/g, ''), '\r\n');
  return /[\x00-\x1f\x7f]/.test(plain) ? '' : plain.trim();
}
