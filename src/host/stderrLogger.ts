import { format } from 'node:util';
import type { Logger } from '../base/log.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** One line an entry on stderr: time, level, text. */
export function stderrLogger(minimum: Level): Logger {
  const write = (level: Level, text: string, args: unknown[]) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(minimum)) return;
    process.stderr.write(`${new Date().toISOString()} [${level}] ${format(text, ...args)}\n`);
  };
  return {
    trace: (text, ...args) => write('trace', text, args),
    debug: (text, ...args) => write('debug', text, args),
    info: (text, ...args) => write('info', text, args),
    warn: (text, ...args) => write('warn', text, args),
    error: (text, ...args) => write('error', text instanceof Error ? (text.stack ?? text.message) : text, args),
  };
}
