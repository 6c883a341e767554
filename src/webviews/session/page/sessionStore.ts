/**
 * The page's copy of what the extension sent: resources by URI, the connection, rejections. Messages are collected and applied at most once
 * a frame, and each time listeners get one new immutable state.
 */
import type { StartOffer } from '../../../views/newSession/startOffer.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { ROOT_URI } from '../../../ahp/common/root.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { shownChat } from '../../../views/session/chats.ts';
import { askedOf, resourceModel, type ResourceView, UNKNOWN, viewOf, withActions } from './resourceViews.ts';
import { ObservedTimes } from '../../../views/session/toolCall/observedTimes.ts';
import type { FileAttachment } from '../../../views/session/composer/attachments.ts';
import type { CallDecision } from '../../../views/session/trail/callDecision.ts';
import { fateOfTurn, type TurnFate } from '../../../views/session/transcript/turnOverAbsence.ts';
import type { Lending } from '../../../views/session/composer/lentFile.ts';
import { sameSession } from '../../../views/session/sessionRef.ts';
import type {
  ActionsMessage,
  BridgeInfo,
  BridgeMessage,
  ConnectionInfo,
  ConnectionMessage,
  CurrentFileMessage,
  LendingMessage,
  DecisionsMessage,
  PageAbility,
  PageQuestion,
  QuestionMessage,
  RejectedMessage,
  ShowMessage,
  ShownSession,
  SnapshotMessage,
  StatusMessage,
} from '../protocol.ts';

export interface StoreState {
  /** False until the first `show`. */
  ready: boolean;
  shown?: ShownSession;
  /** While none is shown: what a session can be begun with. */
  start?: StartOffer;
  /** What the shell of the page cannot do. */
  lacks?: readonly PageAbility[];
  /** What is asked in front of everything else. */
  question?: PageQuestion;
  /** The chat of it that is shown. It stays while the session has it: what the user types must not go to another one. */
  chat?: URI;
  /** The chat that the user has chosen and that the session does not have yet. */
  awaitedChat?: URI;
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
  /** Of the active editor, for the composer. */
  currentFile?: FileAttachment;
  lending?: Lending;
}

export type StateMessage =
  | ShowMessage
  | SnapshotMessage
  | ActionsMessage
  | StatusMessage
  | ConnectionMessage
  | BridgeMessage
  | DecisionsMessage
  | RejectedMessage
  | CurrentFileMessage
  | LendingMessage
  | QuestionMessage;

/** Messages are applied after this time also when no frame comes, because the page is hidden. */
const HIDDEN_FLUSH_MS = 500;

