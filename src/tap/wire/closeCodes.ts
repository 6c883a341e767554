/** WebSocket close codes: three of the protocol (`Abnormal`: the peer has sent no close frame), and those of the gateway. */
export const CloseCode = {
  GoingAway: 1001,
  Abnormal: 1006,
  /** No place is free. */
  TryAgainLater: 1013,
  Refused: 4001,
  TooSlow: 4002,
  Replaced: 4003,
  Unresponsive: 4004,
  Flooding: 4005,
} as const;

const cutOff: ReadonlySet<number> = new Set([CloseCode.TooSlow, CloseCode.Unresponsive, CloseCode.Flooding]);

/** The peer was closed for its behaviour on this connection, and may connect again. */
export function isCutOff(code: number): boolean {
  return cutOff.has(code);
}
