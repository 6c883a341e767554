/** What the host accepts of a client: every rule is here, as a pure function of the action and the state. */
import { ASKED, askedDigest } from '../../ahp/common/askedCall.ts';
import { isClientDispatchable, type StateAction } from '../../ahp/v1/actions.ts';
import type { ResourceState } from '../../ahp/v1/commands.ts';
import type { ModelSelection } from '../../ahp/v1/common.ts';
import type { RootAction, RootState } from '../../ahp/v1/root.ts';
import type { SessionAction, SessionState } from '../../ahp/v1/session.ts';
import type { ToolCallState } from '../../ahp/v1/toolCall.ts';
import { actionSchemas } from './actionSchemas.ts';
import { configChangeProblem } from './configValues.ts';
import { acceptProblem, answerProblem, finalAnswers } from './inputAnswers.ts';
import { problemOf } from './problem.ts';

export interface CheckedClient {
  clientId: string;
  /** For what the action may name: the agents' models. */
  root: RootState;
  /** False for a subagent's session. */
  takesTurns: boolean;
}

/**
 * Why this action of a client is refused, or undefined. The action is untrusted. `state` is that of its resource, undefined where the
 * action names none. The rules of a terminal's state (claim, running process) are those of `Terminals`.
 */
export function check(action: StateAction, state: ResourceState | undefined, client: CheckedClient): string | undefined {
  const shapeProblem = checkShape(action);
  if (shapeProblem) return shapeProblem;
  if (state && 'turns' in state)
    return action.type.startsWith('session/') ? checkSession(action as SessionAction, state, client) : wrongResource(action);
  if (state && 'content' in state) return action.type.startsWith('terminal/') ? undefined : wrongResource(action);
  if (state) return action.type.startsWith('root/') ? checkRoot(action as RootAction, state) : wrongResource(action);
  return wrongResource(action);
}

/** The rules that need no state: a client may dispatch it, and its fields are there and of the right type. */
function checkShape(action: StateAction): string | undefined {
  const { type } = action as { type?: unknown };
  if (typeof type !== 'string') return 'type is missing or not a string';
  if (!isClientDispatchable(type)) return `clients may not dispatch ${JSON.stringify(type.slice(0, 100))}`;
  return problemOf(actionSchemas[type], action);
}

function wrongResource(action: StateAction): string {
  return `${action.type} does not belong to this resource`;
}

function checkRoot(action: RootAction, state: RootState): string | undefined {
  if (action.type !== 'root/configChanged') return undefined;
  if (!state.config) return 'this host has no configuration';
  const { schema, values } = state.config;
  return configChangeProblem(schema, values, action.config, action.replace === true, (property) => !property.readOnly);
}

/** What only makes sense where the user talks to the agent. */
const needsTurns: ReadonlySet<string> = new Set<SessionAction['type']>([
  'session/turnStarted',
  'session/modelChanged',
  'session/activeClientChanged',
  'session/configChanged',
  'session/truncated',
]);

