/** The tool calls and questions of a chat that wait for the user, in the order of the transcript. */
import * as l10n from '../../../base/l10n.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { McpAuthRequirement } from '../../../ahp/channels/shapes/customizations.ts';
import type {
  ToolCallAuthRequiredState,
  ToolCallPendingConfirmationState,
  ToolCallPendingResultConfirmationState,
} from '../../../ahp/channels/shapes/toolCall.ts';
import type { ActionLike } from '../../../ahp/common/reducers/reducer.ts';
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import type { InputRequest } from '../../../ahp/common/inputRequest.ts';
import type { ConfirmationOption } from '../../../ahp/common/tools.ts';
import { ASKED, askedDigest } from '../../../ahp/common/callQuestion.ts';
import { withoutEnd } from '../../../base/text/ends.ts';
import type { Gesture } from '../sessionGesture.ts';
import { displayPath } from '../../text/displayPath.ts';
import { inputRef, type ToolInput } from '../toolCall/toolCallView.ts';

export type Waiting =
  | { kind: 'call'; turnId: string; call: ToolCallPendingConfirmationState }
  | { kind: 'result'; turnId: string; call: ToolCallPendingResultConfirmationState }
  /** A call that goes on once its host has a token. No client can end it, except with its turn. */
  | { kind: 'signIn'; turnId: string; call: ToolCallAuthRequiredState }
  | { kind: 'question'; request: InputRequest };

export function waitingOf(chat: ChatState): Waiting[] {
  const turn = chat.activeTurn;
  return (turn?.responseParts ?? []).flatMap((part): Waiting[] => {
    if (part.kind === 'inputRequest') return part.response === undefined ? [{ kind: 'question', request: part.request }] : [];
    if (part.kind !== 'toolCall' || !turn) return [];
    const call = part.toolCall;
    if (call.status === 'pending-confirmation') return [{ kind: 'call', turnId: turn.id, call }];
    if (call.status === 'auth-required') return [{ kind: 'signIn', turnId: turn.id, call }];
    return call.status === 'pending-result-confirmation' ? [{ kind: 'result', turnId: turn.id, call }] : [];
  });
}

/** True for an action, in the chat in which it waits, that answers it, whatever it says. */
export function isAnswer(waiting: Waiting, action: ActionLike): boolean {
  const { turnId, toolCallId, requestId } = action as { turnId?: unknown; toolCallId?: unknown; requestId?: unknown };
  if (waiting.kind === 'question') return action.type === 'chat/inputCompleted' && requestId === waiting.request.id;
  if (action.type !== 'chat/toolCallConfirmed' && action.type !== 'chat/toolCallResultConfirmed') return false;
  return turnId === waiting.turnId && toolCallId === waiting.call.toolCallId;
}

/** True for an answer to a call or a question that asks something else by now. `asked`: the `questionKey` of what answers are to. */
export function isOutdated(waits: readonly Waiting[], action: Gesture, asked: string | undefined): boolean {
  return waits.some((one) => {
    if (!isAnswer(one, action)) return false;
    if (one.kind === 'question') return asked !== questionKey(one.request);
    return one.kind === 'call' && action.type === 'chat/toolCallConfirmed' && action._meta?.[ASKED] !== askedDigest(one.call);
  });
}

/** What a call waits for; undefined when it does not wait for a sign-in. */
export function signInOf(waits: readonly Waiting[], turnId: string, toolCallId: string): McpAuthRequirement | undefined {
  for (const one of waits) if (one.kind === 'signIn' && one.turnId === turnId && one.call.toolCallId === toolCallId) return one.call.auth;
  return undefined;
}

/** Questions that wait while no turn runs. They stand in no turn. */
export function looseQuestions({ inputNeeded = [] }: SessionState, uri: string, chat: ChatState): InputRequest[] {
  if (chat.activeTurn) return [];
  return inputNeeded.flatMap((one) => (one.kind === 'chatInput' && one.chat === uri ? [one.request] : []));
}

/**
 * Tells what waits apart from all else of its kind in the chat, and stays the same for as long as it waits. A call that runs may ask again, for
 * something else, and some engines number their calls from the start in every turn.
 */
export function waitingKey(waiting: Waiting): string {
  if (waiting.kind === 'question') return waiting.request.id;
  const { kind, turnId, call } = waiting;
  return JSON.stringify([turnId, call.toolCallId, ...(kind === 'call' ? [askedDigest(call)] : [])]);
}

/** Identifies a card in its session. */
export interface CardPlace {
  chat: URI;
  /** Its `cardName`. */
  name: string;
}

/** Identifies a card in its chat. */
export function cardName(waiting: Waiting): string {
  return JSON.stringify([waiting.kind, waitingKey(waiting)]);
}

/** Changes when a request with the same id asks something else. The answers so far do not count. */
export function questionKey(request: InputRequest): string {
  return JSON.stringify({ ...request, answers: undefined });
}

/** Changes with what the user decides by. What was seen and typed before does not count then. What a judge thinks of a call may come late. */
export function waitingCallKey(call: Exclude<Waiting, { kind: 'question' }>['call']): string {
  return JSON.stringify({ ...call, riskAssessment: undefined });
}

