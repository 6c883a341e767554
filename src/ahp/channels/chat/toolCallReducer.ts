/** Reduces a tool call. */
import { isRecord } from '../../../base/isRecord.ts';
import { isAbsent, listOf, omitAbsent, textOf } from '../../common/reducers/reducer.ts';
import type {
  ToolCallAuthRequiredState,
  ToolCallBase,
  ToolCallCancelledState,
  ToolCallCompletedState,
  ToolCallContributor,
  ToolCallPendingConfirmationState,
  ToolCallPendingResultConfirmationState,
  ToolCallRunningState,
  ToolCallState,
  ToolCallStreamingState,
} from '../shapes/toolCall.ts';
import type { ChatActionOf } from './actions.ts';

export type ToolCallAction = ChatActionOf<
  | 'chat/toolCallDelta'
  | 'chat/toolCallReady'
  | 'chat/toolCallConfirmed'
  | 'chat/toolCallComplete'
  | 'chat/toolCallResultConfirmed'
  | 'chat/toolCallContentChanged'
  | 'chat/toolCallAuthRequired'
  | 'chat/toolCallAuthResolved'
>;

/** The streaming call that `chat/toolCallStart` appends. */
export function startedToolCall(action: ChatActionOf<'chat/toolCallStart'>): ToolCallStreamingState {
  return omitAbsent<ToolCallStreamingState>({ status: 'streaming', ...identityOf(action) });
}

/** The call after an action that names it. The same object when its status does not allow the action. */
export function reduceToolCall(call: ToolCallState, action: ToolCallAction): ToolCallState {
  switch (action.type) {
    case 'chat/toolCallDelta':
      return call.status === 'streaming' ? withDelta(call, action) : call;
    case 'chat/toolCallReady':
      return call.status === 'streaming' || call.status === 'running' || call.status === 'pending-confirmation'
        ? ready(call, action)
        : call;
    case 'chat/toolCallConfirmed':
      return call.status === 'pending-confirmation' ? confirmed(call, action) : call;
    case 'chat/toolCallComplete':
      return completed(call, action);
    case 'chat/toolCallResultConfirmed':
      return call.status === 'pending-result-confirmation' ? resultConfirmed(call, action) : call;
    case 'chat/toolCallContentChanged':
      return call.status === 'running' && Array.isArray(action.content) ? { ...call, ...metaOf(action), content: action.content } : call;
    case 'chat/toolCallAuthRequired':
      return call.status === 'running' ? stoppedForSignIn(call, action) : call;
    case 'chat/toolCallAuthResolved':
      return call.status === 'auth-required' ? resumed(call, action) : call;
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
    case 'auth-required':
    case 'pending-result-confirmation':
      return cancelled(call, { reason: 'skipped' });
    default:
      return call;
  }
}

/** True while the call waits for the user. */
export function waitsForPerson(call: ToolCallState): boolean {
  return call.status === 'pending-confirmation' || call.status === 'pending-result-confirmation' || call.status === 'auth-required';
}

type UnfinishedToolCall = Exclude<ToolCallState, ToolCallCompletedState | ToolCallCancelledState | { status: '(unknown)' }>;

// Each status has its own fields, so a transition makes the new state from those that all have.
function identityOf({ toolCallId, toolName, displayName, intention, contributor, _meta }: ToolCallBase): ToolCallBase {
  return { toolCallId, toolName, displayName, intention, contributor, _meta };
}

/** Every action about a call may replace its `_meta`. */
function metaOf({ _meta }: { _meta?: ToolCallBase['_meta'] }): Pick<ToolCallBase, '_meta'> {
  return isRecord(_meta) ? { _meta } : {};
}

function metaAfter(call: Pick<ToolCallBase, '_meta'>, action: Pick<ToolCallBase, '_meta'>): ToolCallBase['_meta'] {
  return isRecord(action._meta) ? action._meta : call._meta;
}

/** What the call was asked to do stays, whatever becomes of it. */
function knownOf(call: Exclude<UnfinishedToolCall, ToolCallStreamingState>, action: ToolCallAction) {
  const { toolCallId, toolName, displayName, intention, contributor, invocationMessage, toolInput } = call;
  return { toolCallId, toolName, displayName, intention, contributor, _meta: metaAfter(call, action), invocationMessage, toolInput };
}

function withDelta(call: ToolCallStreamingState, action: ChatActionOf<'chat/toolCallDelta'>): ToolCallStreamingState {
  const { content, invocationMessage } = action;
  const partialInput = typeof content === 'string' ? textOf(call.partialInput) + content : undefined;
  return { ...call, ...metaOf(action), ...omitAbsent({ partialInput, invocationMessage }) };
}

