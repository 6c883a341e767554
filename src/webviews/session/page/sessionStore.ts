/**
 * The page's copy of what the extension sent: resources by URI, the connection, rejections. Messages are collected and applied at most once
 * a frame, and each time listeners get one new immutable state.
 */
import { type PendingAction, withPending } from '../../../ahp/client/resources/pending.ts';
import { kindOfResource, reduceAll, reducerFor } from '../../../ahp/v1/reducers/reduceAll.ts';
import type { ResourceState } from '../../../ahp/v1/commands.ts';
import type { URI } from '../../../ahp/v1/common.ts';
import { ROOT_URI, type RootState } from '../../../ahp/v1/root.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import type { TerminalState } from '../../../ahp/v1/terminal.ts';
import { ObservedTimes } from '../../../views/session/toolCall/observedTimes.ts';
import type { CallDecision } from '../../../views/session/trail/decision.ts';
import { fateOfTurn, type TurnFate } from '../../../views/session/transcript/turnOverAbsence.ts';
import { sameSession } from '../../../views/session/sessionRef.ts';
import { wellFormedRoot, wellFormedSession, wellFormedTerminal } from '../../../views/wellFormedV1.ts';
import type {
  ActionsMessage,
  BridgeInfo,
  BridgeMessage,
  ConnectionInfo,
  ConnectionMessage,
  DecisionsMessage,
  RejectedMessage,
  ResourceStatus,
  ShowMessage,
  ShownSession,
  SnapshotMessage,
  StatusMessage,
} from '../protocol.ts';

export interface ResourceView {
  /** As the host sent it. */
  confirmed?: ResourceState;
  pending: readonly PendingAction[];
  /** What is shown: `confirmed` with what is pending on top, well formed. */
  optimistic?: ResourceState;
  status: ResourceStatus;
}

export interface StoreState {
  /** False until the first `show`. */
  ready: boolean;
  shown?: ShownSession;
  resources: ReadonlyMap<URI, ResourceView>;
  connection: ConnectionInfo;
  /** Rejected actions that were not dismissed, oldest first. */
  rejections: readonly RejectedMessage[];
  /** Of the shown session; absent where nothing joins it with tool providers. */
  bridge?: BridgeInfo;
  /** In the shown session and its subagents. */
  decisions: readonly CallDecision[];
  /** Of the shown session, after the host's last absence. */
  fate?: TurnFate;
}

export type StateMessage =
  ShowMessage | SnapshotMessage | ActionsMessage | StatusMessage | ConnectionMessage | BridgeMessage | DecisionsMessage | RejectedMessage;

/** Messages are applied after this time also when no frame comes, because the page is hidden. */
const HIDDEN_FLUSH_MS = 500;

export class SessionStore {
  state: StoreState = { ready: false, resources: new Map(), connection: { kind: 'connecting' }, rejections: [], decisions: [] };
  readonly times = new ObservedTimes();
  /** The turn of the shown session that was running when its host went away. */
  private leftRunning: string | undefined;
  private queue: StateMessage[] = [];
  private cancelFlush: (() => void) | undefined;
  private readonly listeners = new Set<() => void>();

  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  receive(message: StateMessage): void {
    this.queue.push(message);
    this.cancelFlush ??= scheduleFlush(() => this.flush());
  }

  /** Applies what has come so far. */
  flush(): void {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    if (this.queue.length === 0) return;
    const messages = this.queue;
    this.queue = [];
    let state = this.state;
    for (const message of messages) state = this.followTurn(state, this.apply(state, message));
    this.update(state);
  }

  dismissRejection(clientSeq: number): void {
    this.update({ ...this.state, rejections: this.state.rejections.filter((rejection) => rejection.clientSeq !== clientSeq) });
  }

