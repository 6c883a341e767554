import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { BridgeMessage } from '../../webviews/session/protocol.ts';

const SEND_EVERY_MS = 100;

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
