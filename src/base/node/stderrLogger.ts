import { format } from 'node:util';
import type { Logger } from '../log.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** The control characters of C0 and C1, except tab and line feed. */
const controlCharacter = /(?![\t\n])[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Writes entries to stderr: time, level, text. Entries may quote other programs, so their further lines are indented and control characters
 * are escaped: no text can forge an entry. `redact` is applied to every text.
 */
export function stderrLogger(minimum: Level, redact: (text: string) => string = (text) => text): Logger {
  const write = (level: Level, text: string, args: unknown[]) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(minimum)) return;
    process.stderr.write(`${new Date().toISOString()} [${level}] ${asEntry(redact(format(text, ...args)))}\n`);
  };
  return {
    trace: (text, ...args) => write('trace', text, args),
    debug: (text, ...args) => write('debug', text, args),
    info: (text, ...args) => write('info', text, args),
    warn: (text, ...args) => write('warn', text, args),
    error: (text, ...args) => write('error', text instanceof Error ? (text.stack ?? text.message) : text, args),
  };
}

/** Exported for its test. */
export function asEntry(text: string): string {
  const escape = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return text.replace(controlCharacter, escape).replaceAll('\n', '\n  ');
}
