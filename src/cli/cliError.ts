/** The exit codes of `tapline`. */
export const exitCodes = {
  done: 0,
  /** The task or the job has failed or was stopped, the user has said no, or something unexpected happened. */
  failed: 1,
  /** The arguments make no sense, or a person is needed and there is no terminal. */
  usage: 2,
  /** The portal has refused it by name, and nothing was done. */
  refused: 3,
  /** No portal answers, or it does not know the token. */
  notRunning: 4,
  /** Ctrl+C: what was started goes on. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the program with this message and code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    readonly code: ExitCode,
    message: string,
  ) {
    super(message);
  }
}
