/** Reduces a session. Tool calls and input requests have files of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';
import type { ErrorInfo } from '../common.ts';
import { answeredRequest, renewedRequest } from '../../common/inputRequestReducer.ts';
import { PartIndexes } from '../../common/partIndex.ts';
import { createReducer, isAbsent, listOf, type Recipe, replaceAt, setField, textOf, withConfigValues } from '../../common/reducer.ts';
import { SessionStatus, statusBits, withActivity, withFlag } from '../../common/status.ts';
import {
  type ActiveTurn,
  type MarkdownResponsePart,
  type PendingMessage,
  type ReasoningResponsePart,
  type ResponsePart,
  type SessionAction,
  type SessionState,
  type SessionSummary,
  type ToolCallAction,
  type ToolCallResponsePart,
  type Turn,
  type TurnState,
} from '../session.ts';
import type { SessionToolCallStartAction } from '../toolCall.ts';
import { reduceToolCall, startedToolCall, toolCallAtTurnEnd, waitsForPerson } from './toolCallReducer.ts';

const indexes = new PartIndexes<ResponsePart>((part) => isToolCallPart(part) && waitsForPerson(part.toolCall));

type Action<T extends SessionAction['type']> = Extract<SessionAction, { type: T }>;

const recipe: Recipe<SessionState, SessionAction> = (draft, action, now) => {
  switch (action.type) {
    case 'session/ready':
      setField(draft, 'lifecycle', 'ready');
      // Hosts clear the flags too.
      changeSummary(draft, { status: SessionStatus.Idle });
      break;
    case 'session/creationFailed':
      setField(draft, 'lifecycle', 'creationFailed');
      setField(draft, 'creationError', action.error);
      break;

    case 'session/turnStarted':
      startTurn(draft, action, now);
      break;
    case 'session/delta':
      appendText(draft, action, 'markdown');
      break;
    case 'session/reasoning':
      appendText(draft, action, 'reasoning');
      break;
    case 'session/responsePart':
      appendPart(draft, action, action.part);
      break;
    case 'session/usage':
      setUsage(draft, action);
      break;
    case 'session/turnComplete':
      endTurn(draft, action, 'complete', now);
      break;
    case 'session/turnCancelled':
      endTurn(draft, action, 'cancelled', now);
      break;
    case 'session/error':
      endTurn(draft, action, 'error', now);
      break;
    case 'session/truncated':
      truncate(draft, action, now);
      break;

    case 'session/toolCallStart':
      appendPart(draft, action, { kind: 'toolCall', toolCall: startedToolCall(action) });
      break;
    case 'session/toolCallDelta':
    case 'session/toolCallContentChanged':
      changeToolCall(draft, action);
      break;
    case 'session/toolCallReady':
    case 'session/toolCallConfirmed':
    case 'session/toolCallComplete':
    case 'session/toolCallResultConfirmed':
      changeToolCall(draft, action);
      // Hosts derive it after these actions of any turn and call, also where nothing else changed.
      changeSummary(draft, { status: currentStatus(draft) });
      break;

    case 'session/inputRequested':
      requestInput(draft, action, now);
      break;
    case 'session/inputAnswerChanged':
      changeAnswer(draft, action, now);
      break;
    case 'session/inputCompleted':
      completeInput(draft, action, now);
      break;

    case 'session/pendingMessageSet':
      setPendingMessage(draft, action);
      break;
    case 'session/pendingMessageRemoved':
      if (action.kind === 'steering') removeSteeringMessage(draft, action.id);
      if (action.kind === 'queued') removeQueuedMessage(draft, action.id);
      break;
    case 'session/queuedMessagesReordered':
      reorderQueue(draft, action);
      break;

    case 'session/titleChanged':
      if (typeof action.title === 'string') changeSummary(draft, { title: action.title, modifiedAt: now });
      break;
    case 'session/modelChanged':
      if (isRecord(action.model)) changeSummary(draft, { model: action.model, modifiedAt: now });
      break;
    case 'session/activityChanged':
      changeSummary(draft, { activity: action.activity });
      break;
    case 'session/diffsChanged':
      if (Array.isArray(action.diffs)) changeSummary(draft, { diffs: action.diffs });
      break;
    case 'session/isReadChanged':
      changeSummary(draft, { status: withFlag(statusOf(draft), SessionStatus.IsRead, action.isRead === true) });
      break;
    case 'session/isArchivedChanged':
      changeSummary(draft, { status: withFlag(statusOf(draft), SessionStatus.IsArchived, action.isArchived === true) });
      break;

    case 'session/configChanged':
      changeConfig(draft, action, now);
      break;
    case 'session/metaChanged':
      if (isAbsent(action._meta) || isRecord(action._meta)) setField(draft, '_meta', action._meta);
      break;
    case 'session/serverToolsChanged':
      if (Array.isArray(action.tools)) setField(draft, 'serverTools', action.tools);
      break;
    case 'session/activeClientChanged':
      if (isAbsent(action.activeClient) || isRecord(action.activeClient)) setField(draft, 'activeClient', action.activeClient);
      break;
    case 'session/activeClientToolsChanged': {
      const client = draft.activeClient;
      if (isRecord(client) && Array.isArray(action.tools)) setField(draft, 'activeClient', { ...client, tools: action.tools });
      break;
    }
    case 'session/customizationsChanged':
      if (Array.isArray(action.customizations)) setField(draft, 'customizations', action.customizations);
      break;
    case 'session/customizationToggled':
      toggleCustomization(draft, action);
      break;
    default:
  }
};

export const sessionReducer = createReducer(recipe);

// ---- Summary and status

/** Sets fields of the summary. One that is undefined is removed. */
function changeSummary(draft: SessionState, changes: Partial<SessionSummary>): void {
  const summary = draft.summary;
  if (!isRecord(summary)) return;
  const next = { ...summary };
  let changed = false;
  for (const key of Object.keys(changes) as (keyof SessionSummary)[]) changed = setField(next, key, changes[key]) || changed;
  if (changed) draft.summary = next;
}

