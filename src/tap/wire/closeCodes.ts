/** WebSocket close codes that the gateway uses beside those of the protocol itself. */
export const CloseCode = { GoingAway: 1001, Refused: 4001, TooSlow: 4002, Replaced: 4003, Unresponsive: 4004, Flooding: 4005 } as const;

const cutOff: ReadonlySet<number> = new Set([CloseCode.TooSlow, CloseCode.Unresponsive, CloseCode.Flooding]);

/** It was the way the peer behaved on this connection; it may connect again. */
export function isCutOff(code: number): boolean {
  return cutOff.has(code);
}
