/** Keeps the merged tools of each session. Tells owners when they have changed, and providers when their update is in force. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import type { Session } from '../sessions/session.ts';
import { isSameOffer, type MergedTool, mergeTools, offerTools } from './toolSet.ts';

/** Changes within this time are sent together. */
const SETTLE_MS = 10;

/** The set that the owner was told last. */
export interface Offer {
  readonly revision: number;
  readonly tools: OfferedTool[];
}
const nothing: Offer = { revision: 0, tools: [] };

export class ToolAnnouncer {
  readonly #merged = new WeakMap<Session, ReadonlyMap<string, MergedTool>>();
  readonly #offers = new WeakMap<Session, Offer>();
  readonly #pending = new Map<Session, (() => void)[]>();
  #timer: Disposable | undefined;

  constructor(private readonly clock: Clock) {}

  /** The tools that the session's model may call now. The map is never changed in place. */
  readonly toolsOf = (session: Session): ReadonlyMap<string, MergedTool> => {
    const tools = this.#merged.get(session) ?? mergeTools(session);
    this.#merged.set(session, tools);
    return tools;
  };

  offerOf(session: Session): Offer {
    return this.#offers.get(session) ?? nothing;
  }

  /** Calls use the new set at once. The owner is told shortly after, and then `told` is called. */
  readonly changed = (session: Session, told?: () => void): void => {
    this.#merged.delete(session);
    const waiting = this.#pending.get(session) ?? [];
    if (told) waiting.push(told);
    this.#pending.set(session, waiting);
    this.#timer ??= this.clock.setTimer(() => this.#flush(), SETTLE_MS);
  };

  #flush(): void {
    this.#timer = undefined;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [session, waiting] of pending) {
      const tools = offerTools(this.toolsOf(session));
      const before = this.offerOf(session);
      if (!isSameOffer(tools, before.tools)) {
        const revision = before.revision + 1;
        this.#offers.set(session, { revision, tools });
        session.owner.notify('tools/changed', { sessionId: session.id, revision, tools });
      }
      for (const told of waiting) told();
    }
  }
}
