/** The client's copy of one resource: what the host confirmed, what was dispatched on top of it, and what has arrived but is not reduced yet. */
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { ActionEnvelope, StateAction } from '../v1/actions.ts';
import type { ResourceState } from '../v1/commands.ts';
import type { URI } from '../v1/common.ts';
import type { SessionState } from '../v1/session.ts';
import { judgePending } from './pendingPolicy.ts';
import type {
  PendingAction,
  Settlement,
  SubscriptionChange,
  SubscriptionHandle,
  SubscriptionSource,
  SubscriptionStatus,
} from './subscription.ts';
import { kindOfResource } from './wireChecks.ts';

/** Reduces a state of the resource `uri` by actions, in order; the same reference when nothing changed. */
export type ReduceBatch = (uri: URI, state: ResourceState, actions: readonly StateAction[], now: number) => ResourceState;

export interface ResourceContext {
  readonly clientId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reduce: ReduceBatch;
  /** Sends an action; false when there is no line. */
  send(clientSeq: number, action: StateAction): boolean;
  /** Something is to be reduced or told: call `flush` in the next tick. */
  markDirty(resource: Resource): void;
}

interface Unsettled {
  readonly action: StateAction;
  /** Shown in `state` before the host confirms it. */
  readonly predicted: boolean;
  /** `unsure`: it was sent over a line that was lost since. */
  delivery: 'held' | 'sent' | 'unsure';
  readonly settle: (settlement: Settlement) => void;
}

/** A host that never echoes must not make the table of unpredicted actions grow without end. */
const MAX_UNPREDICTED = 1_000;

export class Resource<S extends ResourceState = ResourceState> implements SubscriptionSource<S> {
  readonly kind: ReturnType<typeof kindOfResource>;
  readonly handles = new Set<SubscriptionHandle<S>>();

  #status: SubscriptionStatus = { kind: 'loading' };
  #confirmed: S | undefined;
  /** What `confirmed` includes; envelopes up to it are stale. */
  #appliedSeq = -Infinity;
  /** Arrived and not reduced. While the resource is not live, they wait for the snapshot. */
  #queue: ActionEnvelope[] = [];

  #unsettled = new Map<number, Unsettled>();
  #pending: readonly PendingAction[] = [];
  #optimistic: { confirmed: S; pending: readonly PendingAction[]; state: S } | undefined;

  // What the next event tells.
  #untold = { snapshot: false, actions: [] as StateAction[], pending: false, status: false };
  /** One event carries one `now`, however many batches it covers. */
  #batchNow: number | undefined;
  #telling = false;

  constructor(
    readonly uri: URI,
    private readonly context: ResourceContext,
  ) {
    this.kind = kindOfResource(uri);
  }

  get confirmed(): S | undefined {
    this.#catchUp();
    return this.#confirmed;
  }

  get state(): S | undefined {
    this.#catchUp();
    const confirmed = this.#confirmed;
    const pending = this.#pending;
    if (!confirmed || pending.length === 0) return confirmed;
    if (this.#optimistic?.confirmed !== confirmed || this.#optimistic.pending !== pending) {
      const actions = pending.map(({ action }) => action);
      this.#optimistic = { confirmed, pending, state: this.#reduce(confirmed, actions, this.context.clock.now()).state };
    }
    return this.#optimistic.state;
  }

  get pending(): readonly PendingAction[] {
    this.#catchUp();
    return this.#pending;
  }

  get status(): SubscriptionStatus {
    return this.#status;
  }

  /** True when the host can bring this copy up to date with a replay. */
  get hasState(): boolean {
    return this.#confirmed !== undefined && this.#status.kind !== 'failed';
  }

