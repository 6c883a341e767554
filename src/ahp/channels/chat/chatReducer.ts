/** Reduces a chat. Tool calls have a file of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import type { InputRequest } from '../../common/inputRequest.ts';
import { answeredRequest, renewedRequest } from '../../common/reducers/inputRequestReducer.ts';
import { createReducer, isAbsent, listIn, listOf, plainOf, putAt, type Recipe, setField } from '../../common/reducers/reducer.ts';
import {
  ActiveTurns,
  isCallPart,
  removeQueuedMessage,
  removeSteeringMessage,
  reorderQueue,
  setPendingMessage,
} from '../../common/reducers/turns.ts';
import { changeStatus, SessionStatus, withActivity, withFlag } from '../../common/status.ts';
import { addDirectory, removeDirectory } from '../shapes/directories.ts';
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
      activeTurns.changeCalls(draft, action, reduceToolCall);
      break;
    case 'chat/toolCallReady':
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallComplete':
    case 'chat/toolCallResultConfirmed':
    case 'chat/toolCallAuthRequired':
    case 'chat/toolCallAuthResolved':
      activeTurns.changeCalls(draft, action, reduceToolCall);
      // Hosts derive it after these actions of any turn and call, also where nothing else changed.
      deriveStatus(draft);
      break;

    case 'chat/inputRequested':
      requestInput(draft, action);
      break;
    case 'chat/inputAnswerChanged':
      changeAnswer(draft, action);
      break;
    case 'chat/inputCompleted':
      completeInput(draft, action);
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
      changeStatus(draft, (status) => withFlag(status, SessionStatus.IsRead, action.isRead === true));
      break;
    case 'chat/isArchivedChanged':
      changeStatus(draft, (status) => withFlag(status, SessionStatus.IsArchived, action.isArchived === true));
      break;
    case 'chat/movableChanged':
      if (typeof action.movable === 'boolean') setField(draft, 'movable', action.movable);
      break;
    case 'chat/workingDirectorySet':
      addDirectory(draft, action.directory);
      break;
    case 'chat/workingDirectoryRemoved':
      removeDirectory(draft, action.directory);
      break;

    case 'chat/backgroundWorkSet':
      setWork(draft, action);
      break;
    case 'chat/backgroundWorkRemoved':
      removeWork(draft, action);
      break;
    case 'chat/changesetsChanged':
      if (isAbsent(action.changesets) || Array.isArray(action.changesets)) setField(draft, 'changesets', action.changesets);
      break;
    case 'chat/canvasesChanged':
      if (isAbsent(action.canvases) || Array.isArray(action.canvases)) setField(draft, 'canvases', action.canvases);
      break;
    default:
  }
};

export const chatReducer = createReducer(recipe, activeTurns.keepIndex);

/** As 1.1 has it: a turn that is known does not begin again. */
export const chatReducer11 = createReducer<ChatState, ChatAction>((draft, action, now) => {
  const isRepeated =
    action.type === 'chat/turnStarted' &&
    (activeTurns.of(draft)?.id === action.turnId || listOf(draft.turns).some((turn) => turn?.id === action.turnId));
  if (!isRepeated) recipe(draft, action, now);
}, activeTurns.keepIndex);

/**
 * Sets the status that follows from the turn, its calls and questions. The error of the last turn stays until one of these changes.
 * `isNews`: there is something new to read.
 */
function deriveStatus(draft: ChatState, isNews = false): void {
  const activity = activeTurns.waits(draft)
    ? SessionStatus.InputNeeded
    : activeTurns.of(draft)
      ? SessionStatus.InProgress
      : SessionStatus.Idle;
  changeStatus(draft, (status) => {
    const current = withActivity(status, activity);
    return isNews ? withFlag(current, SessionStatus.IsRead, false) : current;
  });
}

// ---- Turns

function startTurn(draft: ChatState, { turnId, startedAt, message, queuedMessageId }: ChatActionOf<'chat/turnStarted'>): void {
  if (typeof turnId !== 'string') return;
  activeTurns.set(draft, { id: turnId, startedAt, message, responseParts: [] });
  if (!isAbsent(queuedMessageId)) {
    removeSteeringMessage(draft, queuedMessageId);
    removeQueuedMessage(draft, queuedMessageId);
  }
  deriveStatus(draft, true);
  if (typeof startedAt === 'string') setField(draft, 'modifiedAt', startedAt);
}

