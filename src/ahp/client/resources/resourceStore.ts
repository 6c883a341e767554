/** All resources that somebody reads: counts the readers, gets snapshots, sends every envelope to its resource, and lets each tell its changes once a tick. */
import type { Disposable } from '../../../base/lifecycle.ts';
import { type ActionEnvelope, isClientSendable, resourceOf, type StateAction } from '../../v1/actions.ts';
import type { ResourceState, Snapshot } from '../../v1/commands.ts';
import type { URI } from '../../v1/common.ts';
import type { SessionState } from '../../v1/session.ts';
import type { HostConnection } from '../connection/hostConnection.ts';
import { describeHostError } from '../connection/hostError.ts';
import { Resource, type ResourceContext } from './resource.ts';
import { type Dispatched, type Settlement, SubscriptionHandle, type SubscriptionSource } from './subscription.ts';
import { isObject, parseSnapshot, type ResourceKind } from '../connection/wireChecks.ts';

/** Envelopes of one resource that are reduced without looking at the clock; a flood is taken in slices, so that nothing else has to wait for its end. */
const SLICE = 500;
/** How long one tick may reduce before everything else gets its turn. */
const TICK_BUDGET_MS = 8;
/** Envelopes that may come before the answer to a handshake. */
const MAX_HELD = 50_000;
/** With more than this unreduced, reading from the line stops until less than the lower number is left. */
const PAUSE_ABOVE = 20_000;
const RESUME_BELOW = 2_000;

export interface ResourceStoreOptions extends Pick<ResourceContext, 'clientId' | 'clock' | 'logger' | 'reduce'> {
  schedule(callback: () => void): void;
  /** The host's numbers went backwards: it has started again, and the line is no longer worth anything. */
  onStepBack(line: HostConnection): void;
  /** More came before a snapshot than can be kept; the line has to end. */
  onOverflow(): void;
  /** What is subscribed or how it stands has changed; at most once a tick. */
  onHeldChanged(): void;
}

export class ResourceStore implements Disposable {
  readonly #resources = new Map<URI, Resource>();
  readonly #context: ResourceContext;
  #line: HostConnection | undefined;
  /** What a new line brought before the handshake told what it builds on. */
  #held: ActionEnvelope[] = [];
  #lastSeenServerSeq: number | undefined;
  #clientSeq = 0;
  #dirty = new Set<Resource>();
  #ticking = false;
  #heldChanged = false;
  /** The line that is not read from for now. */
  #paused: HostConnection | undefined;

