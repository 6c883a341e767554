/**
 * Keeps what a session says of its chats in step with them: their summaries, and what waits in them. The protocol has actions of the session
 * for that, which the host dispatches after those of the chat. It goes the other way for what a session and its chats have in common.
 */
import type { ChatState, ResponsePart } from '../../ahp/channels/chat/state.ts';
import type { SessionAction } from '../../ahp/channels/session/actions.ts';
import type { SessionInputRequest, SessionState } from '../../ahp/channels/session/state.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import { RememberedChoice } from '../../ahp/common/remembered.ts';
import { listOf } from '../../ahp/common/reducers/reducer.ts';
import { isCallPart } from '../../ahp/common/reducers/turns.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import { changesOf, isRead } from '../state/listedSession.ts';
import type { DispatchedAction, StateStore } from '../state/stateStore.ts';

/** These change nothing but texts, and come most often. */
const onlyTexts: ReadonlySet<string> = new Set([
  'chat/delta',
  'chat/reasoning',
  'chat/responsePart',
  'chat/usage',
  'chat/toolCallDelta',
  'chat/draftChanged',
  'chat/pendingMessageSet',
  'chat/pendingMessageRemoved',
  'chat/queuedMessagesReordered',
]);

export class ChatMirror implements Disposable {
  readonly #listener: Disposable;

  constructor(private readonly store: StateStore) {
    this.#listener = store.onDidDispatch((dispatched) => this.#follow(dispatched));
  }

  /** Makes all of it anew, for a session of an earlier run: the host may have ended between an action of a chat and those that follow. */
  refresh(uri: URI): void {
    for (const { channel, kind } of this.store.family(uri)) {
      const session = this.store.session(uri);
      if (!session) return;
      if (kind === 'chat') this.#followChat(uri, session, channel);
      if (kind === 'session') this.#followTitle(uri, session);
      if (kind === 'changeset') this.#followChanges(uri, session, channel);
    }
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #follow({ kind, session: uri, envelope, before, after }: DispatchedAction): void {
    if (uri === undefined || before === after || envelope.rejectionReason !== undefined) return;
    const { channel, action } = envelope;
    const session = this.store.session(uri);
    if (!session) return;
    if (kind === 'chat' && !onlyTexts.has(action.type)) this.#followChat(uri, session, channel);
    if (kind === 'session') this.#followSession(uri, session, action as SessionAction);
    if (kind === 'changeset') this.#followChanges(uri, session, channel);
  }

  #followChat(uri: URI, session: SessionState, channel: URI): void {
    const chat = this.store.chat(channel);
    const known = session.chats.find(({ resource }) => resource === channel);
    if (!chat || !known) return;
    const isDefault = session.defaultChat === channel;
    for (const action of summaryChange(known, chat)) this.store.dispatch(uri, action);
    for (const action of neededChange(session, channel, neededIn(channel, chat))) this.store.dispatch(uri, action);
    if (chat.origin?.kind !== 'tool' && isRead(session.status) && !isRead(chat.status))
      this.store.dispatch(uri, { type: 'session/isReadChanged', isRead: false });
    if (isDefault && chat.activity !== session.activity)
      this.store.dispatch(uri, { type: 'session/activityChanged', ...(chat.activity !== undefined && { activity: chat.activity }) });
  }

  #followSession(uri: URI, session: SessionState, action: SessionAction): void {
    if (action.type === 'session/titleChanged') this.#followTitle(uri, session);
    if (action.type !== 'session/isReadChanged' || !action.isRead) return;
    for (const { resource, origin } of session.chats) {
      const chat = this.store.chat(resource);
      if (chat && origin?.kind !== 'tool' && !isRead(chat.status))
        this.store.dispatch(resource, { type: 'chat/isReadChanged', isRead: true });
    }
  }

  #followTitle(uri: URI, { title, chats, defaultChat }: SessionState): void {
    const chat = chats.find(({ resource }) => resource === defaultChat);
    if (chat && chat.title !== title) this.store.dispatch(uri, { type: 'session/chatUpdated', chat: chat.resource, changes: { title } });
  }

  #followChanges(uri: URI, session: SessionState, channel: URI): void {
    const edits = this.store.changeset(channel)?.files.map(({ edit }) => edit) ?? [];
    const chat = session.chats.find(({ resource }) => resource === session.defaultChat);
    const changes = changesOf(edits);
    if (chat && !sameJson(chat.changes ?? changesOf([]), changes))
      this.store.dispatch(uri, { type: 'session/chatUpdated', chat: chat.resource, changes: { changes } });
  }
}

