/** The agent's side of one session: made when it is first needed, made again after that failed, let go of at the end. */
import { withTimeout } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AgentSession } from '../agents/agent.ts';

export class SessionBackend implements Disposable {
  #made: Promise<AgentSession> | undefined;
  /** A cut of the history that happened before there was anyone to hear of it. */
  #unheardCut: { turnId: string | undefined } | undefined;
  #disposed = false;

  constructor(
    private readonly make: () => Promise<AgentSession>,
    private readonly timeoutMs: number,
  ) {}

  /** Rejects with why it cannot be made; the next call tries again. */
  obtain(): Promise<AgentSession> {
    if (this.#made) return this.#made;
    const making = (async () => this.make())();
    const made = withTimeout(making, this.timeoutMs, 'creating the session').then((backend) => {
      if (this.#unheardCut) backend.truncate(this.#unheardCut.turnId);
      this.#unheardCut = undefined;
      return backend;
    });
    this.#made = made;
    made.catch(() => {
      if (this.#made === made) this.#made = undefined;
      // One that comes too late is not left behind.
      making.then(
        (late) => late.dispose(),
        () => undefined, // it failed by itself: that is the outcome already
      );
    });
    return made;
  }

  /** Tells the agent of a cut, now or when there is one. */
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
      () => undefined, // told to whoever asked for it
    );
  }
}
