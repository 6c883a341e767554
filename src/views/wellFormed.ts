/**
 * Makes a host's state fit its types before it is shown. A host may send anything and the reducers keep it, but views rely on the types.
 * What fits stays the same object. What does not is left out, replaced by an empty value, or made a part of unknown kind, which is shown
 * as it came.
 */
import type { AnnotationsState } from '../ahp/channels/annotations.ts';
import type { AutomationsState } from '../ahp/channels/automations.ts';
import type { ChangesetState } from '../ahp/channels/changeset.ts';
import type { ChatState } from '../ahp/channels/chat/state.ts';
import type { CommandResult } from '../ahp/channels/commands.ts';
import type { RootState } from '../ahp/channels/root.ts';
import type { SessionState } from '../ahp/channels/session/state.ts';
import type { SessionConfigState } from '../ahp/channels/shapes/config.ts';
import type { SessionSummary } from '../ahp/channels/shapes/summaries.ts';
import type { ProtectedResourceMetadata } from '../ahp/common/shapes.ts';
import type { TerminalState } from '../ahp/channels/terminal.ts';
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
  place,
  record,
  text,
  textOrMarkdown,
  union,
  whole,
} from './shapeChecks.ts';

const contentRef = { uri: needs(text), sizeHint: may(number), contentType: may(text) };
const editSide = object({ uri: needs(text), content: needs(object(contentRef)) });
const editFields = { before: exactly(editSide), after: exactly(editSide), diff: may(object({ added: may(number), removed: may(number) })) };
const primitive: Check = (value) => text(value) ?? number(value) ?? flag(value);
const model = object({ id: needs(text), config: may(record(primitive)) });
const errorInfo = object({ errorType: or('', text), message: or('', text), stack: may(text) });

const folders = may(list(text));
const changes = may(object({ additions: may(number), deletions: may(number), files: may(number) }));
const metadata = {
  provider: or('', text),
  title: or('', text),
  status: or(0, number),
  activity: may(text),
  project: may(object({ uri: needs(text), displayName: needs(text) })),
  workingDirectories: folders,
};
const origin = may(
  union('kind', {
    fork: object({ chat: needs(text), turnId: needs(text) }),
    sideChat: object({ chat: needs(text), turnId: needs(text) }),
    tool: object({ chat: needs(text), toolCallId: needs(text) }),
  }),
);
const chatFields = {
  resource: needs(text),
  title: or('', text),
  activity: may(text),
  origin,
  interactivity: may(text),
  workingDirectories: folders,
  changes,
};
const summary = object({
  ...metadata,
  resource: needs(text),
  createdAt: or('', text),
  modifiedAt: or('', text),
  changes,
  chats: may(list(object({ ...chatFields, status: may(number) }))),
  defaultChat: may(text),
  _meta: may(anyObject),
});