function checkSession(action: SessionAction, state: SessionState, client: CheckedClient): string | undefined {
  if (!client.takesTurns && needsTurns.has(action.type)) return 'the session belongs to a subagent, which accepts no messages';
  switch (action.type) {
    case 'session/turnStarted':
      if (state.lifecycle === 'creationFailed') return 'the session could not be created';
      if (state.activeTurn) return 'a turn is in progress';
      if (state.turns.some((turn) => turn.id === action.turnId)) return `turnId ${action.turnId} was used before`;
      if (action.queuedMessageId !== undefined && !hasPending(state, action.queuedMessageId))
        return noPendingMessage(action.queuedMessageId);
      return undefined;
    case 'session/turnCancelled':
      return turnProblem(state, action.turnId);
    case 'session/truncated':
      return action.turnId === undefined || state.turns.some((turn) => turn.id === action.turnId)
        ? undefined
        : `there is no turn ${action.turnId}`;

    case 'session/toolCallConfirmed':
      return callProblem(state, action, (call) => {
        if (call.status !== 'pending-confirmation') return 'the tool call is not waiting for a confirmation';
        const asked = action._meta?.[ASKED];
        if (asked !== undefined && asked !== askedDigest(call)) return 'the tool call asks something else now';
        if (action.approved && action.editedToolInput !== undefined && !call.editable)
          return 'editedToolInput is set, but the input may not be edited';
        if (action.selectedOptionId === undefined) return undefined;
        const option = call.options?.find(({ id }) => id === action.selectedOptionId);
        if (!option) return `selectedOptionId ${action.selectedOptionId} is not among the options`;
        const contradicts = option.kind === (action.approved ? 'deny' : 'approve');
        return contradicts ? `approved is ${action.approved}, but the selected option is to ${option.kind}` : undefined;
      });
    case 'session/toolCallComplete':
      return callProblem(state, action, (call) => {
        if (call.toolClientId !== client.clientId) return 'only the client that provides the tool may complete its call';
        return call.status === 'running' || call.status === 'pending-confirmation' ? undefined : 'the tool call is not running';
      });
    case 'session/toolCallContentChanged':
      return callProblem(state, action, (call) => {
        if (call.toolClientId !== client.clientId) return 'only the client that provides the tool may change the content of its call';
        return call.status === 'running' ? undefined : 'the tool call is not running';
      });
    case 'session/toolCallResultConfirmed':
      return callProblem(state, action, (call) =>
        call.status === 'pending-result-confirmation' ? undefined : 'the result of the tool call is not waiting for a confirmation',
      );

    case 'session/modelChanged':
      return modelProblem(client.root, state.summary.provider, action.model);
    case 'session/activeClientChanged':
      // Any client may unset it, so that the user can move the role to another window in two steps.
      if (action.activeClient === null) return undefined;
      if (action.activeClient.clientId !== client.clientId) return 'activeClient.clientId must be the own one';
      if (state.activeClient && state.activeClient.clientId !== client.clientId) return 'another client is active; unset it first';
      return undefined;
    case 'session/activeClientToolsChanged':
      return state.activeClient?.clientId === client.clientId ? undefined : 'only the active client may change its tools';

    case 'session/pendingMessageSet':
      if (state.lifecycle === 'creationFailed') return 'the session could not be created';
      if (!client.takesTurns && action.kind === 'queued') return 'the session belongs to a subagent, which accepts no messages';
      if (!client.takesTurns && !state.activeTurn) return 'no turn is in progress';
      return undefined;
    case 'session/pendingMessageRemoved': {
      const there =
        action.kind === 'steering'
          ? state.steeringMessage?.id === action.id
          : (state.queuedMessages?.some((message) => message.id === action.id) ?? false);
      return there ? undefined : noPendingMessage(action.id);
    }
    case 'session/queuedMessagesReordered':
      return new Set(action.order).size < action.order.length ? 'order names a message twice' : undefined;

    case 'session/inputAnswerChanged': {
      const request = state.inputRequests?.find(({ id }) => id === action.requestId);
      if (!request) return `there is no open input request ${action.requestId}`;
      const question = request.questions?.find(({ id }) => id === action.questionId);
      if (!question) return `the request has no question "${action.questionId}"`;
      return action.answer && answerProblem(question, action.answer);
    }
    case 'session/inputCompleted': {
      const request = state.inputRequests?.find(({ id }) => id === action.requestId);
      if (!request) return `there is no open input request ${action.requestId}`;
      return action.response === 'accept' ? acceptProblem(request, finalAnswers(request, action.answers)) : undefined;
    }

    case 'session/customizationToggled':
      return state.customizations?.some(({ customization }) => customization.uri === action.uri)
        ? undefined
        : `there is no customization ${action.uri}`;
    case 'session/configChanged':
      if (!state.config) return 'the session has no configuration';
      return configChangeProblem(
        state.config.schema,
        state.config.values,
        action.config,
        action.replace === true,
        (property) => property.sessionMutable === true && !property.readOnly,
      );
    default:
      return undefined;
  }
}

/** What is wrong with a model that its agent does not offer. An agent that lists no models accepts any. */
export function modelProblem(root: RootState, provider: string, model: ModelSelection): string | undefined {
  const models = root.agents.find((agent) => agent.provider === provider)?.models ?? [];
  return models.length === 0 || models.some(({ id }) => id === model.id) ? undefined : `${provider} has no model ${model.id}`;
}

function turnProblem(state: SessionState, turnId: string): string | undefined {
  return state.activeTurn?.id === turnId ? undefined : `turn ${turnId} is not in progress`;
}

function callProblem(
  state: SessionState,
  action: { turnId: string; toolCallId: string },
  problemOf: (call: ToolCallState) => string | undefined,
): string | undefined {
  const problem = turnProblem(state, action.turnId);
  if (problem) return problem;
  const call = findToolCall(state, action.toolCallId);
  return call ? problemOf(call) : `there is no tool call ${action.toolCallId}`;
}

/** A call of the turn in progress. */
export function findToolCall(state: SessionState, toolCallId: string): ToolCallState | undefined {
  for (const part of state.activeTurn?.responseParts ?? []) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) return part.toolCall;
  }
  return undefined;
}

function hasPending(state: SessionState, id: string): boolean {
  return state.steeringMessage?.id === id || (state.queuedMessages?.some((message) => message.id === id) ?? false);
}

function noPendingMessage(id: string): string {
  return `there is no pending message ${id}`;
}
