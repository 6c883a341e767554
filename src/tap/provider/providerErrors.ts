/** Errors between a provider and the gateway. */
import type { ToolErrorCode } from '../wire/errorCodes.ts';

/** Throw it to fail with a code. Any other error counts as INTERNAL. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    /** A code of your own reaches the caller beside INTERNAL. */
    readonly code: ToolErrorCode | (string & {}),
    message: string,
    /** The same call may succeed: another instance of the provider is tried, or later. */
    readonly retryable = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What the provider registers, but for its tools, waits for the user's consent, or was denied. */
export class ConsentError extends Error {
  override readonly name = 'ConsentError';
  constructor(
    readonly decision: 'asked' | 'denied',
    /** Of `hooks`, `transforms` and `context`. */
    readonly wants: readonly string[],
  ) {
    const what = wants.join(' and ');
    super(
      decision === 'asked'
        ? `${what} wait for the user’s consent and are not in force: Tapline asks in VS Code, also in its view Tools & Jobs`
        : `the user has denied ${what}, which are not in force; they can decide anew in Tapline’s view Tools & Jobs`,
    );
  }
}

/** A refusal by the gateway, with the code of its `error` message. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}
