/**
 * The only place where the host's state changes. It owns `serverSeq`, the state of every resource, and the envelopes that a reconnecting
 * client may need. All other modules dispatch actions and listen.
 */
import { resourceOf, type ActionEnvelope, type ActionOrigin, type StateAction } from '../../ahp/v1/actions.ts';
import type { ResourceState, Snapshot } from '../../ahp/v1/commands.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { reducerFor } from '../../ahp/v1/reducers/reduceAll.ts';
import { ROOT_URI, type RootState } from '../../ahp/v1/root.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import type { TerminalState } from '../../ahp/v1/terminal.ts';
import { Emitter } from '../../base/event.ts';

export interface DispatchedAction {
  resource: URI;
  envelope: ActionEnvelope;
  /** The time that its reducer used. */
  at: number;
}

export interface StateStoreOptions {
  /** Envelopes kept for clients that reconnect. */
  replayLimit?: number;
  /** About how many characters of text they hold. */
  replaySizeLimit?: number;
  /** The greatest sequence number of earlier runs. This run continues after it. */
  afterSeq?: number;
  /** ms since the epoch. */
  now?: () => number;
}

interface Resource {
  state: ResourceState;
  /** The sequence number of its addition. A client that has seen less does not know this resource. */
  addedAt: number;
}

const DEFAULT_REPLAY_LIMIT = 1000;
const DEFAULT_REPLAY_SIZE_LIMIT = 16 * 1024 * 1024;

export class StateStore {
  #serverSeq: number;
  readonly #resources = new Map<URI, Resource>();
  readonly #replayLimit: number;
  readonly #now: () => number;
  readonly #replaySizeLimit: number;
  readonly #buffer: (DispatchedAction & { size: number })[] = [];
  #bufferSize = 0;
  /** The greatest sequence number that is not in the buffer any more. */
  #forgottenSeq: number;
  readonly #undelivered: DispatchedAction[] = [];
  #delivering = false;

  readonly #didDispatch = new Emitter<DispatchedAction>();
  /**
   * Every envelope in the order of the sequence numbers, also rejected ones. When a listener dispatches, that envelope follows after the
   * current one.
   */
  readonly onDidDispatch = this.#didDispatch.event;
  readonly #didDelete = new Emitter<URI>();
  readonly onDidDelete = this.#didDelete.event;

  constructor(options: StateStoreOptions = {}) {
    this.#replayLimit = options.replayLimit ?? DEFAULT_REPLAY_LIMIT;
    this.#replaySizeLimit = options.replaySizeLimit ?? DEFAULT_REPLAY_SIZE_LIMIT;
    this.#now = options.now ?? Date.now;
    this.#serverSeq = this.#forgottenSeq = options.afterSeq ?? 0;
    this.add(ROOT_URI, { agents: [], activeSessions: 0, terminals: [] });
  }

  /** The sequence number of the newest envelope of all resources. */
  get serverSeq(): number {
    return this.#serverSeq;
  }
  /** A number of its own, for what is sent besides the envelopes of the store. */
  nextSeq(): number {
    return ++this.#serverSeq;
  }
  get now(): number {
    return this.#now();
  }

  get(resource: URI): ResourceState | undefined {
    return this.#resources.get(resource)?.state;
  }
  get root(): RootState {
    return this.get(ROOT_URI) as RootState;
  }
  session(uri: URI): SessionState | undefined {
    const state = this.get(uri);
    return state && isSessionState(state) ? state : undefined;
  }
  terminal(uri: URI): TerminalState | undefined {
    const state = this.get(uri);
    return state && isTerminalState(state) ? state : undefined;
  }

  /** Adds a resource. This takes a sequence number, so that a snapshot of an earlier resource with this URI is never taken for this one. */
  add(resource: URI, state: ResourceState): void {
    if (this.#resources.has(resource)) throw new Error(`the resource ${resource} exists`);
    this.#resources.set(resource, { state, addedAt: ++this.#serverSeq });
  }

  delete(resource: URI): void {
    if (this.#resources.delete(resource)) this.#didDelete.fire(resource);
  }

  /** Reduces, numbers, keeps and announces an action. An action for a resource that does not exist is dropped. */
  dispatch(action: StateAction, origin?: ActionOrigin): void {
    const uri = resourceOf(action);
    const resource = uri === undefined ? undefined : this.#resources.get(uri);
    if (uri === undefined || !resource) return;
    const at = this.#now();
    resource.state = reducerFor(uri)(resource.state, action, at);
    this.#announce(uri, origin ? { action, serverSeq: ++this.#serverSeq, origin } : { action, serverSeq: ++this.#serverSeq }, at);
  }

  /** Rejects a client's action with a reason. An action that names no resource counts for the root. */
  reject(action: StateAction, origin: ActionOrigin, reason: string): void {
    this.#announce(resourceOf(action) ?? ROOT_URI, { action, serverSeq: ++this.#serverSeq, origin, rejectionReason: reason }, this.#now());
  }

  snapshot(resource: URI): Snapshot | undefined {
    const state = this.get(resource);
    return state && { resource, state, fromSeq: this.#serverSeq };
  }

  /**
   * The envelopes of these resources after `since`. Undefined where a replay cannot bring a client up to date and it needs snapshots: the
   * buffer does not reach back that far, `since` is in the future, or a resource is gone or newer than `since`.
   */
  replay(since: number, resources: ReadonlySet<URI>): ActionEnvelope[] | undefined {
    if (since < this.#forgottenSeq || since > this.#serverSeq) return undefined;
    for (const uri of resources) {
      const resource = this.#resources.get(uri);
      if (!resource || resource.addedAt > since) return undefined;
    }
    return this.#buffer.filter((entry) => entry.envelope.serverSeq > since && resources.has(entry.resource)).map((entry) => entry.envelope);
  }

  #announce(resource: URI, envelope: ActionEnvelope, at: number): void {
    const entry = { resource, envelope, at };
    this.#keep(entry);
    this.#undelivered.push(entry);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) this.#didDispatch.fire(next);
    } finally {
      this.#delivering = false;
    }
  }

  #keep(entry: DispatchedAction): void {
    const size = sizeOf(entry.envelope);
    this.#buffer.push({ ...entry, size });
    this.#bufferSize += size;
    let forgotten = 0;
    for (const { envelope, size: itsSize } of this.#buffer) {
      if (this.#buffer.length - forgotten <= this.#replayLimit && this.#bufferSize <= this.#replaySizeLimit) break;
      this.#bufferSize -= itsSize;
      this.#forgottenSeq = envelope.serverSeq;
      forgotten++;
    }
    this.#buffer.splice(0, forgotten);
  }
}

/** The characters of text in it, plus something for each value. Approximates the memory that it needs. */
function sizeOf(whole: unknown): number {
  let size = 0;
  // Without recursion, because it runs for every envelope.
  const open = [whole];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    size += typeof value === 'string' ? value.length + 8 : 8;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      size += key.length;
      if (inner !== undefined) open.push(inner);
    }
  }
  return size;
}

function isSessionState(state: ResourceState): state is SessionState {
  return 'turns' in state;
}
function isTerminalState(state: ResourceState): state is TerminalState {
  return 'content' in state;
}
