/** Reduces a chat. Tool calls have a file of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';
import type { InputRequest } from '../../common/inputRequest.ts';
import { answeredRequest, renewedRequest } from '../../common/reducers/inputRequestReducer.ts';
import { createReducer, isAbsent, listOf, omitAbsent, type Recipe, replaceAt, setField } from '../../common/reducers/reducer.ts';
import {
  ActiveTurns,
  isCallPart,
  removeQueuedMessage,
  removeSteeringMessage,
  reorderQueue,
  setPendingMessage,
} from '../../common/reducers/turns.ts';
import { SessionStatus, statusBits, withActivity, withFlag } from '../../common/status.ts';
import { withoutDirectory, withDirectory } from '../shapes/directories.ts';
import type { ToolCallState } from '../shapes/toolCall.ts';
import type { ChatAction, ChatActionOf } from './actions.ts';
import type { ActiveTurn, ChatState, InputRequestResponsePart, ResponsePart, Turn, TurnState } from './state.ts';
import { reduceToolCall, startedToolCall, toolCallAtTurnEnd, waitsForPerson } from './toolCallReducer.ts';

const activeTurns = new ActiveTurns<ResponsePart, ActiveTurn, ToolCallState>(
  (part) => (isCallPart(part) && waitsForPerson(part.toolCall)) || isOpenRequest(part),
);

const recipe: Recipe<ChatState, ChatAction> = (draft, action) => {
  switch (action.type) {
    case 'chat/turnStarted':
      startTurn(draft, action);
      break;
    case 'chat/delta':
      activeTurns.appendText(draft, action, 'markdown');
      break;
    case 'chat/reasoning':
      activeTurns.appendText(draft, action, 'reasoning');
      break;
    case 'chat/responsePart':
      // An error comes with the end of its turn.
      if (isRecord(action.part) && action.part.kind !== 'error') activeTurns.appendPart(draft, action, action.part);
      break;
    case 'chat/usage':
      activeTurns.setUsage(draft, action);
      break;
    case 'chat/turnComplete':
      endTurn(draft, action, 'complete');
      break;
    case 'chat/turnCancelled':
      endTurn(draft, action, 'cancelled');
      break;
    case 'chat/error':
      endTurn(draft, action, 'error');
      break;
    case 'chat/turnResume':
      resumeTurn(draft, action);
      break;
    case 'chat/truncated':
      truncate(draft, action);
      break;
    case 'chat/turnsLoaded':
      loadTurns(draft, action);
      break;

    case 'chat/toolCallStart':
      activeTurns.appendPart(draft, action, { kind: 'toolCall', toolCall: startedToolCall(action) });
      break;
    case 'chat/toolCallDelta':
    case 'chat/toolCallContentChanged':
      activeTurns.changeCalls(draft, action, (call) => reduceToolCall(call, action));
      break;
    case 'chat/toolCallReady':
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallComplete':
    case 'chat/toolCallResultConfirmed':
    case 'chat/toolCallAuthRequired':
    case 'chat/toolCallAuthResolved':
      activeTurns.changeCalls(draft, action, (call) => reduceToolCall(call, action));
      // Hosts derive it after these actions of any turn and call, also where nothing else changed.
      setField(draft, 'status', currentStatus(draft));
      break;

    case 'chat/inputRequested':
      requestInput(draft, action);
      break;
    case 'chat/inputAnswerChanged':
      if (typeof action.questionId === 'string') {
        changeRequest(draft, action, (part) => ({ ...part, request: answeredRequest(part.request, action.questionId, action.answer) }));
      }
      break;
    case 'chat/inputCompleted':
      if (changeRequest(draft, action, (part) => completedRequest(part, action))) setField(draft, 'status', currentStatus(draft));
      break;

    case 'chat/pendingMessageSet': {
      const { kind, id, message } = action;
      if (typeof id === 'string' && isRecord(message)) setPendingMessage(draft, kind, { id, message });
      break;
    }
    case 'chat/pendingMessageRemoved':
      if (action.kind === 'steering') removeSteeringMessage(draft, action.id);
      if (action.kind === 'queued') removeQueuedMessage(draft, action.id);
      break;
    case 'chat/queuedMessagesReordered':
      reorderQueue(draft, action.order);
      break;
    case 'chat/draftChanged':
      if (isAbsent(action.draft) || isRecord(action.draft)) setField(draft, 'draft', action.draft);
      break;

    case 'chat/activityChanged':
      if (isAbsent(action.activity) || typeof action.activity === 'string') setField(draft, 'activity', action.activity);
      break;
    case 'chat/isReadChanged':
      setField(draft, 'status', withFlag(statusBits(draft.status), SessionStatus.IsRead, action.isRead === true));
      break;
    case 'chat/isArchivedChanged':
      setField(draft, 'status', withFlag(statusBits(draft.status), SessionStatus.IsArchived, action.isArchived === true));
      break;
    case 'chat/movableChanged':
      if (typeof action.movable === 'boolean') setField(draft, 'movable', action.movable);
      break;
    case 'chat/workingDirectorySet':
      setField(draft, 'workingDirectories', withDirectory(draft.workingDirectories, action.directory));
      break;
    case 'chat/workingDirectoryRemoved':
      setField(draft, 'workingDirectories', withoutDirectory(draft.workingDirectories, action.directory));
      break;

    case 'chat/backgroundWorkSet':
      setWork(draft, action);
      break;
    case 'chat/backgroundWorkRemoved': {
      const work = draft.backgroundWork;
      if (Array.isArray(work))
        setField(
          draft,
          'backgroundWork',
          work.filter((entry) => entry?.id !== action.id),
        );
      break;
    }
    case 'chat/changesetsChanged':
      if (isAbsent(action.changesets) || Array.isArray(action.changesets)) setField(draft, 'changesets', action.changesets);
      break;
    case 'chat/canvasesChanged':
      if (isAbsent(action.canvases) || Array.isArray(action.canvases)) setField(draft, 'canvases', action.canvases);
      break;
    default:
  }
};

export const chatReducer = createReducer(recipe);

/** The status that follows from the turn, its calls and questions. The error of the last turn stays until one of these changes. */
function currentStatus(draft: ChatState): number {
  const activity = activeTurns.waits(draft)
    ? SessionStatus.InputNeeded
    : activeTurns.of(draft)
      ? SessionStatus.InProgress
      : SessionStatus.Idle;
  return withActivity(statusBits(draft.status), activity);
}

