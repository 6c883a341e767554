/** WebSocket close codes of the host's own; 1001 (going away) and 1003 (no binary frames) are the standard's. */
export const CloseCode = {
  /** No `initialize` or `reconnect` in time. */
  HandshakeTimeout: 4001,
  /** The client read too slowly; it may reconnect. */
  TooSlow: 4002,
  /** Another connection took over this client id; reconnecting would take it back. */
  Replaced: 4003,
} as const;
