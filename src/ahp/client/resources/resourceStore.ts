/** All subscribed resources. Counts the subscriptions, gets snapshots, passes every envelope to its resource, and has changes reported once a tick. */
import { isRecord } from '../../../base/isRecord.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { phrase } from '../../../base/text/phrase.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { Dialect, Envelope, ResourceKind, Snapshot } from '../../dialects/dialect.ts';
import type { HostConnection } from '../connection/hostConnection.ts';
import { describeHostError } from '../connection/hostError.ts';
import type { PendingAction } from './pending.ts';
import { type DispatchOptions, Resource, type ResourceContext } from './resource.ts';
import { type Dispatched, notDone, type Settlement, SubscriptionHandle, type SubscriptionSource } from './subscription.ts';
import { parseSnapshot } from '../connection/wireChecks.ts';

/** Envelopes of one resource that are reduced before the clock is read. A flood is reduced in slices, so that nothing else waits for its end. */
const SLICE = 500;
/** How long one tick may reduce. */
const TICK_BUDGET_MS = 8;
/** Envelopes that may come before the reply to a handshake. */
const MAX_HELD = 50_000;
/** With more than this unreduced, reading from the connection stops until less than the lower number is left. */
const PAUSE_ABOVE = 20_000;
const RESUME_BELOW = 2_000;

/** The kinds in the order in which resources are requested after a reconnect. */
const restored: readonly ResourceKind[] = [
  ...(['root', 'session', 'chat', 'terminal', 'changeset'] as const),
  ...(['annotations', 'resourceWatch', 'automations', 'automationRun', 'canvas'] as const),
];

export interface ResourceStoreOptions extends Pick<ResourceContext, 'clientId' | 'clock' | 'logger' | 'onDecisions' | 'onPending'> {
  /** That of every host that the client can meet. Absent: it is known with the first answer of one. */
  dialect: Dialect | undefined;
  /** See `AgentHostClientOptions`. */
  clientSeqAfter: number;
  schedule(callback: () => void): void;
  /** The host's sequence numbers went backwards. It has restarted, and the connection is of no more use. */
  onStepBack(connection: HostConnection): void;
  /** More came before a snapshot than can be kept. The connection has to end. */
  onOverflow(): void;
  /** The list of resources or a status has changed. At most once a tick. */
  onHeldChanged(): void;
}

/** What a host has answered to `reconnect`. A resource of which it says nothing is requested again. */
export interface Resumed {
  /** What was missed of the resources that have a check. */
  readonly missed: readonly Envelope[];
  /** The states after that. */
  readonly checks: readonly Snapshot[];
  readonly snapshots: readonly Snapshot[];
}

export class ResourceStore implements Disposable {
  readonly #resources = new Map<URI, Resource>();
  /** Of the last envelope. Mostly the next one is for it too, and comparing a URI takes less than looking it up. */
  #receiving: Resource | undefined;
  readonly #context: ResourceContext;
  #connection: HostConnection | undefined;
  /** What came over a new connection before its handshake was complete. */
  #held: Envelope[] = [];
  #dialect: Dialect | undefined;
  #lastSeenServerSeq: number | undefined;
  #clientSeq: number;
  #dirty = new Set<Resource>();
  #ticking = false;
  #heldChanged = false;
  /** The connection that is not read from for now. */
  #paused: HostConnection | undefined;

  constructor(private readonly options: ResourceStoreOptions) {
    this.#clientSeq = options.clientSeqAfter;
    this.#dialect = options.dialect;
    const dialect = () => this.#dialect;
    this.#context = {
      ...options,
      get dialect() {
        return dialect();
      },
      send: (uri, clientSeq, action) => {
        if (!this.#connection || !this.#dialect) return false;
        this.#connection.notify('dispatchAction', this.#dialect.params.dispatch(uri, clientSeq, action));
        return true;
      },
      nextClientSeq: () => ++this.#clientSeq,
      markDirty: (resource) => {
        this.#dirty.add(resource);
        this.#scheduleTick();
      },
      onStatus: () => this.#heldChange(),
    };
  }

  /** The newest sequence number of this run of the host; undefined before the first handshake. */
  get lastSeenServerSeq(): number | undefined {
    return this.#lastSeenServerSeq;
  }

