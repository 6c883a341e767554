/** Sessions of format 1 as channels: the session, its first chat, a chat for each subagent, and the files that it has changed. */
import type { ChatState, ResponsePart } from '../../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../../ahp/channels/session/state.ts';
import type { ChatOrigin, ChatSummary } from '../../../../ahp/channels/shapes/summaries.ts';
import { isAbsent, listOf, omitAbsent } from '../../../../ahp/common/reducers/reducer.ts';
import { isCallPart } from '../../../../ahp/common/reducers/turns.ts';
import type { URI } from '../../../../ahp/common/shapes.ts';
import { SessionStatus, statusBits, withActivity, withFlag } from '../../../../ahp/common/status.ts';
import type { ToolResultContent } from '../../../../ahp/common/tools.ts';
import { subagentOrigin } from '../../../../ahp/subagentUri.ts';
import type { PendingMessage, SessionState as StateOfFormatOne } from '../../../../ahp/v1/session.ts';
import { TERMINAL_SCHEME } from '../../../../ahp/v1/terminal.ts';
import { upgradedChanges, upgradedChat, upgradedSession } from '../../../../ahp/v1/upgrade.ts';
import { upgradedPendingMessages } from '../../../../ahp/v1/upgrade/parts.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import { changesUri, chatUri } from '../../chatUris.ts';
import { sessionChanges } from '../../sessionChangesets.ts';
import type { SessionFacts } from '../../listedSession.ts';
import type { StoredChannel } from '../../stateStore.ts';
import type { FactsOfFormatOne } from './logOfFormatOne.ts';

/** Messages that the agent had taken and its model had not heard, in `_meta`. */
const UNHEARD = 'tapline.unheard';
/** A terminal that a client of today had named stood behind the scheme of AHP v1. */
const NAMED_TERMINAL = `${TERMINAL_SCHEME}/ahp-terminal:`;

export function factsSince({ facts, state }: { facts: FactsOfFormatOne; state: Pick<StateOfFormatOne, 'summary'> }): SessionFacts {
  const { uri, workingDirectory, worktree } = facts;
  const { createdAt } = state.summary;
  return {
    uri,
    workingDirectory: typeof workingDirectory === 'string' ? workingDirectory : '',
    createdAt: Number.isSafeInteger(createdAt) ? createdAt : 0,
    ...(worktree && { worktree }),
  };
}

/**
 * `states`: of the session and then of its subagents. What waits for an answer is not among the session's `inputNeeded`: its turn has ended
 * with the host that asked, and each chat has its questions.
 */
export function channelsOfFormatOne(uri: URI, [state, ...subagents]: readonly [StateOfFormatOne, ...StateOfFormatOne[]]): StoredChannel[] {
  const { inputNeeded: _waits, ...session } = upgradedSession(state);
  const first: ChatState = { ...chatOf(uri, state), status: withFlag(statusBits(session.status), SessionStatus.IsArchived, false) };
  const chats = [first, ...subagentChats(subagents, [state, ...subagents])];
  const changes = changesUri(uri);
  const sessionState: SessionState = omitAbsent({
    ...session,
    status: withActivity(statusBits(session.status), SessionStatus.Idle),
    chats: chats.map(summaryOf),
    defaultChat: first.resource,
    changesets: state.summary.diffs?.length ? [sessionChanges(uri)] : undefined,
    _meta: metaOf(session._meta),
  });
  return [
    { channel: uri, kind: 'session', state: sessionState },
    ...chats.map((chat): StoredChannel => ({ channel: chat.resource, kind: 'chat', state: chat })),
    { channel: changes, kind: 'changeset', state: upgradedChanges(state.summary) },
  ];
}

