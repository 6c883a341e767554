/** What a subscription gives: the state as the host has it, the state with what was just dispatched, and every change. */
import type { HostProblem } from '../connection/hostError.ts';
import { type Event, Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { english, said, type Words } from '../../../base/text/phrase.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { PendingAction } from './pending.ts';

export type SubscriptionStatus =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live' }
  /** The connection is lost. What is shown is as of `since` (ms since the epoch). */
  | { readonly kind: 'stale'; readonly since: number }
  /** The host has removed the session. What was known before stays. `AgentHostClient.retry` requests it again. */
  | { readonly kind: 'removed' }
  /** The host gave no state. What was known before stays. `code` is absent when it did not reply. */
  | { readonly kind: 'failed'; readonly error: HostProblem };

/**
 * What happened since the last event. To keep a copy, take `confirmed` on `snapshot`, and on `actions` reduce the copy by exactly these, in
 * this order, with this `now`. A `snapshot` comes with its own status and pending list. Otherwise `status` comes by itself.
 */
export type SubscriptionChange<A extends ActionLike = ActionLike> =
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'actions'; readonly actions: readonly A[]; readonly now: number; readonly pendingChanged: boolean }
  | { readonly kind: 'status' };

/**
 * `confirmed` and `state` never differ from what the events have reported. Reading them first reports what has arrived, and of a flood as
 * much as may be reduced at once.
 */
export interface Subscription<S extends object = object, A extends ActionLike = ActionLike> extends Disposable {
  readonly uri: URI;
  /** As the host has it; undefined until the first snapshot. */
  readonly confirmed: S | undefined;
  /** `confirmed` and on top of it what is pending, without what is of unknown outcome. */
  readonly state: S | undefined;
  readonly pending: readonly PendingAction<A>[];
  readonly status: SubscriptionStatus;
  /** One event a tick for the state, and one for the status when it changed. */
  readonly onDidChange: Event<SubscriptionChange<A>>;
}

/** What became of a dispatched action. */
export type Settlement =
  | { readonly kind: 'confirmed' }
  | NotDone<'rejected'>
  /** It cannot be known whether the host did it. */
  | NotDone<'unknown'>;

/** `reason`: sentences in English, or what the host said. `words`: `reason` for people of any language. Absent where it is the host's. */
export interface NotDone<K extends 'rejected' | 'unknown' = 'rejected' | 'unknown'> {
  readonly kind: K;
  readonly reason: string;
  readonly words?: Words;
}

export function notDone<K extends NotDone['kind']>(kind: K, words: Words): NotDone<K> {
  return { kind, reason: english(words), ...(typeof words !== 'string' && { words }) };
}

/** For people. */
export function reasonText({ words, reason }: Omit<NotDone, 'kind'>): string {
  return said(words ?? reason);
}

export interface Dispatched {
  /** Identifies this action in `pending`. When it is sent again, it has another number on the wire. */
  readonly clientSeq: number;
  /**
   * Never rejects. It settles as `unknown` as soon as nothing more is to be expected. A session's action may then stay in `pending` with
   * that outcome, and what becomes of it there does not show here.
   */
  readonly settled: Promise<Settlement>;
}

/** What a handle reads from: a `Resource`. */
export interface SubscriptionSource<S extends object, A extends ActionLike = ActionLike> {
  readonly uri: URI;
  readonly confirmed: S | undefined;
  readonly state: S | undefined;
  readonly pending: readonly PendingAction<A>[];
  readonly status: SubscriptionStatus;
}

/** One subscription of a resource. After its disposal it fires no events; what it shows stays readable. */
export class SubscriptionHandle<S extends object, A extends ActionLike> implements Subscription<S, A> {
  readonly #change = new Emitter<SubscriptionChange<A>>();
  readonly onDidChange: Event<SubscriptionChange<A>> = this.#change.event;
  #release: (() => void) | undefined;

  constructor(
    private readonly source: SubscriptionSource<S, A>,
    release: (handle: SubscriptionHandle<S, A>) => void,
    /** How long the host may hold changes back from this reader. */
    readonly maxLatencyMs = 0,
  ) {
    this.#release = () => release(this);
  }

  get uri(): URI {
    return this.source.uri;
  }
  get confirmed(): S | undefined {
    return this.source.confirmed;
  }
  get state(): S | undefined {
    return this.source.state;
  }
  get pending(): readonly PendingAction<A>[] {
    return this.source.pending;
  }
  get status(): SubscriptionStatus {
    return this.source.status;
  }

  /** For the resource only. */
  fire(change: SubscriptionChange<A>): void {
    this.#change.fire(change);
  }

  dispose(): void {
    const release = this.#release;
    this.#release = undefined;
    this.#change.dispose();
    release?.();
  }
}
