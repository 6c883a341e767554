/** A log for developers. VS Code's `LogOutputChannel` has this shape. Never log tokens. */
export interface Logger {
  trace(message: string, ...args: unknown[]): void;
  debug(message: string, ...args: unknown[]): void;
  info(message: string, ...args: unknown[]): void;
  warn(message: string, ...args: unknown[]): void;
  error(message: string | Error, ...args: unknown[]): void;
}

const nothing = () => undefined;
export const nullLogger: Logger = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