  /** Also of a resource that nobody reads any more. */
  pendingIn(uri: URI): readonly PendingAction<ActionLike>[] {
    return this.#resources.get(uri)?.pending ?? [];
  }

  readonly kindsOf = (uri: URI): readonly ResourceKind[] => this.#resources.get(uri)?.asked ?? [];

  /** That of the host. Undefined before it is known. */
  get dialect(): Dialect | undefined {
    return this.#dialect;
  }

  /** `maxLatencyMs`: how long the host may hold changes back from this reader. Of several readers, the least patient counts. */
  subscribe<S extends object>(uri: URI, kind: ResourceKind, maxLatencyMs = 0): SubscriptionHandle<S, ActionLike> {
    const resource = this.#known(uri, kind);
    const typed = resource as unknown as Resource<S>;
    const handle = new SubscriptionHandle<S, ActionLike>(typed, (released) => this.#release(typed, released), maxLatencyMs);
    typed.handles.add(handle);
    this.#begin(resource);
    this.#hasten(resource);
    return handle;
  }

  /** The parameters with which a resource is subscribed to. */
  subscribeParams(dialect: Dialect, uri: URI): object {
    const resource = this.#resources.get(uri);
    if (!resource || !dialect.delays) return dialect.params.subscribe(uri);
    const before = resource.askedLatencyMs;
    resource.askedLatencyMs = resource.maxLatencyMs;
    // A host may keep what it was told before.
    return dialect.params.subscribe(uri, before > 0 || resource.askedLatencyMs > 0 ? resource.askedLatencyMs : undefined);
  }

  /** Never throws and never rejects. What a client may not dispatch is not sent. */
  dispatch(uri: URI, action: ActionLike, options?: DispatchOptions): Dispatched {
    const clientSeq = ++this.#clientSeq;
    return { clientSeq, settled: this.#dispatch(uri, clientSeq, action, options) };
  }

  /** See `Resource.restore`. */
  restorePending(uri: URI, kind: ResourceKind, action: ActionLike, asked?: ActionLike): Dispatched {
    const clientSeq = ++this.#clientSeq;
    const resource = this.#known(uri, kind);
    this.#begin(resource);
    return { clientSeq, settled: resource.restore(clientSeq, action, asked) };
  }

  /**
   * Does what the user decided about an action of unknown outcome; undefined when there is none of this number. To send it again is to
   * dispatch a new action (see `sendAgainAs`). Where that cannot be, the action stays.
   */
  resolveUnknown(uri: URI, clientSeq: number, how: 'sendAgain' | 'discard'): Dispatched | undefined {
    const resource = this.#resources.get(uri);
    if (how === 'sendAgain' && resource?.hasEnded) return undefined;
    const again = resource?.takeUnknown(clientSeq);
    return again && how === 'sendAgain' ? this.dispatch(uri, again.action, again) : undefined;
  }

  /** See `UnsettledActions.withdraw`. */
  withdraw(uri: URI): void {
    this.#resources.get(uri)?.withdraw();
  }

  #known(uri: URI, kind: ResourceKind): Resource {
    const known = this.#resources.get(uri);
    if (known) {
      // It was reduced as what it is not.
      if (known.ask(kind)) void this.#fetch(known);
      return known;
    }
    const resource = new Resource(uri, kind, this.#context);
    this.#resources.set(uri, resource);
    return resource;
  }

  /** Requests the state of a resource that is new, that the host gave no state of, or that it has removed. */
  #begin(resource: Resource): void {
    if (resource.isRequested && !resource.hasEnded) return;
    resource.isRequested = true;
    void this.#fetch(resource);
  }

  /** Changes are wanted sooner than the host was told. Never the other way: it would cost a snapshot each time that a session is left. */
  #hasten(resource: Resource): void {
    if (resource.askedLatencyMs > resource.maxLatencyMs) void this.#fetch(resource);
  }

  #hastenAll(): void {
    for (const resource of this.#inOrder()) this.#hasten(resource);
  }