/** The current status, and there is something new to read. */
function unreadStatus(draft: ChatState): number {
  return withFlag(currentStatus(draft), SessionStatus.IsRead, false);
}

// ---- Turns

function startTurn(draft: ChatState, { turnId, startedAt, message, queuedMessageId }: ChatActionOf<'chat/turnStarted'>): void {
  if (typeof turnId !== 'string') return;
  setField(draft, 'activeTurn', { id: turnId, startedAt, message, responseParts: [] });
  if (!isAbsent(queuedMessageId)) {
    removeSteeringMessage(draft, queuedMessageId);
    removeQueuedMessage(draft, queuedMessageId);
  }
  setField(draft, 'status', unreadStatus(draft));
  if (typeof startedAt === 'string') setField(draft, 'modifiedAt', startedAt);
}

function endTurn(
  draft: ChatState,
  action: ChatActionOf<'chat/turnComplete' | 'chat/turnCancelled' | 'chat/error'>,
  state: TurnState,
): void {
  const turn = activeTurns.named(draft, action);
  if (!turn) return;
  const responseParts = listOf(turn.responseParts).map((part): ResponsePart => {
    if (!isCallPart(part)) return part;
    const toolCall = toolCallAtTurnEnd(part.toolCall);
    return toolCall === part.toolCall ? part : { ...part, toolCall };
  });
  if (action.type === 'chat/error' && isRecord(action.part)) responseParts.push(action.part);
  const duration = typeof action.duration === 'number' ? Math.max(0, action.duration) : undefined;
  const ended: Turn = { ...turn, responseParts, state };
  setField(ended, 'duration', duration);
  draft.turns = listOf(draft.turns).concat([ended]);
  setField(draft, 'activeTurn', undefined);
  const endedAt = timeAfter(turn.startedAt, duration ?? 0);
  if (endedAt !== undefined) setField(draft, 'modifiedAt', endedAt);
  const activity = state === 'error' ? SessionStatus.Error : SessionStatus.Idle;
  setField(draft, 'status', withActivity(statusBits(draft.status), activity));
}

/** Undefined where there is no such time. */
function timeAfter(time: string | undefined, milliseconds: number): string | undefined {
  const end = typeof time === 'string' ? new Date(Date.parse(time) + milliseconds) : undefined;
  return end && Number.isFinite(end.getTime()) ? end.toISOString() : undefined;
}