/** The channels of a session with the chats of these subagents, unless it has them. */
export function withSubagents(uri: URI, channels: readonly StoredChannel[], subagents: readonly StateOfFormatOne[]): StoredChannel[] {
  const chats = subagentChats(subagents, subagents).filter(({ resource }) => !channels.some(({ channel }) => channel === resource));
  return [
    ...channels.map((stored): StoredChannel =>
      stored.kind === 'session' && stored.channel === uri
        ? { ...stored, state: { ...stored.state, chats: [...stored.state.chats, ...chats.map(summaryOf)] } }
        : stored,
    ),
    ...chats.map((chat): StoredChannel => ({ channel: chat.resource, kind: 'chat', state: chat })),
  ];
}

/** Oldest first. `family`: the sessions whose calls may have started them. */
function subagentChats(subagents: readonly StateOfFormatOne[], family: readonly StateOfFormatOne[]): ChatState[] {
  const calls = new Map(family.flatMap((state) => startedBy(state)));
  return [...subagents]
    .sort((a, b) => a.summary.createdAt - b.summary.createdAt)
    .map((state): ChatState => {
      const { resource } = state.summary;
      return { ...chatOf(resource, state), origin: originOf(resource, calls.get(resource)), interactivity: 'read-only' };
    });
}

function chatOf(name: URI, state: StateOfFormatOne): ChatState {
  const chat = upgradedChat(state);
  const shown = <T extends { responseParts: ResponsePart[] }>(turn: T): T => ({ ...turn, responseParts: turn.responseParts.map(partOf) });
  return omitAbsent<ChatState>({
    ...chat,
    resource: chatUri(name),
    turns: chat.turns.map(shown),
    activeTurn: chat.activeTurn && shown(chat.activeTurn),
  });
}

function originOf(uri: URI, call: string | undefined): ChatOrigin | undefined {
  const origin = subagentOrigin(uri);
  return origin && { kind: 'tool', chat: chatUri(origin.parent), toolCallId: call ?? origin.toolCallId };
}

/** The subagents that a session's calls name, each with the id of its call: a URI holds more than that where the id was used before. */
function startedBy({ turns, activeTurn }: StateOfFormatOne): [URI, string][] {
  const parts = [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ responseParts }) => responseParts);
  return parts.flatMap((part) => {
    if (!isCallPart(part) || !('content' in part.toolCall)) return [];
    const { toolCallId, content } = part.toolCall;
    return listOf(content).flatMap((item): [URI, string][] => (isSubagentContent(item) ? [[item.resource, toolCallId]] : []));
  });
}

function isSubagentContent(content: ToolResultContent): content is Extract<ToolResultContent, { type: 'subagent' }> {
  return isRecord(content) && content.type === 'subagent' && typeof content.resource === 'string';
}

/** The contents of calls name chats and terminals. */
function partOf(part: ResponsePart): ResponsePart {
  if (!isCallPart(part) || !('content' in part.toolCall) || isAbsent(part.toolCall.content)) return part;
  return { ...part, toolCall: { ...part.toolCall, content: listOf(part.toolCall.content).map(contentOf) } };
}

function contentOf(content: ToolResultContent): ToolResultContent {
  if (isSubagentContent(content)) return { ...content, resource: chatUri(content.resource) };
  if (!isRecord(content) || content.type !== 'terminal' || typeof content.resource !== 'string') return content;
  if (!content.resource.startsWith(NAMED_TERMINAL)) return content;
  return { ...content, resource: content.resource.slice(TERMINAL_SCHEME.length + 1) } as ToolResultContent;
}

function metaOf(meta: SessionState['_meta']): SessionState['_meta'] {
  if (!isRecord(meta) || !Array.isArray(meta[UNHEARD])) return meta;
  return { ...meta, [UNHEARD]: upgradedPendingMessages(meta[UNHEARD] as PendingMessage[]) };
}

function summaryOf(chat: ChatState): ChatSummary {
  const { resource, title, status, activity, modifiedAt, origin, interactivity, workingDirectories, changes } = chat;
  return omitAbsent<ChatSummary>({ resource, title, status, activity, modifiedAt, origin, interactivity, workingDirectories, changes });
}
