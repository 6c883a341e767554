/** Reduces a session. Tool calls and input requests have files of their own. */
import { original } from 'immer';
import { isRecord } from '../../../base/isRecord.ts';
import type { ErrorInfo } from '../common.ts';
import type { InputRequest } from '../../common/inputRequest.ts';
import { answeredRequest, renewedRequest } from '../../common/reducers/inputRequestReducer.ts';
import {
  change,
  createReducer,
  isAbsent,
  isSame,
  listIn,
  listOf,
  plainOf,
  putAt,
  type Recipe,
  setConfigValues,
  setField,
  setWhole,
} from '../../common/reducers/reducer.ts';
import {
  ActiveTurns,
  isCallPart,
  removeQueuedMessage,
  removeSteeringMessage,
  reorderQueue,
  setPendingMessage,
} from '../../common/reducers/turns.ts';
import { SessionStatus, statusBits, withActivity, withFlag } from '../../common/status.ts';
import {
  type ActiveTurn,
  type ResponsePart,
  type SessionAction,
  type SessionState,
  type SessionSummary,
  type Turn,
  type TurnState,
} from '../session.ts';
import type { ToolCallState } from '../toolCall.ts';
import { reduceToolCall, startedToolCall, toolCallAtTurnEnd, waitsForPerson } from './toolCallReducer.ts';

const turns = new ActiveTurns<ResponsePart, ActiveTurn, ToolCallState>((part) => isCallPart(part) && waitsForPerson(part.toolCall));

type Action<T extends SessionAction['type']> = Extract<SessionAction, { type: T }>;

const recipe: Recipe<SessionState, SessionAction> = (draft, action, now) => {
  switch (action.type) {
    case 'session/ready':
      setField(draft, 'lifecycle', 'ready');
      // Hosts clear the flags too.
      setStatus(draft, () => SessionStatus.Idle);
      break;
    case 'session/creationFailed':
      setField(draft, 'lifecycle', 'creationFailed');
      setField(draft, 'creationError', action.error);
      break;

    case 'session/turnStarted':
      startTurn(draft, action, now);
      break;
    case 'session/delta':
      turns.appendText(draft, action, 'markdown');
      break;
    case 'session/reasoning':
      turns.appendText(draft, action, 'reasoning');
      break;
    case 'session/responsePart':
      turns.appendPart(draft, action, action.part);
      break;
    case 'session/usage':
      turns.setUsage(draft, action);
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
      turns.appendPart(draft, action, { kind: 'toolCall', toolCall: startedToolCall(action) });
      break;
    case 'session/toolCallDelta':
    case 'session/toolCallContentChanged':
      turns.changeCalls(draft, action, reduceToolCall);
      break;
    case 'session/toolCallReady':
    case 'session/toolCallConfirmed':
    case 'session/toolCallComplete':
    case 'session/toolCallResultConfirmed':
      turns.changeCalls(draft, action, reduceToolCall);
      // Hosts derive it after these actions of any turn and call, also where nothing else changed.
      setStatus(draft, (status) => currentStatus(draft, status));
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
      queueMessage(draft, action);
      break;
    case 'session/pendingMessageRemoved':
      if (action.kind === 'steering') removeSteeringMessage(draft, action.id);
      if (action.kind === 'queued') removeQueuedMessage(draft, action.id);
      break;
    case 'session/queuedMessagesReordered':
      reorderQueue(draft, action.order);
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
      if (Array.isArray(action.diffs)) changeSummary(draft, { diffs: [...action.diffs] });
      break;
    case 'session/isReadChanged':
      setStatus(draft, (status) => withFlag(status, SessionStatus.IsRead, action.isRead === true));
      break;
    case 'session/isArchivedChanged':
      setStatus(draft, (status) => withFlag(status, SessionStatus.IsArchived, action.isArchived === true));
      break;

    case 'session/configChanged':
      changeConfig(draft, action, now);
      break;
    case 'session/metaChanged':
      if (isAbsent(action._meta) || isRecord(action._meta)) setField(draft, '_meta', action._meta);
      break;
    case 'session/serverToolsChanged':
      if (Array.isArray(action.tools)) setWhole(draft, 'serverTools', action.tools);
      break;
    case 'session/activeClientChanged':
      if (isAbsent(action.activeClient) || isRecord(action.activeClient)) setField(draft, 'activeClient', action.activeClient);
      break;
    case 'session/activeClientToolsChanged': {
      const { tools } = action;
      if (isRecord(draft.activeClient) && Array.isArray(tools))
        change(draft, 'activeClient', (client) => client && setField(client, 'tools', tools));
      break;
    }
    case 'session/customizationsChanged':
      if (Array.isArray(action.customizations)) setField(draft, 'customizations', [...action.customizations]);
      break;
    case 'session/customizationToggled':
      toggleCustomization(draft, action);
      break;
    default:
  }
};

export const sessionReducer = createReducer(recipe, (draft) => {
  writeSummary(draft);
  return turns.keepIndex(draft);
});

// ---- Summary and status

/**
 * Of the draft that is being reduced: the summary, and what becomes of it, which the draft has at the end of the batch. Nearly every action
 * changes it, and each look through a draft costs more than most of what is done to it.
 */
let known: { readonly holder: SessionState; readonly summary: SessionSummary | undefined; next?: SessionSummary } | undefined;

function knownOf(draft: SessionState) {
  if (known?.holder === draft) return known;
  // Not through the draft, which would make one of it.
  const summary = original(draft)?.summary;
  return (known = { holder: draft, summary: isRecord(summary) ? summary : undefined });
}

