/** Going back in a chat: which turns go, which message is there again or is sent again, and what the turns have done. */
import * as l10n from '../../../base/l10n.ts';
import type { ActiveTurn, ChatState, Turn } from '../../../ahp/channels/chat/state.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';
import { splitContext } from '../../../base/text/contextBlock.ts';
import { oneLine } from '../../text/oneLine.ts';
import { composerState, messageOf } from '../composer/composer.ts';
import { itemsOf } from '../composer/contextItems.ts';
import type { OpenChat } from '../openChat.ts';
import { toolInput } from '../toolCall/toolCallView.ts';
import { messageView } from '../transcript/messageView.ts';

/** `back`: the message can be written again. `edit`: it is sent with other words. `retry`: it is sent as it is. */
export const wayBackKinds = ['back', 'edit', 'retry'] as const;
export type WayBackKind = (typeof wayBackKinds)[number];

export interface WayBack {
  readonly kind: WayBackKind;
  /** The turn before the message. Absent: nothing is left. */
  readonly keeps?: string;
  /** What goes: the turn of the message and all after it, oldest first. */
  readonly turns: readonly (Turn | ActiveTurn)[];
  /** The last of them runs. */
  readonly isRunning: boolean;
  /** What is sent when they are gone. */
  readonly message?: Message;
}

/** In characters. */
const MAX_COMMAND = 120;
/** Kinds of calls that change nothing. */
const READS: readonly unknown[] = ['read', 'search', 'fetch'];

/** True where messages can be sent: a chat that takes turns takes them back, too. */
export function canGoBack(open: OpenChat): boolean {
  return composerState(open, undefined).blocked === undefined;
}

/** The user's own message: it can be written or sent again. */
export function isOwnMessage(message: Message): boolean {
  return messageView(message).sentBy === undefined;
}

/** The last message, which the commands of the palette are about. */
export function lastMessage({ activeTurn, turns }: ChatState): { readonly turnId: string; readonly message: Message } | undefined {
  const last = activeTurn ?? turns.at(-1);
  return last && { turnId: last.id, message: last.message };
}

/**
 * From the message of this turn. `words`: those of the edited message. Undefined when the chat has no such turn (any more), or has nothing to send. `unloaded`: what comes
 * before it is not known.
 */
export function wayBack(chat: ChatState, turnId: string, kind: WayBackKind, words?: string): WayBack | 'unloaded' | undefined {
  const all = [...chat.turns, ...(chat.activeTurn ? [chat.activeTurn] : [])];
  const at = all.findIndex(({ id }) => id === turnId);
  const first = all[at];
  if (!first) return undefined;
  if (at === 0 && chat.turnsNextCursor !== undefined) return 'unloaded';
  const before = all[at - 1];
  const message = kind === 'back' ? undefined : sentAgain(first.message, words);
  if (kind !== 'back' && !message) return undefined;
  return {
    kind,
    turns: all.slice(at),
    isRunning: chat.activeTurn !== undefined,
    ...(before && { keeps: before.id }),
    ...(message && { message }),
  };
}

/** True when the same turns go: nobody has added or removed one. One that ran may have ended. */
export function isSameWay(one: WayBack, other: WayBack | 'unloaded' | undefined): other is WayBack {
  if (other === undefined || other === 'unloaded') return false;
  const idsOf = ({ keeps, turns }: WayBack) => JSON.stringify([keeps, ...turns.map(({ id }) => id)]);
  return idsOf(one) === idsOf(other);
}

/** Commands, and what was typed into terminals, each on one line. Those that were denied did not run. */
export function commandsOf(turns: readonly (Turn | ActiveTurn)[]): string[] {
  return callsOf(turns)
    .filter(mayHaveRun)
    .flatMap((call) => commandOf(call) ?? []);
}

function commandOf(call: ToolCallState): string | undefined {
  if (!('toolInput' in call) || typeof call.toolInput !== 'string') return undefined;
  const { command, rest } = toolInput(call.toolInput, call._meta?.toolKind);
  const typed = call._meta?.toolKind === 'typing' ? l10n.t`Typed into a terminal: ${rest ?? ''}` : undefined;
  return oneLine(command ?? typed, MAX_COMMAND) || undefined;
}

/** Names of the other calls that may have done something nobody can undo, once for each call: of MCP servers and lent tools, for example. */
export function otherCallsOf(turns: readonly (Turn | ActiveTurn)[]): string[] {
  return callsOf(turns).flatMap((call) => {
    const isKnown = READS.includes(call._meta?.toolKind) || isSubagent(call) || hasEdits(call) || commandOf(call) !== undefined;
    return mayHaveRun(call) && !isKnown ? [oneLine(call.displayName || call.toolName, MAX_COMMAND)] : [];
  });
}

/** The chats of the subagents that the turns started. `isUnknown`: some calls do not name theirs. */
export function subagentsOf(turns: readonly (Turn | ActiveTurn)[]): { readonly chats: readonly URI[]; readonly isUnknown: boolean } {
  const started = callsOf(turns).filter((call) => mayHaveRun(call) && isSubagent(call));
  const chats = started.map(chatsOf);
  return { chats: [...new Set(chats.flat())], isUnknown: chats.some(({ length }) => length === 0) };
}

function isSubagent(call: ToolCallState): boolean {
  return call._meta?.toolKind === 'subagent' || chatsOf(call).length > 0;
}

function chatsOf(call: ToolCallState): URI[] {
  return contentOf(call).flatMap((one) => (one.type === 'subagent' && 'resource' in one ? [one.resource] : []));
}

function hasEdits(call: ToolCallState): boolean {
  return call.status === 'completed' && contentOf(call).some(({ type }) => type === 'fileEdit');
}

function contentOf(call: ToolCallState): readonly ToolResultContent[] {
  return 'content' in call ? (call.content ?? []) : [];
}

/** Hosts also use `skipped` for calls that they did carry out. */
function mayHaveRun(call: ToolCallState): boolean {
  return call.status === 'cancelled' ? call.reason !== 'denied' : call.status !== 'streaming' && call.status !== 'pending-confirmation';
}

/** What calls of the turns have changed, as the calls say it. A file may be there more than once. */
export function editsOf(turns: readonly (Turn | ActiveTurn)[]): FileEdit[] {
  return callsOf(turns).flatMap((call) => {
    const content = call.status === 'completed' ? contentOf(call) : [];
    return content.flatMap((one) => (one.type === 'fileEdit' ? [one as FileEdit] : []));
  });
}

/** A turn without calls has changed nothing. */
export function hasCalls({ responseParts }: Turn | ActiveTurn): boolean {
  return responseParts.some(({ kind }) => kind === 'toolCall');
}

function callsOf(turns: readonly (Turn | ActiveTurn)[]): ToolCallState[] {
  return turns.flatMap(({ responseParts }) => responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : [])));
}

/** With all that it has. Only what providers added is left out: it is added again when the message is sent. */
function sentAgain(message: Message, words: string | undefined): Message | undefined {
  const { parts, words: before } = splitContext(message.text);
  const again = messageOf(words ?? before, message.attachments ?? [], itemsOf(parts));
  const { _meta, ...others } = message;
  // The turn of the span that it names goes.
  const { traceparent: _above, ...meta } = _meta ?? {};
  return again && { ...others, ...again, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}
