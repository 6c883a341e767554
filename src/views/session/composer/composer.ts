/** What the composer can do in the current state of a chat, and the actions that it performs. */
import * as l10n from '../../../base/l10n.ts';
import type { ChatState, ResponsePart } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { Message, MessageAttachment, PendingMessage } from '../../../ahp/channels/shapes/message.ts';
import { NOT_SAVED } from '../../../ahp/sessionMetaKeys.ts';
import { splitContext, withContext } from '../../../base/text/contextBlock.ts';
import type { Gesture } from '../sessionGesture.ts';
import type { OpenChat } from '../openChat.ts';
import { type ContextItem, partsOf } from './contextItems.ts';

type Start = Gesture<'chat/turnStarted'>;
type Wait = Gesture<'chat/pendingMessageSet'>;

export interface ComposerState {
  /** Why nothing can be sent now, as a text for the user. Absent when it can. */
  blocked?: string;
  /** `queue`: a turn is running, or earlier messages wait, so the message joins the queue. */
  sends: 'turn' | 'queue';
  isRunning: boolean;
  canStop: boolean;
  /** A call is at work or waits for an answer, and would be lost, so the user is asked first. What was said stays in the session. */
  stopLosesWork: boolean;
}

/** Why the host cannot save the session at present and accepts no messages. Undefined when it can. */
export function saveProblem(session: SessionState | undefined): string | undefined {
  const problem = session?._meta?.[NOT_SAVED];
  return typeof problem === 'string' ? problem : undefined;
}

export function composerState(open: OpenChat | undefined, readOnly: string | undefined): ComposerState {
  const turn = open?.chat.activeTurn;
  const running = turn !== undefined;
  const blocked = readOnly ?? blockOf(open);
  return {
    ...(blocked === undefined ? {} : { blocked }),
    sends: running || (blocked === undefined && hasWaiting(open?.chat)) ? 'queue' : 'turn',
    isRunning: running,
    canStop: running && readOnly === undefined,
    stopLosesWork: turn?.responseParts.some(isAtWork) ?? false,
  };
}

/** States in which nobody has decided about a call or waited for it yet, or in which it has ended with its result in the turn. */
const WITHOUT_LOSS: readonly string[] = ['streaming', 'completed', 'cancelled'];

function isAtWork(part: ResponsePart): boolean {
  return part.kind === 'toolCall' && !WITHOUT_LOSS.includes(part.toolCall.status);
}

/** After a turn that was stopped or has failed, what was queued behind it waits for the user. */
function hasWaiting(chat: ChatState | undefined): boolean {
  return chat?.steeringMessage !== undefined || (chat?.queuedMessages?.length ?? 0) > 0;
}

/**
 * A session that is `creating` takes its first message: some hosts make it with that only, and others hold the message until it is made. It
 * is shown once the host has answered `createSession`.
 */
function blockOf(open: OpenChat | undefined): string | undefined {
  if (!open) return l10n.t('The session is still loading.');
  const { session, chat } = open;
  if (session.lifecycle === 'failed') return l10n.t('The session could not be created.');
  if (saveProblem(session) !== undefined) return l10n.t('The session cannot be saved, so it accepts no messages now.');
  return isReadOnly(chat) ? l10n.t('This chat can only be read.') : undefined;
}

/** For example that of a subagent. */
export function isReadOnly({ interactivity }: ChatState): boolean {
  return interactivity !== undefined && interactivity !== 'full';
}

/** The model of the next message: that of the draft, which all clients share, or else that of the last message. */
export function nextModel({ draft, activeTurn, turns, queuedMessages }: ChatState): ModelSelection | undefined {
  return draft?.model ?? queuedMessages?.at(-1)?.message.model ?? (activeTurn ?? turns.at(-1))?.message.model;
}

/** The message without blank lines around it, with the context items in front; undefined when it is empty. */
export function messageOf(
  text: string,
  attachments: readonly MessageAttachment[],
  items: readonly ContextItem[] = [],
  model?: ModelSelection,
): Message | undefined {
  const trimmed = text.trim();
  if (trimmed === '' && attachments.length + items.length === 0) return undefined;
  return withFiles({ text: withContext(partsOf(items), trimmed), origin: { kind: 'user' }, ...(model && { model }) }, attachments);
}

function withFiles(message: Message, attachments: readonly MessageAttachment[]): Message {
  return attachments.length > 0 ? { ...message, attachments: [...attachments] } : message;
}

/** The user's own words in a message, without what context items added. */
export function wordsOf({ text }: Pick<Message, 'text'>): string {
  return splitContext(text).words;
}

/** The message with other words, and all else as it was. Undefined where that changes nothing, or would leave nothing. */
export function reworded(message: Message, words: string): Message | undefined {
  const { parts, words: before } = splitContext(message.text);
  const text = words.trim();
  const isEmpty = text === '' && parts.length + (message.attachments?.length ?? 0) === 0;
  return isEmpty || text === before ? undefined : { ...message, text: withContext(parts, text) };
}