function ready(
  call: ToolCallStreamingState | ToolCallRunningState | ToolCallPendingConfirmationState,
  action: ChatActionOf<'chat/toolCallReady'>,
): ToolCallRunningState | ToolCallPendingConfirmationState {
  const { toolCallId, toolName, displayName } = call;
  const known = {
    toolCallId,
    toolName,
    displayName,
    _meta: metaAfter(call, action),
    contributor: contributorAfter(call.contributor, action.contributor),
    intention: action.intention ?? call.intention,
    invocationMessage: action.invocationMessage,
    toolInput: action.toolInput ?? ('toolInput' in call ? call.toolInput : undefined),
  };
  const { confirmed } = action;
  if (!isAbsent(confirmed))
    return omitAbsent<ToolCallRunningState>({
      ...{ status: 'running', ...known, confirmed },
      startedAt: action.startedAt ?? ('startedAt' in call ? call.startedAt : undefined),
    });
  // A call that waits already keeps what is not said again.
  const earlier = call.status === 'pending-confirmation' ? call : undefined;
  return omitAbsent<ToolCallPendingConfirmationState>({
    status: 'pending-confirmation',
    ...known,
    confirmationTitle: action.confirmationTitle ?? earlier?.confirmationTitle,
    riskAssessment: action.riskAssessment ?? earlier?.riskAssessment,
    edits: action.edits ?? earlier?.edits,
    editable: action.editable ?? earlier?.editable,
    options: action.options ?? earlier?.options,
  });
}

/** Which client a call belongs to is settled when it starts. */
function contributorAfter(
  current: ToolCallContributor | undefined,
  next: ToolCallContributor | undefined,
): ToolCallContributor | undefined {
  if (!isRecord(next)) return current;
  if (isRecord(current) && current.kind === 'client') return next.kind === 'client' && next.clientId === current.clientId ? next : current;
  return next.kind === 'client' ? current : next;
}

function confirmed(
  call: ToolCallPendingConfirmationState,
  action: ChatActionOf<'chat/toolCallConfirmed'>,
): ToolCallRunningState | ToolCallCancelledState {
  const { selectedOptionId } = action;
  const selectedOption = isAbsent(selectedOptionId) ? undefined : listOf(call.options).find((option) => option?.id === selectedOptionId);
  const known = knownOf(call, action);
  if (!action.approved) {
    const { reason, reasonMessage, userSuggestion } = action;
    return omitAbsent<ToolCallCancelledState>({ status: 'cancelled', ...known, reason, reasonMessage, userSuggestion, selectedOption });
  }
  // Input that is kept elsewhere is edited there.
  const toolInput = typeof call.toolInput === 'string' ? (action.editedToolInput ?? call.toolInput) : call.toolInput;
  return omitAbsent<ToolCallRunningState>({
    ...{ status: 'running', ...known, toolInput, confirmed: action.confirmed, selectedOption },
    startedAt: action.startedAt,
  });
}

function completed(call: ToolCallState, action: ChatActionOf<'chat/toolCallComplete'>): ToolCallState {
  if (call.status !== 'running' && call.status !== 'pending-confirmation' && call.status !== 'auth-required') return call;
  if (!isRecord(action.result)) return call;
  const { success, pastTenseMessage, structuredContent, error } = action.result;
  const waitedForSignIn = call.status === 'auth-required';
  // Without the sign-in it cannot have worked.
  if (waitedForSignIn && success) return call;
  const hasRun = call.status !== 'pending-confirmation';
  return omitAbsent<ToolCallCompletedState | ToolCallPendingResultConfirmationState>({
    status: action.requiresResultConfirmation === true && !waitedForSignIn ? 'pending-result-confirmation' : 'completed',
    ...knownOf(call, action),
    confirmed: hasRun ? call.confirmed : 'not-needed',
    selectedOption: hasRun ? call.selectedOption : undefined,
    startedAt: hasRun ? call.startedAt : undefined,
    duration: action.duration,
    success,
    pastTenseMessage,
    content: action.result.content ?? (waitedForSignIn ? call.content : undefined),
    structuredContent,
    error,
  });
}

function resultConfirmed(
  call: ToolCallPendingResultConfirmationState,
  action: ChatActionOf<'chat/toolCallResultConfirmed'>,
): ToolCallCompletedState | ToolCallCancelledState {
  if (action.approved) return { ...call, ...metaOf(action), status: 'completed' };
  const { selectedOption } = call;
  return omitAbsent<ToolCallCancelledState>({ status: 'cancelled', ...knownOf(call, action), reason: 'result-denied', selectedOption });
}

function stoppedForSignIn(call: ToolCallRunningState, action: ChatActionOf<'chat/toolCallAuthRequired'>): ToolCallState {
  if (!isRecord(call.contributor) || call.contributor.kind !== 'mcp') return call;
  const { confirmed, selectedOption, startedAt, content } = call;
  return omitAbsent<ToolCallAuthRequiredState>({
    status: 'auth-required',
    ...knownOf(call, action),
    confirmed,
    selectedOption,
    startedAt,
    content,
    auth: action.auth,
  });
}

function resumed(call: ToolCallAuthRequiredState, action: ChatActionOf<'chat/toolCallAuthResolved'>): ToolCallRunningState {
  const { confirmed, selectedOption, startedAt, content } = call;
  return omitAbsent<ToolCallRunningState>({ status: 'running', ...knownOf(call, action), confirmed, selectedOption, startedAt, content });
}

function cancelled(call: UnfinishedToolCall, why: Pick<ToolCallCancelledState, 'reason'>): ToolCallCancelledState {
  return omitAbsent<ToolCallCancelledState>({
    status: 'cancelled',
    ...identityOf(call),
    invocationMessage: call.invocationMessage ?? '',
    toolInput: 'toolInput' in call ? call.toolInput : undefined,
    ...why,
  });
}
