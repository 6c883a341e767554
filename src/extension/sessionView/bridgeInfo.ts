/** What the bridge between a session and its tool providers sends to the session's page. */
import type { PendingPairing } from '../../views/pairing/pairingView.ts';
import type { SessionPrograms } from '../../views/providers/served.ts';
import type { BridgeInfo, LendingInfo } from '../../webviews/session/protocol.ts';
import type { SessionBridge } from '../bridge/session/sessionBridge.ts';

type Joined = Pick<SessionBridge, 'clientId' | 'timeline' | 'callProviders' | 'isAtGateway'>;

/** Characters of a row. The whole text is in the provider's stream. */
const MAX_TEXT = 1_000;

export function bridgeInfo(
  { clientId, timeline, callProviders, isAtGateway }: Joined,
  pending: readonly PendingPairing[],
  /** What the user is told of the tools in it. */
  lending?: LendingInfo,
  { serving, waitingChecks }: SessionPrograms = { waitingChecks: 0 },
): BridgeInfo {
  return {
    clientId,
    ...(lending && { lending }),
    ...(serving !== undefined && { serving }),
    ...(waitingChecks > 0 && { waitingChecks }),
    rows: timeline.rows.map((row) => (row.text.length > MAX_TEXT ? { ...row, text: `${row.text.slice(0, MAX_TEXT)}…` } : row)),
    calls: callProviders,
    pairings: isAtGateway ? pending : [],
  };
}
