/** The client's copy of one resource: what the host confirmed, the pending actions on top, and what has arrived but is not reduced yet. */
import type { Clock } from '../../../base/clock.ts';
import { CountedWarnings } from '../../../base/connection/countedWarnings.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import type { ActionEnvelope, StateAction } from '../../v1/actions.ts';
import type { ResourceState, Snapshot } from '../../v1/commands.ts';
import type { URI } from '../../v1/common.ts';
import { kindOfResource, type ResourceKind } from '../../v1/reducers/reduceAll.ts';
import type { SessionState } from '../../v1/session.ts';
import type { SessionActiveClient } from '../../v1/toolCall.ts';
import { type Decision, decisionsIn } from './decisions.ts';
import { type PendingAction, withPending } from './pending.ts';
import { sendAgainAs } from './pendingPolicy.ts';
import { reduceReadable } from './reduceReadable.ts';
import { sameState } from './sameState.ts';
import type { Settlement, SubscriptionChange, SubscriptionHandle, SubscriptionSource, SubscriptionStatus } from './subscription.ts';
import { TOO_MANY, UnsettledActions } from './unsettled.ts';

/** Reduces a state of the resource `uri` by actions, in order; the same reference when nothing changed. */
export type ReduceBatch = (uri: URI, state: ResourceState, actions: readonly StateAction[], now: number) => ResourceState;

export interface ResourceContext {
  readonly clientId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reduce: ReduceBatch;
  /** Sends an action; false without a connection. */
  send(clientSeq: number, action: StateAction): boolean;
  /** Hosts expect these numbers in order, over all resources. Take each just before it is used. */
  nextClientSeq(): number;
  /** Something has to be reduced or reported: call `flush` in the next tick. */
  markDirty(resource: Resource): void;
  onStatus(): void;
  /** Somebody has decided about calls of a session. */
  onDecisions?(uri: URI, decisions: readonly Decision[]): void;
}

/** Envelopes that may wait for a snapshot. A host sends only a few between a subscription and its reply. */
const MAX_EARLY = 10_000;
/** Envelopes that are reduced when the state is read between two ticks. */
const READ_SLICE = 2_000;

/**
 * `stepBack`: the sequence numbers of this resource went backwards (those of several resources may be mixed). `tooMany`: more envelopes wait
 * for a snapshot than may, and none may be lost. After both, a new connection is needed.
 */
export type Reception = 'taken' | 'stepBack' | 'tooMany';

export class Resource<S extends ResourceState = ResourceState> implements SubscriptionSource<S> {
  readonly kind: ResourceKind;
  readonly handles = new Set<SubscriptionHandle<S>>();

  #status: SubscriptionStatus = { kind: 'loading' };
  #confirmed: S | undefined;
  /** The newest sequence number that `confirmed` includes. */
  #appliedSeq = -Infinity;
  /** The newest sequence number that came over this connection. */
  #receivedSeq = -Infinity;
  /** Arrived and not reduced. While the resource is not live, they wait for the snapshot. */
  #queue: ActionEnvelope[] = [];

  readonly #warnings: CountedWarnings;
  readonly #unsettled: UnsettledActions;
  /** Our entry as the session's active client when the connection was lost. Hosts remove it then. */
  #ownEntry: SessionActiveClient | undefined;
  #optimistic: { confirmed: S; pending: readonly PendingAction[]; state: S } | undefined;

  // What the next event reports.
  #unreported = { snapshot: false, actions: [] as StateAction[], pending: false, status: false };
  /** An event has one `now`, however many batches it covers. */
  #batchNow: number | undefined;
  #reporting = false;

