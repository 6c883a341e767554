/** For which call an MCP server asks its user. It does not say so itself. */
import type { Clock } from '../../base/clock.ts';
import type { ToolCallRequest } from '../../tap/provider/providerApi.ts';

type Call = Pick<ToolCallRequest, 'sessionId' | 'tool'>;

/** What the user is told of a call: a question that may be for either of two is shown the same way where this is the same. */
const keyOf = ({ sessionId, tool }: Call) => JSON.stringify([sessionId, tool]);

export class Askers<C extends Call> {
  readonly #running = new Set<C>();
  /** Until when a call may still ask that was cut off, by what the user would be told of it. */
  readonly #left = new Map<string, number>();

  /** `longestMs`: the time that a call may take. One that was cut off may go on, and a server does not answer it any more. */
  constructor(
    private readonly longestMs: number,
    private readonly clock: Clock,
  ) {}

  began(call: C): void {
    this.#running.add(call);
  }

  /** `isAnswered`: by the server. */
  ended(call: C, isAnswered: boolean): void {
    this.#running.delete(call);
    if (!isAnswered) this.#left.set(keyOf(call), this.clock.now() + this.longestMs);
  }

  /** The call that asks, or why that is not certain. */
  find(): C | string {
    for (const [key, until] of this.#left) if (until <= this.clock.now()) this.#left.delete(key);
    const [call, ...others] = this.#running;
    if (!call) return 'it works for no session';
    if (others.some(({ sessionId }) => sessionId !== call.sessionId)) return 'it works for several sessions at once';
    if (others.some(({ tool }) => tool !== call.tool)) return 'several of its tools run at once';
    if ([...this.#left.keys()].some((key) => key !== keyOf(call))) return 'another call was cut off and may still be asking';
    return call;
  }
}
