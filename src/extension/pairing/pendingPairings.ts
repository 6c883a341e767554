/** The pairing codes that are pending at the gateway, as the owner link tells them. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { OwnerClient, OwnerEvent } from '../../tap/owner/ownerClient.ts';
import type { PendingPairing } from '../../views/pairing/pairingView.ts';

/** The parts of the owner link that are needed. */
export type PairingLink = Pick<OwnerClient, 'state' | 'onEvent' | 'onDidChangeState' | 'request'>;

const TICK_MS = 1_000;
const DENY_TIMEOUT_MS = 5_000;

export class PendingPairings implements Disposable {
  #all: readonly PendingPairing[] = [];
  #link: PairingLink | undefined;
  #listening: Disposable[] = [];
  #tick: Disposable | undefined;
  readonly #didChange = new Emitter<void>();
  /** A code has come or gone. */
  readonly onDidChange = this.#didChange.event;
  readonly #didCountDown = new Emitter<void>();
  /** Each second while a code is pending. */
  readonly onDidCountDown = this.#didCountDown.event;

  constructor(private readonly clock: Clock) {}

  /** Oldest first. Another list after each change. */
  get all(): readonly PendingPairing[] {
    return this.#all;
  }

  follow(link: PairingLink | undefined): void {
    if (link === this.#link) return;
    this.#leave();
    this.#link = link;
    if (!link) return;
    this.#listening = [
      link.onEvent((event) => this.#receive(event)),
      // Codes do not outlive the gateway. One that is still there names its codes again.
      link.onDidChangeState(() => link.state.kind !== 'connected' && this.#set([])),
    ];
  }

  /** False when it had ended before. Rejects when the gateway cannot be reached. */
  async deny(id: string): Promise<boolean> {
    if (!this.#link) return false;
    const { denied } = await this.#link.request('pairing/deny', { pairingId: id }, DENY_TIMEOUT_MS);
    return denied;
  }

  dispose(): void {
    this.#leave();
    this.#didChange.dispose();
    this.#didCountDown.dispose();
  }

  #leave(): void {
    for (const listening of this.#listening.splice(0)) listening.dispose();
    this.#set([]);
  }

  #receive({ event, params }: OwnerEvent): void {
    if (event === 'pairing/started') {
      const { pairingId: id, code, origin, expiresInMs } = params;
      const pairing = { id, code, ...(origin !== undefined && { origin }), expiresAt: this.clock.now() + expiresInMs };
      this.#set([...this.#all.filter((other) => other.id !== id), pairing]);
    } else if (event === 'pairing/ended') this.#set(this.#all.filter(({ id }) => id !== params.pairingId));
  }

  #set(all: readonly PendingPairing[]): void {
    if (all.length === 0 && this.#all.length === 0) return;
    this.#all = all;
    this.#tick?.dispose();
    this.#tick = all.length === 0 ? undefined : this.clock.setTimer(() => this.#countDown(), TICK_MS);
    this.#didChange.fire();
  }

  /** What has expired goes also when the gateway does not say so, because it hangs or the computer has slept. */
  #countDown(): void {
    const left = this.#all.filter(({ expiresAt }) => expiresAt > this.clock.now());
    if (left.length < this.#all.length) this.#set(left);
    else this.#tick = this.clock.setTimer(() => this.#countDown(), TICK_MS);
    this.#didCountDown.fire();
  }
}
