/**
 * What to do with a pending action once the host's state is known again: one that was sent over a connection that was lost then, or one that
 * was held because there was no connection. The dialects name their actions alike, but for the part before the slash.
 */
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { phrase, type Words } from '../../../base/text/phrase.ts';
import { ASKED, askedDigest } from '../callQuestion.ts';
import type { InputRequest } from '../inputRequest.ts';
import { type ActionLike, listOf } from '../reducers/reducer.ts';

/** What these rules read of a session or a chat. */
interface Snapshot {
  activeTurn?: TurnLike;
  turns?: (TurnLike | null)[];
  steeringMessage?: WaitingMessage;
  queuedMessages?: (WaitingMessage | null)[];
  /** AHP v1. In AHP 1.0 questions are parts of the turn. */
  inputRequests?: (InputRequest | null)[];
  /** AHP v1, which has one. */
  activeClient?: { clientId?: string } | null;
  config?: unknown;
  customizations?: unknown;
}
interface TurnLike {
  id: string;
  responseParts?: (PartLike | null)[];
}
interface PartLike {
  kind?: string;
  toolCall?: CallLike;
  request?: InputRequest;
  response?: unknown;
}
interface CallLike {
  toolCallId?: string;
  status?: string;
  toolInput?: unknown;
}
interface OfMessage {
  message?: object;
  /** AHP v1. */
  userMessage?: object;
}
interface WaitingMessage extends OfMessage {
  id: string;
}
/** The fields of actions that these rules read. Each type has those that it needs. */
interface Fields extends OfMessage {
  turnId: string;
  toolCallId: string;
  requestId: string;
  id: string;
  kind: string;
  order: readonly string[];
  approved?: boolean;
  editedToolInput?: string;
  response?: string;
  answers?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
  activeClient?: { clientId?: string } | null;
}

export type PendingVerdict =
  /** The state shows that the host did it. */
  | 'done'
  /** What it was meant for is over, as the state shows. Doing it now would change nothing, or something else. */
  | 'moot'
  /** Doing it twice is harmless: send it again. */
  | 'again'
  /** It may have been done and left no trace. The user has to look. */
  | 'unknown';

/** Of an action that was sent. `before`: the state when it was dispatched, if it was known. `after`: the state to which the action leads. */
export function judgePending(action: ActionLike, state: object, before: object | undefined, after: () => object): PendingVerdict {
  const confirmed = state as Snapshot;
  const fields = action as ActionLike & Fields;
  switch (nameOf(action)) {
    case 'turnStarted':
      return hasTurn(confirmed, fields.turnId) ? 'done' : 'unknown';
    case 'pendingMessageSet': {
      const waiting = messageIn(confirmed, fields.id);
      // If it is absent, it may also have been taken from the queue and run. A second time would run it again.
      if (!waiting) return 'unknown';
      return sameJson(textOf(waiting), textOf(fields)) ? 'done' : 'again';
    }
    case 'toolCallConfirmed':
      if (isDecidedSo(fields, callOf(confirmed, fields))) return 'done';
      break;
    case 'inputCompleted':
      if (isAnsweredSo(fields, confirmed)) return 'done';
      break;
    case 'turnResume':
      return confirmed.activeTurn?.id === fields.turnId ? 'done' : 'unknown';
    // What does not show may have been done, and undone by another client: the last word is not repeated over theirs.
    case 'configChanged':
      return sameJson((after() as Snapshot).config, confirmed.config) ? 'done' : 'unknown';
    case 'customizationToggled':
      return sameJson((after() as Snapshot).customizations, confirmed.customizations) ? 'done' : 'unknown';
    default:
      // `truncated` would remove what came since. Anything else is not known well enough.
      if (!mayBeRepeated.has(nameOf(action))) return 'unknown';
  }
  return lostPurpose(action, confirmed, before) === undefined ? 'again' : 'moot';
}

const mayBeRepeated = new Set([
  ...['turnCancelled', 'toolCallResultConfirmed', 'toolCallComplete', 'toolCallContentChanged'],
  ...['inputAnswerChanged', 'pendingMessageRemoved', 'queuedMessagesReordered'],
  ...['activeClientChanged', 'activeClientToolsChanged', 'activeClientSet', 'activeClientRemoved'],
  // These set a value.
  ...['titleChanged', 'modelChanged', 'draftChanged', 'isReadChanged', 'isArchivedChanged'],
  ...['workingDirectorySet', 'workingDirectoryRemoved', 'filesReviewChanged'],
  ...['set', 'updated', 'removed', 'entrySet', 'entryRemoved'].map((change) => `annotations/${change}`),
]);

