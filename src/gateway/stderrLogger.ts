import { format } from 'node:util';
import type { Logger } from '../base/log.ts';
import { withoutTokens } from './limits/redact.ts';

/** One JSON line an entry on stderr: time, level, text. */
export function stderrLogger(verbose: boolean): Logger {
  const write = (level: string, text: string, args: unknown[]) =>
    process.stderr.write(`${JSON.stringify({ ts: new Date().toISOString(), level, message: withoutTokens(format(text, ...args)) })}\n`);
  const detail =
    (level: string) =>
    (text: string, ...args: unknown[]) =>
      void (verbose && write(level, text, args));
  return {
    trace: detail('trace'),
    debug: detail('debug'),
    info: (text, ...args) => write('info', text, args),
    warn: (text, ...args) => write('warn', text, args),
    error: (text, ...args) => write('error', text instanceof Error ? (text.stack ?? text.message) : text, args),
  };
}