  private update(state: StoreState): void {
    if (state === this.state) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private apply(state: StoreState, message: StateMessage): StoreState {
    switch (message.type) {
      case 'show': {
        const same = sameSession(message.session, state.shown);
        const { bridge, ...others } = state;
        return {
          ...others,
          ...(same && bridge && { bridge }),
          ready: true,
          shown: message.session,
          resources: same ? state.resources : new Map([...state.resources].filter(([uri]) => uri === ROOT_URI)),
          rejections: same ? state.rejections : [],
          decisions: same ? state.decisions : [],
        };
      }
      case 'connection':
        return { ...state, connection: message.connection };
      case 'bridge': {
        if (message.uri !== state.shown?.uri) return state;
        const { bridge: _, ...others } = state;
        return { ...others, ...(message.bridge && { bridge: message.bridge }) };
      }
      case 'decisions':
        return sameSession(message.session, state.shown) ? { ...state, decisions: message.decisions } : state;
      case 'rejected':
        if (!sameSession(message.session, state.shown)) return state;
        return { ...state, rejections: [...state.rejections, message] };
      case 'status':
        return withResource(state, message.uri, (resource) => ({ ...resource, status: message.status }));
      case 'snapshot': {
        const { uri, confirmed, pending, status } = message;
        if (uri === state.shown?.uri && confirmed) this.times.observe(wellFormedSession(confirmed as SessionState), Date.now(), false);
        return withResource(state, uri, () => resourceView(uri, confirmed, pending, status, Date.now()));
      }
      case 'actions':
        return withResource(state, message.uri, (resource) => this.applyActions(resource, message, state.shown?.uri));
    }
  }

  private followTurn(before: StoreState, after: StoreState): StoreState {
    const uri = after.shown?.uri;
    if (uri === undefined || !sameSession(after.shown, before.shown)) {
      this.leftRunning = undefined;
      const { fate: _, ...others } = after;
      return others;
    }
    const view = after.resources.get(uri);
    if (!view?.confirmed) return after;
    const confirmed = view.confirmed as SessionState;
    if (view.status.kind === 'stale') this.leftRunning ??= confirmed.activeTurn?.id;
    if (view.status.kind !== 'live' || this.leftRunning === undefined) return after;
    const turnId = this.leftRunning;
    this.leftRunning = undefined;
    const isStopping = before.resources
      .get(uri)
      ?.pending.some(({ action, held }) => action.type === 'session/turnCancelled' && action.turnId === turnId && !held);
    const fate = isStopping ? undefined : fateOfTurn(turnId, wellFormedSession(confirmed));
    return fate ? { ...after, fate } : after;
  }

  private applyActions(resource: ResourceView, message: ActionsMessage, shown: URI | undefined): ResourceView {
    const { uri, actions, now } = message;
    const pending = message.pending ?? resource.pending;
    // Before the snapshot there is nothing to apply them to, and it will include them.
    const confirmed = resource.confirmed && reduceAll(reducerFor(uri), resource.confirmed, actions, now);
    if (confirmed === resource.confirmed && pending === resource.pending) return resource;
    if (uri === shown && confirmed) this.times.observe(wellFormedSession(confirmed as SessionState), now, true);
    return resourceView(uri, confirmed, pending, resource.status, now);
  }
}

function resourceView(
  uri: URI,
  confirmed: ResourceState | undefined,
  pending: readonly PendingAction[],
  status: ResourceStatus,
  now: number,
): ResourceView {
  const optimistic = confirmed && withPending(confirmed, pending, (before, ahead) => reduceAll(reducerFor(uri), before, ahead, now));
  return { pending, status, ...(confirmed && { confirmed }), ...(optimistic && { optimistic: wellFormed(uri, optimistic) }) };
}

function wellFormed(uri: URI, state: ResourceState): ResourceState {
  switch (kindOfResource(uri)) {
    case 'root':
      return wellFormedRoot(state as RootState);
    case 'terminal':
      return wellFormedTerminal(state as TerminalState);
    case 'session':
      return wellFormedSession(state as SessionState);
  }
}

function withResource(state: StoreState, uri: URI, change: (resource: ResourceView) => ResourceView): StoreState {
  const before = state.resources.get(uri) ?? { pending: [], status: { kind: 'loading' } };
  const after = change(before);
  return after === before ? state : { ...state, resources: new Map(state.resources).set(uri, after) };
}

function scheduleFlush(flush: () => void): () => void {
  const frame = requestAnimationFrame(flush);
  const timer = setTimeout(flush, HIDDEN_FLUSH_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

export function rootOf(state: StoreState): RootState | undefined {
  return state.resources.get(ROOT_URI)?.optimistic as RootState | undefined;
}
