/**
 * The user's consent for providers that hold only the gateway's file token. Asked once for each name, and again when more is wanted
 * before there is an answer; owners remember it across restarts.
 */
import type { Consent } from '../../tap/wire/gatewayMessages.ts';
import type { GatewayStatus, OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';

type Decision = Consent['decision'];

export interface ConsentsOptions {
  asked(provider: string, wants: string[]): void;
  decided(decision: OwnerEvents['consent/decided']): void;
}

export class Consents {
  readonly #answers = new Map<string, boolean>();
  /** What each provider has wanted so far. An answer covers all of it, and what it will want. */
  readonly #wants = new Map<string, Set<string>>();

  constructor(private readonly options: ConsentsOptions) {}

  isGiven(provider: string): boolean {
    return this.#answers.get(provider) === true;
  }

  decisionOn(provider: string): Decision {
    const answer = this.#answers.get(provider);
    return answer === undefined ? 'asked' : answer ? 'allowed' : 'denied';
  }

  /** The questions that nobody has answered. */
  get pending(): { provider: string; wants: string[] }[] {
    return [...this.#wants].flatMap(([provider, wants]) => (this.#answers.has(provider) ? [] : [{ provider, wants: [...wants] }]));
  }

  get status(): GatewayStatus['consents'] {
    return [...new Set([...this.#wants.keys(), ...this.#answers.keys()])].map((provider) => ({
      provider,
      decision: this.decisionOn(provider),
      wants: [...(this.#wants.get(provider) ?? [])],
    }));
  }

  need(provider: string, wants: readonly string[]): void {
    if (!wants.length) return;
    const before = this.#wants.get(provider);
    const all = new Set([...(before ?? []), ...wants]);
    this.#wants.set(provider, all);
    // Also where it wants more by now: what the user reads must be all that they allow.
    if (all.size > (before?.size ?? 0) && !this.#answers.has(provider)) this.options.asked(provider, [...all]);
  }

  /**
   * `isRemembered`: from earlier. Owners that remember different decisions answer at the same time, for example two editors: the denial counts,
   * whichever comes first, until the user decides again.
   */
  answer(provider: string, allow: boolean, isRemembered = false): void {
    const decision = allow && !(isRemembered && this.#answers.get(provider) === false);
    this.#answers.set(provider, decision);
    this.options.decided({ provider, allow: decision });
  }

  /** It is asked again when a provider of this name needs it next. */
  forget(provider: string): void {
    this.#answers.delete(provider);
    this.#wants.delete(provider);
    this.options.decided({ provider });
  }
}
