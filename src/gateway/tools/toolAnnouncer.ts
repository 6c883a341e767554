/** Tells owners the merged tool set of a session when it has changed, and providers that their update is in force. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Session } from '../sessions/session.ts';
import { isSameOffer, offerTools } from './toolSet.ts';

/** Changes of one moment go out together. */
const SETTLE_MS = 10;

export class ToolAnnouncer {
  readonly #pending = new Map<Session, (() => void)[]>();
  #timer: Disposable | undefined;

  constructor(private readonly clock: Clock) {}

  /** Calls go by the new set at once; the owner hears of it shortly after, and then `told` is called. */
  changed(session: Session, told?: () => void): void {
    session.toolsChanged();
    const waiting = this.#pending.get(session) ?? [];
    if (told) waiting.push(told);
    this.#pending.set(session, waiting);
    this.#timer ??= this.clock.setTimer(() => this.#flush(), SETTLE_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [session, waiting] of pending) {
      const offered = offerTools(session.tools);
      if (!isSameOffer(offered, session.offered)) {
        session.offered = offered;
        session.revision++;
        session.owner.notify('tools/changed', { sessionId: session.id, revision: session.revision, tools: offered });
      }
      for (const told of waiting) told();
    }
  }
}
