/** What the bridge between a session and its tool providers sends to the session's page. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { PendingPairing } from '../../views/pairing/pairingView.ts';
import type { SessionPrograms } from '../../views/providers/served.ts';
import type { BridgeInfo, BridgeMessage, LendingInfo } from '../../webviews/session/protocol.ts';
import type { SessionBridge } from '../bridge/session/sessionBridge.ts';

type Joined = Pick<SessionBridge, 'clientId' | 'timeline' | 'callProviders' | 'isAtGateway'>;

/** Characters of a row. The whole text is in the provider's stream. */
const MAX_TEXT = 1_000;
const SEND_EVERY_MS = 100;

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

/** Sends changes at once, but at most one message every {@link SEND_EVERY_MS}, because providers may send many events. */
export class BridgeSender implements Disposable {
  #timer: Disposable | undefined;
  #isDue = false;
  #sent: string | undefined;

  constructor(
    private readonly clock: Clock,
    /** Undefined while no page takes it. */
    private readonly read: () => BridgeMessage | undefined,
    private readonly send: (message: BridgeMessage) => void,
  ) {}

  /** It may have changed. */
  changed(): void {
    this.#isDue = true;
    if (!this.#timer) this.#flush();
  }

  /** For a page that was loaded again. */
  sendAgain(): void {
    this.#sent = undefined;
    this.#isDue = true;
    this.#flush();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    const message = this.read();
    const text = message && JSON.stringify(message);
    if (!message || text === this.#sent) return;
    this.#sent = text;
    this.send(message);
    this.#timer = this.clock.setTimer(() => this.#flush(), SEND_EVERY_MS);
  }
}
