/**
 * States of AHP v1 as AHP 1.0 has them, which is the model that views read. A session and its one chat are two views of one
 * state, with the same URI. What did not change stays the same object, so that an appended text costs one part. What AHP v1 does not
 * say is absent. Nothing that a host can send makes it throw.
 */
import { isRecord } from '../../base/isRecord.ts';
import type { ChangesetState } from '../channels/changeset.ts';
import type { ChatState } from '../channels/chat/state.ts';
import type { AgentInfo, RootState } from '../channels/root.ts';
import type { SessionInputRequest, SessionState } from '../channels/session/state.ts';
import type { ChangesSummary } from '../channels/shapes/basic.ts';
import type { ChatOrigin, ChatSummary, SessionSummary } from '../channels/shapes/summaries.ts';
import type { ToolCallRunningState } from '../channels/shapes/toolCall.ts';
import type { TerminalState } from '../channels/terminal.ts';
import type { InputRequest } from '../common/inputRequest.ts';
import { isAbsent, listOf, omitAbsent, textOf } from '../common/reducers/reducer.ts';
import { isCallPart } from '../common/reducers/turns.ts';
import { SessionStatus, statusBits, withFlag } from '../common/status.ts';
import { subagentOrigin } from '../subagentUri.ts';
import type { FileEdit } from './common.ts';
import type * as V1Root from './root.ts';
import type * as V1 from './session.ts';
import type * as V1Terminal from './terminal.ts';
import type { ToolCallState as V1ToolCallState } from './toolCall.ts';
import {
  type Speaker,
  upgradedActiveTurn,
  upgradedCall,
  upgradedPendingMessage,
  upgradedPendingMessages,
  upgradedTurns,
} from './upgrade/parts.ts';
import { remembered, rememberedList, RememberedChoice } from '../common/remembered.ts';
import {
  isoTime,
  lifecycleOf,
  upgradedActiveClient,
  upgradedClaim,
  upgradedCustomizations,
  upgradedPlugins,
  upgradedTerminalInfo,
} from './upgrade/upgradedShapes.ts';

// ---- Root and terminals

const upgradedAgents = rememberedList(
  remembered(({ customizations, ...agent }: V1Root.AgentInfo): AgentInfo => ({
    ...agent,
    ...(!isAbsent(customizations) && { customizations: upgradedPlugins(customizations) }),
  })),
);
const upgradedTerminals = rememberedList(upgradedTerminalInfo);

export const upgradedRoot = remembered(({ agents, terminals, ...root }: V1Root.RootState): RootState => ({
  ...root,
  agents: upgradedAgents(agents),
  ...(!isAbsent(terminals) && { terminals: upgradedTerminals(terminals) }),
}));

export const upgradedTerminal = remembered(({ exitCode, claim, ...terminal }: V1Terminal.TerminalState): TerminalState => ({
  ...terminal,
  claim: upgradedClaim(claim),
  lifecycle: lifecycleOf(exitCode),
}));

// ---- Summaries

/** Hosts of early 2026 have booleans where others have bits. */
function statusOf(summary: V1.SessionSummary): number {
  const { isRead, isDone } = summary as { isRead?: unknown; isDone?: unknown };
  const read = isRead === true ? withFlag(statusBits(summary.status), SessionStatus.IsRead, true) : statusBits(summary.status);
  return isDone === true ? withFlag(read, SessionStatus.IsArchived, true) : read;
}

/** What the session and its chat have in common. */
const upgradedBase = remembered(({ title, activity, workingDirectory, ...summary }: V1.SessionSummary) =>
  omitAbsent({
    title,
    status: statusOf(summary as V1.SessionSummary),
    activity: activity ?? undefined,
    workingDirectories: isAbsent(workingDirectory) ? undefined : [workingDirectory],
  }),
);

function originOf(summary: V1.SessionSummary): ChatOrigin | undefined {
  const origin = typeof summary.resource === 'string' ? subagentOrigin(summary.resource) : undefined;
  return origin && { kind: 'tool', chat: origin.parent, toolCallId: origin.toolCallId };
}

function changesOf(diffs: readonly FileEdit[] | null | undefined): ChangesSummary | undefined {
  // Hosts say an empty list where there is none any more.
  if (!Array.isArray(diffs) || diffs.length === 0) return undefined;
  const sum = (key: 'added' | 'removed'): number =>
    diffs.reduce((total: number, edit: FileEdit | null) => {
      const lines: unknown = edit?.diff?.[key];
      return total + (typeof lines === 'number' ? lines : 0);
    }, 0);
  return { additions: sum('added'), deletions: sum('removed'), files: diffs.length };
}

export const upgradedSummary = remembered((summary: V1.SessionSummary): SessionSummary => {
  const { resource, provider, createdAt, modifiedAt, project, diffs } = summary;
  return omitAbsent<SessionSummary>({
    ...upgradedBase(summary),
    resource,
    provider,
    createdAt: isoTime(createdAt),
    modifiedAt: isoTime(modifiedAt),
    project,
    changes: changesOf(diffs),
  });
});

const chatSummaries = remembered((summary: V1.SessionSummary): ChatSummary[] => {
  const { resource, modifiedAt, diffs } = summary;
  const chat: ChatSummary = { ...upgradedBase(summary), resource, modifiedAt: isoTime(modifiedAt) };
  return [omitAbsent<ChatSummary>({ ...chat, origin: originOf(summary), changes: changesOf(diffs) })];
});

/** The files that a session has changed, as the host lists them in its summary. */
export const upgradedChanges = remembered((summary: V1.SessionSummary): ChangesetState => ({
  status: 'ready',
  files: listOf(summary.diffs).flatMap((edit) => {
    const id = edit?.after?.uri ?? edit?.before?.uri;
    return typeof id === 'string' ? [{ id, edit }] : [];
  }),
}));

