import type { Clock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';

/** Clients give up a call of which they hear nothing, mostly after a minute. */
const REPEAT_MS = 10_000;

/** Sends progress no faster than the client takes it. While a message is being sent, only the newest of the next is kept. */
export class LatestProgress {
  #count = 0;
  #next: string | undefined;
  #sending: Promise<void> | undefined;

  constructor(
    private readonly send: (message: string, count: number) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  report(message: string): void {
    this.#next = message;
    this.#sending ??= this.#run();
  }

  /** Reports the same again and again, until it is disposed. */
  repeat(message: string, clock: Clock): Disposable {
    let timer: Disposable;
    const report = () => {
      this.report(message);
      timer = clock.setTimer(report, REPEAT_MS);
    };
    report();
    return toDisposable(() => timer.dispose());
  }

  /** Resolves when the progress so far is sent, because none may follow the result. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  async #run(): Promise<void> {
    try {
      for (let message = this.#next; message !== undefined; message = this.#next) {
        this.#next = undefined;
        await this.send(message, ++this.#count);
      }
    } catch (error) {
      this.onError(error);
    }
    this.#sending = undefined;
  }
}
