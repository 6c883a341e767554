import { type Disposable, toDisposable } from '../../base/lifecycle.ts';

/** Another task uses the session. */
export class SessionBusyError extends Error {
  override readonly name = 'SessionBusyError';
  constructor(sessionId: string) {
    super(`the session ${sessionId} is used by a task`);
  }
}

/** Which sessions are used by tasks. A session serves one task at a time, and takes no message of others meanwhile. */
export class SessionLeases {
  readonly #holders = new Map<string, string>();

  /** The id of the task that uses the session. */
  holderOf(sessionId: string): string | undefined {
    return this.#holders.get(sessionId);
  }

  /** Dispose the result to give the session back. Throws a {@link SessionBusyError}. */
  take(sessionId: string, taskId: string): Disposable {
    if (this.#holders.has(sessionId)) throw new SessionBusyError(sessionId);
    this.#holders.set(sessionId, taskId);
    return toDisposable(() => this.#holders.delete(sessionId));
  }
}
