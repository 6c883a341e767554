/** Reduces a tool call. */
import { isRecord } from '../../../base/isRecord.ts';
import type {
  ToolCallBase,
  ToolCallState,
  ToolCallStreamingState,
  ToolCallPendingConfirmationState,
  ToolCallRunningState,
  ToolCallPendingResultConfirmationState,
  ToolCallCompletedState,
  ToolCallCancelledState,
  SessionToolCallStartAction,
  SessionToolCallDeltaAction,
  SessionToolCallReadyAction,
} from '../toolCall.ts';
import type { ToolCallAction } from '../session.ts';
import type {
  SessionToolCallConfirmedAction,
  SessionToolCallCompleteAction,
  SessionToolCallResultConfirmedAction,
} from '../clientActions.ts';
import { isAbsent, listOf, omitAbsent, textOf } from '../../common/reducers/reducer.ts';

/** The streaming call that `session/toolCallStart` appends. */
export function startedToolCall(action: SessionToolCallStartAction): ToolCallStreamingState {
  return omitAbsent<ToolCallStreamingState>({ status: 'streaming', ...identityOf(action) });
}

/** The call after an action that names it. The same object when its status does not allow the action. */
export function reduceToolCall(call: ToolCallState, action: Exclude<ToolCallAction, SessionToolCallStartAction>): ToolCallState {
  switch (action.type) {
    case 'session/toolCallDelta':
      return call.status === 'streaming' ? withDelta(call, action) : call;
    case 'session/toolCallReady':
      return call.status === 'streaming' || call.status === 'running' ? ready(call, action) : call;
    case 'session/toolCallConfirmed':
      return call.status === 'pending-confirmation' ? confirmed(call, action) : call;
    case 'session/toolCallComplete':
      return call.status === 'running' || call.status === 'pending-confirmation' ? completed(call, action) : call;
    case 'session/toolCallResultConfirmed':
      return call.status === 'pending-result-confirmation' ? resultConfirmed(call, action) : call;
    case 'session/toolCallContentChanged':
      return call.status === 'running' && Array.isArray(action.content) ? { ...call, content: action.content } : call;
    default:
      return call;
  }
}

/** The call when its turn ends. What is not finished is cancelled as skipped. A status of a later version is kept. */
export function toolCallAtTurnEnd(call: ToolCallState): ToolCallState {
  switch (call.status) {
    case 'streaming':
    case 'pending-confirmation':
    case 'running':
    case 'pending-result-confirmation':
      return cancelled(call, { reason: 'skipped' });
    default:
      return call;
  }
}

/** True while the call waits for the user. */
export function waitsForPerson(call: ToolCallState): boolean {
  return call.status === 'pending-confirmation' || call.status === 'pending-result-confirmation';
}

type UnfinishedToolCall =
  ToolCallStreamingState | ToolCallPendingConfirmationState | ToolCallRunningState | ToolCallPendingResultConfirmationState;

// Each status has its own fields, so a transition makes the new state from those that all have.
function identityOf({ toolCallId, toolName, displayName, toolClientId, _meta }: ToolCallBase): ToolCallBase {
  return { toolCallId, toolName, displayName, toolClientId, _meta };
}

function withDelta(call: ToolCallStreamingState, action: SessionToolCallDeltaAction): ToolCallStreamingState {
  if (typeof action.content !== 'string') return call;
  const partialInput = textOf(call.partialInput) + action.content;
  return { ...call, ...omitAbsent({ partialInput, invocationMessage: action.invocationMessage }) };
}

function ready(call: ToolCallBase, action: SessionToolCallReadyAction): ToolCallRunningState | ToolCallPendingConfirmationState {
  const { invocationMessage, toolInput, confirmed, confirmationTitle, edits, editable, options } = action;
  return isAbsent(confirmed)
    ? omitAbsent<ToolCallPendingConfirmationState>({
        status: 'pending-confirmation',
        ...identityOf(call),
        invocationMessage,
        toolInput,
        confirmationTitle,
        edits,
        editable,
        options,
      })
    : omitAbsent<ToolCallRunningState>({ status: 'running', ...identityOf(call), invocationMessage, toolInput, confirmed });
}

function confirmed(
  call: ToolCallPendingConfirmationState,
  action: SessionToolCallConfirmedAction,
): ToolCallRunningState | ToolCallCancelledState {
  const { selectedOptionId } = action;
  const selectedOption = isAbsent(selectedOptionId) ? undefined : listOf(call.options).find((option) => option?.id === selectedOptionId);
  if (!action.approved) {
    const { reason, reasonMessage, userSuggestion } = action;
    return cancelled(call, { reason, reasonMessage, userSuggestion, selectedOption });
  }
  return omitAbsent<ToolCallRunningState>({
    status: 'running',
    ...identityOf(call),
    invocationMessage: call.invocationMessage,
    toolInput: action.editedToolInput ?? call.toolInput,
    confirmed: action.confirmed,
    selectedOption,
  });
}

function completed(call: ToolCallRunningState | ToolCallPendingConfirmationState, action: SessionToolCallCompleteAction): ToolCallState {
  if (!isRecord(action.result)) return call;
  const { success, pastTenseMessage, content, structuredContent, error } = action.result;
  return omitAbsent<ToolCallCompletedState | ToolCallPendingResultConfirmationState>({
    status: action.requiresResultConfirmation === true ? 'pending-result-confirmation' : 'completed',
    ...identityOf(call),
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    confirmed: call.status === 'running' ? call.confirmed : 'not-needed',
    selectedOption: call.status === 'running' ? call.selectedOption : undefined,
    success,
    pastTenseMessage,
    content,
    structuredContent,
    error,
  });
}

function resultConfirmed(
  call: ToolCallPendingResultConfirmationState,
  action: SessionToolCallResultConfirmedAction,
): ToolCallCompletedState | ToolCallCancelledState {
  return action.approved ? { ...call, status: 'completed' } : cancelled(call, { reason: 'result-denied' });
}

function cancelled(
  call: UnfinishedToolCall,
  why: Pick<ToolCallCancelledState, 'reason' | 'reasonMessage' | 'userSuggestion' | 'selectedOption'>,
): ToolCallCancelledState {
  return omitAbsent<ToolCallCancelledState>({
    status: 'cancelled',
    ...identityOf(call),
    invocationMessage: call.invocationMessage ?? '',
    toolInput: 'toolInput' in call ? call.toolInput : undefined,
    selectedOption: 'selectedOption' in call ? call.selectedOption : undefined,
    ...why,
  });
}