/** What a session says of a chat, but for its title and the files that it has changed. */
const mirrored = ['status', 'activity', 'modifiedAt', 'origin', 'interactivity', 'workingDirectories'] as const;

function summaryChange(known: ChatSummary, chat: ChatState): SessionAction[] {
  const changed = mirrored.filter((key) => !sameJson(known[key], chat[key]));
  // The time alone is nothing new, and a change cannot remove a field.
  if (changed.every((key) => key === 'modifiedAt')) return [];
  const changes = Object.fromEntries(changed.map((key) => [key, chat[key]])) as Partial<ChatSummary>;
  if (changed.every((key) => chat[key] !== undefined)) return [{ type: 'session/chatUpdated', chat: known.resource, changes }];
  const summary = Object.fromEntries(Object.entries({ ...known, ...changes }).filter(([, value]) => value !== undefined));
  return [{ type: 'session/chatAdded', summary: summary as unknown as ChatSummary }];
}

function neededChange({ inputNeeded = [] }: SessionState, channel: URI, now: readonly SessionInputRequest[]): SessionAction[] {
  const earlier = inputNeeded.filter(({ chat }) => chat === channel);
  const isNew = now.filter((request) => !earlier.some((other) => sameJson(other, request)));
  const gone = earlier.filter(({ id }) => !now.some((request) => request.id === id));
  return [
    ...isNew.map((request): SessionAction => ({ type: 'session/inputNeededSet', request })),
    ...gone.map(({ id }): SessionAction => ({ type: 'session/inputNeededRemoved', id })),
  ];
}

const unfinished = new RememberedChoice((part: ResponsePart) => {
  if (isCallPart(part)) return part.toolCall.status === 'completed' || part.toolCall.status === 'cancelled' ? undefined : part;
  return part.kind === 'inputRequest' && 'request' in part && part.response === undefined ? part : undefined;
});

/** What waits in the chat, in the order of its parts. */
export function neededIn(chat: URI, { activeTurn }: ChatState): SessionInputRequest[] {
  if (!activeTurn) return [];
  return unfinished.of(listOf(activeTurn.responseParts)).flatMap((part): SessionInputRequest[] | SessionInputRequest => {
    if (isCallPart(part)) return neededByCall(chat, activeTurn.id, part.toolCall as ToolCallState) ?? [];
    return { kind: 'chatInput', id: `${chat}#${part.request.id}`, chat, request: part.request };
  });
}

function neededByCall(chat: URI, turnId: string, toolCall: ToolCallState): SessionInputRequest | undefined {
  switch (toolCall.status) {
    case 'pending-confirmation':
    case 'pending-result-confirmation':
      return { kind: 'toolConfirmation', id: `${chat}#${toolCall.toolCallId}`, chat, turnId, toolCall };
    case 'running': {
      const { contributor } = toolCall;
      if (contributor?.kind !== 'client' || !('clientId' in contributor)) return undefined;
      // What the client has said so far is in the chat. It would be said twice.
      const { content: _content, ...call } = toolCall;
      const id = `${chat}#${toolCall.toolCallId}`;
      return { kind: 'toolClientExecution', id, chat, turnId, clientId: contributor.clientId, toolCall: call };
    }
    default:
      return undefined;
  }
}
