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
