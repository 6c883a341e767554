/**
 * The states of the channels that clients of the channel protocol read, and their actions. They begin as what the store holds, and follow its
 * envelopes. What the store does not know is theirs: when a turn began, which question was answered how.
 */
import type { ActionEnvelope, ActionOrigin, StateAction } from '../../ahp/channels/actions.ts';
import type { ChannelState } from '../../ahp/channels/channelReducers.ts';
import { chatReducer } from '../../ahp/channels/chat/chatReducer.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { Snapshot } from '../../ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { sessionReducer } from '../../ahp/channels/session/sessionReducer.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import { ROOT_URI } from '../../ahp/common/root.ts';
import { topSession } from '../../ahp/subagentUri.ts';
import type { StateAction as StoredAction } from '../../ahp/v1/actions.ts';
import type { URI } from '../../ahp/v1/common.ts';
import type { SessionAction } from '../../ahp/v1/session.ts';
import type { TerminalAction } from '../../ahp/v1/terminal.ts';
import { upgradedClaim } from '../../ahp/v1/upgrade/shapes.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Lenders } from '../state/lenders.ts';
import type { DispatchedAction, StateStore } from '../state/stateStore.ts';
import { chatActionsOf } from './chatActions.ts';
import { chatUri, sessionOfChat, shownTerminalUri, storedUri } from './channelUris.ts';
import { sessionDifference } from './sessionDifference.ts';
import { bySession, type ChatFacts, shownChat, shownClaim, shownDraft, shownRoot, shownSession, shownTerminal } from './shownStates.ts';

/** What a client of the channel protocol asked for, which the store knows in other words. */
export interface Asked {
  readonly channel: URI;
  readonly action: StateAction;
}

export interface ChannelStatesOptions {
  store: StateStore;
  lenders: Pick<Lenders, 'beside' | 'onDidChange'>;
  sessions: Pick<Sessions, 'list' | 'wake'>;
  /** Whether any client reads the channel. */
  isRead(channel: URI): boolean;
  /** What was asked for, when this is the action that answers it. */
  answeredBy(envelope: DispatchedAction['envelope']): Asked | undefined;
  /** To all that read the channel, and to the sender. */
  tell(envelope: ActionEnvelope): void;
}

/** These change nothing but a chat, and come most often. */
const onlyInChat: ReadonlySet<string> = new Set(['session/delta', 'session/reasoning', 'session/toolCallDelta']);

const endsTurn: ReadonlySet<string> = new Set(['session/turnComplete', 'session/turnCancelled', 'session/error', 'session/truncated']);

interface Told extends Asked {
  /** It says what the action of the store says. */
  isSame?: boolean;
}

export class ChannelStates implements Disposable {
  /** By the URI of the user's session. */
  readonly #sessions = new Map<URI, SessionState>();
  /** By the session in the store. */
  readonly #chats = new Map<URI, ChatState>();
  /** When the turns in progress began, in ms since the epoch, by the session in the store. Also of chats that nobody reads. */
  readonly #started = new Map<URI, number>();
  /** What was written and not sent, in the same way. It lasts while the session is loaded. */
  readonly #drafts = new Map<URI, Message>();
  readonly #listeners: readonly Disposable[];

  constructor(private readonly options: ChannelStatesOptions) {
    const { store, lenders } = options;
    this.#listeners = [
      lenders.onDidChange((session) => this.#tellSession(session)),
      store.onDidDispatch((dispatched) => this.#follow(dispatched)),
      store.onDidDelete((uri) => {
        this.#sessions.delete(uri);
        this.#chats.delete(uri);
        this.#started.delete(uri);
        this.#drafts.delete(uri);
      }),
    ];
  }

  /** Undefined where there is no such channel. Throws where its session cannot be read. */
  snapshot(channel: URI): Snapshot | undefined {
    const state = this.#stateOf(channel);
    return state && { resource: channel, state, fromSeq: this.options.store.serverSeq };
  }

  /** What was asked for is done, whatever the store says. */
  answer(asked: Asked, origin: ActionOrigin): void {
    this.#reduce(asked, this.options.store.now);
    this.#tell(asked, origin);
  }

  /** All clients of the chat share its draft. */
  keepDraft(session: URI, draft: Message | undefined, origin: ActionOrigin): void {
    if (draft) this.#drafts.set(session, draft);
    else this.#drafts.delete(session);
    const shown = this.#draftOf(session);
    this.answer({ channel: chatUri(session), action: { type: 'chat/draftChanged', ...(shown && { draft: shown }) } }, origin);
  }

  /** Nobody reads the channel any more. */
  release(channel: URI): void {
    this.#sessions.delete(channel);
    this.#chats.delete(sessionOfChat(channel) ?? '');
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  #stateOf(channel: URI): ChannelState | undefined {
    const { store, sessions } = this.options;
    if (channel === ROOT_CHANNEL) return shownRoot(store.root);
    const terminal = store.terminal(storedUri(channel));
    if (terminal) return shownTerminal(terminal);
    const chat = sessionOfChat(channel);
    const stored = chat ?? channel;
    if (chat === undefined && topSession(stored) !== stored) return undefined;
    sessions.wake(stored);
    const session = store.session(stored);
    if (!session) return undefined;
    if (chat === undefined) return this.#sessions.get(stored) ?? this.#keep(this.#sessions, stored, this.#sessionNow(stored));
    return this.#chats.get(stored) ?? this.#keep(this.#chats, stored, shownChat(session, this.#factsOf(stored)));
  }

  #keep<S>(states: Map<URI, S>, uri: URI, state: S | undefined): S | undefined {
    if (state) states.set(uri, state);
    return state;
  }

