/** What of a session waits for a person, in the order in which it stands in the transcript. */
import type { SessionInputRequest } from '../../ahp/v1/inputRequest.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import type {
  ConfirmationOption,
  SessionToolCallConfirmedAction,
  ToolCallPendingConfirmationState,
  ToolCallPendingResultConfirmationState,
} from '../../ahp/v1/toolCall.ts';
import type { ToolInput } from './toolCallView.ts';

export type Waiting =
  | { kind: 'call'; turnId: string; call: ToolCallPendingConfirmationState }
  | { kind: 'result'; turnId: string; call: ToolCallPendingResultConfirmationState }
  | { kind: 'question'; request: SessionInputRequest };

export function waitingOf(session: SessionState): Waiting[] {
  const waiting: Waiting[] = [];
  const turn = session.activeTurn;
  for (const part of turn?.responseParts ?? []) {
    if (part.kind !== 'toolCall' || !turn) continue;
    const call = part.toolCall;
    if (call.status === 'pending-confirmation') waiting.push({ kind: 'call', turnId: turn.id, call });
    else if (call.status === 'pending-result-confirmation') waiting.push({ kind: 'result', turnId: turn.id, call });
  }
  for (const request of session.inputRequests ?? []) waiting.push({ kind: 'question', request });
  return waiting;
}

/** Another key for another question, also under the same id. The answers so far are not part of what is asked. */
export function questionKey(request: SessionInputRequest): string {
  return JSON.stringify({ ...request, answers: undefined });
}

/** True when a host's message says nothing but the command or text that is shown below it anyway. */
export function saysOnly(message: string, { command, rest }: Pick<ToolInput, 'command' | 'rest'>): boolean {
  const said = message.trim();
  if (command === undefined) return said === rest?.trim();
  return [said, said.replace(/^Run(ning)? /, '').trim()].includes(command.trim());
}

/** A button of a waiting call. */
export interface ConfirmationChoice {
  label: string;
  approve: boolean;
  /** The one that stands out: the first that approves. */
  primary: boolean;
  /** A line goes before it: another group than the one before. */
  startsGroup: boolean;
  optionId?: string;
}

/**
 * The host's options in its order, or plain approve and deny without any. An option of a kind that this version does not know is
 * left out: what it would mean cannot be said. When nothing is left that denies, a plain deny is added, so that "no" is always there.
 */
export function confirmationChoices(options: readonly ConfirmationOption[] | undefined): ConfirmationChoice[] {
  const known = (options ?? []).filter((option) => option.kind === 'approve' || option.kind === 'deny');
  const firstApprove = known.findIndex((option) => option.kind === 'approve');
  const choices: ConfirmationChoice[] = known.map((option, index) => ({
    label: option.label,
    approve: option.kind === 'approve',
    primary: index === firstApprove,
    startsGroup: index > 0 && option.group !== known[index - 1]?.group,
    optionId: option.id,
  }));
  if (known.length === 0) choices.push({ label: 'Approve', approve: true, primary: true, startsGroup: false });
  if (!choices.some((choice) => !choice.approve)) choices.push({ label: 'Deny', approve: false, primary: false, startsGroup: false });
  return choices;
}

export interface ConfirmationDetails {
  /** Sent only when it differs from the call's input. */
  editedInput?: string;
  reason?: string;
  suggestion?: string;
}

/** The action that answers a waiting call with a choice. */
export function confirm(
  session: string,
  turnId: string,
  call: ToolCallPendingConfirmationState,
  choice: Pick<ConfirmationChoice, 'approve' | 'optionId'>,
  { editedInput, reason, suggestion }: ConfirmationDetails = {},
): SessionToolCallConfirmedAction {
  const base = {
    type: 'session/toolCallConfirmed' as const,
    session,
    turnId,
    toolCallId: call.toolCallId,
    ...(choice.optionId === undefined ? {} : { selectedOptionId: choice.optionId }),
  };
  if (choice.approve) {
    const edited = editedInput !== undefined && editedInput !== call.toolInput ? { editedToolInput: editedInput } : {};
    return { ...base, approved: true, confirmed: 'user-action', ...edited };
  }
  return {
    ...base,
    approved: false,
    reason: 'denied',
    ...(reason?.trim() ? { reasonMessage: reason.trim() } : {}),
    ...(suggestion?.trim() ? { userSuggestion: { text: suggestion.trim() } } : {}),
  };
}