function resumeTurn(draft: ChatState, { turnId }: ChatActionOf<'chat/turnResume'>): void {
  const turns = listOf(draft.turns);
  const last = turns.at(-1);
  if (activeTurns.of(draft) || !isRecord(last) || last.id !== turnId || last.state !== 'error') return;
  const error = listOf(last.responseParts).at(-1);
  if (!isRecord(error) || error.kind !== 'error' || error.resumable !== true) return;
  const { id, message, responseParts, usage } = last;
  draft.turns = turns.slice(0, -1);
  draft.activeTurn = omitAbsent<ActiveTurn>({ id, startedAt: last.startedAt ?? draft.modifiedAt, message, responseParts, usage });
  setField(draft, 'status', unreadStatus(draft));
}

function truncate(draft: ChatState, { turnId }: ChatActionOf<'chat/truncated'>): void {
  const turns = listOf(draft.turns);
  const kept = isAbsent(turnId) ? 0 : turns.findIndex((turn) => turn?.id === turnId) + 1;
  if (kept === 0 && !isAbsent(turnId)) return;
  setField(draft, 'turns', turns.slice(0, kept));
  // Without turns there are no older ones to load.
  if (kept === 0) setField(draft, 'turnsNextCursor', undefined);
  setField(draft, 'activeTurn', undefined);
  setField(draft, 'status', withActivity(statusBits(draft.status), SessionStatus.Idle));
}

function loadTurns(draft: ChatState, { turns, turnsNextCursor }: ChatActionOf<'chat/turnsLoaded'>): void {
  const known = new Set(listOf(draft.turns).map((turn) => turn?.id));
  const older = listOf(turns).filter((turn) => isRecord(turn) && !known.has(turn.id));
  if (older.length > 0) draft.turns = [...older, ...listOf(draft.turns)];
  setField(draft, 'turnsNextCursor', typeof turnsNextCursor === 'string' ? turnsNextCursor : undefined);
}

// ---- Input requests

function isOpenRequest(part: ResponsePart | undefined): part is InputRequestResponsePart {
  return isRecord(part) && part.kind === 'inputRequest' && isAbsent(part.response) && isRecord(part.request);
}

/** Ids may repeat. The first that is open counts. */
function placeOfRequest(parts: readonly ResponsePart[], requestId: string): number {
  return parts.findIndex((part) => isOpenRequest(part) && part.request.id === requestId);
}

function requestInput(draft: ChatState, { request }: ChatActionOf<'chat/inputRequested'>): void {
  const turn = activeTurns.of(draft);
  if (!turn || !isRecord(request) || typeof request.id !== 'string') return;
  const known = changeRequest(draft, { requestId: request.id }, (part) => ({
    kind: 'inputRequest',
    request: renewedRequest(part.request, request),
  }));
  if (!known) activeTurns.appendPart(draft, { turnId: turn.id }, { kind: 'inputRequest', request });
  setField(draft, 'status', unreadStatus(draft));
}

/** Changes the open request of this id. False when there is none. */
function changeRequest(
  draft: ChatState,
  { requestId }: { requestId: string },
  change: (part: InputRequestResponsePart) => InputRequestResponsePart,
): boolean {
  const turn = activeTurns.of(draft);
  const parts = listOf(turn?.responseParts);
  const place = placeOfRequest(parts, requestId);
  const part = parts[place];
  if (!turn || !isOpenRequest(part)) return false;
  const changed = change(part);
  if (!sameJson(changed, part)) activeTurns.replacePart(draft, turn, place, changed);
  return true;
}

function completedRequest(part: InputRequestResponsePart, action: ChatActionOf<'chat/inputCompleted'>): InputRequestResponsePart {
  const { answers: earlier, ...request }: InputRequest = part.request;
  const answers = { ...(isRecord(earlier) && earlier), ...(isRecord(action.answers) && action.answers) };
  const { response } = action;
  const completed = { ...part, request: Object.keys(answers).length > 0 ? { ...request, answers } : request };
  return typeof response === 'string' ? { ...completed, response } : completed;
}

// ---- Background work

function setWork(draft: ChatState, { work }: ChatActionOf<'chat/backgroundWorkSet'>): void {
  if (!isRecord(work) || typeof work.id !== 'string') return;
  const list = listOf(draft.backgroundWork);
  const index = list.findIndex((entry) => entry?.id === work.id);
  draft.backgroundWork = index < 0 ? [...list, work] : replaceAt(list, index, work);
}
