/** Errors between a provider and the gateway. */
import type { ToolErrorCode } from '../wire/errorCodes.ts';

/** Throw it in `onToolCall` to fail with a code. Any other error counts as INTERNAL. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    /** Another instance may be tried. */
    readonly retryable = false,
  ) {
    super(message);
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
