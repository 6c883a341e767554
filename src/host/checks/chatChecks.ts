/** What the host accepts of a client about a chat, as a pure function of the action and the states. */
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import * as l10n from '../../base/l10n.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import type { RootState } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { Meta } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import { ASKED, askedDigest } from '../../ahp/common/callQuestion.ts';
import type { InputRequest } from '../../ahp/common/inputRequest.ts';
import { isCallPart } from '../../ahp/common/reducers/turns.ts';
import { modelProblem } from './actionChecks.ts';
import { acceptProblem, answerProblem, finalAnswers } from './inputAnswers.ts';

export interface ChatCheckContext {
  clientId: string;
  /** For what the action may name: the agents' models. */
  root: RootState;
  session: SessionState;
  /** False for the chat of a subagent. */
  takesTurns: boolean;
}

const OF_SUBAGENT = l10n.t('the session belongs to a subagent, which accepts no messages');
const NOT_CREATED = l10n.t('the session could not be created');

/** What only makes sense where the user talks to the agent. */
const needsTurns: ReadonlySet<string> = new Set<ChatAction['type']>([
  'chat/turnStarted',
  'chat/turnResume',
  'chat/draftChanged',
  'chat/truncated',
]);

/** Why an action of the right shape is refused, or undefined. */
export function chatProblem(action: ChatAction, state: ChatState, context: ChatCheckContext): string | undefined {
  const { session, takesTurns, clientId } = context;
  if (!takesTurns && needsTurns.has(action.type)) return OF_SUBAGENT;
  switch (action.type) {
    case 'chat/turnStarted':
      if (session.lifecycle === 'failed') return NOT_CREATED;
      if (state.activeTurn) return l10n.t('a turn is in progress');
      if (state.turns.some((turn) => turn.id === action.turnId)) return `turnId ${action.turnId} was used before`;
      if (action.queuedMessageId !== undefined && !hasPending(state, action.queuedMessageId))
        return noPendingMessage(action.queuedMessageId);
      return messageProblem(action.message, context);
    case 'chat/turnResume':
      if (state.activeTurn) return l10n.t('a turn is in progress');
      return resumableTurn(state)?.id === action.turnId ? undefined : `the agent cannot go on with turn ${action.turnId}`;
    case 'chat/turnCancelled':
      return turnProblem(state, action.turnId);
    case 'chat/truncated':
      return action.turnId === undefined || state.turns.some((turn) => turn.id === action.turnId)
        ? undefined
        : `there is no turn ${action.turnId}`;

    case 'chat/toolCallConfirmed':
      return callProblem(state, action, (call) => {
        if (call.status !== 'pending-confirmation') return l10n.t('the tool call is not waiting for a confirmation');
        const asked = action._meta?.[ASKED];
        if (asked !== undefined && asked !== askedDigest(call)) return l10n.t('the tool call asks something else now');
        if (action.approved && action.editedToolInput !== undefined && !call.editable)
          return 'editedToolInput is set, but the input may not be edited';
        if (action.selectedOptionId === undefined) return undefined;
        const option = call.options?.find(({ id }) => id === action.selectedOptionId);
        if (!option) return `selectedOptionId ${action.selectedOptionId} is not among the options`;
        const contradicts = option.kind === (action.approved ? 'deny' : 'approve');
        return contradicts ? `approved is ${action.approved}, but the selected option is to ${option.kind}` : undefined;
      });
    case 'chat/toolCallComplete':
      return callProblem(state, action, (call) => {
        if (lenderOf(call) !== clientId) return 'only the client that provides the tool may complete its call';
        return call.status === 'running' || call.status === 'pending-confirmation' ? undefined : l10n.t('the tool call is not running');
      });
    case 'chat/toolCallContentChanged':
      return callProblem(state, action, (call) => {
        if (lenderOf(call) !== clientId) return 'only the client that provides the tool may change the content of its call';
        return call.status === 'running' ? undefined : l10n.t('the tool call is not running');
      });
    case 'chat/toolCallResultConfirmed':
      return callProblem(state, action, (call) =>
        call.status === 'pending-result-confirmation' ? undefined : l10n.t('the result of the tool call is not waiting for a confirmation'),
      );

    case 'chat/pendingMessageSet':
      if (session.lifecycle === 'failed') return NOT_CREATED;
      if (!takesTurns && action.kind === 'queued') return OF_SUBAGENT;
      if (!takesTurns && !state.activeTurn) return l10n.t('no turn is in progress');
      return messageProblem(action.message, context);
    case 'chat/pendingMessageRemoved': {
      const there =
        action.kind === 'steering'
          ? state.steeringMessage?.id === action.id
          : (state.queuedMessages?.some((message) => message.id === action.id) ?? false);
      return there ? undefined : noPendingMessage(action.id);
    }
    case 'chat/queuedMessagesReordered':
      return new Set(action.order).size < action.order.length ? 'order names a message twice' : undefined;
    case 'chat/isArchivedChanged':
      return state.resource === session.defaultChat ? l10n.t('the first chat is archived with its session') : undefined;
    case 'chat/draftChanged':
      return action.draft && messageProblem(action.draft, context);

    case 'chat/inputAnswerChanged': {
      const request = openRequest(state, action.requestId);
      if (!request) return `there is no open input request ${action.requestId}`;
      const question = request.questions?.find(({ id }) => id === action.questionId);
      if (!question) return `the request has no question "${action.questionId}"`;
      return action.answer && answerProblem(question, action.answer);
    }
    case 'chat/inputCompleted': {
      const request = openRequest(state, action.requestId);
      if (!request) return `there is no open input request ${action.requestId}`;
      return action.response === 'accept' ? acceptProblem(request, finalAnswers(request, action.answers)) : undefined;
    }
    default:
      return undefined;
  }
}

