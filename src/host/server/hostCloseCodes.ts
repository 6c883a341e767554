/** WebSocket close codes of the host. 1001 (going away) and 1003 (no binary frames) are defined by the standard. */
export const CloseCode = {
  /** No `initialize` or `reconnect` in time. */
  HandshakeTimeout: 4001,
  /** The client read too slowly. It may reconnect. */
  TooSlow: 4002,
  /** Another connection uses this client id now. Reconnecting would take it back. */
  Replaced: 4003,
  /** The client answered no pings. It may reconnect. */
  Unresponsive: 4004,
  /** None of the versions that the client offers is spoken here. The answer to `initialize` has said which are. */
  UnsupportedVersion: 4005,
} as const;
