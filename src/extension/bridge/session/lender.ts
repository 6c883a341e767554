/** Lends this window's tools to a session where nobody else does. Only the user may let it take another client's place. */
import { reasonText, type Settlement } from '../../../ahp/client/resources/subscription.ts';
import type { ToolDefinition } from '../../../ahp/common/tools.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { HostedSession, HostSession } from '../hosted/hostedSession.ts';
import { Announcer } from '../tools/announcer.ts';

/** A place that was taken from us and is free again is not taken at once: somebody may be handing it over. */
const RECLAIM_MS = 1_000;

export interface LenderOptions {
  host: HostSession;
  clock: Clock;
  /** Call `follow` again. */
  onChange(): void;
  onRefused(reason: string): void;
}

export class Lender implements Disposable {
  readonly #announcer: Announcer;
  #wasLending = false;
  #wasDisplaced = false;
  /** The host could not be reached since we lent there last. */
  #wasAway = false;
  #isAsking = false;
  #refusal: string | undefined;
  #reclaim: Disposable | undefined;
  #isDisposed = false;

  constructor(private readonly options: LenderOptions) {
    this.#announcer = new Announcer(options.clock, (tools) => void this.#heard(options.host.announce(tools)));
  }

  /** Why the host did not take our tools. It is not asked again until the user says so, or somebody else has lent tools there. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Call it after every change of the state or the tools. Without tools nothing is begun, and what was announced stays. */
  follow({ status, lender }: HostedSession, tools: readonly ToolDefinition[] | undefined): void {
    const { host, clock, onChange } = this.options;
    const isLending = lender?.clientId === host.clientId;
    if (this.#wasLending && !isLending) {
      this.#announcer.end();
      // A lost connection takes the place too, and nobody hands that over. Until we are back, calls run without our rules.
      this.#wasDisplaced = !this.#wasAway;
    }
    if (status === 'stale') this.#wasAway = true;
    else if (isLending) this.#wasAway = false;
    this.#wasLending = isLending;
    if (lender && !isLending) this.#refusal = undefined;
    if (isLending && tools) this.#announcer.set(tools);
    const isFree = status === 'live' && !lender && this.#refusal === undefined && !this.#isAsking;
    if (!isFree || !tools) {
      this.#reclaim?.dispose();
      this.#reclaim = undefined;
    } else if (!this.#wasDisplaced) {
      void this.#begin(tools, host.lend(tools));
    } else {
      this.#reclaim ??= clock.setTimer(() => {
        this.#reclaim = undefined;
        this.#wasDisplaced = false;
        onChange();
      }, RECLAIM_MS);
    }
  }

  /** Resolves when it is known what became of it. */
  takeOver(tools: readonly ToolDefinition[]): Promise<void> {
    this.#refusal = undefined;
    return this.#begin(tools, this.options.host.takeOver(tools));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#reclaim?.dispose();
    this.#announcer.dispose();
  }

  #begin(tools: readonly ToolDefinition[], asked: Promise<Settlement>): Promise<void> {
    this.#announcer.begin(tools);
    this.#wasDisplaced = false;
    this.#wasLending = true;
    this.#isAsking = true;
    return this.#heard(asked.finally(() => (this.#isAsking = false)));
  }

  #heard(asked: Promise<Settlement>): Promise<void> {
    return asked.then((settlement) => {
      if (this.#isDisposed) return;
      const { host, onRefused, onChange } = this.options;
      const { lender } = host.state;
      const isTaken = lender !== undefined && lender.clientId !== host.clientId;
      if (settlement.kind === 'confirmed' || isTaken) this.#refusal = undefined;
      else if (settlement.kind === 'rejected') {
        const reason = reasonText(settlement);
        this.#refusal = reason;
        onRefused(reason);
      }
      onChange();
    });
  }
}
