/** What a reader of a resource holds: its state as the host has it, its state with what was just dispatched, and every change. */
import { type Event, Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { StateAction } from '../../v1/actions.ts';
import type { ResourceState } from '../../v1/commands.ts';
import type { URI } from '../../v1/common.ts';

/** A session action that was dispatched and is not settled; `state` shows it already, unless its outcome is unknown. */
export interface PendingAction {
  readonly clientSeq: number;
  readonly action: StateAction;
  /**
   * The line was lost before the host answered, and its state does not show what became of it: `AgentHostClient.resolveUnknown` is for a
   * person to say. It stays, also over further breaks, until then or until a late sign of the host.
   */
  readonly outcome?: 'unknown';
  /** Nothing of it was sent: there is no connection. It goes out on the host's return if it still has its purpose then. */
  readonly held?: true;
}

export type SubscriptionStatus =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live' }
  /** The line is lost; what is shown is as of `since` (ms since the epoch). */
  | { readonly kind: 'stale'; readonly since: number }
  /** The host has removed the session; what was known before stays. `AgentHostClient.retry` asks whether it brings it back. */
  | { readonly kind: 'removed' }
  /** The host gave no state. What was known before stays. `code` is absent when it gave no answer. */
  | { readonly kind: 'failed'; readonly error: { readonly code?: number; readonly message: string } };

/**
 * What happened since the last event. Whoever keeps a copy takes `confirmed` on `snapshot`, and on `actions` reduces its copy by exactly these,
 * in this order, with this `now`. A `snapshot` comes with its own status and pending list; `status` comes by itself otherwise.
 */
export type SubscriptionChange =
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'actions'; readonly actions: readonly StateAction[]; readonly now: number; readonly pendingChanged: boolean }
  | { readonly kind: 'status' };

/**
 * `confirmed` and `state` never differ from what the events have told: reading them first reports what has arrived, and of a flood as much
 * as may be reduced at once.
 */
export interface Subscription<S extends ResourceState = ResourceState> extends Disposable {
  readonly uri: URI;
  /** As the host has it; undefined until the first snapshot. */
  readonly confirmed: S | undefined;
  /** `confirmed` and on top of it what is pending, without what is of unknown outcome. */
  readonly state: S | undefined;
  readonly pending: readonly PendingAction[];
  readonly status: SubscriptionStatus;
  /** One event a tick for the state, and one for the status when it changed. */
  readonly onDidChange: Event<SubscriptionChange>;
}

/** What became of a dispatched action. */
export type Settlement =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** It cannot be known whether the host did it. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Dispatched {
  /** The name of this action in `pending`. On the wire a later sending of it has another number. */
  readonly clientSeq: number;
  /**
   * Never rejects. `unknown` comes as soon as nothing more is to be expected; a session's action may then stay in `pending` with that
   * outcome, and what becomes of it there is not told here.
   */
  readonly settled: Promise<Settlement>;
}

/** What a handle reads from; see `Resource`. */
export interface SubscriptionSource<S extends ResourceState> {
  readonly uri: URI;
  readonly confirmed: S | undefined;
  readonly state: S | undefined;
  readonly pending: readonly PendingAction[];
  readonly status: SubscriptionStatus;
}

/** One reader's hold on a resource. After its disposal it hears nothing more; what it shows stays readable. */
export class SubscriptionHandle<S extends ResourceState> implements Subscription<S> {
  readonly #change = new Emitter<SubscriptionChange>();
  readonly onDidChange: Event<SubscriptionChange> = this.#change.event;
  #release: (() => void) | undefined;

  constructor(
    private readonly source: SubscriptionSource<S>,
    release: (handle: SubscriptionHandle<S>) => void,
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
  get pending(): readonly PendingAction[] {
    return this.source.pending;
  }
  get status(): SubscriptionStatus {
    return this.source.status;
  }

  /** For the resource only. */
  fire(change: SubscriptionChange): void {
    this.#change.fire(change);
  }

  dispose(): void {
    const release = this.#release;
    this.#release = undefined;
    this.#change.dispose();
    release?.();
  }
}