function statusOf(draft: SessionState): number {
  const summary: unknown = draft.summary;
  return statusBits(isRecord(summary) ? summary.status : undefined);
}

/** The status that follows from the turn, its calls and the input requests. The error of the last turn stays until one of these changes. */
function currentStatus(draft: SessionState): number {
  const turn = activeTurn(draft);
  const needsInput = listOf(draft.inputRequests).length > 0 || (turn !== undefined && indexes.hasWaiting(listOf(turn.responseParts)));
  return withActivity(statusOf(draft), needsInput ? SessionStatus.InputNeeded : turn ? SessionStatus.InProgress : SessionStatus.Idle);
}

// ---- Turns

function activeTurn(draft: SessionState): ActiveTurn | undefined {
  const turn = draft.activeTurn;
  return isRecord(turn) ? turn : undefined;
}

/** The active turn if it is the one that an action names. */
function turnOf(draft: SessionState, { turnId }: { turnId: string }): ActiveTurn | undefined {
  const turn = activeTurn(draft);
  return turn !== undefined && turn.id === turnId ? turn : undefined;
}

function startTurn(draft: SessionState, action: Action<'session/turnStarted'>, now: number): void {
  const { turnId, userMessage, queuedMessageId } = action;
  if (typeof turnId !== 'string') return;
  setField(draft, 'activeTurn', { id: turnId, userMessage, responseParts: [] });
  if (!isAbsent(queuedMessageId)) {
    removeSteeringMessage(draft, queuedMessageId);
    removeQueuedMessage(draft, queuedMessageId);
  }
  changeSummary(draft, { status: withFlag(currentStatus(draft), SessionStatus.IsRead, false), modifiedAt: now });
}

function endTurn(draft: SessionState, action: { turnId: string; error?: ErrorInfo }, state: TurnState, now: number): void {
  const turn = turnOf(draft, action);
  if (!turn) return;
  const responseParts = listOf(turn.responseParts).map((part) => {
    if (!isToolCallPart(part)) return part;
    const toolCall = toolCallAtTurnEnd(part.toolCall);
    return toolCall === part.toolCall ? part : { ...part, toolCall };
  });
  const ended: Turn = { ...turn, responseParts, state };
  if (state === 'error') setField(ended, 'error', action.error);
  draft.turns = listOf(draft.turns).concat([ended]);
  setField(draft, 'activeTurn', undefined);
  setField(draft, 'inputRequests', undefined);
  const activity = state === 'error' ? SessionStatus.Error : SessionStatus.Idle;
  changeSummary(draft, { status: withActivity(statusOf(draft), activity), modifiedAt: now });
}

function truncate(draft: SessionState, { turnId }: Action<'session/truncated'>, now: number): void {
  const turns = listOf(draft.turns);
  const kept = isAbsent(turnId) ? 0 : turns.findIndex((turn) => turn?.id === turnId) + 1;
  if (kept === 0 && !isAbsent(turnId)) return;
  setField(draft, 'turns', turns.slice(0, kept));
  setField(draft, 'activeTurn', undefined);
  setField(draft, 'inputRequests', undefined);
  changeSummary(draft, { status: withActivity(statusOf(draft), SessionStatus.Idle), modifiedAt: now });
}

function setUsage(draft: SessionState, action: Action<'session/usage'>): void {
  const turn = turnOf(draft, action);
  if (turn && isRecord(action.usage) && !sameJson(turn.usage, action.usage)) draft.activeTurn = { ...turn, usage: action.usage };
}

function appendPart(draft: SessionState, action: { turnId: string }, part: ResponsePart): void {
  const turn = turnOf(draft, action);
  if (!turn || !isRecord(part)) return;
  draft.activeTurn = { ...turn, responseParts: indexes.withPart(listOf(turn.responseParts), part) };
}

function appendText(
  draft: SessionState,
  action: Action<'session/delta' | 'session/reasoning'>,
  kind: (MarkdownResponsePart | ReasoningResponsePart)['kind'],
): void {
  const turn = turnOf(draft, action);
  if (!turn || typeof action.content !== 'string' || action.content === '') return;
  const parts = listOf(turn.responseParts);
  const { partId } = action;
  // Ids may repeat. The first part of the id counts, of whatever kind.
  const index = indexes.firstPlaceOf(parts, partId);
  const part = parts[index];
  if (part?.kind !== kind) return;
  const content = textOf(part.content) + action.content;
  draft.activeTurn = { ...turn, responseParts: indexes.withPartAt(parts, index, { ...part, content }) };
}