  constructor(
    readonly uri: URI,
    private readonly context: ResourceContext,
  ) {
    this.kind = kindOfResource(uri);
    this.#warnings = new CountedWarnings(context.logger);
    this.#unsettled = new UnsettledActions(() => {
      this.#unreported.pending = true;
      this.#markDirty();
    });
  }

  get confirmed(): S | undefined {
    this.#catchUp();
    return this.#confirmed;
  }

  get state(): S | undefined {
    this.#catchUp();
    return this.#ahead;
  }

  /** The confirmed state with what is pending on top. */
  get #ahead(): S | undefined {
    const confirmed = this.#confirmed;
    const { pending } = this.#unsettled;
    if (!confirmed || pending.length === 0) return confirmed;
    if (this.#optimistic?.confirmed !== confirmed || this.#optimistic.pending !== pending) {
      const now = this.context.clock.now();
      const state = withPending(confirmed, pending, (before, ahead) => this.#reduce(before, ahead, now).state);
      this.#optimistic = { confirmed, pending, state };
    }
    return this.#optimistic.state;
  }

  get pending(): readonly PendingAction[] {
    this.#catchUp();
    return this.#unsettled.pending;
  }

  get status(): SubscriptionStatus {
    return this.#status;
  }

  /** True when the host gave no state or has removed the resource. It is requested again only on demand. */
  get hasEnded(): boolean {
    return this.#status.kind === 'failed' || this.#status.kind === 'removed';
  }

  /** True when the host can bring this copy up to date with a replay. */
  get hasState(): boolean {
    return this.#confirmed !== undefined && !this.hasEnded;
  }

  /** The state with everything that has arrived; undefined while there is none. */
  snapshot(): Snapshot | undefined {
    this.flush(Infinity);
    return this.#confirmed && { resource: this.uri, state: this.#confirmed, fromSeq: this.#appliedSeq };
  }

  /** True while an action waits for the host or for the user. The resource is kept then, also without a subscription. */
  get hasPending(): boolean {
    return this.#unsettled.hasPending;
  }

  /** Envelopes that have arrived and are not reduced. */
  get waiting(): number {
    return this.#queue.length;
  }

  receive(envelope: ActionEnvelope): Reception {
    if (this.hasEnded) return 'taken';
    if (envelope.serverSeq < this.#receivedSeq) return 'stepBack';
    this.#receivedSeq = envelope.serverSeq;
    this.#queue.push(envelope);
    if (this.#status.kind !== 'live') return this.#queue.length > MAX_EARLY ? 'tooMany' : 'taken';
    this.#markDirty();
    return 'taken';
  }

  /** Replaces the state. Older envelopes only settle their actions. A snapshot that is older than the state is dropped. */
  applySnapshot(state: S, fromSeq: number): void {
    if (this.#status.kind === 'live' && fromSeq < this.#appliedSeq) return;
    this.#replace(state, fromSeq);
    this.#goLive();
  }

  /**
   * Brings a stale copy up to date with the envelopes that it missed, and compares it with a snapshot that was taken after them. Where they
   * differ, the snapshot counts.
   */
  applyReplay(missed: readonly ActionEnvelope[], check?: { state: S; fromSeq: number }): void {
    this.#queue = [...missed, ...this.#queue];
    if (check) {
      this.#takeFromQueue(Infinity);
      if (!this.#confirmed || !sameState(this.#confirmed, check.state)) {
        this.context.logger.info(`${this.uri}: the replay did not lead to the host’s state, which is used instead`);
        this.#replace(check.state, check.fromSeq);
      } else this.#appliedSeq = check.fromSeq;
    }
    this.#goLive();
  }

  /** The connection is lost. What has arrived is still applied. */
  connectionLost(since: number): void {
    if (this.#status.kind === 'live') {
      this.#takeFromQueue(Infinity);
      const { activeClient } = (this.state ?? {}) as Partial<SessionState>;
      this.#ownEntry = activeClient?.clientId === this.context.clientId ? activeClient : undefined;
      this.#setStatus({ kind: 'stale', since });
    }
    this.#queue = [];
    this.#receivedSeq = -Infinity;
    this.#unsettled.connectionLost();
  }

  /** A snapshot is being requested, perhaps again. */
  requesting(): void {
    if (!this.hasEnded) return;
    this.#setStatus(this.#confirmed ? { kind: 'stale', since: this.context.clock.now() } : { kind: 'loading' });
  }

  fail(error: { code?: number; message: string }): void {
    this.#queue = [];
    this.#setStatus({ kind: 'failed', error });
    this.#unsettled.abandon(`The host does not give the state of ${this.uri}: ${error.message}`);
  }

  /** The host has removed it. What it may still send does not belong to what is shown. */
  remove(): void {
    if (this.#status.kind === 'live') this.#takeFromQueue(Infinity);
    this.#queue = [];
    this.#setStatus({ kind: 'removed' });
    this.#unsettled.abandon('The host has removed the session.');
  }

  /** The outcome of the pending actions will not be known. */
  settleAll(reason: string): void {
    this.#unsettled.settleAll(reason);
  }

  /** Session actions are shown at once, and kept until there is a connection. Input for a pty and settings of the host are neither predicted nor kept. */
  dispatch(clientSeq: number, action: StateAction): Promise<Settlement> {
    if (this.#status.kind === 'failed') {
      return Promise.resolve({ kind: 'rejected', reason: `Not sent. The host does not give the state of ${this.uri}.` });
    }
    if (this.#status.kind === 'removed')
      return Promise.resolve({ kind: 'rejected', reason: 'Not sent. The host has removed the session.' });
    const predicted = this.kind === 'session';
    const mayGo = !predicted || this.#status.kind === 'live';
    if (predicted && this.#unsettled.isFull) return Promise.resolve({ kind: 'rejected', reason: TOO_MANY });
    const sent = mayGo && this.context.send(clientSeq, action);
    if (!sent && !predicted) return Promise.resolve({ kind: 'rejected', reason: 'Not sent. There is no connection to the host.' });
    const before = predicted ? (this.#ahead as SessionState | undefined) : undefined;
    return this.#unsettled.add(clientSeq, action, { predicted, delivery: sent ? 'sent' : 'held', ...(before && { before }) });
  }

  /** An action of a session that an earlier instance of this client sent. As after a lost connection, the host's state has to show what became of it. */
  restore(clientSeq: number, action: StateAction): Promise<Settlement> {
    const settled = this.#unsettled.add(clientSeq, action, { predicted: true, delivery: 'unsure' });
    if (this.#status.kind === 'live') this.#resume();
    return settled;
  }

  /** Removes an action of unknown outcome. Returns what to send if the user wants it sent again; undefined when there is no such action. */
  takeUnknown(clientSeq: number): StateAction | undefined {
    const action = this.#unsettled.takeUnknown(clientSeq);
    return action && sendAgainAs(action, (this.#confirmed ?? {}) as SessionState, () => crypto.randomUUID());
  }

  /** Reduces up to `limit` envelopes, and as many again while there is time, and reports what changed. True when more are left. */
  flush(limit: number, hasTime: () => boolean = () => false): boolean {
    if (this.#reporting) return true;
    if (this.#status.kind === 'live') {
      do this.#takeFromQueue(limit);
      while (this.#queue.length > 0 && hasTime());
    }
    this.#report();
    return this.#status.kind === 'live' && this.#queue.length > 0;
  }

  /** Reading gives what has arrived (of a flood, a slice), and never other than what the events have reported. */
  #catchUp(): void {
    if (this.#reporting) return;
    if ((this.#status.kind === 'live' && this.#queue.length > 0) || this.#unreported.actions.length > 0) this.flush(READ_SLICE);
  }

  #replace(state: S, fromSeq: number): void {
    this.#confirmed = state;
    this.#appliedSeq = fromSeq;
    this.#unreported.snapshot = true;
    this.#unreported.actions = [];
  }

  #goLive(): void {
    this.#setStatus({ kind: 'live' });
    this.#takeFromQueue(Infinity);
    if (this.kind === 'session') {
      this.#restoreOwnEntry(this.#confirmed as SessionState);
      this.#resume();
    }
    this.#markDirty();
  }

  #resume(): void {
    const send = (action: StateAction) => {
      const sentSeq = this.context.nextClientSeq();
      return this.context.send(sentSeq, action) ? sentSeq : undefined;
    };
    const now = this.context.clock.now();
    const project = (state: SessionState, action: StateAction) => this.#reduce(state as S, [action], now).state as SessionState;
    this.#unsettled.resume(this.#confirmed as SessionState, send, project);
  }

  /** Unless another client has become the active one meanwhile, or an action of ours is about to change it. */
  #restoreOwnEntry(confirmed: SessionState): void {
    const entry = this.#ownEntry;
    this.#ownEntry = undefined;
    if (!entry || confirmed.activeClient || this.#unsettled.has('session/activeClientChanged')) return;
    void this.dispatch(this.context.nextClientSeq(), { type: 'session/activeClientChanged', session: this.uri, activeClient: entry });
  }

  #takeFromQueue(limit: number): void {
    if (this.#queue.length === 0) return;
    const taken = this.#queue.splice(0, limit);
    const accepted: ActionEnvelope[] = [];
    for (const envelope of taken) {
      const { serverSeq, origin, rejectionReason } = envelope;
      if (origin?.clientId === this.context.clientId) {
        this.#unsettled.echoed(origin.clientSeq, rejectionReason);
      }
      if (serverSeq <= this.#appliedSeq) continue;
      this.#appliedSeq = serverSeq;
      if (rejectionReason === undefined) accepted.push(envelope);
    }
    if (accepted.length === 0 || !this.#confirmed) return;
    if (this.kind === 'session') {
      const decisions = decisionsIn(this.#confirmed as SessionState, accepted);
      if (decisions.length > 0) this.context.onDecisions?.(this.uri, decisions);
    }
    const actions = accepted.map(({ action }) => action);
    const now = (this.#batchNow ??= this.context.clock.now());
    const { state, applied } = this.#reduce(this.#confirmed, actions, now);
    this.#confirmed = state;
    if (!this.#unreported.snapshot) this.#unreported.actions = this.#unreported.actions.concat(applied);
    this.#markDirty();
  }

  #reduce(state: S, actions: readonly StateAction[], now: number): { state: S; applied: readonly StateAction[] } {
    const { reduce } = this.context;
    return reduceReadable(
      state,
      actions,
      (before, batch) => reduce(this.uri, before, batch, now) as S,
      ({ type }, error) => this.#warnings.warn('malformed', `${this.uri}: dropped a malformed ${type}: ${messageOf(error)}`),
    );
  }

  #setStatus(status: SubscriptionStatus): void {
    if (status.kind === 'live' && this.#status.kind === 'live') return;
    this.#status = status;
    this.#unreported.status = true;
    this.#markDirty();
    this.context.onStatus();
  }

  #markDirty(): void {
    this.context.markDirty(this as Resource);
  }

  #report(): void {
    const { snapshot, actions, pending, status } = this.#unreported;
    const now = this.#batchNow ?? this.context.clock.now();
    this.#unreported = { snapshot: false, actions: [], pending: false, status: false };
    this.#batchNow = undefined;
    const changes: SubscriptionChange[] = [];
    if (snapshot) changes.push({ kind: 'snapshot' });
    else {
      if (actions.length > 0 || pending) changes.push({ kind: 'actions', actions, now, pendingChanged: pending });
      if (status) changes.push({ kind: 'status' });
    }
    this.#reporting = true;
    try {
      for (const change of changes) for (const handle of [...this.handles]) handle.fire(change);
    } finally {
      this.#reporting = false;
    }
  }
}
