/** The actions of this client for one resource that are not settled, in the order of dispatch, and what is done about each when the connection is lost. */
import { phrase, type Words } from '../../../base/text/phrase.ts';
import { heldAs, judgePending, lostPurpose } from '../../common/pending/pendingPolicy.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { PendingAction } from './pending.ts';
import { notDone, type Settlement } from './subscription.ts';

/**
 * `held`: not sent yet. `sent`: it waits for its echo. `unsure`: it was sent over a connection that was lost since. `unknown`: the host's
 * state did not show either what became of it, so it waits for the user or for a late echo.
 */
type Delivery = 'held' | 'sent' | 'unsure' | 'unknown';

/** Why an action may not be sent any more, as a sentence; undefined while it may. Asked just before it is sent late, or once more. */
export type WhyNot = () => Words | undefined;

interface Entry {
  action: ActionLike;
  asked?: ActionLike;
  readonly whyNot?: WhyNot;
  /** Listed as pending. */
  readonly predicted: boolean;
  /** The resource as it was shown when the action was dispatched, if it was known. */
  readonly before?: object;
  delivery: Delivery;
  /** It may have reached the host twice, so a refusal may be about the second time. */
  isRepeated: boolean;
  readonly settle: (settlement: Settlement) => void;
}

/** Sends an action under a number of its own; undefined without a connection. Hosts accept each number once, and in order. */
export type SendAction = (action: ActionLike) => number | undefined;

/** The state that an action leads to. */
export type ProjectAction = (state: object, action: ActionLike) => object;

/** A host that never sends an echo must not make these tables grow without end. */
const MAX_UNPREDICTED = 1_000;
const MAX_PREDICTED = 1_000;
export const TOO_MANY = phrase`Not sent. Too many actions wait for the host already.`;

export class UnsettledActions {
  /** By the `clientSeq` that the caller got. */
  readonly #entries = new Map<number, Entry>();
  /** The entry of each number that was sent. */
  readonly #bySentSeq = new Map<number, number>();
  #pending: readonly PendingAction<ActionLike>[] = [];

  /** `onDidChange`: `pending` is another list. */
  constructor(private readonly onDidChange: () => void) {}

