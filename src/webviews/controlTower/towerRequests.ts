/** What the page asks about sessions, until it is answered. */
import * as l10n from '../../base/l10n.ts';
import type { EmitterDeed, EmitterRequest, EmitterResults } from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { TowerQuestion, TowerResults } from '../../views/traces/towerQuestion.ts';
import type { AskedSession, TowerAnswer, TowerPageMessage } from './protocol.ts';

/** A stop waits until nothing of it runs any more. */
const TIMEOUT_MS = 45_000;

export class TowerRequests {
  readonly #waiting = new Map<number, (answer: TowerAnswer) => void>();
  #last = 0;

  constructor(private readonly post: (message: TowerPageMessage) => void) {}

  /** Rejects with a text for the user. */
  emitters<D extends EmitterDeed>(session: SessionRef, request: Extract<EmitterRequest, { deed: D }>): Promise<EmitterResults[D]> {
    return this.#send((id) => ({ type: 'request', id, session, request })) as Promise<EmitterResults[D]>;
  }

  /** Rejects with a text for the user. */
  tower<W extends TowerQuestion['what']>(session: AskedSession, question: Extract<TowerQuestion, { what: W }>): Promise<TowerResults[W]> {
    return this.#send((id) => ({ type: 'ask', id, session, question })) as Promise<TowerResults[W]>;
  }

  answered(answer: TowerAnswer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #send(message: (id: number) => TowerPageMessage): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.answered({ type: 'answer', id, error: l10n.t('The gateway did not answer in time.') }),
        TIMEOUT_MS,
      );
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.result);
      });
      this.post(message(id));
    });
  }
}