  /** Requests the state again, if the host gave none or has removed the resource. */
  retry(uri: URI): void {
    const resource = this.#resources.get(uri);
    if (resource?.hasEnded) void this.#fetch(resource);
  }

  /** The host has removed a session, and with it the sessions of its subagents. */
  sessionRemoved(session: URI): void {
    const state = this.#resources.get(session)?.confirmed;
    for (const resource of this.#resources.values()) {
      if (this.#dialect?.isPartOf(resource.uri, session, state)) resource.remove();
    }
  }

  /** The host has added a session, which it may have removed before. */
  sessionAdded(session: URI | undefined): void {
    this.#added(session ?? '');
  }

  #added(uri: URI): void {
    const resource = this.#resources.get(uri);
    if (resource?.status.kind === 'removed') void this.#fetch(resource);
  }

  /** A chat ends, and comes back, with an action of its session. */
  #followChat({ action, rejectionReason }: Envelope, resource: Resource | undefined): void {
    const chat = this.#dialect?.chatOf(action);
    if (!chat || resource?.kind !== 'session' || rejectionReason !== undefined) return;
    if (chat.is === 'added') this.#added(chat.uri);
    else this.#resources.get(chat.uri)?.remove();
  }

  #dispatch(uri: URI, clientSeq: number, action: ActionLike, options?: DispatchOptions): Promise<Settlement> {
    const resource = this.#resources.get(uri);
    const refusal = this.#dialect?.refusal(uri, resource?.kind, action);
    if (refusal !== undefined) return Promise.resolve(notDone('rejected', phrase`Not sent. ${refusal}`));
    if (resource) return resource.dispatch(clientSeq, action, options);
    if (!this.#context.send(uri, clientSeq, action)) {
      return Promise.resolve(notDone('rejected', phrase`Not sent. There is no connection to the host.`));
    }
    return Promise.resolve(notDone('unknown', phrase`Sent. Nothing here is subscribed to ${uri}, so the outcome is not known.`));
  }

  /** An envelope came over the connection. */
  receive(envelope: Envelope): void {
    if (!this.#connection || !this.#dialect) {
      if (this.#held.push(envelope) > MAX_HELD) this.options.onOverflow();
      return;
    }
    this.#lastSeenServerSeq = Math.max(this.#lastSeenServerSeq ?? -Infinity, envelope.serverSeq);
    const uri = this.#dialect.resourceOf(envelope);
    if (uri === undefined) return;
    if (this.#receiving?.uri !== uri) this.#receiving = this.#resources.get(uri);
    const resource = this.#receiving;
    if (!resource) return;
    switch (resource.receive(envelope)) {
      case 'taken':
        this.#followChat(envelope, resource);
        if (resource.status.kind === 'live' && resource.waiting > PAUSE_ABOVE) this.#pause();
        return;
      case 'stepBack':
        return this.options.onStepBack(this.#connection);
      case 'tooMany':
        return this.options.onOverflow();
    }
  }

  /** All states that are known, with everything that has arrived. */
  snapshots(): Snapshot[] {
    return this.#inOrder().flatMap((resource) => resource.snapshot() ?? []);
  }

  /** The sessions that are subscribed. */
  sessions(): readonly SubscriptionSource<object, ActionLike>[] {
    return [...this.#resources.values()].filter(({ kind }) => kind === 'session');
  }

  /** The URIs of the resources, in the order in which they are restored. */
  uris(which: (resource: Resource) => boolean = () => true): URI[] {
    return this.#inOrder()
      .filter(which)
      .map(({ uri }) => uri);
  }

  /**
   * How far each resource is that has a state, and a number that is safe for `all` of them: what is greater, none of them may lack. A
   * resource that the host may hold back is not as far as those that came meanwhile.
   */
  cursors(): { all: number; each: ReadonlyMap<URI, number> } {
    const resources = this.#inOrder().filter(({ hasState }) => hasState);
    const all = resources.reduce((lowest, { completeSeq }) => Math.min(lowest, completeSeq), this.#lastSeenServerSeq ?? 0);
    return { all, each: new Map(resources.map(({ uri, appliedSeq }) => [uri, appliedSeq])) };
  }

  /** A connection is about to be opened. What came over an earlier one must not mix with it. */
  prepareConnection(): void {
    this.#held = [];
  }

  /**
   * The connection is ready, and this is another run of the host than before, or the first. What has no snapshot has to be requested.
   * `subscribed`: what the handshake asked for.
   */
  attachNew(
    connection: HostConnection,
    dialect: Dialect,
    serverSeq: number,
    snapshots: readonly Snapshot[],
    subscribed: readonly URI[],
  ): void {
    this.#speak(dialect);
    this.#attach(connection, dialect, subscribed);
    this.#lastSeenServerSeq = serverSeq;
    this.#applySnapshots(snapshots);
    this.#receiveHeld();
  }

  /** The connection is ready, and the host has brought what it still knows up to date: each resource by itself. */
  attachResumed(connection: HostConnection, dialect: Dialect, { missed, checks, snapshots }: Resumed, subscribed: readonly URI[]): void {
    this.#attach(connection, dialect, subscribed);
    const replays = new Map(checks.map((check) => [check.resource, { check, envelopes: [] as Envelope[], last: -Infinity }]));
    const replayOf = (envelope: Envelope) => replays.get(dialect.resourceOf(envelope) ?? '');
    for (const envelope of missed) {
      this.#lastSeenServerSeq = Math.max(this.#lastSeenServerSeq ?? -Infinity, envelope.serverSeq);
      const replay = replayOf(envelope);
      replay?.envelopes.push(envelope);
      if (replay) replay.last = envelope.serverSeq;
      this.#followChat(envelope, this.#resources.get(dialect.resourceOf(envelope) ?? ''));
    }
    // All snapshots are of one moment. The lowest number, because requesting too much again does no harm.
    const seen = Math.min(...snapshots.map(({ fromSeq }) => fromSeq));
    if (Number.isFinite(seen)) this.#lastSeenServerSeq = Math.max(this.#lastSeenServerSeq ?? -Infinity, seen);
    // What the host sent beside its reply. Some hosts send one envelope both ways.
    this.#held = this.#held.filter((envelope) => envelope.serverSeq > (replayOf(envelope)?.last ?? -Infinity));
    for (const envelope of this.#held) {
      const replay = replayOf(envelope);
      if (replay && envelope.serverSeq <= replay.check.fromSeq) replay.envelopes.push(envelope);
    }
    for (const resource of this.#inOrder()) {
      const replay = replays.get(resource.uri);
      if (replay && resource.status.kind === 'stale') resource.applyReplay(replay.envelopes, replay.check);
    }
    this.#applySnapshots(snapshots);
    this.#receiveHeld();
    this.#hastenAll();
  }

  /** Whatever lost its last reader during the handshake could not be told to the host. */
  #attach(connection: HostConnection, dialect: Dialect, subscribed: readonly URI[]): void {
    this.#connection = connection;
    for (const uri of subscribed) if (!this.#resources.has(uri)) connection.notify('unsubscribe', dialect.params.unsubscribe(uri));
  }

  /** Requests the states that are not live, of these kinds. The requests are sent in order; the replies may come in any order. */
  fetchMissing(which: (kind: ResourceKind) => boolean = () => true): void {
    for (const resource of this.#inOrder()) {
      const isWanted = resource.status.kind !== 'live' && resource.status.kind !== 'removed';
      if (isWanted && which(resource.kind)) void this.#fetch(resource);
    }
  }

  /** Requests again what the host refused with this error code. */
  retryFailed(code: number): void {
    for (const resource of this.#inOrder()) {
      if (resource.status.kind === 'failed' && resource.status.error.code === code) void this.#fetch(resource);
    }
  }

  connectionLost(): void {
    this.#connection = undefined;
    this.#paused = undefined;
    const since = this.options.clock.now();
    for (const resource of this.#resources.values()) resource.connectionLost(since, this.#lastSeenServerSeq);
  }

  dispose(): void {
    this.connectionLost();
    for (const resource of this.#resources.values()) resource.settleAll(phrase`The client was closed.`);
  }

  #inOrder(): Resource[] {
    const all = [...this.#resources.values()];
    return restored.flatMap((kind) => all.filter((resource) => resource.kind === kind));
  }

  /** The outcome shows in the resource's status. Never rejects. */
  async #fetch(resource: Resource): Promise<void> {
    // Without a connection, it is requested once there is one.
    resource.requesting();
    const connection = this.#connection;
    const dialect = this.#dialect;
    if (!connection || !dialect) return;
    const { uri } = resource;
    const isCurrent = () => this.#connection === connection && this.#resources.get(uri) === resource;
    try {
      const result: unknown = await connection.request('subscribe', this.subscribeParams(dialect, uri));
      if (!isCurrent()) return;
      const snapshot = parseSnapshot(dialect, this.kindsOf, isRecord(result) ? result['snapshot'] : undefined);
      if (snapshot?.resource !== uri) throw new Error('the host’s snapshot cannot be read');
      resource.applySnapshot(snapshot.state, snapshot.fromSeq);
    } catch (error) {
      // What is live stays so when only its delivery could not be changed.
      if (!isCurrent() || resource.status.kind === 'live') return;
      resource.fail(describeHostError(error));
    }
  }

  #release<S extends object>(resource: Resource<S>, handle: SubscriptionHandle<S, ActionLike>): void {
    resource.handles.delete(handle);
    this.#dropUnused(resource as unknown as Resource);
  }

  /** A resource with actions that wait for the host or for the user is kept, also without a subscription. */
  #dropUnused(resource: Resource): void {
    const { uri } = resource;
    if (resource.handles.size > 0 || resource.hasPending || this.#resources.get(uri) !== resource) return;
    this.#resources.delete(uri);
    this.#receiving = undefined;
    this.#heldChange();
    if (this.#dialect) this.#connection?.notify('unsubscribe', this.#dialect.params.unsubscribe(uri));
    resource.settleAll(phrase`Nothing here is subscribed to ${uri} any more, so the outcome is not known.`);
  }

  /** The host speaks this dialect. States and actions of another one are of no use to it. */
  #speak(dialect: Dialect): void {
    const isOther = this.#dialect !== undefined && this.#dialect.name !== dialect.name;
    this.#dialect = dialect;
    for (const resource of this.#resources.values()) {
      if (isOther) resource.forget(phrase`The host speaks another version of the protocol now.`);
    }
  }

  #applySnapshots(snapshots: readonly Snapshot[]): void {
    const byUri = new Map(snapshots.map((snapshot) => [snapshot.resource, snapshot]));
    for (const resource of this.#inOrder()) {
      const snapshot = byUri.get(resource.uri);
      if (snapshot) resource.applySnapshot(snapshot.state, snapshot.fromSeq);
    }
  }

  #receiveHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const envelope of held) this.receive(envelope);
  }

  #heldChange(): void {
    this.#heldChanged = true;
    this.#scheduleTick();
  }

  #scheduleTick(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    this.options.schedule(() => {
      this.#ticking = false;
      this.#tick();
    });
  }

  /** Each resource that changed gets a slice, so that a flooded one does not hold up the others. Those that are left over come first in the next tick. */
  #tick(): void {
    const end = this.options.clock.now() + TICK_BUDGET_MS;
    const dirty = [...this.#dirty];
    this.#dirty = new Set();
    const unfinished: Resource[] = [];
    for (const [index, resource] of dirty.entries()) {
      if (index > 0 && !this.#isBefore(end)) {
        for (const late of dirty.slice(index)) this.#context.markDirty(late);
        break;
      }
      // A flood of the only resource may use the whole budget.
      if (resource.flush(SLICE, dirty.length === 1 ? () => this.#isBefore(end) : undefined)) unfinished.push(resource);
      this.#dropUnused(resource);
    }
    for (const resource of unfinished) this.#context.markDirty(resource);
    if (this.#heldChanged) {
      this.#heldChanged = false;
      this.options.onHeldChanged();
    }
    if (this.#paused && [...this.#resources.values()].every(({ waiting }) => waiting < RESUME_BELOW)) this.#resume();
  }

  #isBefore(end: number): boolean {
    return this.options.clock.now() < end;
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = this.#connection;
    this.#connection?.pause();
  }

  #resume(): void {
    const connection = this.#paused;
    this.#paused = undefined;
    connection?.resume();
  }
}
