/** How one provider is asked, over HTTP or in a worker. */
import type { Disposable } from '../../base/lifecycle.ts';
import type { RequestMessage } from '../protocol/messages.ts';

export interface OpenCtxLimits {
  /** Milliseconds for one request, with the start of the provider. */
  timeoutMs: number;
  /** Of one answer as JSON, and of a request. */
  maxBytes: number;
}
export const defaultLimits: OpenCtxLimits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 };

export interface Transport extends Disposable {
  /**
   * The `result` of the answer. Rejects with a {@link ProviderFailure}, also when the answer took too long, was too large, or was none, or when
   * nobody waits for it any more (`signal`).
   */
  request(message: RequestMessage, signal?: AbortSignal): Promise<unknown>;
}

export const cancelled = () => new ProviderFailure('The request was cancelled.', 'refused');

/** Why a provider gave no result. Its message is for the user, and is untrusted where it quotes the provider. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  constructor(
    message: string,
    /**
     * `refused`: an error of its own for this one request. `broken`: what it answers is no answer. `silent`: it cannot be reached, takes too long,
     * or has ended.
     */
    readonly kind: 'refused' | 'broken' | 'silent',
  ) {
    super(message);
  }
}
