/** The agent's backend of one chat. It is created when it is first needed, and again after a failure. */
import { withTimeout } from '../../base/errors.ts';
import { phrase } from '../../base/text/phrase.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AgentChat } from '../agents/agent.ts';

export class ChatBackend implements Disposable {
  #made: Promise<AgentChat> | undefined;
  /** A truncation that happened before there was a backend. */
  #unheardCut: { turnId: string | undefined } | undefined;
  #disposed = false;

  constructor(
    private readonly make: () => Promise<AgentChat>,
    private readonly timeoutMs: number,
  ) {}

  /** Rejects when the backend cannot be created. The next call tries again. */
  obtain(): Promise<AgentChat> {
    if (this.#made) return this.#made;
    const making = (async () => this.make())();
    const made = withTimeout(making, this.timeoutMs, phrase`creating the session`).then((backend) => {
      if (this.#unheardCut) backend.truncate(this.#unheardCut.turnId);
      this.#unheardCut = undefined;
      return backend;
    });
    this.#made = made;
    made.catch(() => {
      if (this.#made === made) this.#made = undefined;
      // A backend that arrives after the timeout is disposed.
      making.then(
        (late) => late.dispose(),
        () => undefined, // The caller has got the error already.
      );
    });
    return made;
  }

  /** Tells the backend of a truncation, now or when there is one. */
  async truncate(turnId: string | undefined): Promise<void> {
    if (!this.#made) this.#unheardCut = { turnId };
    else {
      const backend = await this.#made;
      if (!this.#disposed) backend.truncate(turnId);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#made?.then(
      (backend) => backend.dispose(),
      () => undefined, // The caller of `obtain` got the error.
    );
  }
}