function endTurn(
  draft: ChatState,
  action: ChatActionOf<'chat/turnComplete' | 'chat/turnCancelled' | 'chat/error'>,
  state: TurnState,
): void {
  const turn = activeTurns.named(draft, action);
  if (!turn) return;
  const duration = typeof action.duration === 'number' ? Math.max(0, action.duration) : undefined;
  const { startedAt } = turn;
  if (action.type === 'chat/error') activeTurns.appendPart(draft, action, action.part);
  activeTurns.end<Turn>(draft, turn, toolCallAtTurnEnd, { state, duration });
  const endedAt = timeAfter(startedAt, duration ?? 0);
  if (endedAt !== undefined) setField(draft, 'modifiedAt', endedAt);
  const activity = state === 'error' ? SessionStatus.Error : SessionStatus.Idle;
  changeStatus(draft, (status) => withActivity(status, activity));
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
  draft.turns.pop();
  const turn: Partial<Turn> & ActiveTurn = activeTurns.reopened(last);
  delete turn.state;
  delete turn.duration;
  // A draft, of a time that is none, would outlive its batch in a turn that is frozen.
  setField(turn, 'startedAt', turn.startedAt ?? plainOf(draft.modifiedAt));
  activeTurns.set(draft, turn);
  deriveStatus(draft, true);
}

function truncate(draft: ChatState, { turnId }: ChatActionOf<'chat/truncated'>): void {
  const kept = isAbsent(turnId) ? 0 : listOf(draft.turns).findIndex((turn) => turn?.id === turnId) + 1;
  if (kept === 0 && !isAbsent(turnId)) return;
  listIn(draft, 'turns').splice(kept);
  // Without turns there are no older ones to load.
  if (kept === 0) setField(draft, 'turnsNextCursor', undefined);
  activeTurns.set(draft, undefined);
  changeStatus(draft, (status) => withActivity(status, SessionStatus.Idle));
}

function loadTurns(draft: ChatState, { turns, turnsNextCursor }: ChatActionOf<'chat/turnsLoaded'>): void {
  const known = new Set<unknown>();
  listOf(draft.turns).every((turn) => known.add(turn?.id));
  const older = listOf(turns).filter((turn) => isRecord(turn) && !known.has(turn.id));
  if (older.length > 0) listIn(draft, 'turns').unshift(...older);
  setField(draft, 'turnsNextCursor', typeof turnsNextCursor === 'string' ? turnsNextCursor : undefined);
}

// ---- Input requests

function isOpenRequest(part: ResponsePart | undefined): part is InputRequestResponsePart {
  return isRecord(part) && part.kind === 'inputRequest' && isAbsent(part.response) && isRecord(part.request);
}

function requestInput(draft: ChatState, { request }: ChatActionOf<'chat/inputRequested'>): void {
  const turn = activeTurns.of(draft);
  if (!turn || !isRecord(request) || typeof request.id !== 'string') return;
  const renew = (part: InputRequestResponsePart) => setField(part, 'request', renewedRequest(plainOf(part.request), request));
  if (!changeRequest(draft, request.id, renew)) activeTurns.appendPart(draft, { turnId: turn.id }, { kind: 'inputRequest', request });
  deriveStatus(draft, true);
}

/** Changes the open request of this id. False when there is none. Ids may repeat. The first that is open counts. */
function changeRequest(draft: ChatState, requestId: string, recipe: (part: InputRequestResponsePart) => void): boolean {
  const place = activeTurns.placeOfPart(draft, (part) => isOpenRequest(part) && part.request.id === requestId);
  if (place < 0) return false;
  activeTurns.changePart(draft, place, (part) => recipe(part as InputRequestResponsePart));
  return true;
}

function changeAnswer(draft: ChatState, { requestId, questionId, answer }: ChatActionOf<'chat/inputAnswerChanged'>): void {
  if (typeof questionId !== 'string') return;
  changeRequest(draft, requestId, (part) => setField(part, 'request', answeredRequest(plainOf(part.request), questionId, answer)));
}

function completeInput(draft: ChatState, action: ChatActionOf<'chat/inputCompleted'>): void {
  const { requestId, response } = action;
  const isKnown = changeRequest(draft, requestId, (part) => {
    const { answers: earlier, ...request }: InputRequest = plainOf(part.request);
    const answers = { ...(isRecord(earlier) && earlier), ...(isRecord(action.answers) && action.answers) };
    setField(part, 'request', Object.keys(answers).length > 0 ? { ...request, answers } : request);
    if (typeof response === 'string') part.response = response;
  });
  if (isKnown) deriveStatus(draft);
}

// ---- Background work

function setWork(draft: ChatState, { work }: ChatActionOf<'chat/backgroundWorkSet'>): void {
  if (!isRecord(work) || typeof work.id !== 'string') return;
  const list = listIn(draft, 'backgroundWork');
  putAt(
    list,
    list.findIndex((entry) => entry?.id === work.id),
    work,
  );
}

function removeWork(draft: ChatState, { id }: ChatActionOf<'chat/backgroundWorkRemoved'>): void {
  const work = plainOf(draft.backgroundWork);
  if (!Array.isArray(work)) return;
  const left = work.map(plainOf).filter((entry) => entry?.id !== id);
  if (left.length < work.length) draft.backgroundWork = left;
}
