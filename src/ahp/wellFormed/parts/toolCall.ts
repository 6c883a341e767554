/** Calls of tools, and what they bring. */
import { authRequirement, contentRef, editFields } from './fields.ts';
import {
  anyObject,
  type Check,
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
  whole,
} from './shapeChecks.ts';

const toolContent = union('type', {
  text: object({ text: needs(text) }),
  embeddedResource: object({ data: needs(text), contentType: or('', text) }),
  resource: object(contentRef),
  fileEdit: object(editFields),
  terminal: object({ resource: needs(text), title: or('', text) }),
  subagent: object({ resource: needs(text), title: or('', text), agentName: may(text), description: may(text) }),
});
const option = object({ id: needs(text), label: needs(text), kind: or('', text), group: may(number) });
/** A call whose runner cannot be told must not look like one of the host. */
const contributor = exactly(union('kind', { client: object({ clientId: needs(text) }), mcp: object({ customizationId: needs(text) }) }));
const call = {
  toolCallId: needs(text),
  toolName: or('', text),
  displayName: or('', text),
  intention: may(text),
  contributor,
  _meta: may(anyObject),
};
const inlineOrRef: Check = (value) => text(value) ?? ref(value);
const ref = object(contentRef);
const parameters = { ...call, invocationMessage: or('', textOrMarkdown), toolInput: may(inlineOrRef) };
const contents = may(list(toolContent, malformed('type')));
const startedAt = may(text);
const result = {
  ...parameters,
  success: or(false, flag),
  pastTenseMessage: or('', textOrMarkdown),
  content: contents,
  structuredContent: may(anyObject),
  error: may(object({ message: or('', text), code: may(text) })),
  startedAt,
  duration: may(number),
};
// The user must not be asked to approve what cannot be shown.
export const pendingCall = object({
  ...parameters,
  toolInput: exactly(inlineOrRef),
  confirmationTitle: may(textOrMarkdown),
  riskAssessment: may(
    union('status', {
      complete: object({ reason: or('', textOrMarkdown), safety: needs(number) }),
      loading: object({ kind: or('', text) }),
    }),
  ),
  edits: exactly(object({ items: needs(whole(object(editFields))) })),
  editable: may(flag),
  options: may(list(option)),
});
// Nor may a client run one with another input than the model gave.
export const runningCall = object({ ...parameters, toolInput: exactly(inlineOrRef), startedAt, content: contents });
export const authCall = object({ ...parameters, startedAt, content: contents, auth: needs(object(authRequirement)) });
export const pendingResult = object(result);
export const toolCall = union(
  'status',
  {
    streaming: object({ ...call, partialInput: may(text), invocationMessage: may(textOrMarkdown) }),
    'pending-confirmation': pendingCall,
    running: runningCall,
    'auth-required': authCall,
    'pending-result-confirmation': pendingResult,
    completed: object(result),
    cancelled: object({ ...parameters, reason: or('', text), reasonMessage: may(textOrMarkdown) }),
  },
  // Of a status of a later version, these members are shown.
  object({
    ...call,
    status: needs(text),
    partialInput: may(text),
    toolInput: may(inlineOrRef),
    invocationMessage: may(textOrMarkdown),
    pastTenseMessage: may(textOrMarkdown),
    content: contents,
    structuredContent: may(anyObject),
    error: result.error,
  }),
);