// ---- Tool calls

function isToolCallPart(part: ResponsePart | undefined): part is ToolCallResponsePart {
  return part?.kind === 'toolCall' && isRecord(part.toolCall);
}

function changeToolCall(draft: SessionState, action: Exclude<ToolCallAction, SessionToolCallStartAction>): void {
  const turn = turnOf(draft, action);
  if (!turn) return;
  const parts = listOf(turn.responseParts);
  const { toolCallId } = action;
  // Ids may repeat. The action applies to every call of the id.
  let responseParts = parts as ResponsePart[];
  for (const place of indexes.placesOfCall(parts, toolCallId)) {
    const part = parts[place];
    if (!isToolCallPart(part)) continue;
    const toolCall = reduceToolCall(part.toolCall, action);
    if (!sameJson(toolCall, part.toolCall)) responseParts = indexes.withPartAt(responseParts, place, { ...part, toolCall });
  }
  if (responseParts !== parts) draft.activeTurn = { ...turn, responseParts };
}

// ---- Input requests

function requestInput(draft: SessionState, { request }: Action<'session/inputRequested'>, now: number): void {
  if (!isRecord(request) || typeof request.id !== 'string') return;
  const requests = listOf(draft.inputRequests);
  const index = requests.findIndex((earlier) => earlier?.id === request.id);
  const earlier = requests[index];
  draft.inputRequests = earlier ? replaceAt(requests, index, renewedRequest(earlier, request)) : [...requests, request];
  changeSummary(draft, { status: withFlag(currentStatus(draft), SessionStatus.IsRead, false), modifiedAt: now });
}

function changeAnswer(draft: SessionState, action: Action<'session/inputAnswerChanged'>, now: number): void {
  const requests = listOf(draft.inputRequests);
  const index = requests.findIndex((request) => request?.id === action.requestId);
  const request = requests[index];
  if (!request || typeof action.questionId !== 'string') return;
  const answered = answeredRequest(request, action.questionId, action.answer);
  if (answered === request) return;
  draft.inputRequests = replaceAt(requests, index, answered);
  changeSummary(draft, { modifiedAt: now });
}

function completeInput(draft: SessionState, action: Action<'session/inputCompleted'>, now: number): void {
  const requests = listOf(draft.inputRequests);
  const open = requests.filter((request) => request?.id !== action.requestId);
  if (open.length === requests.length) return;
  setField(draft, 'inputRequests', open.length > 0 ? open : undefined);
  changeSummary(draft, { status: currentStatus(draft), modifiedAt: now });
}

// ---- Pending messages

function setPendingMessage(draft: SessionState, { kind, id, userMessage }: Action<'session/pendingMessageSet'>): void {
  if (typeof id !== 'string' || !isRecord(userMessage)) return;
  const message: PendingMessage = { id, userMessage };
  if (kind === 'steering') setField(draft, 'steeringMessage', message);
  if (kind !== 'queued') return;
  const queue = listOf(draft.queuedMessages);
  const index = queue.findIndex((queued) => queued?.id === id);
  draft.queuedMessages = index < 0 ? [...queue, message] : replaceAt(queue, index, message);
}

function removeSteeringMessage(draft: SessionState, id: string): void {
  if (draft.steeringMessage?.id === id) setField(draft, 'steeringMessage', undefined);
}

function removeQueuedMessage(draft: SessionState, id: string): void {
  const queue = listOf(draft.queuedMessages);
  const left = queue.filter((queued) => queued?.id !== id);
  if (left.length < queue.length) setField(draft, 'queuedMessages', left.length > 0 ? left : undefined);
}

function reorderQueue(draft: SessionState, { order }: Action<'session/queuedMessagesReordered'>): void {
  const queue = draft.queuedMessages;
  if (!Array.isArray(queue) || !Array.isArray(order)) return;
  const places = new Map([...order].reverse().map((id, index) => [id, order.length - 1 - index]));
  const placeOf = (message: PendingMessage): number => places.get(message?.id) ?? order.length;
  setField(
    draft,
    'queuedMessages',
    queue.toSorted((a, b) => placeOf(a) - placeOf(b)),
  );
}

// ---- Configuration and customizations

function changeConfig(draft: SessionState, action: Action<'session/configChanged'>, now: number): void {
  const config = draft.config;
  if (!isRecord(config) || !isRecord(action.config)) return;
  draft.config = withConfigValues(config, action.config, action.replace === true);
  changeSummary(draft, { modifiedAt: now });
}

function toggleCustomization(draft: SessionState, { uri, enabled }: Action<'session/customizationToggled'>): void {
  const customizations = listOf(draft.customizations);
  const index = customizations.findIndex((entry) => entry?.customization?.uri === uri);
  const entry = customizations[index];
  if (entry && typeof enabled === 'boolean') draft.customizations = replaceAt(customizations, index, { ...entry, enabled });
}