/** `now`: ISO 8601. */
export function startTurn(turnId: string, message: Message, now: string): Start {
  return { type: 'chat/turnStarted', turnId, startedAt: now, message };
}

/**
 * The action that sends a message. It starts a turn when the chat is idle and nothing waits. Otherwise the message waits in the queue (from which
 * an idle host then takes the first one), or steers the running turn. A chat holds one steering message, so a new one is appended to one that still
 * waits. `id` is that of the new turn or pending message.
 */
export function send(chat: ChatState, message: Message, how: 'send' | 'steer', id: string, now: string): Start | Wait {
  if (!chat.activeTurn && (how === 'steer' || !hasWaiting(chat))) return startTurn(id, message, now);
  const set = { type: 'chat/pendingMessageSet' as const };
  if (how === 'send') return { ...set, kind: 'queued', id, message };
  const waiting = chat.steeringMessage;
  return waiting
    ? { ...set, kind: 'steering', id: waiting.id, message: joined(waiting.message, message) }
    : { ...set, kind: 'steering', id, message };
}

/** The actions that send a message that waits in an idle chat, before all others. `turnId`: of the new turn. */
export function sendNow(
  kind: 'steering' | 'queued',
  { id, message }: PendingMessage,
  turnId: string,
  now: string,
): [Gesture<'chat/pendingMessageRemoved'>, Start] {
  return [{ type: 'chat/pendingMessageRemoved', kind, id }, startTurn(turnId, message, now)];
}

/** The same message after something else had to be waited for: a turn may have begun, or the one that it was to steer may be over. */
export function sendLater({ activeTurn }: ChatState, action: Start | Wait, now: string): Start | Wait {
  const { message } = action;
  if (action.type === 'chat/turnStarted' && activeTurn)
    return { type: 'chat/pendingMessageSet', kind: 'queued', id: action.turnId, message };
  if (action.type === 'chat/pendingMessageSet' && action.kind === 'steering' && !activeTurn) return startTurn(action.id, message, now);
  return action;
}

function joined(first: Message, second: Message): Message {
  const attachments = [...(first.attachments ?? []), ...(second.attachments ?? [])];
  const [one, other] = [splitContext(first.text), splitContext(second.text)];
  const words = [one.words, other.words].filter((text) => text !== '').join('\n\n');
  const { attachments: _, ...rest } = second;
  return withFiles({ ...rest, text: withContext([...one.parts, ...other.parts], words) }, attachments);
}

/** A message of the queue steers the running turn. It waits in both places for a moment, so that it is never in none. Undefined without a turn. */
export function steerQueued(chat: ChatState, { id, message }: PendingMessage, newId: string, now: string): Gesture[] | undefined {
  if (!chat.activeTurn) return undefined;
  return [send(chat, message, 'steer', newId, now), { type: 'chat/pendingMessageRemoved', kind: 'queued', id }];
}

/** Moves a message of the queue by some places. Undefined when there is no such place. */
export function moveQueued(chat: ChatState, id: string, by: number): Gesture<'chat/queuedMessagesReordered'> | undefined {
  const order = (chat.queuedMessages ?? []).map((message) => message.id);
  const from = order.indexOf(id);
  const to = from + by;
  if (from < 0 || by === 0 || to < 0 || to >= order.length) return undefined;
  order.splice(from, 1);
  order.splice(to, 0, id);
  return { type: 'chat/queuedMessagesReordered', order };
}

/** Moves a message of the queue to the place of another one. */
export function moveQueuedTo(chat: ChatState, id: string, place: string): Gesture<'chat/queuedMessagesReordered'> | undefined {
  const order = (chat.queuedMessages ?? []).map((message) => message.id);
  const to = order.indexOf(place);
  return to < 0 ? undefined : moveQueued(chat, id, to - order.indexOf(id));
}

/** Chooses a model for the next message. */
export function chooseModel({ draft }: ChatState, model: ModelSelection): Gesture<'chat/draftChanged'> {
  return { type: 'chat/draftChanged', draft: { text: '', origin: { kind: 'user' }, ...draft, model } };
}

/** Stops the turn. `now`: ms since the epoch. */
export function stopTurn({ activeTurn }: ChatState, now: number): Gesture<'chat/turnCancelled'> | undefined {
  if (!activeTurn) return undefined;
  const began = Date.parse(activeTurn.startedAt ?? '');
  return { type: 'chat/turnCancelled', turnId: activeTurn.id, duration: Number.isNaN(began) ? 0 : Math.max(0, now - began) };
}

/** The user's earlier messages as they were typed, newest first, to be recalled with the Up key. */
export function sentMessages(chat: ChatState): Message[] {
  const all = [...chat.turns, ...(chat.activeTurn ? [chat.activeTurn] : [])].map((turn) => turn.message);
  return all.reverse().flatMap((message) => {
    if (message.origin.kind !== 'user') return [];
    const { parts, words } = splitContext(message.text);
    if (parts.length === 0) return [message];
    return parts.some(({ kind }) => kind === 'push') ? [] : [{ ...message, text: words }];
  });
}