/** What is wrong with a message, whatever its chat does. */
export function messageProblem(
  { model, agent }: Message,
  { root, session }: Pick<ChatCheckContext, 'root' | 'session'>,
): string | undefined {
  if (agent) return l10n.t('this host has no custom agents');
  return model && modelProblem(root, session.provider, model);
}

/** The last turn, if it ended in an error that its agent can go on after. */
export function resumableTurn({ turns }: ChatState): Turn | undefined {
  const last = turns.at(-1);
  const error = last?.responseParts.at(-1);
  return last?.state === 'error' && error?.kind === 'error' && error.resumable === true ? last : undefined;
}

function turnProblem(state: ChatState, turnId: string): string | undefined {
  return state.activeTurn?.id === turnId ? undefined : `turn ${turnId} is not in progress`;
}

function callProblem(
  state: ChatState,
  action: { turnId: string; toolCallId: string },
  problemOf: (call: ToolCallState) => string | undefined,
): string | undefined {
  const problem = turnProblem(state, action.turnId);
  if (problem) return problem;
  const call = findToolCall(state, action.toolCallId);
  return call ? problemOf(call) : `there is no tool call ${action.toolCallId}`;
}

/** The client whose tool it is. */
function lenderOf({ contributor }: ToolCallState): string | undefined {
  return contributor?.kind === 'client' ? contributor.clientId : undefined;
}

/** A call of the turn in progress. Looked for from the end: what is done is nearly always about one of the last, and a turn may have thousands. */
export function findToolCall({ activeTurn }: ChatState, toolCallId: string): ToolCallState | undefined {
  const found = activeTurn?.responseParts.findLast((part) => isCallPart(part) && part.toolCall.toolCallId === toolCallId);
  return found && isCallPart(found) ? found.toolCall : undefined;
}

/** The `_meta` of an action about a call, with what the agent has noted of the call. What an earlier answer was about says nothing of this one. */
export function withNoted(meta: Meta, state: ChatState, toolCallId: string): Meta {
  const { [ASKED]: _earlier, ...noted } = findToolCall(state, toolCallId)?._meta ?? {};
  return { ...meta, ...noted };
}

/** A question of the turn in progress that nobody has answered. */
export function openRequest(state: ChatState, requestId: string): InputRequest | undefined {
  for (const part of state.activeTurn?.responseParts ?? []) {
    if (part.kind === 'inputRequest' && part.response === undefined && part.request.id === requestId) return part.request;
  }
  return undefined;
}

function hasPending(state: ChatState, id: string): boolean {
  return state.steeringMessage?.id === id || (state.queuedMessages?.some((message) => message.id === id) ?? false);
}

function noPendingMessage(id: string): string {
  return `there is no pending message ${id}`;
}