  receive(envelope: ActionEnvelope): void {
    if (this.#status.kind === 'failed') return;
    this.#queue.push(envelope);
    if (this.#status.kind === 'live') this.context.markDirty(this as Resource);
  }

  /** Replaces the state; envelopes that are older than it only settle what they answer. An older snapshot than what is shown is dropped. */
  applySnapshot(state: S, fromSeq: number): void {
    if (this.#status.kind === 'live' && fromSeq < this.#appliedSeq) return;
    this.#confirmed = state;
    this.#appliedSeq = fromSeq;
    this.#untold.snapshot = true;
    this.#goLive();
  }

  /** Brings a stale copy up to date with the envelopes that it missed. */
  applyReplay(missed: readonly ActionEnvelope[]): void {
    this.#queue = [...missed, ...this.#queue];
    this.#goLive();
  }

  /** The line is lost. What has arrived is still applied. */
  lineLost(since: number): void {
    if (this.#status.kind === 'live') {
      this.#takeFromQueue(Infinity);
      this.#setStatus({ kind: 'stale', since });
    }
    this.#queue = [];
    for (const [clientSeq, unsettled] of this.#unsettled) {
      if (unsettled.delivery !== 'sent') continue;
      if (unsettled.predicted) unsettled.delivery = 'unsure';
      else this.#settle(clientSeq, { kind: 'unknown', reason: 'The line was lost before the host answered.' });
    }
  }

  /** The host has started again: its numbers begin anew, and only a snapshot can tell the state. */
  hostRestarted(): void {
    this.#appliedSeq = -Infinity;
  }

  /** A snapshot is being asked for (again). */
  asking(): void {
    if (this.#status.kind !== 'failed') return;
    this.#setStatus(this.#confirmed ? { kind: 'stale', since: this.context.clock.now() } : { kind: 'loading' });
  }

  fail(error: { code?: number; message: string }): void {
    this.#queue = [];
    this.#setStatus({ kind: 'failed', error });
    this.settleAll(`The host does not give the state of ${this.uri}: ${error.message}`);
  }

  /** Nobody will learn what becomes of the actions that are under way. */
  settleAll(reason: string): void {
    for (const [clientSeq, { delivery }] of this.#unsettled) {
      this.#settle(clientSeq, delivery === 'held' ? { kind: 'rejected', reason: `Not sent. ${reason}` } : { kind: 'unknown', reason });
    }
  }

  /** Session actions are shown at once, and kept until there is a line. Input for a pty and settings of the host are neither guessed nor kept. */
  dispatch(clientSeq: number, action: StateAction): Promise<Settlement> {
    if (this.#status.kind === 'failed') {
      return Promise.resolve({ kind: 'rejected', reason: `Not sent. The host does not give the state of ${this.uri}.` });
    }
    const predicted = this.kind === 'session';
    const mayGo = !predicted || this.#status.kind === 'live';
    const sent = mayGo && this.context.send(clientSeq, action);
    if (!sent && !predicted) return Promise.resolve({ kind: 'rejected', reason: 'Not sent. There is no connection to the host.' });
    return new Promise((settle) => {
      this.#unsettled.set(clientSeq, { action, predicted, delivery: sent ? 'sent' : 'held', settle });
      if (predicted) this.#pendingChanged();
      else this.#forgetOldest();
    });
  }

  /** Reduces up to `limit` envelopes and tells what changed. True when more are left. */
  flush(limit: number): boolean {
    if (this.#telling) return true;
    if (this.#status.kind === 'live') this.#takeFromQueue(limit);
    this.#tell();
    return this.#status.kind === 'live' && this.#queue.length > 0;
  }

  /** A reader never sees less than what has arrived, nor more than what the events have told. */
  #catchUp(): void {
    if (this.#telling) return;
    if ((this.#status.kind === 'live' && this.#queue.length > 0) || this.#untold.actions.length > 0) this.flush(Infinity);
  }

  #goLive(): void {
    this.#setStatus({ kind: 'live' });
    this.#takeFromQueue(Infinity);
    for (const [clientSeq, unsettled] of this.#unsettled) {
      if (unsettled.delivery === 'sent') continue;
      const verdict = unsettled.delivery === 'held' ? 'again' : judgePending(unsettled.action, this.#confirmed as SessionState);
      if (verdict === 'done') this.#settle(clientSeq, { kind: 'confirmed' });
      else if (verdict === 'unknown') {
        this.#settle(clientSeq, { kind: 'unknown', reason: 'The line was lost, and the host’s state does not show whether it was done.' });
      } else if (this.context.send(clientSeq, unsettled.action)) unsettled.delivery = 'sent';
    }
    this.context.markDirty(this as Resource);
  }

  #takeFromQueue(limit: number): void {
    if (this.#queue.length === 0) return;
    const taken = this.#queue.splice(0, limit);
    const actions: StateAction[] = [];
    for (const { action, serverSeq, origin, rejectionReason } of taken) {
      if (origin?.clientId === this.context.clientId) {
        const refused = rejectionReason !== undefined;
        this.#settle(origin.clientSeq, refused ? { kind: 'rejected', reason: rejectionReason } : { kind: 'confirmed' });
      }
      if (serverSeq <= this.#appliedSeq) continue;
      this.#appliedSeq = serverSeq;
      if (rejectionReason === undefined) actions.push(action);
    }
    if (actions.length === 0 || !this.#confirmed) return;
    const now = (this.#batchNow ??= this.context.clock.now());
    const { state, applied } = this.#reduce(this.#confirmed, actions, now);
    this.#confirmed = state;
    if (!this.#untold.snapshot) this.#untold.actions = this.#untold.actions.concat(applied);
    this.context.markDirty(this as Resource);
  }

  /** A malformed action of the host must not take the others of its batch with it: then one at a time, without those that cannot be reduced. */
  #reduce(state: S, actions: readonly StateAction[], now: number): { state: S; applied: readonly StateAction[] } {
    const { reduce, logger } = this.context;
    try {
      return { state: reduce(this.uri, state, actions, now) as S, applied: actions };
    } catch (error) {
      logger.debug(`${this.uri}: a batch of ${actions.length} actions cannot be reduced as one (${messageOf(error)})`);
    }
    const applied: StateAction[] = [];
    for (const action of actions) {
      try {
        state = reduce(this.uri, state, [action], now) as S;
        applied.push(action);
      } catch (error) {
        logger.error(`${this.uri}: dropped a malformed ${action.type}: ${messageOf(error)}`);
      }
    }
    return { state, applied };
  }

  #settle(clientSeq: number, settlement: Settlement): void {
    const unsettled = this.#unsettled.get(clientSeq);
    if (!unsettled) return;
    this.#unsettled.delete(clientSeq);
    if (unsettled.predicted) this.#pendingChanged();
    unsettled.settle(settlement);
  }

  #pendingChanged(): void {
    this.#pending = [...this.#unsettled].filter(([, { predicted }]) => predicted).map(([clientSeq, { action }]) => ({ clientSeq, action }));
    this.#untold.pending = true;
    this.context.markDirty(this as Resource);
  }

  #forgetOldest(): void {
    const oldest = this.#unsettled.keys().next();
    if (this.#unsettled.size > MAX_UNPREDICTED && !oldest.done) {
      this.#settle(oldest.value, { kind: 'unknown', reason: 'The host did not answer.' });
    }
  }

  #setStatus(status: SubscriptionStatus): void {
    if (status.kind === 'live' && this.#status.kind === 'live') return;
    this.#status = status;
    this.#untold.status = true;
    this.context.markDirty(this as Resource);
  }

  #tell(): void {
    const { snapshot, actions, pending, status } = this.#untold;
    const now = this.#batchNow ?? this.context.clock.now();
    this.#untold = { snapshot: false, actions: [], pending: false, status: false };
    this.#batchNow = undefined;
    const changes: SubscriptionChange[] = [];
    if (snapshot) changes.push({ kind: 'snapshot' });
    else {
      if (actions.length > 0 || pending) changes.push({ kind: 'actions', actions, now, pendingChanged: pending });
      if (status) changes.push({ kind: 'status' });
    }
    this.#telling = true;
    try {
      for (const change of changes) for (const handle of [...this.handles]) handle.fire(change);
    } finally {
      this.#telling = false;
    }
  }
}
