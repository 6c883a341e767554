/** The command-line options that all server processes of Tapline have. */

/** For `parseArgs`. */
export const serverOptions = {
  port: { type: 'string' },
  daemon: { type: 'boolean', default: false },
  'lock-file': { type: 'string' },
  'idle-seconds': { type: 'string' },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export interface ServerArguments {
  port: number;
  /** How long a daemon stays when nobody uses it. */
  idleMs: number;
}

/** Throws an error that names the option and what it must be. */
export function serverArguments(
  given: { port?: string; 'idle-seconds'?: string },
  otherwise: { port: number; idleSeconds: number },
): ServerArguments {
  return {
    port: wholeNumber('--port', given.port, 65_535) ?? otherwise.port,
    idleMs: (wholeNumber('--idle-seconds', given['idle-seconds'], 86_400) ?? otherwise.idleSeconds) * 1000,
  };
}

/** Undefined where the option is not given. */
export function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) throw new Error(`${name} must be a whole number from 0 to ${max}, not “${text}”`);
  return value;
}