/** The type without its first part. Annotations keep theirs, because what is set and removed is theirs only. */
function nameOf({ type }: ActionLike): string {
  return type.startsWith('annotations/') ? type : type.slice(type.indexOf('/') + 1);
}

/**
 * Why an action has nothing left to do, as a sentence for the user; undefined where it still has its purpose. Some hosts do not check that
 * and confirm whatever they are sent. `before`: the state when the action was dispatched, if it was known.
 */
export function lostPurpose(action: ActionLike, state: object, earlier?: object): Words | undefined {
  const confirmed = state as Snapshot;
  const before = earlier as Snapshot | undefined;
  const fields = action as ActionLike & Fields;
  switch (nameOf(action)) {
    case 'turnStarted': {
      const running = confirmed.activeTurn?.id;
      // Some hosts let it replace the running turn.
      return running !== undefined && running !== fields.turnId ? phrase`Another turn is running.` : undefined;
    }
    case 'turnCancelled':
      return confirmed.activeTurn?.id === fields.turnId ? undefined : phrase`The turn has ended.`;
    case 'turnResume':
      return lastTurnOf(confirmed) === fields.turnId ? undefined : phrase`The chat has continued since.`;
    case 'pendingMessageSet': {
      if (messageIn(confirmed, fields.id)) return undefined;
      if (before && messageIn(before, fields.id)) return phrase`The message that it changes is not waiting any more.`;
      const running = confirmed.activeTurn?.id;
      const hasItsTurn = running !== undefined && (!before || before.activeTurn?.id === running);
      return fields.kind === 'steering' && !hasItsTurn ? phrase`The turn that it was meant for has ended.` : undefined;
    }
    case 'pendingMessageRemoved':
      return messageIn(confirmed, fields.id) ? undefined : phrase`The message is not waiting any more.`;
    case 'queuedMessagesReordered':
      return fields.order.some((id) => messageIn(confirmed, id)) ? undefined : phrase`The messages are not waiting any more.`;
    case 'toolCallConfirmed': {
      const call = callOf(confirmed, fields);
      if (call?.status !== 'pending-confirmation') return whatBecameOf(fields, confirmed);
      const known = before && callOf(before, fields);
      const isSame = isStillAsked(fields, call) && (!known || looksAlike(known, call));
      return isSame ? undefined : phrase`The call has changed since you decided.`;
    }
    case 'toolCallResultConfirmed': {
      const call = callOf(confirmed, fields);
      if (call?.status !== 'pending-result-confirmation') return phrase`The result is not waiting for an answer any more.`;
      const known = before && callOf(before, fields);
      return known && !looksAlike(known, call) ? phrase`The result has changed since you decided.` : undefined;
    }
    case 'toolCallComplete':
    case 'toolCallContentChanged': {
      const call = callOf(confirmed, fields);
      return call?.status === 'running' || call?.status === 'pending-confirmation' ? undefined : whatBecameOf(fields, confirmed);
    }
    case 'inputAnswerChanged':
    case 'inputCompleted': {
      const question = questionOf(confirmed, fields.requestId);
      if (!question) return phrase`The question is not waiting for an answer any more.`;
      const known = before && questionOf(before, fields.requestId);
      return known && !looksAlike(known, question) ? phrase`The question has changed since you answered.` : undefined;
    }
    case 'truncated':
      return before && lastTurnOf(before) !== lastTurnOf(confirmed) ? phrase`The session has continued since.` : undefined;
    case 'activeClientChanged':
    case 'activeClientToolsChanged': {
      const ours = fields.activeClient?.clientId;
      const holder = confirmed.activeClient?.clientId;
      const isOurs = holder === undefined || holder === ours || (before && holder === before.activeClient?.clientId);
      return before && !isOurs ? phrase`Another client is the active one.` : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * What to send in place of an action that was held. In AHP 1.0 nobody runs a message that is queued in an idle chat, so one that
 * was queued behind a turn that has ended starts a turn, unless others wait before it. `now`: ISO 8601.
 */
export function heldAs(action: ActionLike, state: object, now: string): ActionLike {
  const { activeTurn, steeringMessage, queuedMessages } = state as Snapshot;
  const { kind, id, message } = action as ActionLike & Fields;
  if (action.type !== 'chat/pendingMessageSet' || kind !== 'queued') return action;
  if (activeTurn || steeringMessage || listOf(queuedMessages).length > 0) return action;
  const start = { type: 'chat/turnStarted', turnId: id, startedAt: now, message };
  return start;
}

/**
 * What to send when the user wants an action of unknown outcome sent again. A prompt gets a new turn id, because a turn may have run under
 * the old one, and hosts accept an id once. While another turn runs, the prompt is queued.
 */
export function sendAgainAs(action: ActionLike, confirmed: object, newId: () => string): ActionLike {
  if (nameOf(action) !== 'turnStarted') return action;
  if (!(confirmed as Snapshot).activeTurn) return { ...action, turnId: newId() } as ActionLike;
  const { session, message, userMessage } = action as ActionLike & OfMessage & { session?: string };
  const said = userMessage ? { session, userMessage } : { message };
  const queued = { type: action.type.replace('turnStarted', 'pendingMessageSet'), ...said, kind: 'queued', id: newId() };
  return queued;
}

/** The state shows this decision, and not only that there was one. It may be that of another client. */
function isDecidedSo({ approved, editedToolInput }: Fields, call: CallLike | undefined): boolean {
  switch (call?.status) {
    case 'running':
    case 'auth-required':
    case 'completed':
    case 'pending-result-confirmation':
      return approved === true && (editedToolInput === undefined || editedToolInput === call.toolInput);
    case 'cancelled':
      return !approved;
    default:
      return false;
  }
}

/** The same of an answer to a question. AHP v1 forgets questions that were answered. */
function isAnsweredSo({ requestId, response, answers = {} }: Fields, { activeTurn, turns }: Snapshot): boolean {
  const parts = [activeTurn, ...listOf(turns)].flatMap((turn) => listOf(turn?.responseParts));
  const part = parts.find((one) => one?.kind === 'inputRequest' && one.request?.id === requestId);
  return part?.response === response && Object.entries(answers).every(([id, answer]) => sameJson(part?.request?.answers?.[id], answer));
}

/** The decision is about what the call asks, as far as it says what was asked. */
function isStillAsked({ _meta }: Fields, call: CallLike): boolean {
  const asked = _meta?.[ASKED];
  return asked === undefined || asked === askedDigest(call as Parameters<typeof askedDigest>[0]);
}

function whatBecameOf(fields: Fields, confirmed: Snapshot): Words {
  switch (callOf(confirmed, fields)?.status) {
    case 'running':
    case 'auth-required':
    case 'completed':
    case 'pending-result-confirmation':
      return phrase`The call was approved already.`;
    case 'cancelled':
      return phrase`The call was cancelled.`;
    default:
      return confirmed.activeTurn?.id === fields.turnId
        ? phrase`The call is not waiting for an answer any more.`
        : phrase`The turn of the call has ended.`;
  }
}

function hasTurn({ activeTurn, turns }: Snapshot, turnId: string): boolean {
  return activeTurn?.id === turnId || listOf(turns).some((turn) => turn?.id === turnId);
}

/** In the running turn or in a past one. */
function callOf({ activeTurn, turns }: Snapshot, { turnId, toolCallId }: Fields): CallLike | undefined {
  const turn = activeTurn?.id === turnId ? activeTurn : listOf(turns).findLast((one) => one?.id === turnId);
  for (const part of listOf(turn?.responseParts)) {
    if (part?.kind === 'toolCall' && part.toolCall?.toolCallId === toolCallId) return part.toolCall;
  }
  return undefined;
}

function questionOf({ inputRequests, activeTurn }: Snapshot, requestId: string): InputRequest | undefined {
  const asked = listOf(activeTurn?.responseParts).flatMap((part) =>
    part?.kind === 'inputRequest' && part.response === undefined && isRecord(part.request) ? [part.request] : [],
  );
  return [...listOf(inputRequests), ...asked].find((request) => request?.id === requestId) ?? undefined;
}

/** What the user decides about, of a call, of its result, of a question. Not the answers to a question, which any client may be giving. */
const seen = [
  ...['toolName', 'displayName', 'intention', 'invocationMessage', 'confirmationTitle', 'toolInput', 'editable', 'edits', 'options'],
  // Who runs it. `toolClientId`: AHP v1.
  ...['contributor', 'toolClientId', 'riskAssessment'],
  ...['success', 'pastTenseMessage', 'content', 'structuredContent', 'error'],
  ...['message', 'url', 'questions'],
];

function looksAlike(one: object, other: object): boolean {
  return seen.every((field) => sameJson((one as Record<string, unknown>)[field], (other as Record<string, unknown>)[field]));
}

function messageIn({ steeringMessage, queuedMessages }: Snapshot, id: string): WaitingMessage | undefined {
  return steeringMessage?.id === id ? steeringMessage : (listOf(queuedMessages).find((message) => message?.id === id) ?? undefined);
}

function textOf({ message, userMessage }: OfMessage): object | undefined {
  return userMessage ?? message;
}

function lastTurnOf({ activeTurn, turns }: Snapshot): string | undefined {
  return activeTurn?.id ?? listOf(turns).at(-1)?.id;
}
