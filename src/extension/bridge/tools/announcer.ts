/** Tells a host the tools that are lent: once changes have come to rest, and only what it has not been told already. */
import type { ToolDefinition } from '../../../ahp/common/tools.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';

const REST_MS = 200;

export class Announcer implements Disposable {
  #wanted: readonly ToolDefinition[] = [];
  /** What the host was told last, as text; undefined while nothing is lent. A host may repeat it in other words, so its state is not asked. */
  #told: string | undefined;
  #timer: Disposable | undefined;

  /** `tell`: announces while something is lent. */
  constructor(
    private readonly clock: Clock,
    private readonly tell: (tools: readonly ToolDefinition[]) => void,
  ) {}

  /** These tools were told with the beginning of lending. */
  begin(tools: readonly ToolDefinition[]): void {
    this.#wanted = tools;
    this.#told = JSON.stringify(tools);
    this.#stopTimer();
  }

  /** Nothing is lent any more. */
  end(): void {
    this.#told = undefined;
    this.#stopTimer();
  }

  set(tools: readonly ToolDefinition[]): void {
    if (tools === this.#wanted) return;
    const isSame = JSON.stringify(tools) === JSON.stringify(this.#wanted);
    this.#wanted = tools;
    if (this.#told === undefined || isSame) return;
    this.#stopTimer();
    this.#timer = this.clock.setTimer(() => this.#flush(), REST_MS);
  }

  dispose(): void {
    this.#stopTimer();
  }

  #flush(): void {
    this.#timer = undefined;
    const text = JSON.stringify(this.#wanted);
    if (this.#told === undefined || this.#told === text) return;
    this.#told = text;
    this.tell(this.#wanted);
  }

  #stopTimer(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
