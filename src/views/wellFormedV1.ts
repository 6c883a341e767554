/**
 * Makes a host's state fit its types before it is shown. A host may send anything and the reducers keep it, but views rely on the types.
 * What fits stays the same object. What does not is left out, replaced by an empty value, or made a part of unknown kind, which is shown
 * as it came.
 */
import type { DirectoryEntry, ResolveSessionConfigResult, SessionConfigValueItem } from '../ahp/v1/commands.ts';
import type { RootState } from '../ahp/v1/root.ts';
import type { SessionState, SessionSummary } from '../ahp/v1/session.ts';
import type { TerminalState } from '../ahp/v1/terminal.ts';
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
  record,
  text,
  textOrMarkdown,
  union,
  whole,
} from './shapeChecks.ts';

const contentRef = { uri: needs(text), sizeHint: may(number), contentType: may(text) };
const editSide = object({ uri: needs(text), content: needs(object(contentRef)) });
const editFields = { before: exactly(editSide), after: exactly(editSide), diff: may(object({ added: may(number), removed: may(number) })) };
const model = object({ id: needs(text), config: may(record(text)) });
const errorInfo = object({ errorType: or('', text), message: or('', text), stack: may(text) });

const summary = object({
  resource: needs(text),
  provider: or('', text),
  title: or('', text),
  status: or(0, number),
  activity: may(text),
  createdAt: or(0, number),
  modifiedAt: or(0, number),
  project: may(object({ uri: needs(text), displayName: needs(text) })),
  model: may(model),
  workingDirectory: may(text),
  diffs: may(list(object(editFields))),
});

const attachment = object({ type: or('', text), uri: needs(text), displayName: may(text) });
const userMessage = object({ text: or('', text), attachments: may(list(attachment)) });
const noMessage = { text: '' };
const pendingMessage = object({ id: needs(text), userMessage: or(noMessage, userMessage) });

const toolContent = union('type', {
  text: object({ text: needs(text) }),
  embeddedResource: object({ data: needs(text), contentType: or('', text) }),
  resource: object(contentRef),
  fileEdit: object(editFields),
  terminal: object({ resource: needs(text), title: or('', text) }),
  subagent: object({ resource: needs(text), title: or('', text), agentName: may(text), description: may(text) }),
});
const option = object({ id: needs(text), label: needs(text), kind: or('', text), group: may(number) });
const call = { toolCallId: needs(text), toolName: or('', text), displayName: or('', text), _meta: may(anyObject) };
const parameters = { ...call, invocationMessage: or('', textOrMarkdown), toolInput: may(text) };
const contents = may(list(toolContent, malformed('type')));
const result = {
  ...parameters,
  success: or(false, flag),
  pastTenseMessage: or('', textOrMarkdown),
  content: contents,
  structuredContent: may(anyObject),
  error: may(object({ message: or('', text), code: may(text) })),
};
const toolCall = union(
  'status',
  {
    streaming: object({ ...call, partialInput: may(text), invocationMessage: may(textOrMarkdown) }),
    // The user must not be asked to approve what cannot be shown.
    'pending-confirmation': object({
      ...parameters,
      toolInput: exactly(text),
      confirmationTitle: may(textOrMarkdown),
      edits: exactly(object({ items: needs(whole(object(editFields))) })),
      editable: may(flag),
      options: may(list(option)),
    }),
    running: object({ ...parameters, content: contents }),
    'pending-result-confirmation': object(result),
    completed: object(result),
    cancelled: object({ ...parameters, reason: or('', text), reasonMessage: may(textOrMarkdown) }),
  },
  // Of a status of a later version, these members are shown.
  object({
    ...call,
    status: needs(text),
    partialInput: may(text),
    toolInput: may(text),
    invocationMessage: may(textOrMarkdown),
    pastTenseMessage: may(textOrMarkdown),
    content: contents,
    structuredContent: may(anyObject),
    error: result.error,
  }),
);
const responsePart = union('kind', {
  markdown: object({ id: needs(text), content: needs(text) }),
  reasoning: object({ id: needs(text), content: needs(text) }),
  toolCall: object({ toolCall: needs(toolCall) }),
  contentRef: object(contentRef),
});

const turn = {
  id: needs(text),
  userMessage: or(noMessage, userMessage),
  responseParts: or([], list(responsePart, malformed('kind'))),
  usage: may(object({ inputTokens: may(number), outputTokens: may(number), cacheReadTokens: may(number), model: may(text) })),
};

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

const property = object({
  type: or('', text),
  title: or('', text),
  description: may(text),
  enum: may(list(text)),
  enumLabels: may(list(text)),
  enumDescriptions: may(list(text)),
  readOnly: may(flag),
  enumDynamic: may(flag),
  sessionMutable: may(flag),
});
const configSchema = object({ properties: or({}, record(property)) });
const config = object({ schema: needs(configSchema), values: or({}, anyObject) });

const session = object({
  summary: needs(summary),
  lifecycle: or('', text),
  creationError: may(errorInfo),
  turns: or([], list(object({ ...turn, state: or('', text), error: may(errorInfo) }))),
  activeTurn: may(object(turn)),
  steeringMessage: may(pendingMessage),
  queuedMessages: may(list(pendingMessage)),
  inputRequests: may(list(inputRequest)),
  config: may(config),
  _meta: may(anyObject),
});

const claims = { client: object({ clientId: needs(text) }), session: object({ session: needs(text) }) };
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
        protectedResources: may(list(object({ resource: needs(text), scopes_supported: may(list(text)) }))),
      }),
    ),
  ),
  terminals: may(list(object({ resource: needs(text), title: or('', text), claim: needs(union('kind', claims)), exitCode: may(number) }))),
});

const terminal = object({
  title: or('', text),
  exitCode: may(number),
  content: or([], list(union('type', { unclassified: object({ value: needs(text) }), command: object({ output: needs(text) }) }))),
});

const directoryEntries = list(object({ name: needs(text), type: or('', text) }));
const configValueItems = list(object({ value: needs(text), label: or('', text), description: may(text) }));

const emptySession = {
  summary: { resource: '', provider: '', title: '', status: 0, createdAt: 0, modifiedAt: 0 },
  lifecycle: '',
  turns: [],
};

/** Undefined without a `resource`. */
export function wellFormedSummary(value: SessionSummary): SessionSummary | undefined {
  return summary(value) as SessionSummary | undefined;
}
export function wellFormedSession(value: SessionState): SessionState {
  return (session(value) ?? emptySession) as SessionState;
}
export function wellFormedRoot(value: RootState): RootState {
  return (root(value) ?? { agents: [] }) as RootState;
}
export function wellFormedTerminal(value: TerminalState): TerminalState {
  return (terminal(value) ?? { title: '', content: [] }) as unknown as TerminalState;
}
export function wellFormedConfig(value: unknown): ResolveSessionConfigResult {
  return (config(value) ?? { schema: { type: 'object', properties: {} }, values: {} }) as ResolveSessionConfigResult;
}
export function wellFormedEntries(value: unknown): DirectoryEntry[] {
  return (directoryEntries(value) ?? []) as DirectoryEntry[];
}
export function wellFormedConfigItems(value: unknown): SessionConfigValueItem[] {
  return (configValueItems(value) ?? []) as SessionConfigValueItem[];
}
