/** What goes wrong between a provider and the gateway. */
import type { ToolErrorCode } from '../wire/errorCodes.ts';

/** Throw it in `onToolCall` to fail with a code; any other error is INTERNAL. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    /** Another instance may try. */
    readonly retryable = false,
  ) {
    super(message);
  }
}

/** What the gateway refused, by the codes of the interface. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}