  #factsOf(session: URI): ChatFacts {
    return { startedAt: this.#started.get(session), draft: this.#drafts.get(session) };
  }

  #draftOf(session: URI): Message | undefined {
    return shownDraft(this.#drafts.get(session), this.options.store.session(session)?.summary.model);
  }

  /** Whoever chose a model last has chosen it for what is written too. */
  #chooseInDraft(session: URI, model: ModelSelection): void {
    const draft = this.#drafts.get(session);
    if (draft) this.#drafts.set(session, { ...draft, model });
  }

  /** As the store has it. */
  #sessionNow(uri: URI): SessionState | undefined {
    const { store, lenders, sessions } = this.options;
    const stored = store.session(uri);
    if (!stored) return undefined;
    const family = bySession(sessions.list()).get(uri) ?? [stored.summary];
    return shownSession(
      stored,
      family.map((summary) => ({ summary, state: store.session(summary.resource) })),
      lenders.beside(uri),
    );
  }

  #follow({ resource, envelope, at }: DispatchedAction): void {
    const { action, origin, rejectionReason } = envelope;
    const asked = this.options.answeredBy(envelope);
    if (rejectionReason !== undefined) {
      if (asked) this.#tell(asked, origin, rejectionReason);
      return;
    }
    if (action.type === 'session/modelChanged') this.#chooseInDraft(resource, action.model);
    const told = this.#told(resource, action, at);
    if (action.type === 'session/turnStarted') this.#started.set(resource, at);
    else if (endsTurn.has(action.type)) this.#started.delete(resource);
    // The sender waits for its own words.
    const isEcho = (one: Told) => (asked ? one.channel === asked.channel && one.action.type === asked.action.type : one.isSame === true);
    const echo = told.findIndex(isEcho);
    for (const [index, one] of told.entries()) this.#tell(one, index === echo ? origin : undefined);
    if (asked && origin && echo === -1) this.answer(asked, origin);
  }

  /** What the store does not know has changed. */
  #tellSession(uri: URI): void {
    for (const one of this.#differenceOf(uri, this.options.store.now)) this.#tell(one);
  }

  #tell({ channel, action }: Asked, origin?: ActionOrigin, rejectionReason?: string): void {
    this.options.tell({
      channel,
      action,
      serverSeq: this.options.store.nextSeq(),
      ...(origin && { origin }),
      ...(rejectionReason !== undefined && { rejectionReason }),
    });
  }

  /** What an action of the store says of the channels that are read, which are brought up to date. */
  #told(resource: URI, action: StoredAction, at: number): Told[] {
    const { store, isRead } = this.options;
    if (resource === ROOT_URI)
      return isRead(ROOT_CHANNEL) ? [{ channel: ROOT_CHANNEL, action: this.#rootAction(action), isSame: true }] : [];
    if (store.terminal(resource)) {
      const channel = shownTerminalUri(resource);
      return isRead(channel) ? [{ channel, action: terminalAction(action as TerminalAction), isSame: true }] : [];
    }
    return [...this.#toldOfChat(resource, action as SessionAction, at), ...this.#toldOfSession(topSession(resource), action, at)];
  }

  /** The store has reduced it. */
  #rootAction(action: StoredAction): StateAction {
    const { agents, terminals = [] } = shownRoot(this.options.store.root);
    if (action.type === 'root/agentsChanged') return { type: action.type, agents };
    if (action.type === 'root/terminalsChanged') return { type: action.type, terminals };
    return action as StateAction;
  }

  #toldOfChat(resource: URI, action: SessionAction, at: number): Told[] {
    const chat = this.#chats.get(resource);
    if (!chat) return [];
    const model = this.options.store.session(resource)?.summary.model;
    const draft = this.#draftOf(resource);
    const told = chatActionsOf(action, { at, startedAt: this.#started.get(resource), model, draft })
      // A client that writes has chosen the model with its draft already.
      .filter((one) => one.type !== 'chat/draftChanged' || !sameJson(chat.draft, draft))
      .map((one): Told => ({ channel: chatUri(resource), action: one, isSame: true }));
    for (const one of told) this.#reduce(one, at);
    return told;
  }

  #toldOfSession(uri: URI, { type }: StoredAction, at: number): Told[] {
    return onlyInChat.has(type) ? [] : this.#differenceOf(uri, at).map((one) => ({ ...one, isSame: one.action.type === type }));
  }

  /** What has changed in a session that is read, which is brought up to date. */
  #differenceOf(uri: URI, at: number): Told[] {
    const before = this.#sessions.get(uri);
    const after = before && this.#sessionNow(uri);
    if (!before || !after) return [];
    const told = sessionDifference(before, after).map((action): Told => ({ channel: uri, action }));
    for (const one of told) this.#reduce(one, at);
    return told;
  }

  #reduce({ channel, action }: Asked, at: number): void {
    const stored = sessionOfChat(channel);
    const chat = stored === undefined ? undefined : this.#chats.get(stored);
    if (stored !== undefined && chat) this.#chats.set(stored, chatReducer(chat, action, at));
    const session = this.#sessions.get(channel);
    if (session) this.#sessions.set(channel, sessionReducer(session, action, at));
  }
}

function terminalAction({ terminal: _terminal, ...action }: TerminalAction): StateAction {
  if (action.type !== 'terminal/claimed') return action as StateAction;
  return { type: action.type, claim: shownClaim(upgradedClaim(action.claim)) };
}
