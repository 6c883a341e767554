/** Messages, parts and turns of AHP v1 as those of AHP 1.0. */
import type { ActiveTurn, InputRequestResponsePart, ResponsePart, Turn } from '../../channels/chat/state.ts';
import type { Message, MessageAttachment, PendingMessage } from '../../channels/shapes/message.ts';
import type { ToolCallState } from '../../channels/shapes/toolCall.ts';
import type { InputRequest } from '../../common/inputRequest.ts';
import { isAbsent, listOf } from '../../common/reducers/reducer.ts';
import { isCallPart } from '../../common/reducers/turns.ts';
import type * as V1Common from '../common.ts';
import type * as V1 from '../session.ts';
import type { ToolCallState as V1ToolCallState } from '../toolCall.ts';
import { remembered, rememberedList } from '../../common/remembered.ts';

/** Whose messages the turns begin with: those of the user, or, in the session of a subagent, of the tool that started it. */
export type Speaker = 'user' | 'tool';

const attachments = rememberedList(
  remembered(({ type, uri, displayName }: V1Common.MessageAttachment): MessageAttachment => ({
    type: 'resource',
    label: displayName ?? uri,
    uri,
    displayKind: type,
  })),
);

function messagesOf(speaker: Speaker): (message: V1Common.UserMessage) => Message {
  return remembered(({ attachments: files, ...message }) => ({
    ...message,
    origin: { kind: speaker },
    ...(!isAbsent(files) && { attachments: attachments(files) }),
  }));
}

const messages = { user: messagesOf('user'), tool: messagesOf('tool') };

export const upgradedPendingMessage = remembered(({ userMessage, ...pending }: V1.PendingMessage): PendingMessage => ({
  ...pending,
  message: messages.user(userMessage),
}));
export const upgradedPendingMessages = rememberedList(upgradedPendingMessage);

/** The same object where AHP v1 says nothing in other words. */
export const upgradedCall = remembered((call: V1ToolCallState): ToolCallState => {
  const { toolClientId, ...rest } = call;
  const suggestion = 'userSuggestion' in rest && !isAbsent(rest.userSuggestion) ? rest.userSuggestion : undefined;
  if (isAbsent(toolClientId) && suggestion === undefined) return call as ToolCallState;
  return {
    ...rest,
    ...(!isAbsent(toolClientId) && { contributor: { kind: 'client', clientId: toolClientId } }),
    ...(suggestion && { userSuggestion: messages.user(suggestion) }),
  } as ToolCallState;
});

const upgradedCallPart = remembered((part: V1.ToolCallResponsePart): ResponsePart => {
  const toolCall = upgradedCall(part.toolCall);
  return toolCall === part.toolCall ? (part as ResponsePart) : { ...part, toolCall };
});

const parts = rememberedList((part: V1.ResponsePart): ResponsePart => (isCallPart(part) ? upgradedCallPart(part) : (part as ResponsePart)));

const questionPart = remembered((request: InputRequest): InputRequestResponsePart => ({ kind: 'inputRequest', request }));

function activeTurnOf(speaker: Speaker): (turn: V1.ActiveTurn) => ActiveTurn {
  return remembered(({ userMessage, responseParts, ...rest }) => ({
    ...rest,
    message: messages[speaker](userMessage),
    responseParts: parts(responseParts),
  }));
}

const activeTurns = { user: activeTurnOf('user'), tool: activeTurnOf('tool') };

/** The open requests stand at the end of the turn: AHP v1 does not say where they were made, and the turn waits for them. */
export function upgradedActiveTurn(turn: V1.ActiveTurn, requests: readonly InputRequest[], speaker: Speaker): ActiveTurn {
  const upgraded = activeTurns[speaker](turn);
  return requests.length > 0 ? { ...upgraded, responseParts: [...upgraded.responseParts, ...requests.map(questionPart)] } : upgraded;
}

function turnsOf(speaker: Speaker): (turns: readonly V1.Turn[] | null | undefined) => Turn[] {
  return rememberedList(
    remembered(({ userMessage, responseParts, error, ...rest }: V1.Turn): Turn => {
      const upgraded = parts(responseParts);
      return {
        ...rest,
        message: messages[speaker](userMessage),
        responseParts: isAbsent(error) ? upgraded : [...listOf(upgraded), { kind: 'error', error }],
      };
    }),
  );
}

export const upgradedTurns = { user: turnsOf('user'), tool: turnsOf('tool') };