  constructor(private readonly options: ResourceStoreOptions) {
    this.#context = {
      ...options,
      send: (clientSeq, action) => {
        this.#line?.notify('dispatchAction', { clientSeq, action });
        return this.#line !== undefined;
      },
      nextClientSeq: () => ++this.#clientSeq,
      markDirty: (resource) => {
        this.#dirty.add(resource);
        this.#scheduleTick();
      },
      onStatus: () => this.#heldChange(),
    };
  }

  /** The newest number that was heard from this run of the host; undefined before the first handshake. */
  get lastSeenServerSeq(): number | undefined {
    return this.#lastSeenServerSeq;
  }

  subscribe<S extends ResourceState>(uri: URI): SubscriptionHandle<S> {
    const typed = this.#resource(uri) as unknown as Resource<S>;
    const handle = new SubscriptionHandle<S>(typed, (released) => this.#release(typed, released));
    typed.handles.add(handle);
    return handle;
  }

  /** Never throws and never rejects; what a client may not dispatch is not sent. */
  dispatch(uri: URI, action: StateAction): Dispatched {
    const clientSeq = ++this.#clientSeq;
    return { clientSeq, settled: this.#dispatch(uri, clientSeq, action) };
  }

  /** See `Resource.restore`; only for sessions. */
  restorePending(uri: URI, action: StateAction): Dispatched {
    const clientSeq = ++this.#clientSeq;
    return { clientSeq, settled: this.#resource(uri).restore(clientSeq, action) };
  }

  /**
   * What a person decided about an action of unknown outcome; undefined when there is none of this number. To be sent again it is dispatched
   * as a new action (see `sendAgainAs`); where that cannot be, it stays.
   */
  resolveUnknown(uri: URI, clientSeq: number, how: 'sendAgain' | 'discard'): Dispatched | undefined {
    const resource = this.#resources.get(uri);
    if (how === 'sendAgain' && resource?.hasEnded) return undefined;
    const action = resource?.takeUnknown(clientSeq);
    return action && how === 'sendAgain' ? this.dispatch(uri, action) : undefined;
  }

  /** Asked for where it is new, and again where the host gave no state or has removed it. */
  #resource(uri: URI): Resource {
    const known = this.#resources.get(uri);
    const resource = known ?? new Resource(uri, this.#context);
    this.#resources.set(uri, resource);
    if (!known || resource.hasEnded) void this.#fetch(resource);
    return resource;
  }

  /** Asks again for what the host gave no state of, or has removed. */
  retry(uri: URI): void {
    const resource = this.#resources.get(uri);
    if (resource?.hasEnded) void this.#fetch(resource);
  }

  /** The host has removed a session, and with it those of its subagents. */
  sessionRemoved(session: URI): void {
    for (const resource of this.#resources.values()) {
      if (resource.uri === session || resource.uri.startsWith(`${session}/subagent/`)) resource.remove();
    }
  }

  /** The host has a session that is new to it; one that it had removed has come back. */
  sessionAdded(session: URI | undefined): void {
    const resource = this.#resources.get(session ?? '');
    if (resource?.status.kind === 'removed') void this.#fetch(resource);
  }

  #dispatch(uri: URI, clientSeq: number, action: StateAction): Promise<Settlement> {
    if (!isClientSendable(action.type)) {
      return Promise.resolve({ kind: 'rejected', reason: `Not sent. Only the host may dispatch ${action.type}.` });
    }
    if (resourceOf(action) !== uri) {
      return Promise.resolve({ kind: 'rejected', reason: `Not sent. ${action.type} does not belong to ${uri}.` });
    }
    const resource = this.#resources.get(uri);
    if (resource) return resource.dispatch(clientSeq, action);
    if (!this.#context.send(clientSeq, action)) {
      return Promise.resolve({ kind: 'rejected', reason: 'Not sent. There is no connection to the host.' });
    }
    return Promise.resolve({ kind: 'unknown', reason: `Sent. Nobody here is subscribed to ${uri}, so the outcome is not seen.` });
  }

  /** One envelope from the line. */
  receive(envelope: ActionEnvelope): void {
    if (!this.#line) {
      if (this.#held.push(envelope) > MAX_HELD) this.options.onOverflow();
      return;
    }
    this.#lastSeenServerSeq = Math.max(this.#lastSeenServerSeq ?? -Infinity, envelope.serverSeq);
    const uri = resourceOf(envelope.action);
    const resource = uri === undefined ? undefined : this.#resources.get(uri);
    if (!resource) return;
    switch (resource.receive(envelope)) {
      case 'taken':
        if (resource.status.kind === 'live' && resource.waiting > PAUSE_ABOVE) this.#pause();
        return;
      case 'stepBack':
        return this.options.onStepBack(this.#line);
      case 'tooMany':
        return this.options.onOverflow();
    }
  }

  /** What is known, with all that has arrived. */
  snapshots(): Snapshot[] {
    return this.#inOrder().flatMap((resource) => resource.snapshot() ?? []);
  }

  /** The sessions that somebody reads. */
  sessions(): readonly SubscriptionSource<SessionState>[] {
    return [...this.#resources.values()].filter(({ kind }) => kind === 'session') as unknown as Resource<SessionState>[];
  }

  /** URIs that are being read, in the order in which they are restored. */
  uris(which: (resource: Resource) => boolean = () => true): URI[] {
    return this.#inOrder()
      .filter(which)
      .map(({ uri }) => uri);
  }

  /** A line is about to be opened: nothing of an earlier one may mix with what it brings. */
  prepareLine(): void {
    this.#held = [];
  }

  /** The line is good for use, and the host is another run than before (or the first): everything else is to be fetched. */
  attachNew(line: HostConnection, serverSeq: number, snapshots: readonly Snapshot[]): void {
    this.#line = line;
    this.#lastSeenServerSeq = serverSeq;
    this.#applySnapshots(snapshots);
    this.#receiveHeld();
  }

  /** The line is good for use, and the host told what was missed, and after that what it has. */
  attachReplay(line: HostConnection, missed: readonly ActionEnvelope[], snapshots: readonly Snapshot[]): void {
    this.#line = line;
    const checks = new Map(snapshots.map((snapshot) => [snapshot.resource, snapshot]));
    for (const { serverSeq } of missed) this.#lastSeenServerSeq = Math.max(this.#lastSeenServerSeq ?? -Infinity, serverSeq);
    // What the host sent beside its answer and before the snapshot. Some send a thing in both ways.
    this.#held = this.#held.filter(({ serverSeq }) => serverSeq > (this.#lastSeenServerSeq ?? -Infinity));
    const upTo = (envelope: ActionEnvelope) => envelope.serverSeq <= (checks.get(resourceOf(envelope.action) ?? '')?.fromSeq ?? -Infinity);
    const byUri = new Map<URI, ActionEnvelope[]>();
    for (const envelope of [...missed, ...this.#held.filter(upTo)]) {
      const uri = resourceOf(envelope.action);
      if (uri === undefined) continue;
      const known = byUri.get(uri);
      if (known) known.push(envelope);
      else byUri.set(uri, [envelope]);
    }
    for (const resource of this.#inOrder()) {
      if (resource.status.kind === 'stale') resource.applyReplay(byUri.get(resource.uri) ?? [], checks.get(resource.uri));
    }
    this.#receiveHeld();
  }

  /** The line is good for use, and the host gave fresh states of what it still knows. */
  attachSnapshots(line: HostConnection, snapshots: readonly Snapshot[]): void {
    this.#line = line;
    // All are of one moment. The lowest number, because asking for too much again does no harm.
    const seen = Math.min(...snapshots.map(({ fromSeq }) => fromSeq));
    if (Number.isFinite(seen)) this.#lastSeenServerSeq = Math.max(this.#lastSeenServerSeq ?? -Infinity, seen);
    this.#applySnapshots(snapshots);
    this.#receiveHeld();
  }

  /** Asks for the states of these kinds that are not live; the requests leave in order, their answers come as they come. */
  fetchMissing(...kinds: ResourceKind[]): void {
    for (const resource of this.#inOrder()) {
      const isWanted = resource.status.kind !== 'live' && resource.status.kind !== 'removed';
      if (isWanted && kinds.includes(resource.kind)) void this.#fetch(resource);
    }
  }

  /** Asks again for what the host refused with this error code. */
  retryFailed(code: number): void {
    for (const resource of this.#inOrder()) {
      if (resource.status.kind === 'failed' && resource.status.error.code === code) void this.#fetch(resource);
    }
  }

  lineLost(): void {
    this.#line = undefined;
    this.#paused = undefined;
    const since = this.options.clock.now();
    for (const resource of this.#resources.values()) resource.lineLost(since);
  }

  dispose(): void {
    this.lineLost();
    for (const resource of this.#resources.values()) resource.settleAll('The client was closed.');
  }

  #inOrder(): Resource[] {
    const all = [...this.#resources.values()];
    const order: ResourceKind[] = ['root', 'session', 'terminal'];
    return order.flatMap((kind) => all.filter((resource) => resource.kind === kind));
  }

  /** Settles in the resource's status; never rejects. */
  async #fetch(resource: Resource): Promise<void> {
    // Without a line it is asked for when there is one.
    resource.asking();
    const line = this.#line;
    if (!line) return;
    const { uri } = resource;
    const isCurrent = () => this.#line === line && this.#resources.get(uri) === resource;
    try {
      const result: unknown = await line.request('subscribe', { resource: uri });
      if (!isCurrent()) return;
      const snapshot = parseSnapshot(isObject(result) ? result['snapshot'] : undefined);
      if (snapshot?.resource !== uri) throw new Error('the host’s snapshot cannot be read');
      resource.applySnapshot(snapshot.state, snapshot.fromSeq);
    } catch (error) {
      if (!isCurrent()) return;
      resource.fail(describeHostError(error));
    }
  }

  #release<S extends ResourceState>(resource: Resource<S>, handle: SubscriptionHandle<S>): void {
    resource.handles.delete(handle);
    this.#dropUnused(resource as unknown as Resource);
  }

  /** What waits for the host or for a person must not be lost because nobody looks at it any more. */
  #dropUnused(resource: Resource): void {
    const { uri } = resource;
    if (resource.handles.size > 0 || resource.hasPending || this.#resources.get(uri) !== resource) return;
    this.#resources.delete(uri);
    this.#heldChange();
    this.#line?.notify('unsubscribe', { resource: uri });
    resource.settleAll(`Nobody here is subscribed to ${uri} any more, so the outcome is not seen.`);
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

  /** Each resource that changed gets a slice, the small ones as well as the flooded one; whom the time did not reach is first the next time. */
  #tick(): void {
    const { clock } = this.options;
    const end = clock.now() + TICK_BUDGET_MS;
    const hasTime = () => clock.now() < end;
    const dirty = [...this.#dirty];
    this.#dirty = new Set();
    const unfinished: Resource[] = [];
    for (const [index, resource] of dirty.entries()) {
      if (index > 0 && !hasTime()) {
        for (const late of dirty.slice(index)) this.#context.markDirty(late);
        break;
      }
      // With nothing else to do, one flood may take the whole budget.
      if (resource.flush(SLICE, dirty.length === 1 ? hasTime : undefined)) unfinished.push(resource);
      this.#dropUnused(resource);
    }
    for (const resource of unfinished) this.#context.markDirty(resource);
    if (this.#heldChanged) {
      this.#heldChanged = false;
      this.options.onHeldChanged();
    }
    if (this.#paused && [...this.#resources.values()].every(({ waiting }) => waiting < RESUME_BELOW)) this.#resume();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = this.#line;
    this.#line?.pause();
  }

  #resume(): void {
    const line = this.#paused;
    this.#paused = undefined;
    line?.resume();
  }
}
