import { RpcErrorCode } from '../../base/jsonRpc.ts';

/** Error codes of JSON-RPC 2.0 and of the Agent Host Protocol. */
export const ErrorCode = {
  ...RpcErrorCode,
  InvalidParams: -32602,
  SessionNotFound: -32001,
  ProviderNotFound: -32002,
  SessionAlreadyExists: -32003,
  TurnInProgress: -32004,
  /** The message (and `data.supportedVersions`) says which versions are supported. */
  UnsupportedProtocolVersion: -32005,
  /** `data` holds the protected resources that need a token. */
  AuthRequired: -32007,
  NotFound: -32008,
  PermissionDenied: -32009,
  AlreadyExists: -32010,
  /** The thing has changed since it was read. */
  Conflict: -32011,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
