import { chatFields, metadata } from './summary.ts';
import { authCall, pendingCall, pendingResult, runningCall } from './parts/toolCall.ts';
import { inputRequest } from './parts/inputRequest.ts';
import { errorInfo, label } from './parts/fields.ts';
import { customization } from './parts/customization.ts';
import { config } from './parts/config.ts';
import { anyObject, list, may, needs, number, object, or, text, union } from './parts/shapeChecks.ts';
import type { SessionState } from '../channels/session/state.ts';

const ofChat = { id: needs(text), chat: needs(text) };
const ofCall = { ...ofChat, turnId: needs(text) };
const inputNeeded = union(
  'kind',
  {
    chatInput: object({ ...ofChat, request: needs(inputRequest) }),
    toolConfirmation: object({
      ...ofCall,
      toolCall: needs(
        union('status', { 'pending-confirmation': pendingCall, 'pending-result-confirmation': pendingResult }, () => undefined),
      ),
    }),
    toolClientExecution: object({
      ...ofCall,
      clientId: needs(text),
      toolCall: needs(union('status', { running: runningCall }, () => undefined)),
    }),
    toolAuthentication: object({ ...ofCall, toolCall: needs(union('status', { 'auth-required': authCall }, () => undefined)) }),
  },
  object({ ...ofChat, kind: needs(text) }),
);
const tools = list(object({ name: needs(text), title: may(text), description: may(text) }));
const changeset = object({
  label,
  uriTemplate: needs(text),
  description: may(text),
  changeKind: or('', text),
  capabilities: may(anyObject),
});
const session = object({
  ...metadata,
  lifecycle: or('', text),
  creationError: may(errorInfo),
  serverTools: may(tools),
  activeClients: or([], list(object({ clientId: needs(text), displayName: may(text), tools: or([], tools) }))),
  chats: or([], list(object({ ...chatFields, status: or(0, number), modifiedAt: or('', text) }))),
  defaultChat: may(text),
  config: may(config),
  customizations: may(list(customization)),
  changesets: may(list(changeset)),
  inputNeeded: may(list(inputNeeded)),
  annotations: may(object({ resource: needs(text), annotationCount: or(0, number), entryCount: or(0, number) })),
  _meta: may(anyObject),
});

const noSession = { provider: '', title: '', status: 0, lifecycle: '', activeClients: [], chats: [] };

export function wellFormedSession(value: SessionState): SessionState {
  return (session(value) ?? noSession) as SessionState;
}
