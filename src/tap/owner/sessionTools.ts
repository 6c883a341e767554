/** The tools of one gateway session, as last told by the gateway. */
import type { Clock } from '../../base/clock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { OwnerClient } from './ownerClient.ts';
import type { OfferedTool } from '../wire/owner/ownerMessages.ts';

/** The list counts as settled after this time without a change. */
const REST_MS = 200;
/** A list that keeps changing is taken as it is after this time. */
const MAX_UNREST_MS = 1_000;

export class SessionTools implements Disposable {
  /** Undefined while the gateway does not know the session. */
  #tools: readonly OfferedTool[] | undefined;
  /** Whether the list has settled since the session was last registered. */
  #hasRested = false;
  #unrestSince = 0;
  #timer: Disposable | undefined;
  /** What the client was told last, as JSON. Undefined while it has not asked. */
  #known: string | undefined;
  readonly #waiting = new Set<() => void>();
  readonly #store = new DisposableStore();

  /** `onDidChange` is called when the result of {@link list} has changed, and after every new registration. Never before the first list. */
  constructor(
    owner: Pick<OwnerClient, 'onEvent' | 'onDidChangeState'>,
    sessionId: string,
    private readonly clock: Clock,
    private readonly onDidChange: () => void,
  ) {
    this.#store.add(
      owner.onEvent(({ event, params }) => {
        if (event === 'tools/changed' && params.sessionId === sessionId) this.#told(params.tools);
      }),
    );
    this.#store.add(owner.onDidChangeState(({ kind }) => void (kind === 'waiting' && this.#lost())));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  /** The tool as the gateway has it now. */
  find(name: string): OfferedTool | undefined {
    return this.#tools?.find((tool) => tool.name === name);
  }

  /** The tools to tell the client. Rejects like {@link ready}. */
  async list(timeoutMs: number): Promise<readonly OfferedTool[]> {
    await this.ready(timeoutMs);
    const tools = this.#tools ?? [];
    this.#known = JSON.stringify(tools);
    return tools;
  }

  /**
   * Waits for the providers to arrive after the session was registered, also with a new gateway. Rejects with a {@link TimeoutError} when
   * the gateway does not know the session in time.
   */
  async ready(timeoutMs: number): Promise<void> {
    if (!this.#hasRested) await this.#rested(timeoutMs);
  }

  #rested(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        timer.dispose();
        this.#waiting.delete(done);
        resolve();
      };
      const timer = this.clock.setTimer(() => {
        this.#waiting.delete(done);
        reject(new TimeoutError('waiting for the gateway', timeoutMs));
      }, timeoutMs);
      this.#waiting.add(done);
    });
  }

  #told(tools: readonly OfferedTool[]): void {
    this.#tools = tools;
    const now = this.clock.now();
    if (!this.#timer) this.#unrestSince = now;
    this.#timer?.dispose();
    this.#timer = this.clock.setTimer(() => this.#rest(), Math.min(REST_MS, Math.max(0, this.#unrestSince + MAX_UNREST_MS - now)));
  }

  #rest(): void {
    this.#timer = undefined;
    const isNew = !this.#hasRested;
    this.#hasRested = true;
    for (const done of [...this.#waiting]) done();
    if (this.#known === undefined) return;
    const now = JSON.stringify(this.#tools);
    if (!isNew && now === this.#known) return;
    this.#known = now;
    this.onDidChange();
  }

  #lost(): void {
    this.#tools = undefined;
    this.#hasRested = false;
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
