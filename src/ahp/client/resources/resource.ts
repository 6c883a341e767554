/** The client's copy of one resource: what the host confirmed, the pending actions on top, and what has arrived but is not reduced yet. */
import type { Clock } from '../../../base/clock.ts';
import { CountedWarnings } from '../../../base/connection/countedWarnings.ts';
import { englishOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { phrase, type Words } from '../../../base/text/phrase.ts';
import type { Decision } from '../../common/pending/envelopeDecisions.ts';
import { sendAgainAs } from '../../common/pending/pendingPolicy.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { Dialect, Envelope, ResourceKind, Snapshot } from '../../dialects/dialect.ts';
import type { HostProblem } from '../connection/hostError.ts';
import { kindAmong } from '../connection/kindAmong.ts';
import { type PendingAction, withPending } from './pending.ts';
import { reduceReadable } from './reduceReadable.ts';
import {
  notDone,
  type Settlement,
  type SubscriptionChange,
  type SubscriptionHandle,
  type SubscriptionSource,
  type SubscriptionStatus,
} from './subscription.ts';
import { TOO_MANY, UnsettledActions, type WhyNot } from './unsettled.ts';

/** Actions of these kinds are shown at once, and kept while the host is away. Input for a pty and settings of the host are not. */
const predicted: ReadonlySet<ResourceKind> = new Set(['session', 'chat', 'changeset', 'annotations']);

export interface ResourceContext {
  readonly clientId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** That of the host. Undefined before it is known. */
  readonly dialect: Dialect | undefined;
  /** Sends an action; false without a connection. */
  send(uri: URI, clientSeq: number, action: ActionLike): boolean;
  /** Hosts expect these numbers in order, over all resources. Take each just before it is used. */
  nextClientSeq(): number;
  /** Something has to be reduced or reported: call `flush` in the next tick. */
  markDirty(resource: Resource): void;
  onStatus(): void;
  /** `pending` of the resource is another list. */
  onPending(): void;
  /** Somebody has decided about calls of a session. */
  onDecisions?(uri: URI, decisions: readonly Decision[]): void;
}

const REMOVED = phrase`The host has removed it.`;

export interface DispatchOptions {
  /** What the action does, as a client action of the newest dialect. */
  readonly asked?: ActionLike;
  /** Absent: it may be sent whenever the host is back. */
  readonly whyNot?: WhyNot;
}

/** Actions of clients are requests there, which change nothing by themselves. */
const requested: ReadonlySet<ResourceKind> = new Set(['automations', 'automationRun']);

/** Envelopes that may wait for a snapshot. A host sends only a few between a subscription and its reply. */
const MAX_EARLY = 10_000;
/** Envelopes that are reduced when the state is read between two ticks. */
const READ_SLICE = 2_000;

/**
 * `stepBack`: the sequence numbers of this resource went backwards (those of several resources may be mixed). `tooMany`: more envelopes wait
 * for a snapshot than may, and none may be lost. After both, a new connection is needed.
 */
export type Reception = 'taken' | 'stepBack' | 'tooMany';

export class Resource<S extends object = object> implements SubscriptionSource<S, ActionLike> {
  readonly handles = new Set<SubscriptionHandle<S, ActionLike>>();
  /** How long the host was last told that it may hold changes back. */
  #askedLatencyMs = 0;
  /** The host may hold changes back. It is told otherwise before it gives the next snapshot. */
  #lags = false;
  /** False until its state was first asked for. */
  isRequested = false;

  readonly #asked: [ResourceKind, ...ResourceKind[]];
  /** That of the confirmed state. */
  #kind: ResourceKind | undefined;
  #status: SubscriptionStatus = { kind: 'loading' };
  #confirmed: S | undefined;
  /** The newest sequence number that `confirmed` includes. */
  #appliedSeq = -Infinity;
  /** The newest sequence number of all resources when the connection was lost, if this one had everything up to there. */
  #lostAtSeq = -Infinity;
  /** The newest sequence number that came over this connection. */
  #receivedSeq = -Infinity;
  /** Arrived and not reduced. While the resource is not live, they wait for the snapshot. */
  #queue: Envelope[] = [];

  readonly #warnings: CountedWarnings;
  readonly #unsettled: UnsettledActions;
  /** Our entry as an active client of the session when the connection was lost. Hosts remove it then. */
  #ownEntry: object | undefined;
  #optimistic: { confirmed: S; pending: readonly PendingAction<ActionLike>[]; state: S } | undefined;

  // What the next event reports.
  #unreported = { snapshot: false, actions: [] as ActionLike[], pending: false, status: false };
  /** An event has one `now`, however many batches it covers. */
  #batchNow: number | undefined;
  #reporting = false;

  constructor(
    readonly uri: URI,
    kind: ResourceKind,
    private readonly context: ResourceContext,
  ) {
    this.#asked = [kind];
    this.#warnings = new CountedWarnings(context.logger);
    this.#unsettled = new UnsettledActions(() => {
      this.#unreported.pending = true;
      this.#markDirty();
      context.onPending();
    });
  }

  /** What it was asked for as, by whoever came first. */
  get asked(): readonly ResourceKind[] {
    return this.#asked;
  }

  /** In the words of the host's dialect. Before there is a state, what was asked for first counts. */
  get kind(): ResourceKind {
    return this.#kind ?? this.context.dialect?.kindOf(this.#asked[0]) ?? this.#asked[0];
  }

  /** Somebody reads it as this. True when the state there is shows that they are right, and those before were not. */
  ask(kind: ResourceKind): boolean {
    if (this.#asked.includes(kind)) return false;
    this.#asked.push(kind);
    const before = this.kind;
    if (this.#confirmed) this.#kind = this.#kindOf(this.#confirmed);
    return this.kind !== before;
  }

  #kindOf(state: S): ResourceKind | undefined {
    return kindAmong(this.#dialect, this.#asked, this.uri, state);
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

  get pending(): readonly PendingAction<ActionLike>[] {
    this.#catchUp();
    return this.#unsettled.pending;
  }

  get askedLatencyMs(): number {
    return this.#askedLatencyMs;
  }
  set askedLatencyMs(asked: number) {
    this.#askedLatencyMs = asked;
    this.#lags ||= asked > 0;
  }

  /** The newest sequence number that the confirmed state includes. */
  get appliedSeq(): number {
    return this.#appliedSeq;
  }
  /** Nothing up to this number is missing in the confirmed state. Envelopes of others may have come up to there. */
  get completeSeq(): number {
    return Math.max(this.#lostAtSeq, this.#appliedSeq);
  }

  /** How long the host may hold changes back: as its least patient reader says. */
  get maxLatencyMs(): number {
    return this.handles.size === 0 ? 0 : Math.min(...[...this.handles].map(({ maxLatencyMs }) => maxLatencyMs));
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

  receive(envelope: Envelope): Reception {
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
    this.#lags = this.#askedLatencyMs > 0;
    if (this.#status.kind === 'live' && fromSeq < this.#appliedSeq) return;
    this.#replace(state, fromSeq);
    this.#goLive();
  }

  /**
   * Brings a stale copy up to date with the envelopes that it missed, and compares it with a snapshot that was taken after them. Where they
   * differ, the snapshot counts.
   */
  applyReplay(missed: readonly Envelope[], check?: { state: S; fromSeq: number }): void {
    this.#queue = [...missed, ...this.#queue];
    if (check) {
      this.#takeFromQueue(Infinity);
      if (!this.#confirmed || !this.#dialect.isSame(this.kind, this.#confirmed, check.state)) {
        this.context.logger.info(`${this.uri}: the replay did not lead to the host’s state, which is used instead`);
        this.#replace(check.state, check.fromSeq);
      } else this.#appliedSeq = check.fromSeq;
    }
    this.#goLive();
  }

  /** The connection is lost. What has arrived is still applied. `lastSeenSeq`: the newest number of all resources. */
  connectionLost(since: number, lastSeenSeq = -Infinity): void {
    if (this.#status.kind === 'live') {
      if (!this.#lags) this.#lostAtSeq = lastSeenSeq;
      this.#takeFromQueue(Infinity);
      const { state } = this;
      if (this.kind === 'session' && state) this.#ownEntry = this.#dialect.ownEntry(state, this.context.clientId);
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

  fail(error: HostProblem): void {
    this.#queue = [];
    this.#setStatus({ kind: 'failed', error });
    this.#unsettled.abandon(phrase`The host does not give the state of ${this.uri}: ${error.words ?? error.message}`);
  }

  /** The host has removed it. What it may still send does not belong to what is shown. */
  remove(): void {
    if (this.#status.kind === 'live') this.#takeFromQueue(Infinity);
    this.#queue = [];
    this.#setStatus({ kind: 'removed' });
    this.#unsettled.abandon(REMOVED);
  }

  /** What is known of it is of no more use, because the host speaks another version of the protocol now. */
  forget(reason: Words): void {
    this.#unsettled.settleAll(reason);
    this.#confirmed = undefined;
    this.#kind = undefined;
    this.#appliedSeq = -Infinity;
    this.#lostAtSeq = -Infinity;
    this.#ownEntry = undefined;
    this.#unreported.snapshot = true;
    this.#unreported.actions = [];
    this.#setStatus({ kind: 'loading' });
  }

  /** See `UnsettledActions.withdraw`. */
  withdraw(): void {
    this.#unsettled.withdraw();
  }

  /** The outcome of the pending actions will not be known. */
  settleAll(reason: Words): void {
    this.#unsettled.settleAll(reason);
  }

  dispatch(clientSeq: number, action: ActionLike, { asked, whyNot }: DispatchOptions = {}): Promise<Settlement> {
    if (this.#status.kind === 'failed') {
      return Promise.resolve(notDone('rejected', phrase`Not sent. The host does not give the state of ${this.uri}.`));
    }
    if (this.#status.kind === 'removed') return Promise.resolve(notDone('rejected', phrase`Not sent. ${REMOVED}`));
    const isPredicted = predicted.has(this.kind);
    const mayGo = !isPredicted || this.#status.kind === 'live';
    if (isPredicted && this.#unsettled.isFull) return Promise.resolve(notDone('rejected', TOO_MANY));
    const sent = mayGo && this.context.send(this.uri, clientSeq, action);
    if (!sent && !isPredicted) return Promise.resolve(notDone('rejected', phrase`Not sent. There is no connection to the host.`));
    const before = isPredicted ? this.#ahead : undefined;
    return this.#unsettled.add(clientSeq, action, {
      predicted: isPredicted,
      delivery: sent ? 'sent' : 'held',
      ...(before && { before }),
      ...(asked && { asked }),
      ...(whyNot && { whyNot }),
    });
  }

  /** An action that an earlier instance of this client sent. As after a lost connection, the host's state has to show what became of it. */
  restore(clientSeq: number, action: ActionLike, asked?: ActionLike): Promise<Settlement> {
    const settled = this.#unsettled.add(clientSeq, action, { predicted: true, delivery: 'unsure', ...(asked && { asked }) });
    if (this.#status.kind === 'live' && this.#confirmed) this.#resume(this.#confirmed);
    return settled;
  }

  /** Removes an action of unknown outcome. Returns what to send if the user wants it sent again; undefined when there is no such action. */
  takeUnknown(clientSeq: number): ({ action: ActionLike } & DispatchOptions) | undefined {
    const taken = this.#unsettled.takeUnknown(clientSeq);
    if (!taken) return undefined;
    const newId = crypto.randomUUID();
    // With what is on its way, because a turn that was just begun runs as soon as the host has it.
    const again = (action: ActionLike) => sendAgainAs(action, this.#ahead ?? {}, () => newId);
    const { action, asked, whyNot } = taken;
    return { action: again(action), ...(asked && { asked: again(asked) }), ...(whyNot && { whyNot }) };
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
    this.#kind = this.#kindOf(state);
    this.#appliedSeq = fromSeq;
    this.#lostAtSeq = -Infinity;
    this.#unreported.snapshot = true;
    this.#unreported.actions = [];
  }

  #goLive(): void {
    this.#setStatus({ kind: 'live' });
    this.#takeFromQueue(Infinity);
    if (this.#confirmed && predicted.has(this.kind)) {
      this.#restoreOwnEntry(this.#confirmed);
      this.#resume(this.#confirmed);
    }
    this.#markDirty();
  }

  #resume(confirmed: S): void {
    const send = (action: ActionLike) => {
      const sentSeq = this.context.nextClientSeq();
      return this.context.send(this.uri, sentSeq, action) ? sentSeq : undefined;
    };
    const now = this.context.clock.now();
    const project = (state: object, action: ActionLike) => this.#reduce(state as S, [action], now).state;
    this.#unsettled.resume(confirmed, send, project, (action) => this.#dialect.refusal(this.uri, this.kind, action));
  }

  #restoreOwnEntry(confirmed: S): void {
    const entry = this.#ownEntry;
    this.#ownEntry = undefined;
    const pending = this.#unsettled.pending.map(({ action }) => action);
    const rejoining = entry && this.#dialect.rejoin(this.uri, entry, confirmed, pending);
    if (rejoining) void this.dispatch(this.context.nextClientSeq(), rejoining);
  }

  #takeFromQueue(limit: number): void {
    if (this.#queue.length === 0) return;
    const taken = this.#queue.splice(0, limit);
    const accepted: Envelope[] = [];
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
    if (predicted.has(this.kind)) {
      const decisions = this.#dialect.decisionsIn(this.kind, this.#confirmed, accepted);
      if (decisions.length > 0) this.context.onDecisions?.(this.uri, decisions);
    }
    const actions = accepted.map(({ action }) => action);
    if (requested.has(this.kind)) this.#unsettled.fulfilled((request) => actions.some((action) => this.#dialect.fulfils(request, action)));
    const now = (this.#batchNow ??= this.context.clock.now());
    const { state, applied } = this.#reduce(this.#confirmed, actions, now);
    this.#confirmed = state;
    if (!this.#unreported.snapshot) this.#unreported.actions = this.#unreported.actions.concat(applied);
    this.#markDirty();
  }

  #reduce(state: S, actions: readonly ActionLike[], now: number): { state: S; applied: readonly ActionLike[] } {
    const dialect = this.#dialect;
    return reduceReadable(
      state,
      actions,
      (before, batch) => dialect.reduce(this.kind, before, batch, now) as S,
      ({ type }, error) => this.#warnings.warn('malformed', `${this.uri}: dropped a malformed ${type}: ${englishOf(error)}`),
    );
  }

  /** A state has come from a host, so its dialect is known. */
  get #dialect(): Dialect {
    const { dialect } = this.context;
    if (!dialect) throw new Error('no host has answered yet');
    return dialect;
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
    const changes: SubscriptionChange<ActionLike>[] = [];
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
