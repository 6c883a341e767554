/** One provider: which dialect it speaks, what it can do, and its answers, checked. A provider that fails is left alone for a while. */
import * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import { backoffDelay } from '../base/connection/backoff.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { type CapabilitiesResult, capabilitiesResult } from './protocol/seed.ts';
import { type MetaResult, metaResult } from './protocol/later.ts';
import { type Listed, listed, whatIsWrong, withoutNulls } from './protocol/listed.ts';
import type { ProviderSettings } from './protocol/messages.ts';
import { ProviderFailure, type Transport } from './transports/openCtxTransport.ts';

/** What was found out by asking (openctx.md). */
export type Dialect =
  { readonly kind: 'seed'; readonly capabilities: CapabilitiesResult } | { readonly kind: 'later'; readonly meta: MetaResult };

/** What happened at the last request; `leftAloneUntil` in ms since the epoch. */
export type ProviderState =
  | { readonly kind: 'unused' }
  /** `leftOut`: what was wrong in its last answer, for the user. */
  | { readonly kind: 'works'; readonly leftOut?: string }
  | { readonly kind: 'failed'; readonly message: string; readonly leftAloneUntil?: number };

const BACKOFF = { firstMs: 1_000, longestMs: 5 * 60_000 };

export class ProviderConnection implements Disposable {
  #dialect: Promise<Dialect> | undefined;
  #failures = 0;
  #leftAloneUntil = 0;
  #lastFailure: ProviderFailure | undefined;
  #state: ProviderState = { kind: 'unused' };

  constructor(
    private readonly transport: Transport,
    private readonly settings: () => Promise<ProviderSettings>,
    private readonly clock: Clock,
  ) {}

  /** Rejects with a {@link ProviderFailure}. A success is remembered. */
  dialect(): Promise<Dialect> {
    if (!this.#dialect) {
      const asked = this.#ask();
      this.#dialect = asked;
      asked.catch(() => {
        if (this.#dialect === asked) this.#dialect = undefined;
      });
    }
    return this.#dialect;
  }

  /** A result of the shape. Rejects with a {@link ProviderFailure}. */
  async request<T>(method: string, params: object, shape: z.ZodMiniType<T>, signal?: AbortSignal): Promise<T> {
    if (this.#lastFailure && this.clock.now() < this.#leftAloneUntil) throw this.#lastFailure;
    try {
      const result = await this.#send(method, params, shape, signal);
      this.tryAgain();
      this.#state = { kind: 'works' };
      return result;
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind !== 'refused') this.#leaveAlone(error);
      throw error;
    }
  }

  /** As {@link request}, with what is right in a list. */
  async requestList<T>(method: string, params: object, shape: z.ZodMiniType<T>, signal?: AbortSignal): Promise<Listed<T>> {
    const answer = listed(await this.request(method, params, z.array(z.unknown()), signal), shape);
    if (answer.leftOut) this.#state = { kind: 'works', leftOut: answer.leftOut.message };
    return answer;
  }

  get state(): ProviderState {
    const isLeftAlone = this.#lastFailure && this.#leftAloneUntil > this.clock.now();
    return this.#state.kind === 'failed' && isLeftAlone ? { ...this.#state, leftAloneUntil: this.#leftAloneUntil } : this.#state;
  }

  /** Also of what was wrong with an answer, not with the request. */
  noteFailure(message: string): void {
    this.#state = { kind: 'failed', message };
  }

  /** The next request is sent, also when the provider has just failed. */
  tryAgain(): void {
    this.#failures = 0;
    if (this.#state.kind === 'failed') this.#state = { kind: 'unused' };
    this.#lastFailure = undefined;
  }

  dispose(): void {
    this.transport.dispose();
  }

  #leaveAlone(failure: ProviderFailure): void {
    this.#lastFailure = failure;
    this.#leftAloneUntil = this.clock.now() + backoffDelay(++this.#failures, BACKOFF);
  }

  async #send<T>(method: string, params: object, shape: z.ZodMiniType<T>, signal?: AbortSignal): Promise<T> {
    const answer = await this.transport.request({ method, params, settings: await this.settings() }, signal);
    const { success, data, error } = shape.safeParse(Array.isArray(answer) ? answer : withoutNulls(answer));
    if (success) return data;
    throw new ProviderFailure(`The provider’s answer to ${method} is not as OpenCtx says: ${whatIsWrong(error)}`, 'refused');
  }

  async #ask(): Promise<Dialect> {
    if (this.#lastFailure && this.clock.now() < this.#leftAloneUntil) throw this.#lastFailure;
    let capabilities: CapabilitiesResult;
    try {
      capabilities = await this.#send('capabilities', {}, capabilitiesResult);
    } catch (first) {
      if (!(first instanceof ProviderFailure)) throw first;
      if (first.kind === 'silent') {
        this.#leaveAlone(first);
        throw first;
      }
      // A provider of the later dialect may say in any way that it does not know the method.
      return { kind: 'later', meta: await this.#meta(first) };
    }
    this.tryAgain();
    this.#state = { kind: 'works' };
    return { kind: 'seed', capabilities };
  }

  async #meta(first: ProviderFailure): Promise<MetaResult> {
    try {
      return await this.request('meta', {}, metaResult);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind === 'silent' || error.message === first.message) throw error;
      throw new ProviderFailure(
        `It speaks no dialect of OpenCtx. To “capabilities”: ${first.message} To “meta”: ${error.message}`,
        error.kind,
      );
    }
  }
}
