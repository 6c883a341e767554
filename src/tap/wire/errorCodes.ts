/** Codes of an `error` message. */
export const ErrorCode = {
  InvalidJson: 'INVALID_JSON',
  UnknownType: 'UNKNOWN_TYPE',
  InvalidSession: 'INVALID_SESSION',
  AuthFailed: 'AUTH_FAILED',
  DuplicateInstance: 'DUPLICATE_INSTANCE',
  ToolConflict: 'TOOL_CONFLICT',
  RateLimited: 'RATE_LIMITED',
  PayloadTooLarge: 'PAYLOAD_TOO_LARGE',
  UnsupportedVersion: 'UNSUPPORTED_VERSION',
  Unauthorized: 'UNAUTHORIZED',
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Codes of a `tool.result` that failed. A provider may send any other string; it counts as INTERNAL. */
export const ToolErrorCode = {
  NotFound: 'NOT_FOUND',
  Timeout: 'TIMEOUT',
  Cancelled: 'CANCELLED',
  Disconnected: 'DISCONNECTED',
  Unauthorized: ErrorCode.Unauthorized,
  Internal: 'INTERNAL',
} as const;
export type ToolErrorCode = (typeof ToolErrorCode)[keyof typeof ToolErrorCode];

const toolErrorCodes: ReadonlySet<string> = new Set(Object.values(ToolErrorCode));
export const isToolErrorCode = (code: string): code is ToolErrorCode => toolErrorCodes.has(code);

/**
 * Codes of a failed call as a session owner gets them: those of providers, and those with which the gateway itself refuses or ends a call.
 */
export const CallErrorCode = { ...ErrorCode, ...ToolErrorCode, InvalidArguments: 'INVALID_ARGUMENTS' } as const;
export type CallErrorCode = (typeof CallErrorCode)[keyof typeof CallErrorCode];

/** Told to a model whose call has ended without an answer after the provider may have got it. */
export const UNKNOWN_EFFECT = 'Whether the call has had an effect is not known: check before calling it again.';

/** JSON-RPC error codes of the owner link, in addition to those of every JSON-RPC peer. */
export const OwnerErrorCode = {
  UnknownSession: -32001,
  NotInitialized: -32002,
  UnknownCall: -32003,
  NoRecords: -32004,
  InvalidParams: -32602,
} as const;

/** In diagnostics: a project provider's process has ended by itself. */
export const PROVIDER_ENDED = 'PROVIDER_ENDED';

/** Refuses a message; the peer is sent an `error`. */
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