  get pending(): readonly PendingAction<ActionLike>[] {
    return this.#pending;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** No more can be added. To be checked before an action is sent. */
  get isFull(): boolean {
    return this.#pending.length >= MAX_PREDICTED;
  }

  add(
    clientSeq: number,
    action: ActionLike,
    how: { predicted: boolean; delivery: Exclude<Delivery, 'unknown'>; before?: object; asked?: ActionLike; whyNot?: WhyNot },
  ): Promise<Settlement> {
    const { predicted, delivery } = how;
    if (predicted && this.isFull) return Promise.resolve(notDone('rejected', TOO_MANY));
    return new Promise((settle) => {
      this.#entries.set(clientSeq, { action, ...how, isRepeated: false, settle });
      if (delivery === 'sent') this.#bySentSeq.set(clientSeq, clientSeq);
      if (predicted) this.#changed();
      else this.#forgetOldest();
    });
  }

  /** The host's echo of what was sent under this number. */
  echoed(sentSeq: number, rejectionReason: string | undefined): void {
    const clientSeq = this.#bySentSeq.get(sentSeq);
    const entry = clientSeq !== undefined && this.#entries.get(clientSeq);
    if (!entry) return;
    if (rejectionReason === undefined) this.#settle(clientSeq, { kind: 'confirmed' });
    else if (entry.isRepeated) {
      const reason = phrase`It was sent twice because the connection was lost, and the host refused the second: ${rejectionReason}`;
      this.#settle(clientSeq, notDone('unknown', reason));
    } else this.#settle(clientSeq, notDone('rejected', rejectionReason));
  }

  /** The host has done what was requested, without an echo. */
  fulfilled(isDone: (action: ActionLike) => boolean): void {
    for (const [clientSeq, { action, delivery }] of this.#entries)
      if (delivery === 'sent' && isDone(action)) this.#settle(clientSeq, { kind: 'confirmed' });
  }

  connectionLost(): void {
    for (const [clientSeq, entry] of this.#entries) {
      if (entry.delivery !== 'sent') continue;
      if (entry.predicted) entry.delivery = 'unsure';
      else this.#settle(clientSeq, notDone('unknown', phrase`The connection was lost before the host replied.`));
    }
  }

  /**
   * The host's state is known again. Settles what it shows, sends what was held and what may be done twice, and keeps the rest for the user.
   * Each action is judged by the state that the ones before it lead to. `refusal`: why an action cannot be sent to this host at all.
   */
  resume(confirmed: object, send: SendAction, project: ProjectAction, refusal: (action: ActionLike) => Words | undefined): void {
    let state = confirmed;
    for (const [clientSeq, entry] of this.#entries) {
      switch (entry.delivery) {
        case 'sent':
          break;
        case 'held': {
          const why = entry.whyNot?.() ?? refusal(entry.action) ?? lostPurpose(entry.action, state, entry.before);
          if (why !== undefined) {
            this.#settle(clientSeq, notDone('rejected', phrase`Not sent. ${why}`));
            break;
          }
          this.#decideHeld(entry, state);
          this.#send(clientSeq, entry, send);
          break;
        }
        case 'unsure':
          this.#resumeUnsure(clientSeq, entry, state, send, project);
          break;
        case 'unknown':
          this.#resumeUnknown(clientSeq, entry, state, project);
      }
      if (entry.delivery === 'sent' && entry.predicted && this.#entries.has(clientSeq)) state = project(state, entry.action);
    }
  }

  /** Of what was not sent yet, what may not be any more is rejected. */
  withdraw(): void {
    for (const [clientSeq, { delivery, whyNot }] of this.#entries) {
      const why = delivery === 'held' ? whyNot?.() : undefined;
      if (why !== undefined) this.#settle(clientSeq, notDone('rejected', phrase`Not sent. ${why}`));
    }
  }

  /** The host gives no state. What was not sent is rejected, what was sent is of unknown outcome. */
  abandon(reason: Words): void {
    for (const [clientSeq, entry] of this.#entries) {
      if (entry.delivery === 'held') this.#settle(clientSeq, notDone('rejected', phrase`Not sent. ${reason}`));
      else if (entry.predicted) this.#doubt(entry, reason);
      else this.#settle(clientSeq, notDone('unknown', reason));
    }
  }

  /** The outcome of all actions will not be known. */
  settleAll(reason: Words): void {
    for (const [clientSeq, { delivery }] of this.#entries) {
      this.#settle(clientSeq, delivery === 'held' ? notDone('rejected', phrase`Not sent. ${reason}`) : notDone('unknown', reason));
    }
  }

  /** Removes an action of unknown outcome; undefined when there is none of this number. */
  takeUnknown(clientSeq: number): Pick<Entry, 'action' | 'asked' | 'whyNot'> | undefined {
    const entry = this.#entries.get(clientSeq);
    if (entry?.delivery !== 'unknown') return undefined;
    this.#remove(clientSeq, entry);
    const { action, asked, whyNot } = entry;
    return { action, ...(asked && { asked }), ...(whyNot && { whyNot }) };
  }

  /** What it is sent as, now that the state is known again. */
  #decideHeld(entry: Entry, state: object): void {
    const now = new Date().toISOString();
    const action = heldAs(entry.action, state, now);
    if (action === entry.action) return;
    entry.action = action;
    if (entry.asked) entry.asked = heldAs(entry.asked, state, now);
  }

  #resumeUnsure(clientSeq: number, entry: Entry, state: object, send: SendAction, project: ProjectAction): void {
    switch (judgePending(entry.action, state, entry.before, () => project(state, entry.action))) {
      case 'done':
        return this.#settle(clientSeq, { kind: 'confirmed' });
      case 'moot': {
        const why = lostPurpose(entry.action, state, entry.before) ?? '';
        return this.#settle(clientSeq, notDone('unknown', phrase`The connection was lost before the host replied. ${why}`));
      }
      case 'again': {
        const why = entry.whyNot?.();
        if (why !== undefined)
          return this.#settle(clientSeq, notDone('unknown', phrase`The connection was lost before the host replied. ${why}`));
        entry.isRepeated = true;
        return this.#send(clientSeq, entry, send);
      }
      case 'unknown':
        return this.#doubt(entry, phrase`The connection was lost, and the host’s state does not show whether it was done.`);
    }
  }

  /** The user need not decide any more about what the state shows, or about what has nothing left to do. */
  #resumeUnknown(clientSeq: number, entry: Entry, state: object, project: ProjectAction): void {
    const verdict = judgePending(entry.action, state, entry.before, () => project(state, entry.action));
    if (verdict === 'done') this.#settle(clientSeq, { kind: 'confirmed' });
    if (verdict === 'moot') this.#settle(clientSeq, notDone('unknown', phrase`It has nothing left to do.`));
  }

  #send(clientSeq: number, entry: Entry, send: SendAction): void {
    const sentSeq = send(entry.action);
    if (sentSeq === undefined) return;
    entry.delivery = 'sent';
    this.#bySentSeq.set(sentSeq, clientSeq);
    if (entry.predicted) this.#changed();
  }

  /** Settles its promise, and keeps the action. */
  #doubt(entry: Entry, reason: Words): void {
    if (entry.delivery === 'unknown') return;
    entry.delivery = 'unknown';
    entry.settle(notDone('unknown', reason));
    this.#changed();
  }

  #settle(clientSeq: number, settlement: Settlement): void {
    const entry = this.#entries.get(clientSeq);
    if (!entry) return;
    this.#remove(clientSeq, entry);
    entry.settle(settlement);
  }

  #remove(clientSeq: number, { predicted }: Entry): void {
    this.#entries.delete(clientSeq);
    for (const [sentSeq, owner] of this.#bySentSeq) if (owner === clientSeq) this.#bySentSeq.delete(sentSeq);
    if (predicted) this.#changed();
  }

  #changed(): void {
    this.#pending = [...this.#entries]
      .filter(([, { predicted }]) => predicted)
      .map(([clientSeq, { action, asked, delivery }]) => ({
        clientSeq,
        action,
        ...(asked && { asked }),
        ...(delivery === 'unknown' && { outcome: 'unknown' as const }),
        ...(delivery === 'held' && { held: true as const }),
      }));
    this.onDidChange();
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > MAX_UNPREDICTED && !oldest.done) {
      this.#settle(oldest.value, notDone('unknown', phrase`The host did not reply.`));
    }
  }
}
