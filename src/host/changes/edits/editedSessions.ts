/**
 * Which sessions have a turn that changed a file. It is asked after each turn, so the turns of a session are looked through once, and what
 * becomes of them is followed from then on.
 */
import type { URI } from '../../../ahp/common/shapes.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { AddedChannel, DispatchedAction, StateStore } from '../../state/stateStore.ts';
import { hasEdits, hasEditsIn } from './turnEdits.ts';

export class EditedSessions implements Disposable {
  /** Of the sessions that were asked about. */
  readonly #known = new Map<URI, boolean>();
  readonly #listeners: readonly Disposable[];

  constructor(private readonly store: StateStore) {
    this.#listeners = [
      store.onDidAdd((added) => this.#noteAdded(added)),
      store.onDidDispatch((dispatched) => this.#follow(dispatched)),
      store.onDidDelete((channel) => this.#known.delete(channel)),
    ];
  }

  has(session: URI): boolean {
    const known = this.#known.get(session) ?? hasEdits(this.store, session);
    if (this.store.session(session)) this.#known.set(session, known);
    return known;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** A fork has the turns of another chat. */
  #noteAdded({ kind, session, channel }: AddedChannel): void {
    if (kind === 'chat' && session !== undefined && this.#known.get(session) === false && hasEditsIn(this.store, channel))
      this.#known.set(session, true);
  }

  #follow({ session, envelope: { action, rejectionReason } }: DispatchedAction): void {
    if (session === undefined || rejectionReason !== undefined) return;
    const known = this.#known.get(session);
    const isLookedAtAgain =
      action.type === 'chat/toolCallComplete'
        ? // Whether the call took the result is in its turn.
          known === false && action.result.content?.some(({ type }) => type === 'fileEdit')
        : known === true && (action.type === 'chat/truncated' || action.type === 'session/chatRemoved');
    if (isLookedAtAgain) this.#known.delete(session);
  }
}