function writeSummary(draft: SessionState): void {
  if (known?.holder === draft && known.next) draft.summary = Object.freeze(known.next);
  known = undefined;
}

/** Sets fields of the summary. One that is undefined is removed. */
function changeSummary(draft: SessionState, changes: Partial<SessionSummary>): void {
  const of = knownOf(draft);
  const { summary } = of;
  if (!summary) return;
  for (const key of Object.keys(changes) as (keyof SessionSummary)[]) {
    const value = changes[key];
    if (of.next || !isSame(summary[key] ?? undefined, value ?? undefined)) setField((of.next ??= { ...summary }), key, value);
  }
}

function setStatus(draft: SessionState, next: (status: number) => number): void {
  changeSummary(draft, { status: next(statusOf(draft)) });
}

function statusOf(draft: SessionState): number {
  const { summary, next = summary } = knownOf(draft);
  return statusBits(next?.status);
}

/** The status that follows from the turn, its calls and the input requests. The error of the last turn stays until one of these changes. */
function currentStatus(draft: SessionState, status = statusOf(draft)): number {
  const needsInput = listOf(draft.inputRequests).length > 0 || turns.waits(draft);
  return withActivity(status, needsInput ? SessionStatus.InputNeeded : turns.of(draft) ? SessionStatus.InProgress : SessionStatus.Idle);
}

// ---- Turns

function startTurn(draft: SessionState, action: Action<'session/turnStarted'>, now: number): void {
  const { turnId, userMessage, queuedMessageId } = action;
  if (typeof turnId !== 'string') return;
  turns.set(draft, { id: turnId, userMessage, responseParts: [] });
  if (!isAbsent(queuedMessageId)) {
    removeSteeringMessage(draft, queuedMessageId);
    removeQueuedMessage(draft, queuedMessageId);
  }
  changeSummary(draft, { status: withFlag(currentStatus(draft), SessionStatus.IsRead, false), modifiedAt: now });
}

function endTurn(draft: SessionState, action: { turnId: string; error?: ErrorInfo }, state: TurnState, now: number): void {
  const turn = turns.named(draft, action);
  if (!turn) return;
  turns.end<Turn>(draft, turn, toolCallAtTurnEnd, { state, ...(state === 'error' && { error: action.error }) });
  setField(draft, 'inputRequests', undefined);
  const activity = state === 'error' ? SessionStatus.Error : SessionStatus.Idle;
  changeSummary(draft, { status: withActivity(statusOf(draft), activity), modifiedAt: now });
}

function truncate(draft: SessionState, { turnId }: Action<'session/truncated'>, now: number): void {
  const kept = isAbsent(turnId) ? 0 : listOf(draft.turns).findIndex((turn) => turn?.id === turnId) + 1;
  if (kept === 0 && !isAbsent(turnId)) return;
  listIn(draft, 'turns').splice(kept);
  turns.set(draft, undefined);
  setField(draft, 'inputRequests', undefined);
  changeSummary(draft, { status: withActivity(statusOf(draft), SessionStatus.Idle), modifiedAt: now });
}

// ---- Input requests

function placeOfRequest(draft: SessionState, id: string): number {
  return listOf(draft.inputRequests).findIndex((request) => request?.id === id);
}

function requestInput(draft: SessionState, { request }: Action<'session/inputRequested'>, now: number): void {
  if (!isRecord(request) || typeof request.id !== 'string') return;
  const place = placeOfRequest(draft, request.id);
  const requests = listIn(draft, 'inputRequests');
  const earlier = plainOf(requests[place]);
  putAt(requests, place, earlier ? renewedRequest(earlier, request) : request);
  changeSummary(draft, { status: withFlag(currentStatus(draft), SessionStatus.IsRead, false), modifiedAt: now });
}

function changeAnswer(draft: SessionState, action: Action<'session/inputAnswerChanged'>, now: number): void {
  const requests = listOf(draft.inputRequests);
  const place = placeOfRequest(draft, action.requestId);
  const request = plainOf(requests[place]);
  if (!request || typeof action.questionId !== 'string') return;
  const answered = answeredRequest(request, action.questionId, action.answer);
  if (answered === request) return;
  putAt(requests as InputRequest[], place, answered);
  changeSummary(draft, { modifiedAt: now });
}

function completeInput(draft: SessionState, action: Action<'session/inputCompleted'>, now: number): void {
  const requests = listOf(plainOf(draft.inputRequests));
  const open = requests.map(plainOf).filter((request) => request?.id !== action.requestId);
  if (open.length === requests.length) return;
  setField(draft, 'inputRequests', open.length > 0 ? open : undefined);
  changeSummary(draft, { status: currentStatus(draft), modifiedAt: now });
}

// ---- Pending messages

function queueMessage(draft: SessionState, { kind, id, userMessage }: Action<'session/pendingMessageSet'>): void {
  if (typeof id === 'string' && isRecord(userMessage)) setPendingMessage(draft, kind, { id, userMessage });
}

// ---- Configuration and customizations

function changeConfig(draft: SessionState, action: Action<'session/configChanged'>, now: number): void {
  const config = draft.config;
  if (!isRecord(config) || !isRecord(action.config)) return;
  setConfigValues(config, action.config, action.replace === true);
  changeSummary(draft, { modifiedAt: now });
}

function toggleCustomization(draft: SessionState, { uri, enabled }: Action<'session/customizationToggled'>): void {
  const index = listOf(draft.customizations).findIndex((entry) => isRecord(entry) && entry.customization?.uri === uri);
  if (!draft.customizations || index < 0 || typeof enabled !== 'boolean') return;
  change(draft.customizations, index, (entry) => {
    entry.enabled = enabled;
  });
}
