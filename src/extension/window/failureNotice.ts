/** Tells the user that a part of the window does not work, and offers to try again. One message at a time, however often it fails meanwhile. */
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { oneLine } from '../../views/text/oneLine.ts';

export class FailureNotice implements Disposable {
  #isOpen = false;
  #isOver = false;

  /** `what`: does not work, without a full stop. `ask` resolves with whether to try again, once the user has closed the message. */
  constructor(
    private readonly what: string,
    private readonly ask: (text: string) => Promise<boolean>,
  ) {}

  /** Where the message is open, the user tries that again. It is not said twice. */
  readonly report = (error: unknown, tryAgain: () => void): void => {
    if (!this.#isOpen && !this.#isOver) void this.#tell(`${this.what}: ${oneLine(messageOf(error), MAX_REASON)}`, tryAgain);
  };

  dispose(): void {
    this.#isOver = true;
  }

  async #tell(text: string, tryAgain: () => void): Promise<void> {
    this.#isOpen = true;
    // A message that cannot be shown counts as one that was closed.
    const wantsTo = await this.ask(text).catch(() => false);
    this.#isOpen = false;
    if (wantsTo && !this.#isOver) tryAgain();
  }
}

const MAX_REASON = 500;