export class SessionStore {
  state: StoreState = { ready: false, resources: new Map(), connection: { kind: 'connecting' }, rejections: [], decisions: [] };
  readonly times = new ObservedTimes();
  /** The shown chat when its host went away in the middle of a turn. */
  #leftRunning: ChatState | undefined;
  #queue: StateMessage[] = [];
  #cancelFlush: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  receive(message: StateMessage): void {
    this.#queue.push(message);
    this.#cancelFlush ??= scheduleFlush(() => this.flush());
  }

  /** Applies them at once, after what has come so far. */
  receiveNow(messages: readonly StateMessage[]): void {
    this.#queue.push(...messages);
    this.flush();
  }

  /** Applies what has come so far. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#queue.length === 0) return;
    const messages = this.#queue;
    this.#queue = [];
    let state = this.state;
    for (const message of messages) state = this.#followTurn(state, withChat(this.#apply(state, message)));
    this.#update(state);
  }

  dismissRejection(clientSeq: number): void {
    this.#update({ ...this.state, rejections: this.state.rejections.filter((rejection) => rejection.clientSeq !== clientSeq) });
  }

  /** Shows another chat of the session, as soon as the session has it. */
  chooseChat(uri: URI): void {
    this.#update(this.#followTurn(this.state, withChat({ ...this.state, awaitedChat: uri })));
  }

  #update(state: StoreState): void {
    if (state === this.state) return;
    this.state = state;
    for (const listener of this.#listeners) listener();
  }

  #apply(state: StoreState, message: StateMessage): StoreState {
    switch (message.type) {
      case 'show': {
        const same = sameSession(message.session, state.shown);
        const { bridge, chat, awaitedChat, currentFile, lending, start: _, question: _asked, ...others } = state;
        return {
          ...others,
          ...(same && bridge && { bridge }),
          ...(same && currentFile && { currentFile }),
          ...(same && lending && { lending }),
          ...(same && chat !== undefined && { chat }),
          ...(same && awaitedChat !== undefined && { awaitedChat }),
          ready: true,
          shown: message.session,
          ...(message.start && { start: message.start }),
          lacks: message.lacks ?? [],
          ...(message.question && { question: message.question }),
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
      case 'currentFile': {
        const { currentFile: _, ...others } = state;
        return sameSession(message.session, state.shown) ? { ...others, ...(message.file && { currentFile: message.file }) } : state;
      }
      case 'question': {
        const { question: _, ...others } = state;
        return { ...others, ...(message.question && { question: message.question }) };
      }
      case 'lending':
        return sameSession(message.session, state.shown) ? { ...state, lending: message.lending } : state;
      case 'rejected':
        if (!sameSession(message.session, state.shown)) return state;
        return { ...state, rejections: [...state.rejections, message] };
      case 'status':
        return withResource(state, message.uri, (resource) => ({ ...resource, status: message.status }));
      case 'snapshot':
        return this.#observed(
          withResource(state, message.uri, () => viewOf(message, Date.now())),
          message.uri,
          Date.now(),
          false,
        );
      case 'actions':
        return this.#observed(
          withResource(state, message.uri, (resource) => withActions(resource, message)),
          message.uri,
          message.now,
          true,
        );
    }
  }

  #observed(state: StoreState, uri: URI, now: number, live: boolean): StoreState {
    const chat = uri === shownChatUri(state) ? resourceModel('chat', state.resources.get(uri), 'confirmed') : undefined;
    if (chat) this.times.observe(chat, now, live);
    return state;
  }

  #followTurn(before: StoreState, after: StoreState): StoreState {
    const uri = shownChatUri(after);
    if (!sameSession(after.shown, before.shown) || after.chat !== before.chat) {
      this.#leftRunning = undefined;
      const { fate: _, ...others } = after;
      return others;
    }
    const view = uri === undefined ? undefined : after.resources.get(uri);
    const chat = resourceModel('chat', view, 'confirmed');
    if (uri === undefined || !view || !chat) return after;
    if (view.status.kind === 'stale' && chat.activeTurn) this.#leftRunning ??= chat;
    if (view.status.kind !== 'live' || this.#leftRunning === undefined) return after;
    const left = this.#leftRunning;
    const turnId = left.activeTurn?.id;
    this.#leftRunning = undefined;
    const isStopping = askedOf(before.resources.get(uri)).some(
      ({ action, held }) => action.type === 'chat/turnCancelled' && (action as { turnId?: unknown }).turnId === turnId && !held,
    );
    const fate = isStopping ? undefined : fateOfTurn(left, chat);
    return fate ? { ...after, fate } : after;
  }
}

function withChat(state: StoreState): StoreState {
  const session = sessionOf(state);
  if (!session) return state;
  const { chat: before, awaitedChat, ...others } = state;
  const isThere = session.chats.some(({ resource }) => resource === awaitedChat);
  const chat = shownChat(session, isThere ? awaitedChat : before);
  if (chat === before && !isThere) return state;
  return { ...others, ...(chat !== undefined && { chat }), ...(awaitedChat !== undefined && !isThere && { awaitedChat }) };
}

function withResource(state: StoreState, uri: URI, change: (resource: ResourceView) => ResourceView): StoreState {
  const before = state.resources.get(uri) ?? UNKNOWN;
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

export function rootOf({ resources }: StoreState): RootState | undefined {
  return resourceModel('root', resources.get(ROOT_URI));
}

export function sessionOf({ resources, shown }: StoreState): SessionState | undefined {
  return shown && resourceModel('session', resources.get(shown.uri));
}

export function chatOf({ resources }: StoreState, uri: URI): ChatState | undefined {
  return resourceModel('chat', resources.get(uri));
}

/** Undefined until the session is known, and where it has no chat. */
export function shownChatUri(state: StoreState): URI | undefined {
  return sessionOf(state) && state.chat;
}