// ---- Sessions and chats

const NOTHING: V1.SessionSummary = { resource: '', provider: '', title: '', status: 0, createdAt: NaN, modifiedAt: NaN };

function summaryOf(state: V1.SessionState): V1.SessionSummary {
  return isRecord(state.summary) ? state.summary : NOTHING;
}

function requestsOf(state: V1.SessionState): readonly InputRequest[] {
  return listOf(state.inputRequests).filter((request) => isRecord(request));
}

/** The chat of a session. */
export const upgradedChat = remembered((state: V1.SessionState): ChatState => {
  const { turns, activeTurn, steeringMessage, queuedMessages } = state;
  const summary = summaryOf(state);
  const [chat] = chatSummaries(summary) as [ChatSummary];
  const speaker: Speaker = chat.origin?.kind === 'tool' ? 'tool' : 'user';
  return omitAbsent<ChatState>({
    ...chat,
    turns: upgradedTurns[speaker](turns),
    activeTurn: isRecord(activeTurn) ? upgradedActiveTurn(activeTurn, requestsOf(state), speaker) : undefined,
    steeringMessage: isRecord(steeringMessage) ? upgradedPendingMessage(steeringMessage) : undefined,
    queuedMessages: Array.isArray(queuedMessages) ? upgradedPendingMessages(queuedMessages) : undefined,
    draft: draftOf(summary),
  });
});

const drafts = remembered((model: NonNullable<V1.SessionSummary['model']>) => ({ text: '', origin: { kind: 'user' as const }, model }));

/** The next message goes to the session's model. AHP 1.0 says so in the draft. */
function draftOf({ model }: V1.SessionSummary): ChatState['draft'] {
  return isRecord(model) ? drafts(model) : undefined;
}

const lastSessions = new WeakMap<V1.SessionSummary, SessionState>();
const activeClients = remembered((client: NonNullable<V1.SessionState['activeClient']>) => [upgradedActiveClient(client)]);
const NO_CLIENTS: SessionState['activeClients'] = [];

/** The session itself. It stays the same object while only its chat changes. */
export const upgradedSession = remembered((state: V1.SessionState): SessionState => {
  const { lifecycle, creationError, serverTools, activeClient, config, customizations, _meta } = state;
  const summary = summaryOf(state);
  const { provider, project, resource } = summary;
  const last = lastSessions.get(summary);
  const session = omitAbsent<SessionState>({
    ...upgradedBase(summary),
    provider,
    project,
    lifecycle: lifecycle === 'creationFailed' ? 'failed' : lifecycle,
    creationError,
    serverTools,
    activeClients: isRecord(activeClient) ? activeClients(activeClient) : NO_CLIENTS,
    chats: chatSummaries(summary),
    defaultChat: resource,
    config,
    customizations: Array.isArray(customizations) ? upgradedCustomizations(customizations) : undefined,
    inputNeeded: sameItems(last?.inputNeeded, inputNeededIn(state, resource)),
    _meta,
  });
  if (last && sameFields(last, session)) return last;
  lastSessions.set(summary, session);
  return session;
});

function sameItems<T>(earlier: T[] | undefined, items: T[]): T[] | undefined {
  if (items.length === 0) return undefined;
  return earlier?.length === items.length && items.every((item, index) => item === earlier[index]) ? earlier : items;
}

function sameFields(a: object, b: object): boolean {
  const fields = Object.entries(a);
  return fields.length === Object.keys(b).length && fields.every(([key, value]) => Object.is(value, (b as Record<string, unknown>)[key]));
}

// ---- What needs an answer

const ofRequests = new WeakMap<object, SessionInputRequest>();

/** The same object for the same request of the same chat and turn. */
function entryOf(source: object, entry: SessionInputRequest & { turnId?: string }): SessionInputRequest {
  const known = ofRequests.get(source) as (SessionInputRequest & { turnId?: string }) | undefined;
  if (known && known.chat === entry.chat && known.turnId === entry.turnId) return known;
  ofRequests.set(source, entry);
  return entry;
}

function idIn(chat: unknown, id: unknown): string {
  return `${textOf(chat)}#${textOf(id)}`;
}

function inputNeededIn(state: V1.SessionState, chat: string): SessionInputRequest[] {
  const needed = requestsOf(state).map((request) => entryOf(request, { kind: 'chatInput', id: idIn(chat, request.id), chat, request }));
  const turn = state.activeTurn;
  if (!isRecord(turn)) return needed;
  return [...needed, ...waitingCalls.of(listOf(turn.responseParts)).map((call) => entryOfCall(call, chat, turn.id))];
}

const waitingCalls = new RememberedChoice((part: V1.ResponsePart) =>
  isCallPart(part) && waits(part.toolCall) ? part.toolCall : undefined,
);

function waits({ status, toolClientId }: V1ToolCallState): boolean {
  if (status === 'pending-confirmation' || status === 'pending-result-confirmation') return true;
  return status === 'running' && !isAbsent(toolClientId);
}

/** Of a call that waits. */
function entryOfCall(call: V1ToolCallState, chat: string, turnId: string): SessionInputRequest {
  const { status, toolCallId, toolClientId = '' } = call;
  const id = idIn(chat, toolCallId);
  if (status !== 'running') return entryOf(call, { kind: 'toolConfirmation', id, chat, turnId, toolCall: upgradedCall(call) as never });
  const toolCall = upgradedCall(call) as ToolCallRunningState;
  return entryOf(call, { kind: 'toolClientExecution', id, chat, turnId, clientId: toolClientId, toolCall });
}