/** What is above the questions. */
export function questionTitle({ message, questions = [] }: Pick<InputRequest, 'message' | 'questions'>): string {
  return message || (questions.length === 1 ? l10n.t('A question for you') : l10n.t('Questions for you'));
}

/** True when a host's message only repeats the command or text that is shown below it. */
export function saysOnly(message: string, { command, rest }: Pick<ToolInput, 'command' | 'rest'>): boolean {
  const said = message.trim();
  if (command === undefined) return said === rest?.trim();
  return [said, said.replace(/^Run(ning)? /, '').trim()].includes(command.trim());
}

/** True when a host's message only names the files whose changes are shown below it: a verb, and each of them in any form. */
export function namesOnly(message: string, edits: readonly FileEdit[]): boolean {
  const names = edits.flatMap(({ before, after }) => [before, after].flatMap((side) => (side ? [displayPath(side.uri)] : [])));
  const words = message.split(/\s+/).filter((word) => {
    const said = withoutEnd(word.replace(/^[`'"“‘]/, ''), '`\'"”’,.…?');
    return said !== '' && !names.some((path) => path === said || path.endsWith(`/${said}`));
  });
  return edits.length > 0 && words.length <= 1;
}

/** A button of a waiting tool call. */
export interface ConfirmationChoice {
  label: string;
  approve: boolean;
  /** The first button that approves. */
  primary: boolean;
  optionId?: string;
}

/**
 * The host's options in its order, or plain approve and deny if it sent none. Options of an unknown kind are left out, because their effect is not
 * known. If no option denies, a plain deny is added, so that the user can always refuse.
 */
export function confirmationChoices(options: readonly ConfirmationOption[] | undefined): ConfirmationChoice[] {
  const known = (options ?? []).filter((option) => option.kind === 'approve' || option.kind === 'deny');
  const firstApprove = known.findIndex((option) => option.kind === 'approve');
  const choices: ConfirmationChoice[] = known.map((option, index) => ({
    label: option.label,
    approve: option.kind === 'approve',
    primary: index === firstApprove,
    optionId: option.id,
  }));
  if (known.length === 0) choices.push({ label: l10n.t('Approve'), approve: true, primary: true });
  if (!choices.some((choice) => !choice.approve)) choices.push({ label: l10n.t('Deny'), approve: false, primary: false });
  return choices;
}

export interface ConfirmationDetails {
  /** Sent only when it differs from the call's input. */
  editedInput?: string;
  reason?: string;
  suggestion?: string;
}

/**
 * What the user has typed into an answer that was refused, for a card of the same call. What was edited belongs to what was asked, and is given
 * back only where that is asked still.
 */
export function refusedAnswer(
  call: ToolCallPendingConfirmationState,
  action: ActionLike | undefined,
): { editedInput?: string; said?: { reason: string; suggestion: string } } | undefined {
  if (action?.type !== 'chat/toolCallConfirmed') return undefined;
  const answer = action as Gesture<'chat/toolCallConfirmed'>;
  if (answer.approved) {
    const isSame = answer._meta?.[ASKED] === askedDigest(call);
    return answer.editedToolInput === undefined || !isSame ? undefined : { editedInput: answer.editedToolInput };
  }
  const reason = typeof answer.reasonMessage === 'string' ? answer.reasonMessage : '';
  const suggestion = answer.userSuggestion?.text ?? '';
  return reason === '' && suggestion === '' ? undefined : { said: { reason, suggestion } };
}

/** The action that answers a waiting tool call, as it asks now. */
export function confirm(
  turnId: string,
  call: ToolCallPendingConfirmationState,
  choice: Pick<ConfirmationChoice, 'approve' | 'optionId'>,
  { editedInput, reason, suggestion }: ConfirmationDetails = {},
): Gesture<'chat/toolCallConfirmed'> {
  const base = {
    type: 'chat/toolCallConfirmed' as const,
    turnId,
    toolCallId: call.toolCallId,
    _meta: { [ASKED]: askedDigest(call) },
    ...(choice.optionId === undefined ? {} : { selectedOptionId: choice.optionId }),
  };
  if (choice.approve) {
    const edited = editedInput !== undefined && editedInput !== call.toolInput ? { editedToolInput: editedInput } : {};
    return { ...base, approved: true, confirmed: 'user-action', ...edited };
  }
  const said = suggestion?.trim();
  return {
    ...base,
    approved: false,
    reason: 'denied',
    ...(reason?.trim() ? { reasonMessage: reason.trim() } : {}),
    ...(said ? { userSuggestion: { text: said, origin: { kind: 'user' as const } } } : {}),
  };
}

/** The answers to a call. One whose input is not in the state cannot be approved: nobody sees here what it does. */
export function choicesFor(call: ToolCallPendingConfirmationState): ConfirmationChoice[] {
  const choices = confirmationChoices(call.options);
  return inputRef(call) ? choices.filter(({ approve }) => !approve) : choices;
}