const label = or('', text);
const attachment = union(
  'type',
  {
    simple: object({ label }),
    embeddedResource: object({ label, data: needs(text), contentType: or('', text) }),
    resource: object({ label, ...contentRef }),
    annotations: object({ label, resource: needs(text) }),
    chat: object({ label, resource: needs(text) }),
  },
  object({ type: needs(text), label: may(text) }),
);
const noMessage = { text: '', origin: { kind: 'user' } };
const message = object({
  text: or('', text),
  origin: or(noMessage.origin, union('kind', {})),
  attachments: may(list(attachment)),
  model: may(model),
  agent: may(object({ uri: needs(text) })),
});
const pendingMessage = object({ id: needs(text), message: or(noMessage, message) });

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
const result = {
  ...parameters,
  success: or(false, flag),
  pastTenseMessage: or('', textOrMarkdown),
  content: contents,
  structuredContent: may(anyObject),
  error: may(object({ message: or('', text), code: may(text) })),
};
// The user must not be asked to approve what cannot be shown.
const pendingCall = object({
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
const runningCall = object({ ...parameters, toolInput: exactly(inlineOrRef), content: contents });
const texts = may(list(text));
const protectedResource = object({
  resource: needs(text),
  resource_name: may(text),
  scopes_supported: texts,
  authorization_servers: texts,
});
const authRequirement = {
  reason: or('', text),
  resource: needs(protectedResource),
  requiredScopes: texts,
  oauthClient: may(object({ clientId: needs(text), clientSecret: may(text) })),
  description: may(text),
};
const authCall = object({ ...parameters, content: contents, auth: needs(object(authRequirement)) });
const pendingResult = object(result);
const toolCall = union(
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
const options = list(object({ id: needs(text), label: needs(text), description: may(text), recommended: may(flag) }));
/** What is a member of one kind of question may come with any kind, also with those of later versions. */
const questionBase = {
  id: needs(text),
  title: may(text),
  message: or('', text),
  required: may(flag),
  min: may(number),
  max: may(number),
  format: may(text),
  options: may(options),
  allowFreeformInput: may(flag),
};
const numberQuestion = object({ ...questionBase, defaultValue: may(number) });
const selectQuestion = object({ ...questionBase, options: or([], options) });
const question = union(
  'kind',
  {
    text: object({ ...questionBase, defaultValue: may(text) }),
    number: numberQuestion,
    integer: numberQuestion,
    boolean: object({ ...questionBase, defaultValue: may(flag) }),
    'single-select': selectQuestion,
    'multi-select': selectQuestion,
  },
  object({ ...questionBase, kind: or('', text) }),
);
const freeformValues = may(list(text));
const answered = object({
  value: needs(
    union('kind', {
      text: object({ value: needs(text) }),
      number: object({ value: needs(number) }),
      boolean: object({ value: needs(flag) }),
      selected: object({ value: needs(text), freeformValues }),
      'selected-many': object({ value: needs(list(text)), freeformValues }),
    }),
  ),
});
const answer = union('state', { draft: answered, submitted: answered, skipped: object({ freeformValues }) });
const inputRequest = object({
  id: needs(text),
  message: may(text),
  url: may(text),
  questions: may(list(question)),
  answers: may(record(answer)),
});

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

const property = object({
  type: or('', text),
  title: or('', text),
  description: may(text),
  // They stand beside each other, so none may be left out.
  enum: may(whole(text)),
  enumLabels: may(whole(text)),
  enumDescriptions: may(whole(text)),
  readOnly: may(flag),
  enumDynamic: may(flag),
  sessionMutable: may(flag),
});
const configSchema = object({ properties: or({}, record(property)) });
const config = object({ schema: needs(configSchema), values: or({}, anyObject) });

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
  _meta: may(anyObject),
});

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
const enablement = may(
  list(
    union('kind', {
      global: object({ enabled: needs(flag) }),
      workspace: object({ uri: needs(text), enabled: needs(flag) }),
      session: object({ enabled: needs(flag) }),
    }),
  ),
);
const said = object({ message: or('', text) });
const customized = { id: needs(text), uri: or('', text), name: or('', text) };
const customizationPart = object({ ...customized, description: may(text), enabled: may(flag) });
const mcpServer = object({
  ...customized,
  enablement,
  state: or(
    { kind: '' },
    union('kind', {
      starting: object({ blocking: may(flag) }),
      authRequired: object(authRequirement),
      error: object({ error: or({ errorType: '', message: '' }, errorInfo) }),
    }),
  ),
});
const partKinds = {
  agent: customizationPart,
  skill: customizationPart,
  prompt: customizationPart,
  rule: customizationPart,
  hook: customizationPart,
  mcpServer,
};
const unknownPart = object({ type: needs(text), id: may(text) });
const container = {
  ...customized,
  load: may(union('kind', { degraded: said, error: said })),
  children: may(list(union('type', partKinds, unknownPart))),
};
const customization = union(
  'type',
  { plugin: object({ ...container, enablement }), directory: object({ ...container, enabled: or(true, flag) }), mcpServer },
  unknownPart,
);
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

const claims = { client: object({ clientId: needs(text) }), session: object({ session: needs(text), chat: may(text) }) };
const lifecycle = or({ status: 'running' }, union('status', { exited: object({ exitCode: may(number) }) }));
const root = object({
  agents: or(
    [],
    list(
      object({
        provider: needs(text),
        displayName: or('', text),
        description: or('', text),
        models: or(
          [],
          list(
            object({
              id: needs(text),
              provider: or('', text),
              name: or('', text),
              maxContextWindow: may(number),
              supportsVision: may(flag),
              policyState: may(text),
              configSchema: may(configSchema),
            }),
          ),
        ),
        protectedResources: may(list(protectedResource)),
        capabilities: may(anyObject),
      }),
    ),
  ),
  terminals: may(list(object({ resource: needs(text), title: or('', text), claim: needs(union('kind', claims)), lifecycle }))),
});

const terminal = object({
  title: or('', text),
  lifecycle,
  content: or([], list(union('type', { unclassified: object({ value: needs(text) }), command: object({ output: needs(text) }) }))),
});

const directoryEntries = list(object({ name: needs(text), type: or('', text) }));
const configValueItems = list(object({ value: needs(text), label, description: may(text) }));

const changesetState = object({
  status: or('', text),
  error: may(errorInfo),
  files: or([], list(object({ id: needs(text), edit: needs(object(editFields)), reviewed: may(flag) }))),
  operations: may(
    list(
      object({
        id: needs(text),
        label,
        description: may(text),
        scopes: or([], list(text)),
        confirmation: exactly(textOrMarkdown),
        status: or('', text),
        error: may(errorInfo),
      }),
    ),
  ),
});

const automationMessage = object({ text: or('', text), attachments: may(list(attachment)) });
const automationDefinition = object({
  title: or('', text),
  message: or({ text: '' }, automationMessage),
  session: or(
    {},
    object({
      provider: may(text),
      model: may(model),
      agent: may(object({ uri: needs(text) })),
      workingDirectories: texts,
      config: may(anyObject),
      customizations: may(list(object({ name: or('', text) }))),
    }),
  ),
  enabled: or(false, flag),
  triggers: or(
    [],
    list(
      union('kind', {
        schedule: object({ schedule: needs(object({ expression: or('', text), timeZone: or('', text) })) }),
        event: object({ title: or('', text), type: or('', text) }),
      }),
    ),
  ),
});
const lifecycleTimes = { createdAt: may(text), startedAt: may(text), completedAt: may(text) };
const plainRun = object(lifecycleTimes);
const run = object({
  resource: needs(text),
  origin: or({ kind: '' }, union('kind', {})),
  lifecycle: or(
    { status: '' },
    union('status', {
      pending: plainRun,
      running: plainRun,
      completed: plainRun,
      failed: object({ ...lifecycleTimes, error: may(errorInfo) }),
      cancelled: plainRun,
    }),
  ),
  primarySession: may(text),
  sessionCount: or(0, number),
});
const automations = object({
  entries: or(
    [],
    list(
      object({
        resource: needs(text),
        definition: needs(automationDefinition),
        nextRunAt: may(text),
        runs: or([], list(run)),
        runsNextCursor: may(text),
        operations: or([], list(text)),
      }),
    ),
  ),
});

const position = object({ line: needs(place), character: needs(place) });
const annotationsState = object({
  annotations: or(
    [],
    list(
      object({
        id: needs(text),
        resource: needs(text),
        // Without one it is of the whole file.
        range: may(object({ start: needs(position), end: needs(position) })),
        resolved: or(false, flag),
        entries: or([], list(object({ id: needs(text), text: needs(textOrMarkdown) }))),
      }),
    ),
  ),
});

const noSession = { provider: '', title: '', status: 0, lifecycle: '', activeClients: [], chats: [] };
const noChat = { resource: '', title: '', status: 0, modifiedAt: '', turns: [] };

/** Undefined without a `resource`. */
export function wellFormedSummary(value: SessionSummary): SessionSummary | undefined {
  return summary(value) as SessionSummary | undefined;
}
export function wellFormedSession(value: SessionState): SessionState {
  return (session(value) ?? noSession) as SessionState;
}
export function wellFormedChat(value: ChatState): ChatState {
  return (chat(value) ?? noChat) as ChatState;
}
export function wellFormedRoot(value: RootState): RootState {
  return (root(value) ?? { agents: [] }) as RootState;
}
export function wellFormedTerminal(value: TerminalState): TerminalState {
  return (terminal(value) ?? { title: '', content: [], lifecycle: { status: 'running' } }) as unknown as TerminalState;
}
export function wellFormedChangeset(value: ChangesetState): ChangesetState {
  return (changesetState(value) ?? { status: '', files: [] }) as ChangesetState;
}
export function wellFormedAutomations(value: AutomationsState): AutomationsState {
  return (automations(value) ?? { entries: [] }) as AutomationsState;
}
export function wellFormedAnnotations(value: AnnotationsState): AnnotationsState {
  return (annotationsState(value) ?? { annotations: [] }) as AnnotationsState;
}
export function wellFormedConfig(value: unknown): SessionConfigState {
  return (config(value) ?? { schema: { type: 'object', properties: {} }, values: {} }) as SessionConfigState;
}
export function wellFormedResource(value: unknown): ProtectedResourceMetadata | undefined {
  return protectedResource(value) as ProtectedResourceMetadata | undefined;
}
export function wellFormedEntries(value: unknown): CommandResult<'resourceList'>['entries'] {
  return (directoryEntries(value) ?? []) as CommandResult<'resourceList'>['entries'];
}
export function wellFormedConfigItems(value: unknown): CommandResult<'sessionConfigCompletions'>['items'] {
  return (configValueItems(value) ?? []) as CommandResult<'sessionConfigCompletions'>['items'];
}
