/* eslint-disable texts/translated -- for the model */
/**
 * Asks the rules of providers about calls. A host that asks first gets the decision before it runs a call. At other hosts, calls that wait for
 * the user are judged. A rule that denies ends the call, and one that allows leaves it to the user. Calls that an agent runs without asking
 * cannot be stopped.
 */
import type { Clock } from '../../../base/clock.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { HookDecision } from '../../../tap/wire/owner/ownerMessages.ts';
import { callKey } from '../../../views/session/toolCall/callProvider.ts';
import { keyOf } from '../hosted/callKeys.ts';
import type { AskedCall, HostedCall, HostedVerdict, HostSession } from '../hosted/hostedSession.ts';
import { argumentsOf } from './callRelay.ts';

export interface GatesOptions {
  host: HostSession;
  clock: Clock;
  /** Undefined while the gateway cannot be asked. With `waits` it tries for some seconds. */
  evaluate(call: AskedCall, args: unknown, waits: boolean): Promise<HookDecision | undefined | void>;
  /** `inTime`: the call was denied; otherwise it had been decided already. */
  onDenied(call: AskedCall, decision: HookDecision, inTime: boolean): void;
  /** For the model, with the user's next message. */
  onContext(context: HookDecision['context']): void;
}

export class Gates implements Disposable {
  /** Those that wait, with the input that was judged. */
  #waiting = new Map<string, string | undefined>();
  /** Calls that the host has asked about, the newest last. They are not judged again when they wait for the user. */
  readonly #asked = new Set<string>();
  /** Whether there were rules at the last question. */
  #isGuarded: boolean | undefined;
  #isDisposed = false;

  constructor(private readonly options: GatesOptions) {}

  /** Call it after every change of the session's state. */
  update(): void {
    const { status, calls } = this.options.host.state;
    if (status !== 'live') return;
    const waiting = new Map<string, string | undefined>();
    for (const call of calls) {
      if (call.status !== 'waiting' || this.#asked.has(askedKey(call))) continue;
      const key = keyOf(call);
      waiting.set(key, call.input);
      if (!this.#waiting.has(key) || this.#waiting.get(key) !== call.input) void this.#judge(call);
    }
    this.#waiting = waiting;
  }

  /** Answers a host that asks first. Never rejects, and denies what cannot be decided, unless there were no rules. */
  async mayRun(call: AskedCall, wasGuarded = false): Promise<HostedVerdict> {
    this.#asked.add(askedKey(call));
    dropOldest(this.#asked, MAX_ASKED);
    const decision = await this.#evaluate(call, wasGuarded || this.#isGuarded === true);
    if (!decision) {
      if (this.#isGuarded === false) return { allowed: true, context: [], isGuarded: false };
      return { allowed: false, reason: UNREACHABLE };
    }
    this.#isGuarded = decision.guarded !== false;
    if (decision.decision === 'allow') return { allowed: true, context: decision.context, isGuarded: this.#isGuarded };
    this.options.onDenied(call, decision, true);
    return { allowed: false, reason: reasonOf(decision) };
  }

  /**
   * While a gateway or a provider starts again, its rules are missing for a moment. Calls wait for them, from when the gateway answers: how long
   * it takes to start is no part of it.
   */
  async #evaluate(call: AskedCall, wasGuarded: boolean): Promise<HookDecision | undefined | void> {
    const { clock, evaluate } = this.options;
    let until: number | undefined;
    for (;;) {
      const decision = await evaluate(call, inputOf(call), true);
      if (!wasGuarded || decision?.guarded !== false || this.#isDisposed) return decision;
      until ??= clock.now() + RULES_RETURN_MS;
      if (clock.now() >= until) return decision;
      await new Promise<void>((resolve) => clock.setTimer(resolve, ASK_AGAIN_MS));
    }
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  async #judge(call: HostedCall): Promise<void> {
    const decision = await this.options.evaluate(call, inputOf(call), false);
    if (this.#isDisposed) return;
    if (!decision) {
      // Asked again with the next change.
      this.#waiting.delete(keyOf(call));
      return;
    }
    // Rules that were not told what a call does have not allowed it.
    const isUnjudged = call.isInputElsewhere && decision.guarded !== false;
    if (decision.decision === 'allow' && !isUnjudged) {
      if (decision.context.length > 0) this.options.onContext(decision.context);
      return;
    }
    const denial: HookDecision = decision.decision === 'allow' ? { ...decision, decision: 'deny', reason: INPUT_ELSEWHERE } : decision;
    const { kind } = await this.options.host.deny(call, reasonOf(denial));
    const after = this.options.host.callNow(call);
    this.options.onDenied(call, denial, kind === 'confirmed' && after?.status !== 'running' && after?.status !== 'done');
  }
}

const MAX_ASKED = 1_000;
/** How long to wait for rules that are missing. A provider connects again, or is started again, within a few seconds. */
const RULES_RETURN_MS = 10_000;
const ASK_AGAIN_MS = 250;
const UNREACHABLE =
  'The tap gateway, which asks the rules of the tool providers, cannot be reached. The call did not run. The user can start the gateway again, or switch it off.';
const INPUT_ELSEWHERE =
  'The host gave only a reference to what this call does, not its text, so the rules of the tool providers could not be asked about it.';

/** A host does not say of which chat it asks. */
function askedKey({ turnId, callId }: AskedCall): string {
  return callKey(turnId, callId);
}

/** Input that is no JSON object, such as a command line, is passed on as one argument. */
function inputOf({ input }: AskedCall): unknown {
  return argumentsOf(input) ?? { input };
}

function reasonOf({ reason, provider }: HookDecision): string {
  const why = reason ?? 'It gave no reason.';
  return provider === undefined ? why : `Denied by the provider ${provider}: ${why}`;
}
