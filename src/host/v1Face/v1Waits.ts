/** What clients wait for: answers to their actions, and the end of a turn. */
import type { URI } from '../../ahp/common/shapes.ts';
import type { ActionOrigin, StateAction } from '../../ahp/v1/actions.ts';
import type { SessionModelChangedAction } from '../../ahp/v1/clientActions.ts';
import type { Reading } from './words/actionsIn.ts';

/** Of all clients together. The oldest is forgotten first, and answered in the words of the store. */
const MAX_WAITING = 10_000;

interface Waiting {
  action: StateAction;
  /** The actions of the store that it takes and that have not come yet. */
  left: number;
}

/** The actions that clients wait for an answer to, in their own words. The store knows them in the words of channels. */
export class Words {
  readonly #waiting = new Map<string, Waiting>();

  /** `count`: the actions of the store that it takes. */
  keep(origin: ActionOrigin, action: StateAction, count: number): void {
    this.#waiting.set(keyOf(origin), { action, left: count });
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_WAITING) break;
      this.#waiting.delete(oldest);
    }
  }
  isWaiting(origin: ActionOrigin): boolean {
    return this.#waiting.has(keyOf(origin));
  }

  /**
   * The store has an answer: what the client has said, when that is the last one. `more`: others follow. Undefined for what nobody waits for.
   */
  answer(origin: ActionOrigin, isRejection: boolean): StateAction | 'more' | undefined {
    const key = keyOf(origin);
    const waiting = this.#waiting.get(key);
    if (!waiting) return undefined;
    waiting.left--;
    if (waiting.left > 0 && !isRejection) return 'more';
    this.#waiting.delete(key);
    return waiting.action;
  }
}

function keyOf({ clientId, clientSeq }: ActionOrigin): string {
  return `${clientSeq} ${clientId}`;
}

interface HeldModel {
  action: SessionModelChangedAction;
  origin: ActionOrigin;
  reading: Reading;
}

/** Models that were chosen during a turn. In AHP v1 each waits for the end of the turn, and only the last one counts. */
export class HeldModels {
  /** By the channel of the chat. */
  readonly #held = new Map<URI, HeldModel>();

  /** Returns the one that waited, which does not count any more. */
  hold(chat: URI, model: HeldModel): HeldModel | undefined {
    const earlier = this.#held.get(chat);
    this.#held.set(chat, model);
    return earlier;
  }

  take(chat: URI): HeldModel | undefined {
    const held = this.#held.get(chat);
    this.#held.delete(chat);
    return held;
  }
}
