import { chatFields } from './summary.ts';
import { toolCall } from './parts/toolCall.ts';
import { message, noMessage, pendingMessage } from './parts/message.ts';
import { inputRequest } from './parts/inputRequest.ts';
import { contentRef, errorInfo } from './parts/fields.ts';
import {
  anyObject,
  exactly,
  flag,
  list,
  malformed,
  may,
  needs,
  number,
  object,
  or,
  text,
  textOrMarkdown,
  union,
} from './parts/shapeChecks.ts';
import type { ChatState } from '../channels/chat/state.ts';

const responsePart = union('kind', {
  markdown: object({ id: needs(text), content: needs(text) }),
  reasoning: object({ id: needs(text), content: needs(text) }),
  toolCall: object({ toolCall: needs(toolCall) }),
  contentRef: object(contentRef),
  systemNotification: object({ content: needs(textOrMarkdown) }),
  inputRequest: object({ request: needs(inputRequest), response: exactly(text) }),
  error: object({ error: or({ errorType: '', message: '' }, errorInfo), resumable: may(flag) }),
});

const turn = {
  id: needs(text),
  message: or(noMessage, message),
  responseParts: or([], list(responsePart, malformed('kind'))),
  usage: may(object({ inputTokens: may(number), outputTokens: may(number), cacheReadTokens: may(number), model: may(text) })),
  startedAt: may(text),
};

const work = {
  id: needs(text),
  kind: or('', text),
  label: or('', text),
  startedAt: or('', text),
  command: may(text),
  terminal: may(text),
  chat: may(text),
};

const chat = object({
  ...chatFields,
  status: or(0, number),
  modifiedAt: or('', text),
  turns: or([], list(object({ ...turn, state: or('', text), duration: may(number) }))),
  turnsNextCursor: may(text),
  activeTurn: may(object(turn)),
  steeringMessage: may(pendingMessage),
  queuedMessages: may(list(pendingMessage)),
  draft: may(message),
  backgroundWork: may(list(object(work))),
  _meta: may(anyObject),
});
const noChat = { resource: '', title: '', status: 0, modifiedAt: '', turns: [] };

export function wellFormedChat(value: ChatState): ChatState {
  return (chat(value) ?? noChat) as ChatState;
}
