/** Codes of an `error` message. */
export const errorCodes = [
  'INVALID_JSON',
  'UNKNOWN_TYPE',
  'INVALID_SESSION',
  'AUTH_FAILED',
  'DUPLICATE_INSTANCE',
  'TOOL_CONFLICT',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_VERSION',
  'UNAUTHORIZED',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Codes of a `tool.result` that failed. A provider may send any other string; it is taken for INTERNAL. */
export const toolErrorCodes = ['NOT_FOUND', 'TIMEOUT', 'CANCELLED', 'DISCONNECTED', 'UNAUTHORIZED', 'INTERNAL'] as const;
export type ToolErrorCode = (typeof toolErrorCodes)[number];

/** A message that is refused; becomes an `error` to the peer. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly sessionId?: string,
  ) {
    super(message);
  }
}
