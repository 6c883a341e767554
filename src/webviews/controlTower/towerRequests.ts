/** What the page asks about the emitters of sessions, until it is answered. */
import type { EmitterDeed, EmitterRequest, EmitterResults } from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { TowerAnswer, TowerPageMessage } from './protocol.ts';

/** A stop waits until nothing of it runs any more. */
const TIMEOUT_MS = 45_000;

export class TowerRequests {
  readonly #waiting = new Map<number, (answer: TowerAnswer) => void>();
  #last = 0;

  constructor(private readonly post: (message: TowerPageMessage) => void) {}

  /** Rejects with a text for the user. */
  ask<D extends EmitterDeed>(session: SessionRef, request: Extract<EmitterRequest, { deed: D }>): Promise<EmitterResults[D]> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.answered({ type: 'answer', id, error: 'The gateway did not answer in time.' }), TIMEOUT_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.result as EmitterResults[D]);
      });
      this.post({ type: 'request', id, session, request });
    });
  }

  answered(answer: TowerAnswer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
