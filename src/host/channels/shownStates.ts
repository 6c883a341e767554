/** The states of the store as the channel protocol has them, with its URIs of chats. */
import type { ChatState, ResponsePart, Turn } from '../../ahp/channels/chat/state.ts';
import type { SessionActiveClient, SessionInputRequest, SessionState } from '../../ahp/channels/session/state.ts';
import type { RootState } from '../../ahp/channels/root.ts';
import type { ModelSelection, TerminalClaim, TerminalInfo } from '../../ahp/channels/shapes/basic.ts';
import type { Message, PendingMessage } from '../../ahp/channels/shapes/message.ts';
import type { ChatOrigin, ChatSummary, SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { TerminalState } from '../../ahp/channels/terminal.ts';
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import { isCallPart } from '../../ahp/common/reducers/turns.ts';
import { activityOf, SessionStatus, withActivity } from '../../ahp/common/status.ts';
import type { ToolResultContent } from '../../ahp/common/tools.ts';
import type {
  PendingMessage as StoredPending,
  SessionState as StoredSession,
  SessionSummary as StoredSummary,
} from '../../ahp/v1/session.ts';
import type { RootState as StoredRoot } from '../../ahp/v1/root.ts';
import type { TerminalState as StoredTerminal } from '../../ahp/v1/terminal.ts';
import { upgradedChat, upgradedRoot, upgradedSession, upgradedSummary, upgradedTerminal } from '../../ahp/v1/upgrade.ts';
import { upgradedPendingMessage } from '../../ahp/v1/upgrade/parts.ts';
import { remembered, rememberedList } from '../../ahp/v1/upgrade/remembered.ts';
import { isoTime } from '../../ahp/v1/upgrade/shapes.ts';
import { isSubagent, subagentOrigin, topSession } from '../../ahp/subagentUri.ts';
import { messageModel } from '../state/messageModels.ts';
import { chatUri, shownTerminalUri } from './channelUris.ts';

/** A subagent's session is a chat. */
export const shownContent = rememberedList(
  remembered((content: ToolResultContent): ToolResultContent => {
    if (content.type === 'subagent') return { ...content, resource: chatUri(content.resource) };
    return content.type === 'terminal' ? { ...content, resource: shownTerminalUri(content.resource) } : content;
  }),
);

const shownPart = remembered((part: ResponsePart): ResponsePart => {
  if (!isCallPart(part) || !('content' in part.toolCall) || !part.toolCall.content) return part;
  const content = shownContent(part.toolCall.content);
  return content === part.toolCall.content ? part : { ...part, toolCall: { ...part.toolCall, content } };
});
const shownParts = rememberedList(shownPart);
const shownTurns = rememberedList(
  remembered((turn: Turn): Turn => {
    const responseParts = shownParts(turn.responseParts);
    return responseParts === turn.responseParts ? turn : { ...turn, responseParts };
  }),
);

function shownOrigin(resource: string): ChatOrigin | undefined {
  const origin = subagentOrigin(resource);
  return origin && { kind: 'tool', chat: chatUri(origin.parent), toolCallId: origin.toolCallId };
}

/** With the model that it was sent with, which the store does not know. */
export const shownPending = remembered((pending: StoredPending): PendingMessage => {
  const { id, message } = upgradedPendingMessage(pending);
  return { id, message: omitAbsent<Message>({ ...message, model: messageModel(pending.userMessage) }) };
});

/** What the store does not know of a chat. */
export interface ChatFacts {
  /** When its turn in progress began, in ms since the epoch. */
  startedAt?: number | undefined;
  /** What a client has written and not sent. */
  draft?: Message | undefined;
}

/** The next message goes to the session's model, unless the draft says more. */
export function shownDraft(draft: Message | undefined, model: ModelSelection | undefined): Message | undefined {
  if (!draft && !model) return undefined;
  return omitAbsent<Message>({ ...(draft ?? { text: '', origin: { kind: 'user' } }), model: draft?.model ?? model });
}

export function shownChat(stored: StoredSession, { startedAt, draft }: ChatFacts): ChatState {
  const chat = upgradedChat(stored);
  const { resource } = stored.summary;
  return omitAbsent<ChatState>({
    ...chat,
    resource: chatUri(resource),
    origin: shownOrigin(resource),
    interactivity: shownOrigin(resource) && 'read-only',
    turns: shownTurns(chat.turns),
    draft: shownDraft(draft, stored.summary.model),
    steeringMessage: stored.steeringMessage && shownPending(stored.steeringMessage),
    queuedMessages: stored.queuedMessages?.map(shownPending),
    activeTurn: chat.activeTurn && {
      ...chat.activeTurn,
      ...(startedAt !== undefined && { startedAt: isoTime(startedAt) }),
      responseParts: shownParts(chat.activeTurn.responseParts),
    },
  });
}

/** Of a session that may not be loaded. */
export function shownChatSummary(stored: StoredSummary): ChatSummary {
  const { resource, title, status, activity, modifiedAt, workingDirectories, changes } = upgradedSummary(stored);
  const origin = shownOrigin(resource);
  return omitAbsent<ChatSummary>({
    ...{ resource: chatUri(resource), title, status, activity, modifiedAt, workingDirectories, changes },
    ...{ origin, interactivity: origin && 'read-only' },
  });
}

/** A session of the user, and those of its subagents behind it. */
export type StoredFamily = [StoredSummary, ...StoredSummary[]];

/** By the URI of the user's session. */
export function bySession(summaries: readonly StoredSummary[]): Map<string, StoredFamily> {
  const families = new Map<string, StoredFamily>();
  for (const summary of summaries) if (!isSubagent(summary.resource)) families.set(summary.resource, [summary]);
  for (const summary of summaries) if (isSubagent(summary.resource)) families.get(topSession(summary.resource))?.push(summary);
  return families;
}

/**
 * What waits in a subagent waits in its session. That a subagent has failed does not count as an error of the session: its agent has got the
 * failure as the result of a call, and went on.
 */
export function shownSummary([summary, ...subagents]: StoredFamily): SessionSummary {
  const shown = upgradedSummary(summary);
  const waits = subagents.some(({ status }) => activityOf(status) === SessionStatus.InputNeeded);
  return {
    ...shown,
    ...(waits && { status: withActivity(shown.status, SessionStatus.InputNeeded) }),
    defaultChat: chatUri(summary.resource),
  };
}

export interface StoredChat {
  summary: StoredSummary;
  /** Absent while the session is not loaded. */
  state?: StoredSession | undefined;
}

/** `stored`: the session of the user. `chats`: it, and those of its subagents. `lenders`: those that the store does not know. */
export function shownSession(stored: StoredSession, chats: readonly StoredChat[], lenders: readonly SessionActiveClient[]): SessionState {
  const session = upgradedSession(stored);
  const inputNeeded = chats.flatMap(({ state }) => (state ? (upgradedSession(state).inputNeeded ?? []).map(shownRequest) : []));
  return omitAbsent<SessionState>({
    ...session,
    activeClients: [...session.activeClients, ...lenders],
    // Its activity follows from what is needed: no action of the protocol tells of more.
    status: withActivity(session.status, inputNeeded.some(waitsForPerson) ? SessionStatus.InputNeeded : SessionStatus.Idle),
    chats: chats.map(({ summary }) => shownChatSummary(summary)),
    defaultChat: chatUri(stored.summary.resource),
    inputNeeded: inputNeeded.length > 0 ? inputNeeded : undefined,
  });
}

const shownRequest = remembered(
  (request: SessionInputRequest): SessionInputRequest => ({ ...request, chat: chatUri(request.chat) }) as SessionInputRequest,
);

function waitsForPerson({ kind }: SessionInputRequest): boolean {
  return kind !== 'toolClientExecution';
}

export function shownClaim(claim: TerminalClaim): TerminalClaim {
  return claim.kind === 'session' ? { ...claim, chat: chatUri(claim.chat) } : claim;
}

const shownTerminalInfo = remembered((terminal: TerminalInfo): TerminalInfo => ({
  ...terminal,
  resource: shownTerminalUri(terminal.resource),
  claim: shownClaim(terminal.claim),
}));
const shownTerminals = rememberedList(shownTerminalInfo);

export function shownRoot(stored: StoredRoot): RootState {
  const root = upgradedRoot(stored);
  return root.terminals ? { ...root, terminals: shownTerminals(root.terminals) } : root;
}

export function shownTerminal(stored: StoredTerminal): TerminalState {
  const terminal = upgradedTerminal(stored);
  return { ...terminal, claim: shownClaim(terminal.claim) };
}
